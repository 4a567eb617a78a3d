"""Emulators of the upstreams that adapters speak to: each speaks its upstream's protocol, strictly, on the sandbox."""

from rhumbline.devnet.upstreams.across import Across
from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.devnet.upstreams.dflow import Dflow
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.gaszip import GasZip
from rhumbline.devnet.upstreams.jupiter import Jupiter
from rhumbline.devnet.upstreams.kyberswap import KyberSwap
from rhumbline.devnet.upstreams.mayan import Mayan, MayanFastMctp, MayanMctp, MayanSwift, MayanWormhole
from rhumbline.devnet.upstreams.near_intents import NearIntents
from rhumbline.devnet.upstreams.nordstern import Nordstern
from rhumbline.devnet.upstreams.okx import Okx
from rhumbline.devnet.upstreams.openocean import OpenOcean
from rhumbline.devnet.upstreams.relay import Relay
from rhumbline.devnet.upstreams.rise import Rise
from rhumbline.devnet.upstreams.symbiosis import Symbiosis
from rhumbline.devnet.upstreams.tenderly import Tenderly

EMULATORS: tuple[type[Emulator], ...] = (
    Across,
    Dflow,
    GasZip,
    Jupiter,
    KyberSwap,
    Mayan,
    MayanFastMctp,
    MayanMctp,
    MayanSwift,
    MayanWormhole,
    NearIntents,
    Nordstern,
    Okx,
    OpenOcean,
    Relay,
    Rise,
    Symbiosis,
    # One line each, in the order of their keys: `Gaszip,`, with its import above.
)

PRICE_EMULATORS: tuple[type[Emulator], ...] = (DefiLlama,)
"""Those that no adapter speaks to, but a price source."""

SIMULATION_EMULATORS: tuple[type[Emulator], ...] = (Tenderly,)
"""Those that are asked for second simulations; the sandbox's service asks none."""
