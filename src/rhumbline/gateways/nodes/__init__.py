"""Nodes of every chain: JSON-RPC over HTTP and websocket, and new heads."""
