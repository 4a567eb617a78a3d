"""Nodes of EVM chains, and reads from them: heads, batched reads, ENS names, our contracts."""
