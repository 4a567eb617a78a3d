"""What adapters of upstreams on Solana share: the fields of answers, and the token accounts of a swap."""
