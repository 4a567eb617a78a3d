"""Fuzzing of every decoder of foreign bytes: `make fuzz`."""
