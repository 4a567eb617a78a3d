"""What quotes share of a chain: each gets what it asked for and nothing beside."""

from rhumbline.gateways.nodes.svm.shared_state import SharedState
from tests.gateways.nodes.svm.node import node


async def test_of_a_look_for_more_each_gets_what_it_asked_for() -> None:
    many = [str(i) for i in range(5)]
    async with node({"context": {"slot": 7}, "value": [None] * 5}) as (rpc, asked):
        state = SharedState(rpc)
        assert (await state.page(many)).found == dict.fromkeys(many)
        assert list((await state.page(["3", "1"])).found) == ["3", "1"]
        assert (await state.mints(["2"])) == {"2": None}
        assert len(asked.asked) == 1


async def test_fees_of_the_same_accounts_are_asked_for_once() -> None:
    async with node([{"slot": 1, "prioritizationFee": 5}]) as (rpc, asked):
        state = SharedState(rpc)
        assert await state.priority_fees(["b", "a"]) == await state.priority_fees(["a", "b"])
        await state.priority_fees(["a"])
        assert [each["params"] for each in asked.asked] == [[["a", "b"]], [["a"]]]
