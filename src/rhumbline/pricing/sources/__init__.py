"""Who tells prices: one file a source."""
