"""Relay's contracts by chain.

Sources, read 2026-11-21: https://docs.relay.link/references/protocol/depository/addresses (made of ``GET /chains``),
relay-depository and relay-periphery (deployments, 2026-04), which agree. Networks older than Cancun have other
addresses. Monad, HyperEVM, MegaETH and Robinhood Chain: relay-settlement (packages/networks) and relay-periphery, read
2026-11-22; the latter does not name the last two, from which there are direct deposits only. Solana: the program's own
source (relay-depository at 8c46f72d), and ``GET /chains`` as a client keeps it (2026).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM

SOLVER = "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF"
_DEPOSITORY = "0x4cD00E387622C35bDDB9b4c962C136462338BC31"
_OLDER_DEPOSITORY = "0x59916DA825D2D2eC1BF878D71c88826F6633ecca"
_ROUTER, _OLDER_ROUTER = "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f", "0x9EF6d3c2F60d7b9008D74CAb1FC0F899c957C819"
_PROXY, _OLDER_PROXY = "0xCcC88a9d1B4ED6b0EABA998850414b24f1c315bE", "0x8754Bc615047de01228a7527B712806A71A8dc9a"


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: ``relay_id`` is its ID in Relay's API, ``name`` its name in orders; ``native`` is its marker.

    ``depository`` takes deposits, ``router`` makes calls with native input, ``approval_proxy`` with tokens (both v3);
    empty if nothing can start there. ``solver`` signs orders. On Solana ``depository`` is a program, and only the
    tokens of ``held``, mints and the native marker, are deposited.
    """

    relay_id: int
    name: str
    depository: str = ""
    router: str = ""
    approval_proxy: str = ""
    solver: str = SOLVER
    native: str = NATIVE_EVM
    held: tuple[str, ...] = ()


def _evm(chain_id: int, name: str) -> Deployment:
    return Deployment(chain_id, name, _DEPOSITORY, _ROUTER, _PROXY)


def _older(chain_id: int, name: str) -> Deployment:
    return Deployment(chain_id, name, _OLDER_DEPOSITORY, _OLDER_ROUTER, _OLDER_PROXY)


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1: _evm(1, "ethereum"),
        10: _evm(10, "optimism"),
        56: _evm(56, "bnb"),
        100: _evm(100, "gnosis"),
        130: _evm(130, "unichain"),
        137: _evm(137, "polygon"),
        143: _evm(143, "monad"),
        146: _evm(146, "sonic"),
        324: _evm(324, "zksync"),
        480: _evm(480, "worldchain"),
        999: _evm(999, "hyperevm"),
        4326: Deployment(4326, "megaeth", _DEPOSITORY),
        4663: Deployment(4663, "robinhood", _DEPOSITORY),
        5000: _older(5000, "mantle"),
        8453: _evm(8453, "base"),
        42161: _evm(42161, "arbitrum"),
        42220: _evm(42220, "celo"),
        43114: _evm(43114, "avalanche"),
        59144: _older(59144, "linea"),
        80094: _evm(80094, "berachain"),
        81457: _evm(81457, "blast"),
        534352: _evm(534352, "scroll"),
        1000000001: Deployment(
            792703809,
            "solana",
            "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2",
            native=NATIVE_SVM,
            held=(
                NATIVE_SVM,
                "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
                "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
            ),
        ),
    }
)
