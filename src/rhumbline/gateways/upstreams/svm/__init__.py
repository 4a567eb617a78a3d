"""What adapters of upstreams on Solana share: fields of answers, whole transactions, token accounts of a swap."""
