"""Chains are found by ID, key and alias."""

import pytest

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.token import Token


def chain(number: int, key: str, aliases: tuple[str, ...] = ()) -> Chain:
    native = Token(number, NATIVE_EVM, "ETH", 18, "Ether", "ETH")
    return Chain(number, key, key.title(), ChainType.EVM, native, mainnet=True, aliases=aliases)


ETH, BASE = chain(1, "eth"), chain(8453, "base", ("bas",))


@pytest.mark.parametrize("name", ["8453", "base", "BASE", " bas "])
def test_a_chain_is_found_by_id_key_and_alias(name: str) -> None:
    assert ChainCatalog([ETH, BASE]).find(name) is BASE


@pytest.mark.parametrize("name", ["", "0", "2", "bse", "1.0", "٨٤٥٣", "9" * 400])
def test_an_unknown_chain_is_none(name: str) -> None:
    assert ChainCatalog([ETH, BASE]).find(name) is None


def test_names_and_ids_are_unique() -> None:
    with pytest.raises(ValueError, match="'eth'"):
        ChainCatalog([ETH, chain(2, "eth")])
    with pytest.raises(ValueError, match="same ID"):
        ChainCatalog([ETH, chain(1, "two")])
