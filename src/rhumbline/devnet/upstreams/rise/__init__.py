"""Rise on the sandbox: markets, quotes and transactions of its program."""

from rhumbline.devnet.upstreams.rise.emulator import Rise

EMULATORS = (Rise,)
