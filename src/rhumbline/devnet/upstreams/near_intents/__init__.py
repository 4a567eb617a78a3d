"""NEAR Intents (1Click) on the sandbox: signed quotes, deposit addresses, and a solver."""
