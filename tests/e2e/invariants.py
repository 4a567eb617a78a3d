"""What holds of every quote and every step, whoever answers: a list of what does not."""

from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from tests.e2e.random_questions import NATIVE

LARGEST = 1232
Json = Mapping[str, Any]


def of_quote(asked: Mapping[str, str], quote: Json, chain: Json) -> list[str]:
    """Check an answer to ``GET /v1/quotes``; ``chain`` is the origin as the sandbox's file describes it."""
    return [
        *_sums(quote["fees"], asked, chain),
        *_outputs(asked, int(quote["outputAmount"]), int(quote["minOutputAmount"]), quote.get("simulation", {})),
        *_value(asked, quote["fees"]["breakdown"], quote["calldata"], chain),
        *_size(quote, chain),
        *_told("inputAmount is not the amount", quote["inputAmount"] != asked["amount"]),
    ]


def of_step(asked: Mapping[str, str], step: Json, chain: Json) -> list[str]:
    """Check a route's only step: what a quote holds, and that input = fees + what the upstream was asked with."""
    estimate = step["estimate"]
    taken = sum(int(item["amount"]) for item in estimate["fees"]["breakdown"] if item["type"] == "app")
    divided = taken + int(estimate["quoteFromAmount"]) == int(estimate["fromAmount"]) == int(asked["amount"])
    return [
        *_sums(estimate["fees"], asked, chain),
        *_outputs(asked, int(estimate["toAmount"]), int(estimate["toAmountMin"]), estimate.get("simulation", {})),
        *_told("the input is not the fees and what the upstream gets", not divided),
    ]


def _told(words: str, broken: bool) -> Iterator[str]:
    if broken:
        yield words


def _sums(fees: Json, asked: Mapping[str, str], chain: Json) -> Iterator[str]:
    """Items in the origin's own asset add up exactly, the others come on top, converted and rounded up."""
    total, currency = fees["total"], asked["originCurrency"]
    yield from _told("total is in another currency", total["currencyAddress"] != currency)
    own = {currency, *_one_asset(currency, chain)}
    items: list[Json] = fees["breakdown"]
    mine = [item for item in items if item["chainId"] == chain["id"] and item["currencyAddress"] in own]
    others = [item for item in items if item not in mine]
    above = int(total["amount"]) - sum(int(item["amount"]) for item in mine)
    if not others:
        yield from _told(f"the total is {above} off its items", above != 0)
    elif "totalUsd" in fees:
        # In USD each is rounded up to six places.
        worth = sum((Decimal(item["amountUsd"]) for item in items), Decimal(0))
        apart = abs(Decimal(fees["totalUsd"]) - worth)
        yield from _told(f"in USD the total is {apart} off its items", apart > _room(items, fees))
        yield from _told("converted items are worth less than nothing", above < 0)


def _room(items: Iterable[Json], fees: Json) -> Decimal:
    """What rounding up may come to: a millionth of a USD an item, and a raw unit of the origin's token for each."""
    count, total = len(list(items)) + 1, fees["total"]
    unit = Decimal(fees["totalUsd"]) / max(int(total["amount"]), 1)
    return count * (Decimal("0.000001") + unit)


def _one_asset(currency: str, chain: Json) -> set[str]:
    """The native asset and its wrapped form, where the currency is one of them."""
    wrapped = {"EVM": "WETH", "SVM": "WSOL"}[chain["type"]]
    both = {NATIVE[chain["type"]], str(chain["tokens"][wrapped]["address"])}
    return both if currency in both else set()


def _outputs(asked: Mapping[str, str], output: int, least: int, simulation: Json) -> Iterator[str]:
    yield from _told(f"the minimum {least} is above the output {output}", not 0 < least <= output)
    if simulation.get("outputValidation") == "VERIFIED" and asked["originChainId"] == asked["destinationChainId"]:
        seen = int(simulation["simulatedOutputAmount"])
        yield from _told(f"{output} is promised where {seen} was measured", output > seen)


def _value(asked: Mapping[str, str], items: Iterable[Json], calldata: Json, chain: Json) -> Iterator[str]:
    """On EVM chains the value is the native input and the native fees that are listed as paid on top."""
    if chain["type"] == "SVM":
        yield from _told("there is a value on Solana", calldata["value"] != "0x0")
        return
    native = NATIVE["EVM"]
    listed = [item for item in items if (item["currencyAddress"], item["chainId"]) == (native, chain["id"])]
    on_top = sum(int(item["amount"]) for item in listed if item["type"] == "relayer")
    spent = int(asked["amount"]) if asked["originCurrency"] == native else 0
    value = int(calldata["value"], 16)
    yield from _told(f"the value is {value}, not {spent} and {on_top}", value != spent + on_top)


def _size(quote: Json, chain: Json) -> Iterator[str]:
    if chain["type"] != "SVM":
        return
    raw = len(b64decode(quote["calldata"]["data"], validate=True))
    told = quote["transactionSize"]["raw"]
    yield from _told(f"{raw} bytes, {told} told", not 0 < raw == told <= LARGEST)
