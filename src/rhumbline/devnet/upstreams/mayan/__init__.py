"""Mayan on the sandbox: its price API, its explorer, and relayers of every kind of transfer."""

from rhumbline.devnet.upstreams.mayan.emulator import Mayan, MayanFastMctp, MayanMctp, MayanSwift, MayanWormhole

EMULATORS = (Mayan, MayanFastMctp, MayanMctp, MayanSwift, MayanWormhole)
