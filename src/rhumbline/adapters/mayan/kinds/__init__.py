"""The kinds of transfer: the order of each, and its calldata."""
