"""Chains, and the markers of their native assets."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from rhumbline.domain.token import Token

NATIVE_EVM = "0x0000000000000000000000000000000000000000"
"""The native asset of every EVM chain, as requests and answers name it."""
NATIVE_EVM_ALIAS = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
"""Another marker in wide use; accepted on input, answered as the zero address."""
NATIVE_SVM = "11111111111111111111111111111111"
"""The native asset of Solana; also its System Program, and the placeholder wallet."""


class ChainType(StrEnum):
    """The type of a chain's virtual machine."""

    EVM = "EVM"
    SVM = "SVM"


_NATIVE: Mapping[ChainType, str] = MappingProxyType({ChainType.EVM: NATIVE_EVM, ChainType.SVM: NATIVE_SVM})


def native_marker(chain_type: ChainType) -> str:
    return _NATIVE[chain_type]


NATIVES = frozenset(_NATIVE.values())
"""The canonical markers of the native asset of a chain, of either type."""


@dataclass(frozen=True, slots=True)
class Chain:
    """One chain as the service knows it. Addresses are canonical (EIP-55 or base58).

    ``rpc_urls`` are public endpoints that may be served; an operator's own endpoints live in the settings only.
    ``diamond``, ``executor``, ``receiver``, ``multicall`` and ``wrapped_native`` are None where the chain has none.
    """

    id: int
    key: str
    name: str
    type: ChainType
    native: Token
    mainnet: bool
    rpc_urls: tuple[str, ...] = ()
    explorer_url: str | None = None
    logo_uri: str | None = None
    multicall: str | None = None
    wrapped_native: str | None = None
    diamond: str | None = None
    executor: str | None = None
    receiver: str | None = None
    confirmations: int = 0
    aliases: tuple[str, ...] = ()
