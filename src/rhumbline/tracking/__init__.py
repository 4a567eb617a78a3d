"""The life of executed transactions: finding them on their chains, recording and listing them."""
