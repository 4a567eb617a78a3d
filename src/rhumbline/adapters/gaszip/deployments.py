"""Gas.zip's contracts and short IDs by chain.

Sources, read 2026-11-21: the documentation's table of deposit contracts (``inboundChains.ts``, 2026-06); short IDs from
``GET /chains`` as in several public clients (2026-09 and 2026-10). Chains without a published short ID are origins
only; chains whose contract is not the common one are destinations only. HyperEVM, Monad, Katana, Ink, ApeChain and
Abstract: short IDs from ``GET /chains`` as in an interoperability monitor (2026-11-22). Solana: the tables and the code
example of https://dev.gas.zip in an undated copy; no answer of the service about it has been seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_CONTRACT = "0x2a37D63EAdFe4b4682a3c28C1c2cD4F109Cc2762"


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: ``short`` is Gas.zip's ID of it, 0 if it is no destination; ``contract`` takes deposits, if any.

    The short ID must be the one in ``GET /chains`` at the time of a quote. ``chain`` is the API's number of the chain,
    0 if it is ours. On Solana ``contract`` is a program, which pays ``wallet``.
    """

    short: int = 0
    contract: str = ""
    chain: int = 0
    wallet: str = ""


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1: Deployment(255, _CONTRACT),
        10: Deployment(55, _CONTRACT),
        56: Deployment(14, _CONTRACT),
        100: Deployment(0, _CONTRACT),
        130: Deployment(362, _CONTRACT),
        137: Deployment(17, _CONTRACT),
        143: Deployment(511),
        146: Deployment(0, _CONTRACT),
        324: Deployment(51),
        480: Deployment(0, _CONTRACT),
        999: Deployment(430, _CONTRACT),
        2741: Deployment(110),
        5000: Deployment(0, _CONTRACT),
        8453: Deployment(54, _CONTRACT),
        33139: Deployment(296, _CONTRACT),
        42161: Deployment(57, _CONTRACT),
        42220: Deployment(21),
        43114: Deployment(15, _CONTRACT),
        57073: Deployment(392, _CONTRACT),
        59144: Deployment(59),
        80094: Deployment(0, _CONTRACT),
        81457: Deployment(96, _CONTRACT),
        534352: Deployment(0, _CONTRACT),
        747474: Deployment(485),
        1000000001: Deployment(
            245,
            "FzuVV5WeLyWHDuX6SPbeLgqkvePDTzMCRKYAhDbiP3z3",
            501474,
            "gasZT2bpe7mxu5wMgQbvry84vok5CuF2huCEokyC3qh",
        ),
    }
)


def api_number(chain_id: int, place: Deployment) -> int:
    """Return what the API calls a chain of ours."""
    return place.chain or chain_id
