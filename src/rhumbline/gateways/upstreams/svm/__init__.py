"""What adapters of Solana upstreams share: answer fields, whole transactions, token accounts of a swap."""
