"""A saved explanation against the chain that it is of."""

import json
from copy import deepcopy
from typing import Any

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.liquidity.explanation_check import check, digest_of
from rhumbline.liquidity.explanation_reads import compare
from tests.adapters.onchain.adapter_fixture import AdapterFixture

ONE = 10**18


async def saved(adapter_fixture: AdapterFixture) -> dict[str, Any]:
    quote = await adapter_fixture.by_plan().quote("ETH", "DAI", 300 * ONE)
    assert quote.pool_plan is not None
    document: dict[str, Any] = json.loads(json.dumps(quote.pool_plan.explain()))
    return document


async def test_what_the_chain_says_is_what_was_told_also_later(adapter_fixture: AdapterFixture) -> None:
    document = await saved(adapter_fixture)
    assert check(document) == []
    assert len({each["state"]["form"] for each in document["pools"]}) > 1
    await adapter_fixture.mint("WETH", ONE)
    assert await compare(adapter_fixture.rpc, document) == []


async def test_states_that_are_forged_and_add_up_are_found(adapter_fixture: AdapterFixture) -> None:
    """Every number of every state in turn: offline nobody could tell, for the pools that the plan leaves alone."""
    document = await saved(adapter_fixture)
    for number, pool in enumerate(document["pools"][:4]):
        for name, value in pool["state"].items():
            if name == "form" or name.endswith("_word"):
                continue
            altered = deepcopy(document)
            state = altered["pools"][number]["state"]
            if isinstance(value, dict):
                tick = next(iter(value))
                state[name][tick] = str(int(value[tick]) + 1)
            else:
                state[name] = str(int(value) + 1)
            altered["pools"] = [altered["pools"][number]]
            faults = await compare(adapter_fixture.rpc, altered)
            assert [each for each in faults if f"{pool['address']}.state.{name}" in each], faults


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("chainId",), "1"),
        (("block", "hash"), "0x" + "ab" * 32),
        (("block", "timestamp"), "7"),
        (("block", "baseFee"), "1234567"),
        (("block", "number"), "1"),
    ],
)
async def test_another_block_is_found(adapter_fixture: AdapterFixture, place: tuple[str, ...], value: str) -> None:
    document = await saved(adapter_fixture)
    *way, last = place
    (document[way[0]] if way else document)[last] = value
    document["digest"] = digest_of(document)
    faults = await compare(adapter_fixture.rpc, document)
    expected = "block.hash" if last == "number" else ".".join(place)
    assert any(each.startswith(expected) for each in faults), faults


async def test_a_block_that_the_node_has_not_is_said(adapter_fixture: AdapterFixture) -> None:
    document = await saved(adapter_fixture)
    document["block"]["number"] = "999999999"
    with pytest.raises(NodeUnavailable, match="block 999999999"):
        await compare(adapter_fixture.rpc, document)
