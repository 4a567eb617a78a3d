"""What differs by chain type and has to be known where no node is asked: addresses, 32-byte words, terms of orders."""
