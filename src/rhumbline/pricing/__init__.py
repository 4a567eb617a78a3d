"""Token prices in USD: answered from memory and refreshed in the background."""
