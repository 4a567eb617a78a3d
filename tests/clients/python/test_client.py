"""Every method of the client against the service's own API, over a real socket."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, cast, get_type_hints

import pytest

from rhumbline.domain.account import ApiClient
from rhumbline.domain.errors import AmountTooLow as TooLow
from rhumbline.domain.quote import Refusal
from rhumbline.domain.scorecard import ScorecardFilter
from rhumbline_client import (
    AmountTooLow,
    AsyncRhumbline,
    KeyRefused,
    NotFound,
    Retries,
    Rhumbline,
    ServiceError,
    ValidationFailed,
    WrongAddress,
    models,
)
from rhumbline_client.parameters import QuoteParameters, body_of, camel, query_of
from tests.api.api_service import KEY, TX_HASH, TX_ID, USDC, USDT, WALLET, ApiService
from tests.api.conftest import Client
from tests.api.reference.write_document import default_document
from tests.api.v1.test_requests import trail as kept_trail
from tests.e2e.running_demo import ROOT

SOURCES = ROOT / "clients" / "python" / "src" / "rhumbline_client"
ASKED: QuoteParameters = {
    "sender_address": WALLET,
    "origin_chain_id": 1,
    "destination_chain_id": 1,
    "origin_currency": USDC,
    "destination_currency": USDT,
    "amount": 10**6,
}
WITH_FEE: QuoteParameters = {
    **ASKED,
    "fee": Decimal("0.01"),
    "slippage": "0.005",
    "exclude_bridges": ["RELAY", "MAYAN"],
}
FASTEST: QuoteParameters = {**ASKED, "slippage": "0.005", "order": "FASTEST"}
LONG: QuoteParameters = {**ASKED, "slippage": "0.00347123456789012345"}
NOTHING: QuoteParameters = {**ASKED, "amount": 0}
MISTYPED: QuoteParameters = {**ASKED, "sender_address": "0x12"}
NOT_FOR_CLIENTS = {"GET /health", "GET /v1/health", "GET /health/live"}


@pytest.fixture
async def rhumbline(client: Client) -> AsyncIterator[AsyncRhumbline]:
    async with AsyncRhumbline(client.url + "/", KEY, retries=Retries(attempts=1)) as ours:
        yield ours


def operations() -> Iterator[str]:
    for path, methods in default_document()["paths"].items():
        yield from (f"{method.upper()} {path}" for method in methods if method in ("get", "post"))


def test_every_endpoint_of_the_document_has_a_method_and_no_other() -> None:
    text = "".join(path.read_text("utf-8") for path in (SOURCES / "_async").glob("*.py"))
    used = set(re.findall(r'"((?:GET|POST) /\S+)"', text))
    assert used == set(operations()) - NOT_FOR_CLIENTS


def test_a_call_on_arrival_is_written_as_its_json() -> None:
    call = {"target": WALLET, "calldata": "0xb6b55f25", "gas": 90_000}
    given = {"destination_call": call, "destination_gas": 10**15}
    assert query_of(given) == {"destinationCall": json.dumps(call), "destinationGas": "1000000000000000"}
    assert body_of(given) == query_of(given)


def test_parameters_are_those_of_the_document() -> None:
    documented = default_document()["paths"]["/v1/quotes"]["get"]["parameters"]
    expected = {each["name"]: each["required"] for each in documented if each["in"] == "query"}
    ours = {camel(name): name in QuoteParameters.__required_keys__ for name in get_type_hints(QuoteParameters)}
    assert ours == expected


async def test_a_quote_has_integers_for_amounts_and_decimals_for_values(
    rhumbline: AsyncRhumbline, one_service: ApiService
) -> None:
    quote = await rhumbline.quote(**WITH_FEE)
    assert (quote.input_amount, quote.min_output_amount, type(quote.output_amount)) == (10**6, 1_990_000, int)
    assert quote.gas is not None
    assert quote.gas.max_fee_per_gas == 2_000_000_000
    assert (quote.calldata.value, quote.calldata.data) == (0, "0x1234")
    assert quote.fees.breakdown[0].amount_usd == Decimal("0.010003")
    assert quote.expires_at is not None
    assert quote.expires_at.tzinfo is not None
    (asked,) = one_service.asked
    assert (str(asked.slippage), str(asked.fee_share)) == ("1/200", "1/100")


async def test_the_blocking_client_is_the_same(client: Client, one_service: ApiService) -> None:
    def ask() -> models.QuoteResponse:
        with Rhumbline(client.url, KEY) as ours:
            events = list(ours.quote_stream(**ASKED))
            assert [type(each) for each in events] == [models.RefusalEvent, models.QuoteResponse]
            assert ours.wait(TX_ID, within=30).status == "success"
            return ours.quote(**ASKED)

    one_service.told = [Refusal("RELAY", "no_route", "has no route")]
    assert (await asyncio.to_thread(ask)).output_amount == 2_000_000


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"amount": 1.0}, "amount is a float"),
        ({"amount": "1"}, "amount is str"),
        ({"amount": True}, "amount is bool"),
        ({"slippage": 0.005}, "slippage is a float"),
    ],
)
async def test_a_float_is_no_money(rhumbline: AsyncRhumbline, wrong: dict[str, Any], words: str) -> None:
    for ask in (rhumbline.quote, rhumbline.routes):
        with pytest.raises(TypeError, match=words):
            await cast(Callable[..., Awaitable[object]], ask)(**{**ASKED, **wrong})


async def test_routes_and_their_steps(rhumbline: AsyncRhumbline, one_service: ApiService) -> None:
    with pytest.raises(ValueError, match="more digits than a JSON number keeps"):
        await rhumbline.routes(**LONG)
    (route, *_) = await rhumbline.routes(**FASTEST)
    assert route.output_amount > 0
    step = await rhumbline.step_transaction(route.steps[0], sender_address=WALLET, receiver_address=WALLET)
    assert step.transaction_request is not None
    assert step.transaction_id == TX_ID
    assert one_service.steps[0].tool == route.steps[0].tool


async def test_metadata(rhumbline: AsyncRhumbline, one_service: ApiService) -> None:
    chains = await rhumbline.chains(["EVM"])
    assert {each.chain_type for each in chains} == {"EVM"}
    tokens = await rhumbline.tokens([1, "base"])
    assert {each.chain_id for each in tokens[1]} == {1}
    assert (await rhumbline.token(1, USDC)).decimals == 6
    assert [each.key for each in (await rhumbline.tools([1])).bridges]
    assert [each.chain_id for each in await rhumbline.prices([(1, USDC), (1, "NOPE")])] == [1, 1]
    priced = await rhumbline.pair_price(
        origin_chain_id=1, destination_chain_id=1, origin_currency=USDC, destination_currency=USDT, amount=10**6
    )
    assert (priced.indicative, priced.output_amount, priced.rate) == (True, 2_000_000, Decimal(2))
    assert (await rhumbline.token_list(1)).tokens
    scorecards = await rhumbline.scorecards(days=3, adapters=["ACROSS", "RELAY"], dest_chain_id=8453)
    assert (scorecards.complete, scorecards.scorecards) == (True, [])
    assert one_service.scored == [ScorecardFilter(3, frozenset({"ACROSS", "RELAY"}), None, 8453)]
    assert (await rhumbline.ready()).dependencies["store"] == "ok"


async def test_records(rhumbline: AsyncRhumbline, one_service: ApiService) -> None:
    page = await rhumbline.transactions.page(limit=2, status="success")
    assert page.transactions
    began = datetime(2020, 1, 1, tzinfo=UTC)
    await rhumbline.transactions.page(sender_address=WALLET, receiver_address=WALLET, since=began)
    wanted = one_service.pages[-1][1]
    assert (wanted.sender, wanted.receiver, wanted.since) == (WALLET, WALLET, began)
    with pytest.raises(TypeError, match="since has no time zone"):
        await rhumbline.transactions.page(since=began.replace(tzinfo=None))
    listed = rhumbline.transactions.all(limit=10)
    assert (await anext(listed)).source_tx_hash == TX_HASH
    await listed.aclose()
    record = await rhumbline.transactions.get(TX_ID)
    assert record.input_token is not None
    assert record.input_token.amount_raw == 1_500_000
    assert (await rhumbline.transactions.status(TX_HASH)).source_tx_hash == TX_HASH
    assert (await rhumbline.status(TX_ID)).output_amount_raw == 1_500_000
    one_service.kept = [kept_trail("mine", "Acme")]
    (explained,) = await rhumbline.explain("mine")
    assert (explained.parts[0].chosen, explained.parts[0].adapters[1].verdict) == ("ONCHAIN", "not_built")
    assert explained.code is None
    with pytest.raises(NotFound):
        await rhumbline.explain("theirs")


async def test_errors_are_typed_by_their_codes(
    client: Client, rhumbline: AsyncRhumbline, one_service: ApiService
) -> None:
    with pytest.raises(ValidationFailed) as wrong:
        await rhumbline.quote(**NOTHING)
    assert wrong.value.faults[0].startswith("amount ")
    assert wrong.value.request_id is not None
    with pytest.raises(WrongAddress):
        await rhumbline.quote(**MISTYPED)
    with pytest.raises(NotFound):
        await rhumbline.token(1, "0x" + "12" * 20)
    with pytest.raises(ValueError, match="transaction_id of an answer"):
        await rhumbline.status("0x12")
    one_service.failure = TooLow("too low", {"message": ["ACROSS: too low"], "minimum": "2500000"})
    with pytest.raises(AmountTooLow) as low:
        await rhumbline.quote(**ASKED)
    assert (low.value.minimum, low.value.status) == (2_500_000, 422)
    with pytest.raises(AmountTooLow):
        async for _ in rhumbline.quote_stream(**ASKED):
            pass
    one_service.failure = RuntimeError("a secret")
    with pytest.raises(ServiceError) as unknown:
        await rhumbline.quote(**ASKED)
    assert (unknown.value.code, unknown.value.status) == ("UNKNOWN", 500)
    one_service.key_owner = ApiClient(key_invalid=True)
    with pytest.raises(KeyRefused) as refused:
        await rhumbline.transactions.get(TX_ID)
    assert refused.value.reason == "API_KEY_INVALID"
    assert KEY not in repr(vars(rhumbline)) + str(refused.value)


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(ValueError, match="base_url begins with"):
        Rhumbline("swap.example")


@pytest.mark.parametrize("key", ["rl_live_a\nb", "rl_live_\u00fc", "rl_live_\x00"])
def test_what_is_no_key_is_refused_and_not_shown(key: str) -> None:
    """The HTTP library's error would show the header."""
    for kind in (AsyncRhumbline, Rhumbline):
        with pytest.raises(ValueError, match=r"^key has a character that no API key has") as raised:
            kind("http://127.0.0.1:9", key)
        assert key not in str(raised.value)
