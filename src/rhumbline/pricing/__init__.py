"""What tokens are worth in USD: answered from memory, refreshed behind the answers."""
