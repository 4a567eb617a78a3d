"""OKX's routers rotate: one that is not pinned counts where the chain's own list has it, and nowhere else."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from rhumbline.adapters.okx.adapter import OkxAdapter
from rhumbline.adapters.okx.deployments import DEPLOYMENTS, SOLANA
from rhumbline.adapters.okx.routers import KEPT_S, RouterProof
from rhumbline.devnet.upstreams.okx.emulator import Okx
from rhumbline.devnet.upstreams.okx.router_call import APPROVE_PROXY, APPROVED, NEXT_ROUTER, ROUTER
from rhumbline.devnet.upstreams.trades import STRANGER
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.svm.address import is_address
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.exchanges.stub_upstream import NOW
from tests.simulation.nodes import node_before

ONE = 10**18


def okx(adapter_fixture: AdapterFixture) -> tuple[OkxAdapter, Okx]:
    assert isinstance(adapter_fixture.adapter, OkxAdapter)
    assert isinstance(adapter_fixture.emulator, Okx)
    return adapter_fixture.adapter, adapter_fixture.emulator


@pytest.mark.parametrize("direct", [True, False], ids=["wallet", "contract"])
@pytest.mark.parametrize("sold", ["WETH", "ETH"])
async def test_a_router_of_tomorrow_is_proven_by_the_chain(
    adapter_fixture: AdapterFixture, sold: str, direct: bool
) -> None:
    _, emulator = okx(adapter_fixture)
    emulator.router = NEXT_ROUTER
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(sold, "USDC", ONE, direct=direct))
    assert (built.to, built.spender) == (NEXT_ROUTER, None if sold == "ETH" else APPROVED)
    assert (
        await adapter_fixture.swapped(quote, built if direct else adapter_fixture.routed(quote, built))
        == quote.output_amount
    )


async def test_a_router_that_is_not_listed_is_refused(adapter_fixture: AdapterFixture) -> None:
    _, emulator = okx(adapter_fixture)
    emulator.router = NEXT_ROUTER
    await emulator.list_router(adapter_fixture.chain.id, NEXT_ROUTER, listed=False)
    with pytest.raises(UpstreamFailed, match="router"):
        await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))


async def test_without_a_node_only_pinned_routers_count(adapter_fixture: AdapterFixture) -> None:
    adapter, emulator = okx(adapter_fixture)
    blind = OkxAdapter(replace(adapter.context, rpcs={}))
    assert (await blind.quote(adapter_fixture.request("WETH", "USDC", ONE))).output_amount
    emulator.router = NEXT_ROUTER
    with pytest.raises(UpstreamFailed, match="router"):
        await blind.quote(adapter_fixture.request("WETH", "USDC", ONE))


async def test_a_listed_router_that_is_taken_off_is_not_built(adapter_fixture: AdapterFixture) -> None:
    adapter, emulator = okx(adapter_fixture)
    emulator.router = NEXT_ROUTER
    quote = await adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    await emulator.list_router(adapter_fixture.chain.id, NEXT_ROUTER, listed=False)
    later = OkxAdapter(adapter.context)
    with pytest.raises(UpstreamFailed, match="router"):
        await later.build(quote)


async def test_an_answer_is_kept_for_a_while(adapter_fixture: AdapterFixture) -> None:
    adapter, emulator = okx(adapter_fixture)
    rpc, times = adapter.context.rpcs[adapter_fixture.chain.id], [NOW]
    proof = RouterProof(lambda: times[-1])

    async def listed(router: str = NEXT_ROUTER) -> bool:
        return await proof.is_listed(adapter_fixture.chain.id, rpc, APPROVED.lower(), router)

    assert await listed()
    assert await listed(ROUTER)
    assert not await listed(STRANGER)
    await emulator.list_router(adapter_fixture.chain.id, NEXT_ROUTER, listed=False)
    await emulator.list_router(adapter_fixture.chain.id, STRANGER, listed=True)
    times.append(NOW + timedelta(seconds=KEPT_S - 1))
    assert (await listed(NEXT_ROUTER.lower()), await listed(STRANGER)) == (True, False)
    times.append(NOW + timedelta(seconds=KEPT_S))
    assert (await listed(), await listed(STRANGER)) == (False, True)
    # A clock that was set back makes nothing last for longer.
    await emulator.list_router(adapter_fixture.chain.id, STRANGER, listed=False)
    times.append(NOW)
    assert not await listed(STRANGER)


async def test_what_is_no_approval_contract_lists_nobody(adapter_fixture: AdapterFixture) -> None:
    adapter, emulator = okx(adapter_fixture)
    rpc, world, proof = (
        adapter.context.rpcs[adapter_fixture.chain.id],
        emulator.world,
        RouterProof(adapter.context.clock),
    )
    number = adapter_fixture.chain.id
    for approve in (STRANGER, ROUTER, adapter_fixture.chain.wrapped_native or "", APPROVE_PROXY):
        assert not await proof.is_listed(number, rpc, approve, ROUTER)
    # The list of another contract, which what is approved does not speak of, is none.
    await world.store(number, APPROVE_PROXY, 1, int(STRANGER, 16))
    assert not await proof.is_listed(number, rpc, APPROVED, ROUTER)
    await world.store(number, APPROVED, 0, 0)
    assert not await RouterProof(adapter.context.clock).is_listed(number, rpc, APPROVED, ROUTER)
    dead = EvmRpc("http://127.0.0.1:9/secret", rpc.http, "dead", 1.0)
    with pytest.raises(UpstreamFailed, match="does not answer") as failed:
        await RouterProof(adapter.context.clock).is_listed(number, dead, APPROVED, ROUTER)
    assert "secret" not in failed.value.reason


async def test_a_node_that_refuses_has_said_nothing_of_a_router(adapter_fixture: AdapterFixture) -> None:
    """Only a contract that reverts knows no routers; what a node refuses for its own sake is not kept as a no."""
    adapter, _ = okx(adapter_fixture)
    rpc, busy = adapter.context.rpcs[adapter_fixture.chain.id], [True]

    async def answer(call: dict[str, Any]) -> object | None:
        return {"error": {"code": -32603, "message": "internal error"}} if busy[0] else None

    async with node_before(rpc, answer) as node:
        proof = RouterProof(adapter.context.clock)
        with pytest.raises(UpstreamFailed, match="before's node does not answer"):
            await proof.is_listed(adapter_fixture.chain.id, node, APPROVED.lower(), NEXT_ROUTER)
        busy[0] = False
        assert await proof.is_listed(adapter_fixture.chain.id, node, APPROVED.lower(), NEXT_ROUTER)


def test_the_built_in_routers_are_well_formed() -> None:
    for number, place in DEPLOYMENTS.items():
        assert len(set(place.routers)) == len(place.routers)
        if number == SOLANA:
            assert all(map(is_address, place.routers))
            continue
        assert all(each == checksummed(each) for each in (*place.routers, place.token_approve))
    assert {number: len(place.routers) for number, place in DEPLOYMENTS.items() if len(place.routers) > 1} == {
        56: 3, 137: 2, SOLANA: 2,
    }  # fmt: skip
