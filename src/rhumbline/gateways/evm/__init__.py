"""Codecs of EVM chains: ABI, addresses, calldata, signatures. Nothing here asks a node."""
