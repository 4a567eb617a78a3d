"""The sandbox's Mayan is strict about what the real one is strict about, and fails in every way it can."""

from collections.abc import Mapping
from typing import Any

import aiohttp
import pytest

from rhumbline.adapters.mayan.kinds.order import Kind
from rhumbline.devnet.upstreams.emulator import Fault
from rhumbline.devnet.upstreams.mayan.emulator import API_KEY, Mayan
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.tracking import TransferState
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.mayan.case import CASES
from tests.adapters.mayan.conftest import adapter_fixture
from tests.adapters.mayan.test_execution import of_kind

__all__ = ["adapter_fixture"]

ASKED = (("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18)
HARMLESS = {Fault.NONE, Fault.LATE}


async def _get(adapter_fixture: AdapterFixture, path: str, query: Mapping[str, str]) -> tuple[int, Any]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(adapter_fixture.emulator.url + path, params=query) as response,
    ):
        return response.status, await response.json()


async def _asked(adapter_fixture: AdapterFixture) -> dict[str, str]:
    """The question that the adapter asked last."""
    await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
    return dict(adapter_fixture.emulator.requests[-1].query)


@pytest.mark.parametrize(("change", "status", "code"), [
    ({}, 200, None),
    ({"sdkVersion": "15.2.0"}, 406, "SDK_VERSION_TOO_OLD"),
    ({"sdkVersion": ""}, 406, "SDK_VERSION_TOO_OLD"),
    ({"sdkVersion": "6_9_9"}, 406, "SDK_VERSION_TOO_OLD"),
    ({"fromChain": "SBXA"}, 500, None),
    ({"toChain": "sbxa"}, 406, "ROUTE_NOT_FOUND"),
    ({"toToken": "0x" + "5b" * 20}, 406, "ROUTE_NOT_FOUND"),
    ({"swift": "false", "mctp": "false", "fastMctp": "false", "wormhole": "false"}, 406, "ROUTE_NOT_FOUND"),
    ({"swift": "1"}, 400, None),
    ({"slippageBps": "501"}, 400, None),
    ({"slippageBps": "0.5"}, 400, None),
    ({"slippageBps": "auto"}, 200, None),
    ({"amountIn64": "1.5"}, 400, None),
    ({"amountIn64": "1"}, 406, "AMOUNT_TOO_SMALL"),
    ({"forwarderAddress": "0x" + "5b" * 20}, 400, None),
    ({"apiKey": "another"}, 401, None),
    ({"deadline": "1"}, 400, None),
])  # fmt: skip
async def test_it_is_strict(
    adapter_fixture: AdapterFixture, change: dict[str, str], status: int, code: str | None
) -> None:
    answered, body = await _get(adapter_fixture, "/quote", {**await _asked(adapter_fixture), **change})
    assert (answered, body.get("code")) == (status, code)


async def test_no_key_is_needed_and_the_right_one_is_taken(adapter_fixture: AdapterFixture) -> None:
    asked = await _asked(adapter_fixture)
    assert "apiKey" not in asked
    assert (await _get(adapter_fixture, "/quote", {**asked, "apiKey": API_KEY}))[0] == 200
    assert await _get(adapter_fixture, "/swap/trx/0x00", {}) == (404, {"message": "Swap not found"})


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault not in HARMLESS | {Fault.NEVER, Fault.HUGE}])
async def test_faults_of_any_kind_are_errors_of_ours(adapter_fixture: AdapterFixture, fault: Fault) -> None:
    swift = of_kind(adapter_fixture, Kind.SWIFT)
    sound = await swift.adapter.quote(adapter_fixture.request(*ASKED))
    quote, built = await swift.built(sound)
    transfer = await adapter_fixture.execute(quote, built)
    await swift.followed(transfer, TransferState.SUCCESS)
    adapter_fixture.emulator.behaviour.fault = fault
    with pytest.raises(AdapterError):
        await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
    # Numbers alone do not make the router's calldata another.
    if fault not in (Fault.FLOATS, Fault.OVERFLOW, Fault.NEGATIVE):
        with pytest.raises(AdapterError):
            await swift.adapter.build(sound)
        with pytest.raises(AdapterError):
            await adapter_fixture.adapter.status(transfer)


async def test_every_failure_is_known(adapter_fixture: AdapterFixture) -> None:
    for name, error in CASES[0].failures.items():
        adapter_fixture.emulator.behaviour.failure = name
        with pytest.raises(AdapterError) as caught:
            await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
        assert type(caught.value) is error
    assert set(adapter_fixture.emulator.failures) == {*CASES[0].failures, "not_found"}


async def test_every_status_is_known(adapter_fixture: AdapterFixture) -> None:
    swift = of_kind(adapter_fixture, Kind.SWIFT)
    quote, built = await swift.built(await swift.adapter.quote(adapter_fixture.request(*ASKED)))
    transfer = await adapter_fixture.execute(quote, built)
    await swift.followed(transfer, TransferState.SUCCESS)
    for word in adapter_fixture.emulator.statuses:
        adapter_fixture.emulator.behaviour.status = word
        assert (await adapter_fixture.adapter.status(transfer)).state is CASES[0].statuses[word]


async def test_orders_of_two_chains_are_two(adapter_fixture: AdapterFixture) -> None:
    """As many on one chain as on the other, whose contracts have the same address."""
    fast, emulator, places = of_kind(adapter_fixture, Kind.FAST_MCTP), adapter_fixture.emulator, ("sbxa", "sbxb")
    assert isinstance(emulator, Mayan)
    for number in emulator.world.evm_chains:
        await emulator.world.store(number, emulator.protocols["FAST_MCTP"], 1, 10**6)
    transfers = []
    for here, there in (places, places[::-1]):
        request = adapter_fixture.request((here, "USDC"), (there, "USDC"), 500 * 10**6)
        quote, built = await fast.built(await fast.adapter.quote(request))
        transfers.append(await adapter_fixture.execute(quote, built))
    for transfer in transfers:
        await fast.followed(transfer, TransferState.SUCCESS)


def test_each_adapter_has_an_emulator_with_contracts_of_its_own() -> None:
    assert [case.spec.key for case in CASES] == [case.emulator.key for case in CASES]
    assert all(issubclass(case.emulator, Mayan) for case in CASES)
    assert all(case.unseen <= case.emulator.lies for case in CASES)
