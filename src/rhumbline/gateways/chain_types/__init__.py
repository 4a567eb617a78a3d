"""What differs by chain type and is needed without a node: addresses, 32-byte words, terms of orders."""
