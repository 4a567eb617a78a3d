"""Symbiosis on the sandbox: crossings by way of a host chain that nobody sees."""

from rhumbline.devnet.upstreams.symbiosis.emulator import Symbiosis

EMULATORS = (Symbiosis,)
