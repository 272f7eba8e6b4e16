"""Deals that players can verify: before a game they see the fingerprint of a secret, after it the secret itself.

The seed of the deal is derived from the secret, so the deal cannot be changed once the fingerprint is shown::

    >>> secret = bytes(32)
    >>> fingerprint(secret)[:16]
    '66687aadf862bd77'
    >>> seed_of(secret)
    17025299991165071080
"""

from __future__ import annotations

import hashlib

SECRET_BYTES = 32


def fingerprint(secret: bytes) -> str:
    """SHA-256 of the secret's bytes, in hex: ``printf SECRET | xxd -r -p | sha256sum`` gives the same."""
    return hashlib.sha256(secret).hexdigest()


def seed_of(secret: bytes) -> int:
    """The seed of the deal, from 0 to 2**64 - 1, that belongs to a secret.

    It is the first 8 bytes, big-endian, of SHA-256 of b'seed' followed by the secret.
    """
    return int.from_bytes(hashlib.sha256(b"seed" + secret).digest()[:8], "big")
