"""What goes over the wire, one file a resource: field names, types and spellings exactly as the contract has them."""
