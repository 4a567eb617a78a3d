"""EVM chains: JSON-RPC, ABI codecs, addresses, our contracts' artifacts and deployment."""
