"""The rows of `make chaos`: each does one kind of harm, and judges what became of it."""
