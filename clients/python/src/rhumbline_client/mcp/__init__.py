"""A server of the Model Context Protocol over a Rhumbline service: an agent asks, and its own wallet signs.

`command` is what `rhumbline-mcp` and `rhumbline mcp` start. Needs the extra ``mcp`` of this package; nothing else of it
imports the protocol's SDK.
"""
