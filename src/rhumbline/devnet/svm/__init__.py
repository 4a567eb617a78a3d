"""The sandbox's Solana chain: a real runtime in the process, behind the JSON-RPC of its nodes."""
