"""Child processes, and waiting for whatever comes first."""
