"""Across on the sandbox: its API over the real SpokePools, and a relayer that fills deposits."""

from rhumbline.devnet.upstreams.across.emulator import Across

EMULATORS = (Across,)
