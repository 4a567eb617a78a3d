"""Tracking on Solana: transactions by the service's reference keys and their senders, and deliveries."""
