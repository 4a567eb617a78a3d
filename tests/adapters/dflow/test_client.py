"""Every documented failure means what it says, and an answer about something else is refused."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.adapters.dflow.client import ERRORS
from rhumbline.domain import errors
from rhumbline.gateways.svm.programs import SPL, SYSTEM
from tests.adapters.dflow.orders import (
    AMOUNT,
    ENTRIES,
    MINIMUM,
    OUTPUT,
    REQUEST,
    TABLE,
    USDC,
    USDT,
    Trade,
    answered,
    whole,
)
from tests.adapters.dflow.stub_upstream import StubUpstream
from tests.adapters.svm_accounts import table

SOUND = answered(whole(Trade().instruction()))


async def failure(stub_upstream: StubUpstream, body: object, status: int = 200) -> errors.AdapterError:
    stub_upstream.upstream.says("/order", body, status)
    with pytest.raises(errors.AdapterError) as failed:
        await stub_upstream.adapter.quote(REQUEST)
    return failed.value


@pytest.mark.parametrize(
    ("code", "kind"),
    [(code, kind) for code, (kind, _) in ERRORS.meanings.items()],
)
async def test_every_documented_failure(
    stub_upstream: StubUpstream, code: str, kind: type[errors.AdapterError]
) -> None:
    found = await failure(stub_upstream, {"msg": "their words", "code": code}, 500 if "failed" in code else 400)
    assert type(found) is kind
    assert "their words" not in found.reason


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"msg": "Forbidden"}, 403, errors.CredentialsRejected),
        ({"msg": "?", "code": "invalid_dex"}, 400, errors.RequestRejected),
        ({"msg": "?", "code": 7}, 400, errors.RequestRejected),
        ({"msg": "slow down", "code": "route_not_found"}, 429, errors.UpstreamFailed),
        ("<html>", 502, errors.UpstreamFailed),
        ({}, 200, errors.UpstreamFailed),
        ([], 200, errors.UpstreamFailed),
    ],
)
async def test_what_else_may_come(
    stub_upstream: StubUpstream, body: object, status: int, kind: type[errors.AdapterError]
) -> None:
    assert type(await failure(stub_upstream, body, status)) is kind


@pytest.mark.parametrize(
    "changes",
    [
        {"inputMint": USDT.address},
        {"outputMint": USDC.address},
        {"inAmount": str(AMOUNT - 1)},
        {"outAmount": str(MINIMUM)},
        {"outAmount": "-1"},
        {"outAmount": "249876543.5"},
        {"minOutAmount": str(MINIMUM - 1)},
        {"minOutAmount": str(OUTPUT + 1)},
        {"slippageBps": 51},
        {"slippageBps": "50"},
        {"platformFee": {"amount": "1", "feeBps": 1, "mode": "outputMint"}},
        {"executionMode": "async"},
        {"transaction": None},
        {"transaction": "AQ*="},
        {"addressLookupTables": [{"address": "nowhere", "addresses": {}}]},
        {"addressLookupTables": [{"address": TABLE}] * 17},
    ],
)
async def test_an_answer_about_something_else_is_refused(stub_upstream: StubUpstream, changes: dict[str, Any]) -> None:
    assert type(await failure(stub_upstream, SOUND | changes)) is errors.UpstreamFailed


async def test_an_output_that_leaves_no_minimum(stub_upstream: StubUpstream) -> None:
    found = await failure(stub_upstream, SOUND | {"outAmount": "1", "minOutAmount": "1"})
    assert type(found) is errors.BelowMinimum


async def test_fields_that_need_not_be_there(stub_upstream: StubUpstream) -> None:
    missing = ("platformFee", "priceImpactPct", "lastValidBlockHeight", "computeUnitLimit", "routePlan", "contextSlot")
    stub_upstream.upstream.says("/order", {key: value for key, value in SOUND.items() if key not in missing})
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert (quote.gas_units, quote.price_impact_bps, quote.min_output_amount) == (None, None, MINIMUM)


@pytest.mark.parametrize(
    ("said", "bps"), [("0", 0), ("0.00001", 1), ("1", 10_000), ("2", None), ("x", None), (3, None)]
)
async def test_a_price_impact_is_a_share(stub_upstream: StubUpstream, said: object, bps: int | None) -> None:
    stub_upstream.upstream.says("/order", SOUND | {"priceImpactPct": said})
    assert (await stub_upstream.adapter.quote(REQUEST)).price_impact_bps == bps


@pytest.mark.parametrize("least", [None, 0, OUTPUT + 1])
async def test_a_minimum_that_makes_no_sense(stub_upstream: StubUpstream, least: int | None) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(errors.RequestRejected, match="min_output_amount"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=least))


async def test_a_higher_minimum_than_the_transaction_has(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(errors.SlippageTooTight):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM + 1))


async def test_slippage_that_would_leave_less(stub_upstream: StubUpstream) -> None:
    """The transaction tolerates more than was asked for, though the answer says otherwise."""
    stub_upstream.upstream.says("/order", SOUND | {"slippageBps": 40, "minOutAmount": str(OUTPUT)})
    quote = await stub_upstream.adapter.quote(replace(REQUEST, slippage=Fraction(40, 10_000)))
    with pytest.raises(errors.SlippageTooTight):
        await stub_upstream.adapter.build(quote)


async def test_without_a_node_nothing_can_be_checked(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(errors.UpstreamFailed, match="without a node"):
        await stub_upstream.without_node().build(quote)
    stub_upstream.node.fails = True
    with pytest.raises(errors.UpstreamFailed, match="does not answer"):
        await stub_upstream.adapter.build(quote)


async def test_a_table_is_what_the_chain_says(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    known = stub_upstream.node.accounts
    elsewhere = table(ENTRIES | {5: USDT.address, 187: SPL})
    for account in (known[USDC.address], table({0: SYSTEM}), elsewhere):
        known[TABLE] = account
        with pytest.raises(errors.UpstreamFailed):
            await stub_upstream.adapter.build(quote)
    del known[TABLE]
    with pytest.raises(errors.UpstreamFailed, match="no lookup table"):
        await stub_upstream.adapter.build(quote)


async def test_a_token_that_is_none(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    del stub_upstream.node.accounts[USDT.address]
    with pytest.raises(errors.NoRoute, match="no token"):
        await stub_upstream.adapter.build(quote)
