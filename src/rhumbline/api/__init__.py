"""HTTP: parsing requests, the contract's field names, and the server itself."""
