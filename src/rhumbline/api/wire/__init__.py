"""The wire format, one file per resource: field names, types and spellings exactly as in the contract."""
