"""What is pinned of Symbiosis hangs together."""

import re

import pytest
from pydantic import TypeAdapter

from rhumbline.adapters.symbiosis.deployments import DEPLOYMENTS, HOST_CHAIN, Deployment, transit_of
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.address import checksummed

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")


@pytest.mark.parametrize("place", DEPLOYMENTS.values(), ids=DEPLOYMENTS)
def test_addresses_are_in_their_form_and_the_native_asset_goes_both_ways_or_neither(place: Deployment) -> None:
    assert all(checksummed(address) == address for address in _ADDRESS.findall(repr(place)))
    assert bool(place.wrapped) is bool(place.unwrapper)
    assert (transit_of(place, NATIVE_EVM) is not None) is bool(place.wrapped)
    assert not place.wrapped or place.wrapped in {token for token, *_ in place.transit}
    assert place.host_chain == HOST_CHAIN not in DEPLOYMENTS


def test_a_place_in_a_pool_is_one_tokens() -> None:
    crossing = [each for place in DEPLOYMENTS.values() for each in place.transit]
    assert len({(pool, index) for _, pool, _, index in crossing}) == len(crossing)
    assert len({synthetic for _, _, synthetic, _ in crossing}) == len(crossing)


def test_how_tokens_cross() -> None:
    ethereum = DEPLOYMENTS[1]
    weth = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
    token, native = transit_of(ethereum, weth), transit_of(ethereum, NATIVE_EVM)
    assert token is not None
    assert native is not None
    assert (token.token, token.synthetic, token.native) == (weth, native.synthetic, False)
    assert (native.token, native.native) == (weth, True)
    assert transit_of(DEPLOYMENTS[137], NATIVE_EVM) is None


def test_an_operator_may_write_one() -> None:
    address = "0x" + "11" * 20
    written = {
        "entries": [[address, address]],
        "portal": address,
        "bridge": address,
        "transit": [[address, address, address, 3]],
        "reverters": [],
    }
    read = TypeAdapter(Deployment).validate_python(written)
    assert transit_of(read, address) is not None
    assert transit_of(read, NATIVE_EVM) is None
