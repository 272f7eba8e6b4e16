"""Training runs: the loop, exams through the arena, checkpoints, logs and learning curves."""
