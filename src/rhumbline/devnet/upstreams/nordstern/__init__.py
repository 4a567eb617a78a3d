"""Nordstern on the sandbox: one answer is quote and call."""

from rhumbline.devnet.upstreams.nordstern.emulator import Nordstern

EMULATORS = (Nordstern,)
