"""The parameters of requests and their parsing: every fault is reported at once."""
