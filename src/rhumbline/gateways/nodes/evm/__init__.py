"""Nodes of EVM chains, and what is read from them: heads, many reads in one, ENS names, our contracts."""
