"""KyberSwap on the sandbox: routes through the pools, encoded for its router."""
