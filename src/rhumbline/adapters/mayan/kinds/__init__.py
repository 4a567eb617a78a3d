"""The kinds of transfer: what each one's order says, and the calldata that it is."""
