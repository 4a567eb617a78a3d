"""Whom a session is of: a plain account by its address, a contract wallet by its address on one chain.

A key holds its address on every chain. A contract holds it on the chain where it is: on another one somebody else may
have made another contract at the same address, so the two are never the same account. The ID of a contract wallet is
that of CAIP-10 (https://chainagnostic.org/CAIPs/caip-10, read 2026-11-27): ``eip155:8453:0x…``.
"""

import re
from dataclasses import dataclass

from rhumbline.domain.chain import ChainType
from rhumbline.gateways.chain_types.addresses import canonical_address, read_address

_CHAIN = re.compile(r"eip155:([1-9][0-9]{0,15}):", re.ASCII)


@dataclass(frozen=True, slots=True)
class AccountId:
    """``address`` in EIP-55 form; ``chain_id`` is None for a plain account."""

    address: str
    chain_id: int | None = None

    def written(self) -> str:
        return self.address if self.chain_id is None else f"eip155:{self.chain_id}:{self.address}"


def split_account(text: str) -> tuple[str, str]:
    """Split an ID into what names its chain, "" for a plain account, and the rest, which is to be an address."""
    found = _CHAIN.match(text)
    return ("", text) if found is None else (found[0], text[found.end() :])


def read_account_id(text: str) -> AccountId | None:
    """Read an ID as it is written; None for anything else."""
    chain, address = split_account(text)
    if canonical_address(ChainType.EVM, address) != address:
        return None
    return AccountId(address, int(chain.split(":")[1]) if chain else None)


def typed_account(text: str) -> tuple[str | None, bool]:
    """Return the ID that somebody typed, as it is written, and whether its checksum holds; None where it is none."""
    chain, typed = split_account(text)
    address, sound = read_address(ChainType.EVM, typed)
    return None if address is None else chain + address, sound
