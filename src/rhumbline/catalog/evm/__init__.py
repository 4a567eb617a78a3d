"""What the catalogue reads on EVM chains."""
