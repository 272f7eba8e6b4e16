"""What ludens did at commit 9a49d67, kept so that later versions can be held to it."""
