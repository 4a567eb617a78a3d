"""The EVM chains of the sandbox: nodes, contracts, pools and wallets."""
