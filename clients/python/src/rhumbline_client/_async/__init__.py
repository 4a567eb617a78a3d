"""The asynchronous half; clients/generate.py makes the blocking one of it."""
