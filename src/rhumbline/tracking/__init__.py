"""The life of executed transactions: seeing them on their chains, keeping records of them, listing the records."""
