"""Jupiter on the sandbox: instructions of its program over the pools of Solana."""

from rhumbline.devnet.upstreams.jupiter.emulator import Jupiter

EMULATORS = (Jupiter,)
