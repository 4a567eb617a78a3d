"""OKX's routers rotate: one that is not pinned counts where the chain's own list has it, and nowhere else."""

from dataclasses import replace
from datetime import timedelta

import pytest

from rhumbline.adapters.okx.adapter import OkxAdapter
from rhumbline.adapters.okx.deployments import DEPLOYMENTS
from rhumbline.adapters.okx.routers import KEPT_S, RouterProof
from rhumbline.devnet.upstreams.okx import Okx
from rhumbline.devnet.upstreams.okx_call import APPROVE_PROXY, APPROVED, NEXT_ROUTER, ROUTER, STRANGER
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.rpc import EvmRpc
from tests.adapters.exchanges.desk import Desk
from tests.adapters.okx.shop import NOW

ONE = 10**18


def okx(desk: Desk) -> tuple[OkxAdapter, Okx]:
    assert isinstance(desk.adapter, OkxAdapter)
    assert isinstance(desk.emulator, Okx)
    return desk.adapter, desk.emulator


@pytest.mark.parametrize("direct", [True, False], ids=["wallet", "contract"])
@pytest.mark.parametrize("sold", ["WETH", "ETH"])
async def test_a_router_of_tomorrow_is_proven_by_the_chain(desk: Desk, sold: str, direct: bool) -> None:
    _, emulator = okx(desk)
    emulator.router = NEXT_ROUTER
    quote, built = await desk.built(await desk.adapter.quote(desk.request(sold, "USDC", ONE, direct=direct)))
    assert (built.to, built.spender) == (NEXT_ROUTER, None if sold == "ETH" else APPROVED)
    assert await desk.execute(quote, built if direct else desk.routed(quote, built)) == quote.output_amount


async def test_a_router_that_is_not_listed_is_refused(desk: Desk) -> None:
    _, emulator = okx(desk)
    emulator.router = NEXT_ROUTER
    await emulator.list_router(desk.chain.id, NEXT_ROUTER, listed=False)
    with pytest.raises(UpstreamFailed, match="router"):
        await desk.adapter.quote(desk.request("WETH", "USDC", ONE))


async def test_without_a_node_only_pinned_routers_count(desk: Desk) -> None:
    adapter, emulator = okx(desk)
    blind = OkxAdapter(replace(adapter.parts, rpcs={}))
    assert (await blind.quote(desk.request("WETH", "USDC", ONE))).output_amount
    emulator.router = NEXT_ROUTER
    with pytest.raises(UpstreamFailed, match="router"):
        await blind.quote(desk.request("WETH", "USDC", ONE))


async def test_a_listed_router_that_is_taken_off_is_not_built(desk: Desk) -> None:
    adapter, emulator = okx(desk)
    emulator.router = NEXT_ROUTER
    quote = await adapter.quote(desk.request("WETH", "USDC", ONE))
    await emulator.list_router(desk.chain.id, NEXT_ROUTER, listed=False)
    later = OkxAdapter(adapter.parts)
    with pytest.raises(UpstreamFailed, match="router"):
        await later.build(quote)


async def test_an_answer_is_kept_for_a_while(desk: Desk) -> None:
    adapter, emulator = okx(desk)
    rpc, times = adapter.parts.rpcs[desk.chain.id], [NOW]
    proof = RouterProof(lambda: times[-1])

    async def listed(router: str = NEXT_ROUTER) -> bool:
        return await proof.is_listed(desk.chain.id, rpc, APPROVED.lower(), router)

    assert await listed()
    assert await listed(ROUTER)
    assert not await listed(STRANGER)
    await emulator.list_router(desk.chain.id, NEXT_ROUTER, listed=False)
    await emulator.list_router(desk.chain.id, STRANGER, listed=True)
    times.append(NOW + timedelta(seconds=KEPT_S - 1))
    assert (await listed(NEXT_ROUTER.lower()), await listed(STRANGER)) == (True, False)
    times.append(NOW + timedelta(seconds=KEPT_S))
    assert (await listed(), await listed(STRANGER)) == (False, True)
    # A clock that was set back makes nothing last for longer.
    await emulator.list_router(desk.chain.id, STRANGER, listed=False)
    times.append(NOW)
    assert not await listed(STRANGER)


async def test_what_is_no_approval_contract_lists_nobody(desk: Desk) -> None:
    adapter, emulator = okx(desk)
    rpc, world, proof = adapter.parts.rpcs[desk.chain.id], emulator.world, RouterProof(adapter.parts.clock)
    number = desk.chain.id
    for approve in (STRANGER, ROUTER, desk.chain.wrapped_native or "", APPROVE_PROXY):
        assert not await proof.is_listed(number, rpc, approve, ROUTER)
    # The list of another contract, which what is approved does not speak of, is none.
    await world.store(number, APPROVE_PROXY, 1, int(STRANGER, 16))
    assert not await proof.is_listed(number, rpc, APPROVED, ROUTER)
    await world.store(number, APPROVED, 0, 0)
    assert not await RouterProof(adapter.parts.clock).is_listed(number, rpc, APPROVED, ROUTER)
    dead = EvmRpc("http://127.0.0.1:9/secret", rpc.session, "dead", 1.0)
    with pytest.raises(UpstreamFailed, match="does not answer") as failed:
        await RouterProof(adapter.parts.clock).is_listed(number, dead, APPROVED, ROUTER)
    assert "secret" not in failed.value.reason


def test_the_built_in_routers_are_well_formed() -> None:
    for place in DEPLOYMENTS.values():
        assert len(set(place.routers)) == len(place.routers)
        assert all(each == checksummed(each) for each in (*place.routers, place.token_approve))
    assert {number: len(place.routers) for number, place in DEPLOYMENTS.items() if len(place.routers) > 1} == {
        56: 3, 137: 2,
    }  # fmt: skip
