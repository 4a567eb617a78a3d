"""``rhumbline quote`` and ``rhumbline track``: the service's answers on the command line."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Annotated, Any

import typer
from yarl import URL

from rhumbline.app.console import Json, notices, show_json, show_table
from rhumbline.app.run import CommandFailed, run
from rhumbline.domain.amount import format_amount
from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.gateways.http.client import AnyAnswer, HttpClient
from rhumbline.gateways.http.connection import ConnectionFailed
from rhumbline.gateways.http.connection_errors import host_of, in_words

Url = Annotated[str, typer.Option("--url", help="The service's URL.")]
Key = Annotated[
    str | None, typer.Option("--key-file", help="A file with an API key. Do not put the key on the command line.")
]
DEFAULT_URL = "http://127.0.0.1:8700"
Answer = dict[str, Any]
_LONGEST_AMOUNT = 80
DISPLAY_SENDERS: Mapping[str, str] = MappingProxyType(
    {ChainType.EVM: "0x1111111111111111111111111111111111111111", ChainType.SVM: NATIVE_SVM}
)
"""Senders of display quotes, if no wallet is named: nobody can sign for them."""
_AT_ONCE = 4
_ARGUMENTS = ("ORIGIN_CHAIN", "ORIGIN", "DESTINATION_CHAIN", "DESTINATION", "AMOUNT")
_TIMEOUT_S = 30.0
_LARGEST_BYTES = 32 * 1024 * 1024


def quote(
    origin_chain: Annotated[str | None, typer.Argument(help="Origin chain: key or ID.")] = None,
    origin: Annotated[str | None, typer.Argument(help="Token to spend: symbol or address.")] = None,
    destination_chain: Annotated[str | None, typer.Argument(help="Destination chain: key or ID.")] = None,
    destination: Annotated[str | None, typer.Argument(help="Token to receive: symbol or address.")] = None,
    amount: Annotated[str | None, typer.Argument(help="Amount before fees, such as 100 or 0.25.")] = None,
    sender: Annotated[
        str | None, typer.Option(help="The wallet that signs. Without it the quote is for display only.")
    ] = None,
    receiver: Annotated[str | None, typer.Option(help="The wallet that receives. Default: the sender.")] = None,
    refund_to: Annotated[
        str | None,
        typer.Option(help="The wallet that gets the tokens back if a bridge fails."),
    ] = None,
    slippage: Annotated[str | None, typer.Option(help="Slippage as a fraction: 0.005 is 0.5 %.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="The amount is in the token's smallest units.")] = False,
    exact_output: Annotated[
        bool, typer.Option("--exact-output", help="The amount is what the receiver gets at least.")
    ] = False,
    best_only: Annotated[bool, typer.Option("--best", help="Show the best answer only.")] = False,
    explain: Annotated[
        Path | None,
        typer.Option(help="Save to this file how to recompute the answer. Without arguments: recompute a saved file."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="The URL of the chain's node, to compare its states with the file's.")
    ] = None,
    as_json: Json = False,
    url: Url = DEFAULT_URL,
    key_file: Key = None,
) -> None:
    """Ask a running service for the best route and show each adapter's answer.

    With only --explain FILE, recompute a saved answer without the service.
    """
    named = (origin_chain, origin, destination_chain, destination, amount)
    if explain is not None and not any(named):
        _explanations().check_explanation(explain, against)
        return
    if against is not None:
        raise CommandFailed("--against: compares a saved answer; use it with --explain FILE and no arguments")
    if (first := next((name for name, each in zip(_ARGUMENTS, named, strict=True) if each is None), None)) is not None:
        needed = ", ".join(_ARGUMENTS)
        raise CommandFailed(f"{first} is missing: give {needed}; or only --explain FILE, to recompute a saved answer")
    key = _read_key(key_file)
    options = {
        "receiverAddress": receiver,
        "refundTo": refund_to,
        "slippage": slippage,
        "explain": None if explain is None else "true",
        "tradeType": "EXACT_OUTPUT" if exact_output else None,
    }
    parameters = {name: value for name, value in options.items() if value is not None}
    words = tuple(str(each) for each in named)
    ends = ((words[0], words[1]), (words[2], words[3]))
    spent, bought, answer, others = run(_compared(url, ends, (words[4], raw), parameters, sender, key, best_only))
    if explain is not None:
        _explanations().save_explanation(explain, [answer, *(other for _, other in others if isinstance(other, dict))])
    if as_json:
        show_json({"best": answer, "answers": dict(others)})
    else:
        if others:
            _show_answers(others, answer["adapter"], (spent, bought), exact_output=exact_output)
        _describe(answer, spent, bought)
    if sender is None:
        notices().print("for display only: name the wallet that signs with --sender")


def _explanations() -> ModuleType:
    """Load what recomputes answers, which other questions do not need."""
    return import_module("rhumbline.app.commands.explanations")


async def _compared(
    url: str,
    ends: tuple[tuple[str, str], tuple[str, str]],
    amount: tuple[str, bool],
    more_parameters: Mapping[str, str],
    sender: str | None,
    key: str | None,
    best_only: bool,
) -> tuple[Answer, Answer, Answer, list[tuple[str, Answer | str]]]:
    """Find both tokens, ask for the best answer, then each adapter for its own: an answer, or the reason for none."""
    spent, bought = await asyncio.gather(
        *(_get(f"{url}/v1/token", {"chain": chain, "token": token}, key) for chain, token in ends)
    )
    counted = bought if "tradeType" in more_parameters else spent
    parameters = {
        **(
            await _display_senders(url, spent["chainId"], bought["chainId"], key)
            if sender is None
            else {"senderAddress": sender}
        ),
        "originChainId": str(spent["chainId"]),
        "destinationChainId": str(bought["chainId"]),
        "amount": smallest_units(amount[0], counted["decimals"], counted["symbol"], raw=amount[1]),
        "originCurrency": spent["address"],
        "destinationCurrency": bought["address"],
        **more_parameters,
    }
    answer = await _get(f"{url}/v1/quotes", parameters, key)
    if best_only:
        return spent, bought, answer, []
    crosses = spent["chainId"] != bought["chainId"]
    tools = await _get(f"{url}/v1/tools", {"chains": str(spent["chainId"])}, key)
    keys = sorted({str(tool["key"]) for tool in tools["bridges" if crosses else "exchanges"]} - {answer["adapter"]})
    places = asyncio.Semaphore(_AT_ONCE)

    async def alone(adapter: str) -> tuple[str, Answer | str]:
        filtered = {**parameters, "includeBridges" if crosses else "includeExchanges": adapter}
        async with places:
            try:
                return adapter, await _get(f"{url}/v1/quotes", filtered, key)
            except CommandFailed as error:
                return adapter, str(error).partition("\n")[0]

    return spent, bought, answer, [(answer["adapter"], answer), *await asyncio.gather(*map(alone, keys))]


async def _display_senders(url: str, here: int, there: int, key: str | None) -> Mapping[str, str]:
    """Return the sender for display if no wallet is named, and a receiver if it cannot be the same."""
    chains = (await _get(f"{url}/v1/chains", {}, key))["chains"]
    types = {chain["id"]: chain["chainType"] for chain in chains}
    asks, receives = DISPLAY_SENDERS[types[here]], DISPLAY_SENDERS[types[there]]
    return {"senderAddress": asks} if asks == receives else {"senderAddress": asks, "receiverAddress": receives}


def smallest_units(amount: str, decimals: int, symbol: str, *, raw: bool) -> str:
    """Return an amount in the token's smallest units, exactly; raise CommandFailed if it is not a multiple of one."""
    whole, _, part = amount.partition(".")
    sound = re.fullmatch(r"[0-9]+" if raw else r"[0-9]+(\.[0-9]+)?", amount, re.ASCII)
    if sound is None or len(amount) > _LONGEST_AMOUNT or not amount.strip("0."):
        example = "1500000" if raw else "100 or 0.25"
        raise CommandFailed(f"amount: {amount!r} is not a number above 0 such as {example}, without signs and commas")
    if raw:
        return amount
    if len(part.rstrip("0")) > decimals:
        raise CommandFailed(f"amount: {symbol} has {decimals} decimals, so {amount} is not an amount of it")
    return str(int(whole + part.rstrip("0").ljust(decimals, "0")))


def _amount_of(units: str, token: Answer) -> str:
    return f"{format_amount(int(units), token['decimals'])} {token['symbol']}"


def _show_answers(
    answers: Sequence[tuple[str, Answer | str]], best: str, pair: tuple[Answer, Answer], *, exact_output: bool
) -> None:
    spent, bought = pair
    rows: list[tuple[str, ...]] = []
    for adapter, answer in sorted(answers, key=lambda item: (item[0] != best, isinstance(item[1], str), item[0])):
        if isinstance(answer, str):
            rows.append(("", adapter, answer))
            continue
        simulated = answer.get("simulation", {}).get("executionStatus", "")
        amounts: tuple[str, ...] = (
            _amount_of(answer["outputAmount"], bought),
            _amount_of(answer["minOutputAmount"], bought),
        )
        if exact_output:
            amounts = (_amount_of(answer["inputAmount"], spent), *amounts)
        rows.append(("best" if adapter == best else "", adapter, *amounts, simulated))
    spends = ("spends",) if exact_output else ()
    show_table(rows, ("", "adapter", *spends, "receives", "at least", "simulation"))


def _describe(answer: Answer, spent: Answer, bought: Answer) -> None:
    rows = [("adapter", answer["adapter"])]
    for name, token in (("inputAmount", spent), ("outputAmount", bought), ("minOutputAmount", bought)):
        rows.append((name, f"{answer[name]} ({_amount_of(answer[name], token)})"))
    if "expectedSurplus" in answer:
        rows.append(
            ("expectedSurplus", f"{answer['expectedSurplus']} ({_amount_of(answer['expectedSurplus'], bought)})")
        )
    rows += [(name, str(answer[name])) for name in ("approvalAddress", "transactionId") if name in answer]
    if "simulation" in answer:
        simulation = answer["simulation"]
        rows.append(("simulation", f"{simulation['executionStatus']}, output {simulation['outputValidation']}"))
    for item in answer["fees"]["breakdown"]:
        amount = _amount_of(item["amount"], {"decimals": item["decimals"], "symbol": item["currencySymbol"]})
        rows.append((f"fee ({item['type']})", f"{item['amount']} ({amount})"))
    rows += _pools_of(answer)
    rows += [(f"calldata.{name}", str(answer["calldata"][name])) for name in ("to", "value", "data")]
    show_table(rows)


def _pools_of(answer: Answer) -> list[tuple[str, str]]:
    rows = []
    for hop in answer.get("liquidity", {}).get("hops", ()):
        tokens = " to ".join(hop[end].get("symbol", hop[end]["address"]) for end in ("tokenIn", "tokenOut"))
        share, fee = (f"{100 * float(hop[name]):.4g} %" for name in ("share", "fee"))
        rows.append((f"pool ({hop['source']})", f"{share} of {tokens}, fee {fee}, {hop['pool']}"))
    return rows


def track(
    lookup_key: Annotated[
        str, typer.Argument(help="Transaction ID, or hash of the source or destination transaction.")
    ],
    key_file: Annotated[str, typer.Option("--key-file", help="A file with the integrator's API key.")],
    as_json: Json = False,
    url: Url = DEFAULT_URL,
) -> None:
    """Look up a transaction in a running service."""
    record = run(_get(f"{url}/v1/transactions/{lookup_key}", {}, _read_key(key_file)))
    if as_json:
        show_json(record)
    else:
        show_table([(name, "" if value is None else str(value)) for name, value in record.items()])


def _read_key(path: str | None) -> str | None:
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"--key-file {path}: cannot be read ({type(error).__name__})") from error


async def _get(url: str, parameters: Mapping[str, str], key: str | None) -> Answer:
    headers = {} if key is None else {"x-api-key": key}
    deadline = asyncio.get_running_loop().time() + _TIMEOUT_S
    try:
        whole = str(URL(url).extend_query(parameters))
        async with HttpClient() as http:
            reply = await http.ask("GET", whole, AnyAnswer(_LARGEST_BYTES), deadline, headers=headers)
    except (ConnectionFailed, OSError, ValueError) as error:
        raise CommandFailed(f"{host_of(url)}: no answer from a service there: {in_words(error)}") from error
    try:
        body: Answer = json.loads(reply.body or b"")
    except ValueError:
        what = f"what answers there is not what was expected (HTTP {reply.status})"
        raise CommandFailed(f"{host_of(url)}: no answer from a service there: {what}") from None
    if reply.status != 200:
        details = body.get("details")
        lines = details.get("message", []) if isinstance(details, dict) else details or []
        raise CommandFailed(
            "\n".join([f"{body['code']}: {body['message']}", *([lines] if isinstance(lines, str) else lines)])
        )
    return body
