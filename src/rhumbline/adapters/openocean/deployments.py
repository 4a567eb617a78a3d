"""OpenOcean's exchange contracts by chain.

Sources, read 2026-11-21: the vendor's list of supported chains and its contracts page. The exchange has one address on
most chains, and another on zkSync Era; a chain that is about to be switched off (Polygon zkEVM) is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM_ALIAS

EXCHANGE = "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64"
"""OpenOceanExchange, behind a proxy of the vendor's."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: its name in the paths of the API, and the exchange, which is both called and approved (EIP-55).

    ``native`` is what the native asset goes by, and ``native_too`` what an answer may call it besides, if anything.
    """

    chain_name: str
    exchange: str = EXCHANGE
    native: str = NATIVE_EVM_ALIAS
    native_too: str = ""


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1: Deployment("eth"),
        10: Deployment("optimism"),
        56: Deployment("bsc"),
        100: Deployment("xdai"),
        130: Deployment("uni"),
        # An answer of 2023 named the asset so; calldata never does.
        137: Deployment("polygon", native_too="0x0000000000000000000000000000000000001010"),
        143: Deployment("monad"),
        146: Deployment("sonic"),
        324: Deployment("zksync", "0x36A1aCbbCAfca2468b85011DDD16E7Cb4d673230"),
        999: Deployment("hyperevm"),
        1329: Deployment("sei"),
        5000: Deployment("mantle"),
        8453: Deployment("base"),
        9745: Deployment("plasma"),
        34443: Deployment("mode"),
        42161: Deployment("arbitrum"),
        43114: Deployment("avax"),
        59144: Deployment("linea"),
        80094: Deployment("bera"),
        81457: Deployment("blast"),
        534352: Deployment("scroll"),
    }
)
