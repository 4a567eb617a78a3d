"""The only places with sockets and processes: chains, databases, upstreams."""
