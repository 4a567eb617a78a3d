"""What requests are made of: names as Python writes them, amounts as integers, shares without floats."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, NotRequired, Required, TypedDict

Share = Decimal | str
"""A fraction, ``Decimal("0.005")`` or ``"0.005"`` for 0.5 %; a float is refused: it is another number than it says."""
SHARES = frozenset({"fee", "slippage"})


class QuoteParameters(TypedDict):
    """What a quote or routes are asked with; docs/openapi.json has the bounds of each."""

    sender_address: Required[str]
    """The wallet on the origin chain, which signs."""
    origin_chain_id: Required[int]
    destination_chain_id: Required[int]
    origin_currency: Required[str]
    """Address of the input token, or the chain's native marker."""
    destination_currency: Required[str]
    amount: Required[int]
    """In the origin token's smallest unit, before all fees; of an exact output in the destination token's."""
    receiver_address: NotRequired[str | None]
    """The sender by default; required if the chain types differ."""
    integrator: NotRequired[str | None]
    fee: NotRequired[Share | None]
    slippage: NotRequired[Share | None]
    slippage_mode: NotRequired[Literal["auto"] | None]
    order: NotRequired[Literal["RECOMMENDED", "CHEAPEST", "FASTEST"] | None]
    include_bridges: NotRequired[Sequence[str] | None]
    include_exchanges: NotRequired[Sequence[str] | None]
    exclude_bridges: NotRequired[Sequence[str] | None]
    exclude_exchanges: NotRequired[Sequence[str] | None]
    trade_type: NotRequired[Literal["EXACT_INPUT", "EXACT_OUTPUT"] | None]
    """With EXACT_OUTPUT the amount is what the receiver gets at least; the answer's input is what has to be sent."""
    explain: NotRequired[bool | None]
    priority: NotRequired[Literal["low", "medium", "high"] | int | None]
    """From Solana: the priority fee's level, or the most lamports that it may be."""
    jito_tip: NotRequired[int | None]
    """From Solana: lamports for one of Jito's tip accounts."""
    fee_payer: NotRequired[str | None]
    """From Solana: another wallet that signs too, and pays fee, tip and rent."""
    permits: NotRequired[bool | None]
    """On EVM chains: a signature in place of the approvals, where the token and the wallet can use one."""
    destination_gas: NotRequired[int | Literal["auto"] | None]
    """Native of an EVM destination that arrives beside the output, in its smallest units."""
    destination_call: NotRequired[Mapping[str, object] | None]
    """A call with what arrives: target, calldata, and optionally gas and fallbackAddress."""
    refund_to: NotRequired[str | None]
    """Who gets the tokens back on the origin if a bridge fails; only bridges that can be held to it are asked."""


def camel(name: str) -> str:
    """Return a name as the API writes it."""
    head, *tail = name.split("_")
    return head + "".join(each.capitalize() for each in tail)


def query_of(given: Mapping[str, Any]) -> dict[str, str]:
    """Return parameters as texts of a query; those that are None are left out.

    Raises:
        TypeError: a value is a float, or an amount is no integer.

    """
    return {camel(name): _text(name, value) for name, value in given.items() if value is not None}


def body_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as a JSON object: IDs and shares are numbers there, yes and no themselves, amounts texts.

    Raises:
        TypeError: a value is a float, or an amount is no integer.
        ValueError: a share has more digits than a JSON number keeps.

    """
    body: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        text = _text(name, value)
        if name in SHARES:
            body[camel(name)] = _json_number(name, text)
        else:
            body[camel(name)] = value if name.endswith("_chain_id") or isinstance(value, bool) else text
    return body


def _text(name: str, value: Any) -> str:
    if isinstance(value, float):
        raise TypeError(f"{name} is a float: give an integer for an amount, a Decimal or a text for a share")
    is_amount = name in ("amount", "amount_override") or name.endswith("_amount")
    if is_amount and (isinstance(value, bool) or not isinstance(value, int)):
        raise TypeError(f"{name} is {type(value).__name__}: give an integer in the token's smallest unit")
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise TypeError(f"{name} has no time zone: give one, such as datetime.UTC")
        return value.isoformat()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return json.dumps(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _json_number(name: str, text: str) -> float:
    number = float(text)
    if Decimal(repr(number)) != Decimal(text):
        raise ValueError(f"{name} has more digits than a JSON number keeps: round {text}, or ask for a quote instead")
    return number
