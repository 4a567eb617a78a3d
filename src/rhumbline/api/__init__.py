"""HTTP and only HTTP: parsing at the door, the contract's words on the wire, and the server itself."""
