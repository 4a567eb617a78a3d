"""OpenOcean on the sandbox: swaps through its exchange contract."""
