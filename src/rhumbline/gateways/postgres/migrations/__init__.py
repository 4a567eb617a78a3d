"""The schema's history, one file a revision; `migrating.py` runs what is missing, in order."""
