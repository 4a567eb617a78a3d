"""What a transaction would do, run on a node before anybody signs it."""
