"""Who may ask and who earns: integrators, their keys and wallets, and the service's own secrets."""
