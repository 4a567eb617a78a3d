"""NEAR Intents (1Click) on the sandbox: signed quotes, deposit addresses, and a solver."""

from rhumbline.devnet.upstreams.near_intents.emulator import NearIntents

EMULATORS = (NearIntents,)
