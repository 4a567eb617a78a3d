"""Gas.zip on the sandbox: its quotes and its table of chains, and a solver that pays for deposits."""

from rhumbline.devnet.upstreams.gaszip.emulator import GasZip

EMULATORS = (GasZip,)
