"""Addresses by chain type: their form, their canonical spelling, and the one table of their readers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM_ALIAS, ChainType, native_marker
from rhumbline.gateways.evm import address as evm
from rhumbline.gateways.svm import address as svm


@dataclass(frozen=True, slots=True)
class _Writing:
    """A chain type's spelling of addresses; ``checksum_holds`` and ``canonical`` are for texts of the right form."""

    is_address: Callable[[str], bool]
    checksum_holds: Callable[[str], bool]
    canonical: Callable[[str], str]


_WRITINGS: Mapping[ChainType, _Writing] = MappingProxyType(
    {
        ChainType.EVM: _Writing(evm.is_address, evm.checksum_holds, evm.checksummed),
        # Base58 as Solana writes it has no checksum, and one form only.
        ChainType.SVM: _Writing(svm.is_address, lambda text: True, lambda text: text),
    }
)


def is_address(chain_type: ChainType, text: str) -> bool:
    """Return whether a text has the form of an address of the chain type, whatever its case or checksum."""
    return _WRITINGS[chain_type].is_address(text)


def checksum_holds(chain_type: ChainType, text: str) -> bool:
    """Return whether an address shows no slip: it carries no checksum, or the right one. The form must be right."""
    return _WRITINGS[chain_type].checksum_holds(text)


def read_address(chain_type: ChainType, text: str) -> tuple[str | None, bool]:
    """Return an address as ``canonical_address`` does, and whether it shows no slip, as ``checksum_holds`` tells."""
    writing = _WRITINGS[chain_type]
    if not writing.is_address(text):
        return None, False
    return writing.canonical(text), writing.checksum_holds(text)


def canonical_address(chain_type: ChainType, text: str) -> str | None:
    """Return an address in canonical form (EIP-55 or base58), its checksum unseen; None for a text of another form."""
    writing = _WRITINGS[chain_type]
    return writing.canonical(text) if writing.is_address(text) else None


def canonical_token(chain_type: ChainType, text: str) -> str | None:
    """Return a token's canonical address, for any marker of the native asset the service's own; None as above."""
    address = canonical_address(chain_type, text)
    return native_marker(chain_type) if address == NATIVE_EVM_ALIAS else address
