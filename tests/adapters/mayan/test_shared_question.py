"""Five adapters of Mayan's ask its price API once a quote, at the sandbox's Mayan."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from rhumbline.adapters.mayan import SPECS
from rhumbline.adapters.mayan.adapter import MayanAdapter
from rhumbline.devnet.upstreams.emulator import Fault
from rhumbline.gateways.upstreams.guard.guard import GuardRules, UpstreamGuard
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.fan_out import Deadlines, Gathered, gather_quotes
from rhumbline.routing.selection import Ask
from tests.adapters.bridging.adapter_fixture import AdapterFixture

ASKED = (("sbxa", "USDC"), ("sbxb", "USDC"), 500 * 10**6)


def five(adapter_fixture: AdapterFixture, guard: UpstreamGuard | None = None) -> list[MayanAdapter]:
    """The five, as the service builds them: before one host, with one guard, and what joins their calls."""
    assert isinstance(adapter_fixture.adapter, MayanAdapter)
    context = adapter_fixture.adapter.context
    context = replace(context, http=replace(context.http, guard=guard))
    adapters = [spec.make(replace(context, key=spec.key)) for spec in SPECS]
    return [adapter for adapter in adapters if isinstance(adapter, MayanAdapter)]


async def gathered(
    adapter_fixture: AdapterFixture, adapters: Sequence[MayanAdapter], deadlines: Deadlines | None = None
) -> Gathered:
    request = adapter_fixture.request(*ASKED)
    asks = [Ask(adapter, request) for adapter in adapters if adapter.supports(request)]
    return await gather_quotes(asks, CallNotes(), deadlines or Deadlines(60, 60))


def prices(adapter_fixture: AdapterFixture) -> int:
    return sum(asked.path == "/quote" for asked in adapter_fixture.emulator.requests)


async def test_one_quote_over_all_adapters_makes_one_request(adapter_fixture: AdapterFixture) -> None:
    """Each makes its own quote of the one answer, in a form of its own kind."""
    adapters = five(adapter_fixture)
    answer = await gathered(adapter_fixture, adapters)
    assert [quote.adapter for quote in answer.quotes] == [
        "MAYAN", "MAYAN_SWIFT", "MAYAN_MCTP", "MAYAN_FAST_MCTP", "MAYAN_WORMHOLE",
    ]  # fmt: skip
    assert answer.refusals == ()
    assert prices(adapter_fixture) == 1
    kinds = {quote.adapter: quote.payload.order.kind for quote in answer.quotes}
    for adapter in adapters[1:]:
        assert (kinds[adapter.info.key],) == adapter.kinds
    await gathered(adapter_fixture, adapters)
    assert prices(adapter_fixture) == 2, "another quote is another question"


async def test_it_is_one_call_of_the_budget_and_one_failure(adapter_fixture: AdapterFixture) -> None:
    guard = UpstreamGuard("MAYAN", GuardRules(failures=2, calls_per_s=0.1))
    adapters = five(adapter_fixture, guard)
    assert len((await gathered(adapter_fixture, adapters)).quotes) == 5
    reasons = {refusal.reason for refusal in (await gathered(adapter_fixture, adapters)).refusals}
    assert reasons == {"is not asked: its budget of calls is used up for the moment"}
    assert prices(adapter_fixture) == 1


async def test_five_that_wait_in_vain_are_one_failure(adapter_fixture: AdapterFixture) -> None:
    guard = UpstreamGuard("MAYAN", GuardRules(failures=2))
    adapters = five(adapter_fixture, guard)
    adapter_fixture.emulator.behaviour.fault = Fault.NEVER
    for _ in range(2):
        late = await gathered(adapter_fixture, adapters, Deadlines(0.2, 0.2))
        assert {refusal.reason.partition(" within ")[0] for refusal in late.refusals} == {"did not answer"}
    adapter_fixture.emulator.reset()
    reasons = {refusal.reason for refusal in (await gathered(adapter_fixture, adapters)).refusals}
    assert reasons == {"is paused after failing several times in a row"}


async def test_one_that_is_cancelled_does_not_cancel_the_others(adapter_fixture: AdapterFixture) -> None:
    adapters, request = five(adapter_fixture), adapter_fixture.request(*ASKED)
    tasks = [asyncio.create_task(adapter.quote(request)) for adapter in adapters]
    await asyncio.sleep(0)
    tasks[0].cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(ends[0], asyncio.CancelledError)
    assert not [end for end in ends[1:] if isinstance(end, BaseException)]
    assert prices(adapter_fixture) == 1
