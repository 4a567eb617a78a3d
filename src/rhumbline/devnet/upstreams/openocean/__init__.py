"""OpenOcean on the sandbox: swaps through its exchange contract."""

from rhumbline.devnet.upstreams.openocean.emulator import OpenOcean

EMULATORS = (OpenOcean,)
