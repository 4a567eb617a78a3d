"""The pinned asset IDs mean the tokens they are pinned to, as far as an ID shows it."""

import re

import pytest
from pydantic import TypeAdapter

from rhumbline.adapters.near_intents.deployments import DEPLOYMENTS, Deployment
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.address import checksummed

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_OMFT = re.compile(r"nep141:([a-z]+)(?:-(0x[0-9a-f]{40}))?\.omft\.near")
_HOT = re.compile(r"nep245:v2_1\.omni\.hot\.tg:([0-9]+)_(.+)")
ASSETS = [(chain, *each) for chain, place in DEPLOYMENTS.items() if place.blockchain != "sol" for each in place.assets]


def base58(text: str) -> int:
    value = 0
    for sign in text:
        value = value * 58 + _ALPHABET.index(sign)
    return value


@pytest.mark.parametrize(("chain", "address", "asset"), ASSETS)
def test_an_id_names_its_chain_and_contract(chain: int, address: str, asset: str) -> None:
    assert checksummed(address) == address
    if (hot := _HOT.fullmatch(asset)) is not None:
        assert int(hot[1]) == chain
        assert base58(hot[2]) == int(address, 16)
    else:
        omft = _OMFT.fullmatch(asset)
        assert omft is not None
        assert omft[1] == DEPLOYMENTS[chain].blockchain
        assert (omft[2] or NATIVE_EVM) == address.lower()


def test_no_id_is_there_twice() -> None:
    every = [asset for place in DEPLOYMENTS.values() for _, asset in place.assets]
    assert len(set(every)) == len(every)
    assert len({place.blockchain for place in DEPLOYMENTS.values()}) == len(DEPLOYMENTS)


def test_an_operator_may_write_one() -> None:
    written = {"blockchain": "eth", "assets": [[NATIVE_EVM, "nep141:eth.omft.near"]], "signer": "ed25519:x"}
    read = TypeAdapter(Deployment).validate_python(written)
    assert read.asset(NATIVE_EVM) == "nep141:eth.omft.near"
    assert read.asset("0x" + "11" * 20) is None


def test_addresses_are_found_in_any_case_on_evm_chains_only() -> None:
    token, asset = DEPLOYMENTS[1].assets[1]
    assert Deployment("eth", ((token.lower(), asset),)).asset(token) == asset
    assert DEPLOYMENTS[1].asset(token.lower()) == asset
    mint, of_mint = DEPLOYMENTS[1000000001].assets[1]
    assert DEPLOYMENTS[1000000001].asset(mint) == of_mint
    assert DEPLOYMENTS[1000000001].asset(mint.lower()) is None
