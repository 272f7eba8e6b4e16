"""The pursuit game: a hidden phantom against a team of detectives, on any board."""
