"""``GET /v1/prices`` over HTTP: on a price book whose sources are emulated, and what is wrong with a question."""

import pytest
from jsonschema import Draft202012Validator

from rhumbline.api.v1.prices import MOST_ENTRIES, PRICES
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, NATIVE_SVM
from tests.api.api_service import OTHER_WALLET, SOLANA_ID, SOLANA_USDC, UNLISTED, USDC, USDT
from tests.api.reference.write_document import default_document
from tests.api.v1.conftest import Counter
from tests.api.wire.test_quote_request import faults

ADDRESS_ONLY = {"chainId": 1, "stale": True, "tier": "cold", "refreshing": True}


@pytest.mark.parametrize(
    ("chain", "token", "shown"),
    [
        ("1", USDC, USDC),
        ("1", USDC.lower(), USDC),
        ("1", "0X" + USDC[2:].upper(), USDC),
        ("eth", "usdc", USDC),
        ("1", "ETH", NATIVE_EVM),
        ("1", NATIVE_EVM, NATIVE_EVM),
        ("1", NATIVE_EVM_ALIAS, NATIVE_EVM),
        ("1", UNLISTED, UNLISTED),
        ("sol", SOLANA_USDC, SOLANA_USDC),
        (str(SOLANA_ID), NATIVE_SVM, NATIVE_SVM),
        ("sol", "USDC", SOLANA_USDC),
        ("bas", NATIVE_EVM, NATIVE_EVM),
    ],
)
async def test_one_token(counter: Counter, chain: str, token: str, shown: str) -> None:
    (single,) = await counter.prices({"chainId": chain, "token": token})
    (batched,) = await counter.prices({"tokens": f"{chain}:{token}"})
    assert single["token"] == batched["token"] == shown
    assert single["chainId"] == batched["chainId"] == {"1": 1, "eth": 1, "bas": 8453}.get(chain, SOLANA_ID)


async def test_a_batch_is_in_order_with_repetitions_and_unknown_tokens(counter: Counter) -> None:
    entries = [f"1:{USDC}", "1:NOPE", f"1:{UNLISTED}", f" {SOLANA_ID} : USDC ", f"1:{USDC}", f"1:{NATIVE_EVM}", "1:a:b"]
    prices = await counter.prices({"tokens": ",".join(entries)})
    assert [(price["chainId"], price["token"]) for price in prices] == [
        (1, USDC), (1, "NOPE"), (1, UNLISTED), (SOLANA_ID, SOLANA_USDC), (1, USDC), (1, NATIVE_EVM), (1, "a:b"),
    ]  # fmt: skip
    assert prices[1] == {"chainId": 1, "token": "NOPE", "stale": True, "tier": "cold", "refreshing": False}
    assert all("priceUSD" not in price for price in prices)
    await counter.book.refresh_due()
    prices = await counter.prices({"tokens": ",".join(entries)})
    assert [price.get("priceUSD") for price in prices] == ["1.0001", None, "1", "0.9999", "1.0001", "3000", None]


async def test_fifty_entries_and_no_more(counter: Counter) -> None:
    tokens = [f"1:0x{number:040d}" for number in range(1, 52)]
    prices = await counter.prices({"tokens": ",".join(tokens[:50])})
    assert len(prices) == MOST_ENTRIES == 50
    # The queue of this book holds forty.
    assert [price["refreshing"] for price in prices] == [True] * 40 + [False] * 10
    (fault,) = faults(await counter.client.ask(PRICES, {"tokens": ",".join(tokens)}), 400, "VALIDATION_ERROR")
    assert fault.startswith("tokens must have at most 50 entries; got 51")


async def test_a_batch_wins_over_a_single_question(counter: Counter) -> None:
    query = {"tokens": f"1:{USDC}", "chainId": "nope", "token": ""}
    assert [price["token"] for price in await counter.prices(query)] == [USDC]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ([], ["chainId is missing", "token is missing"]),
        ([("chainId", "1")], ["token is missing"]),
        ([("token", "USDC")], ["chainId is missing"]),
        ([("chainId", ""), ("token", "")], ["chainId is empty", "token is empty"]),
        ([("chainId", "1"), ("chainId", "1"), ("token", "x" * 129)], ["chainId is given 2 times", "token must have"]),
        ([("chainId", "777"), ("token", "")], ["token is empty", "chainId names the chain '777'"]),
        ([("chainId", "777")], ["token is missing", "chainId names the chain '777'"]),
        ([("tokens", "")], ["tokens is empty"]),
        ([("tokens", "8453")], ["tokens has at place 1 '8453', which names no token"]),
        ([("tokens", "8453:")], ["tokens has at place 1 '8453:', which names no token"]),
        ([("tokens", f":{USDC}")], ["tokens has at place 1 "]),
        ([("tokens", f"1:{USDC},")], ["tokens has at place 2 an empty entry"]),
        ([("tokens", f"{USDC},{USDT}")], ["tokens has at place 1 "]),
        ([("tokens", " : ")], ["tokens has at place 1 ':', which names no chain"]),
        ([("tokens", "1:" + "x" * 129)], ["tokens has at place 1 "]),
        ([("tokens", "1:A"), ("tokens", "1:B")], ["tokens is given 2 times"]),
    ],
)
async def test_faults(counter: Counter, query: list[tuple[str, str]], expected: list[str]) -> None:
    messages = faults(await counter.client.ask(PRICES, query), 400, "VALIDATION_ERROR")
    assert len(messages) == len(expected), messages
    for message, beginning in zip(sorted(messages), sorted(expected), strict=True):
        assert message.startswith(beginning)


async def test_all_faults_of_a_batch_at_once(counter: Counter) -> None:
    (message,) = faults(await counter.client.ask(PRICES, {"tokens": f"8453,1:{USDC},,:x"}), 400, "VALIDATION_ERROR")
    assert [f"at place {place} " in message for place in (1, 2, 3, 4)] == [True, False, True, True]


@pytest.mark.parametrize(
    "query",
    [
        {"chainId": "777", "token": USDC},
        {"chainId": "nope", "token": "USDC"},
        {"chainId": "1", "token": "NOPE"},
        {"chainId": "1", "token": "0x123"},
        {"chainId": "sol", "token": USDC},
    ],
)
async def test_what_is_not_there(counter: Counter, query: dict[str, str]) -> None:
    answer = await counter.client.ask(PRICES, query)
    assert (answer.status, answer.json["code"]) == (404, "NOT_FOUND")


async def test_a_batch_answers_for_each_entry(counter: Counter) -> None:
    """One unknown chain or symbol takes nothing from the others; it is echoed, without a price."""
    await counter.prices({"tokens": f"1:{USDC}"})
    await counter.book.refresh_due()
    prices = await counter.prices({"tokens": f"777:{USDC},1:USDC,1:NOPE,{2**53 - 1}:B"})
    blank = {"stale": True, "tier": "cold", "refreshing": False}
    assert prices[0] == {"chainId": 777, "token": USDC, **blank}
    assert prices[1]["priceUSD"] == "1.0001"
    assert prices[2:] == [{"chainId": 1, "token": "NOPE", **blank}, {"chainId": 2**53 - 1, "token": "B", **blank}]


@pytest.mark.parametrize("chain", ["nope", "0", "-1", "1.0", "0x1", str(2**53), "9" * 30])
async def test_a_malformed_chain_in_a_batch_is_a_fault(counter: Counter, chain: str) -> None:
    (fault,) = faults(await counter.client.ask(PRICES, {"tokens": f"1:USDC,{chain}:B,777:C"}), 400, "VALIDATION_ERROR")
    assert fault.startswith(f"tokens names the chain '{chain}'")


async def test_the_rule_is_what_the_document_says(counter: Counter) -> None:
    operation = default_document()["paths"][PRICES]["get"]
    (schema,) = (each["schema"] for each in operation["parameters"] if each["name"] == "tokens")
    validator = Draft202012Validator(schema)
    many = ",".join(f"1:0x{number:040d}" for number in range(1, 51))
    for good in (f"1:{USDC}", f" eth : USDC ,1:{OTHER_WALLET}", many, "1:a:b"):
        assert validator.is_valid(good)
        assert (await counter.client.ask(PRICES, {"tokens": good})).status == 200
    for bad in ("8453", "8453:", ":x", "1:A,", ",1:A", " : ", many + ",1:A"):
        assert not validator.is_valid(bad)
        assert (await counter.client.ask(PRICES, {"tokens": bad})).status == 400
