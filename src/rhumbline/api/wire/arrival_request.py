"""What a request wants on arrival: native of the destination, and a call of another contract. Beyond the contract."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pydantic import MISSING, JsonValue

from rhumbline.api.parameters.addresses import read_wallet
from rhumbline.api.parameters.parameter import Parameter, Reading, Unreadable, Whole, shown
from rhumbline.domain.amount import parse_amount
from rhumbline.domain.arrival import LONGEST_CALLDATA, MOST_CALL_GAS, CallOnArrival
from rhumbline.domain.chain import NATIVES, Chain, ChainType
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.unowned_addresses import is_unowned
from rhumbline.gateways.http.strict_json import Json, read_json

AUTO = "auto"
LARGEST_GAS = 2**128 - 1
_PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
_LONGEST_TEXT = 2 * LONGEST_CALLDATA + 600
_MEMBERS = ("target", "calldata", "gas", "fallbackAddress")
_HEX = re.compile(r"0x(?:[0-9a-fA-F]{2})*\Z", re.ASCII)
_GAS = Whole(21_000, MOST_CALL_GAS, "the gas that the call needs,")


@dataclass(frozen=True, slots=True)
class NativeAmount:
    """An amount in wei, or ``auto``."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "string", "pattern": f"^({AUTO}|[1-9][0-9]{{0,38}})$"}

    def read(self, text: str, /) -> int | str:
        """Return the amount, or ``auto``."""
        if text == AUTO:
            return AUTO
        amount = parse_amount(text, LARGEST_GAS)
        if amount is None:
            form = "a positive integer in the smallest units of the destination's native token, digits only"
            raise Unreadable(f"must be {form} (1000000000000000 for 0.001 of 18 decimals), or auto; got {shown(text)}")
        return amount


@dataclass(frozen=True, slots=True)
class CallText:
    """A JSON object as text."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "string", "minLength": 2, "maxLength": _LONGEST_TEXT}

    def read(self, text: str, /) -> Mapping[str, Json]:
        """Return the object's members."""
        if len(text) > _LONGEST_TEXT:
            raise Unreadable(f"must have at most {_LONGEST_TEXT} characters; got {len(text)}")
        try:
            members = read_json(text.encode())
        except ValueError:
            members = None
        if not isinstance(members, dict):
            raise Unreadable(f"must be a JSON object with {' and '.join(_MEMBERS[:2])}; got {shown(text)}")
        return members


DESTINATION_GAS = Parameter(
    "destinationGas",
    NativeAmount(),
    "Native token of the destination, in smallest units, that the receiver gets beside the output, paid out of it; "
    "`auto`: what ten ordinary swaps cost there, at most 5 USD. Only to EVM chains. Beyond the contract.",
    "1000000000000000",
    remedy="an amount in wei, or auto",
)
DESTINATION_CALL = Parameter(
    "destinationCall",
    CallText(),
    "A call on arrival with what is bridged, as JSON (in a body an object): `target`, `calldata`, and optionally `gas` "
    "and `fallbackAddress`, who has the tokens if it fails, instead of `receiverAddress`. Beyond the contract.",
    '{"target":"0x1111111111111111111111111111111111111111","calldata":"0xb6b55f25"}',
    remedy="a JSON object with target and calldata",
)
CALL_SCHEMA: Mapping[str, object] = MappingProxyType(
    {
        "type": "object",
        "required": ["target", "calldata"],
        "additionalProperties": False,
        "properties": {
            "target": {"type": "string", "pattern": "^0x[0-9a-fA-F]{40}$"},
            "calldata": {"type": "string", "pattern": "^0x([0-9a-fA-F]{2})*$", "maxLength": 2 + 2 * LONGEST_CALLDATA},
            "gas": dict(_GAS.schema),
            "fallbackAddress": {"type": "string", "pattern": "^0x[0-9a-fA-F]{40}$"},
        },
    }
)
"""The call's form in a body."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted on arrival; ``fallback`` is who has the tokens if the call fails, None where nobody is named."""

    gas: int = 0
    auto_gas: bool = False
    call: CallOnArrival | None = None
    fallback: str | None = None


def with_call_as_text(body: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return a body with the call as its text, as a query has it."""
    call = body.get(DESTINATION_CALL.name)
    return {**body, DESTINATION_CALL.name: call_text(call)} if isinstance(call, dict) else body


def call_text(call: Mapping[str, Json]) -> str:
    return json.dumps(call, default=str)


def read_wanted(
    reading: Reading, origin: Chain | None, destination: Chain | None, token: str | None, receiver: str | None
) -> Wanted:
    """Read what is wanted on arrival; faults are noted in ``reading``.

    ``token`` is the destination's currency, ``receiver`` who was named beside the call, None if nobody was.
    """
    gas, members = reading.take(DESTINATION_GAS), reading.take(DESTINATION_CALL)
    for parameter, value in ((DESTINATION_GAS, gas), (DESTINATION_CALL, members)):
        if value is not None and (misplaced := _misplaced(origin, destination)) is not None:
            reading.fault(parameter.name, misplaced)
            return Wanted()
    if gas is not None and token in NATIVES:
        reading.fault(DESTINATION_GAS.name, "is not needed where the output is the native token: leave it out")
    call, fallback = (None, None) if members is None else _read_call(reading, members, destination, token)
    if fallback is not None and receiver is not None and receiver != fallback:
        said = "must be receiverAddress, or given instead of it: one wallet has what the call leaves, or all of it"
        reading.fault("destinationCall.fallbackAddress", said)
    return Wanted(gas if isinstance(gas, int) else 0, gas == AUTO, call, fallback)


def _misplaced(origin: Chain | None, destination: Chain | None) -> str | None:
    if origin is None or destination is None:
        return None
    if origin.id == destination.id:
        return "is for transfers to another chain: leave it out of a swap on one chain"
    if destination.type is not ChainType.EVM:
        return f"is for EVM destinations, and {destination.name} is none: leave it out"
    return None


def _read_call(
    reading: Reading, members: Mapping[str, Json], chain: Chain | None, token: str | None
) -> tuple[CallOnArrival | None, str | None]:
    name = DESTINATION_CALL.name
    for unknown in sorted(set(members) - set(_MEMBERS)):
        reading.fault(f"{name}.{unknown[:40]}", f"is not known: a call has {', '.join(_MEMBERS)}")
    target, fallback = (_address(reading, members, each, chain) for each in ("target", "fallbackAddress"))
    if target is not None and chain is not None and (refused := _refused(target, chain, token)) is not None:
        reading.fault(f"{name}.target", refused)
    data, gas = _calldata(reading, members.get("calldata")), _gas(reading, members.get("gas"))
    if members.get("target") is None:
        reading.fault(f"{name}.target", "is missing: give the contract that is called")
    return (None if target is None or data is None else CallOnArrival(target, data, gas)), fallback


def _address(reading: Reading, members: Mapping[str, Json], member: str, chain: Chain | None) -> str | None:
    value = members.get(member)
    if value is None or chain is None:
        return None
    try:
        return read_wallet(chain, value if isinstance(value, str) else "")
    except Unreadable as fault:
        reading.fault(f"{DESTINATION_CALL.name}.{member}", str(fault))
        return None


def _refused(target: str, chain: Chain, token: str | None) -> str | None:
    """Return why a target is never called, as far as that is known without a node."""
    ours = (chain.diamond, chain.executor, chain.receiver)
    what = (
        "reserved, or nobody's" if is_unowned(target)
        else "one of the service's contracts" if target in ours
        else "Permit2" if target == _PERMIT2
        else "a token of the route" if target in (token, chain.wrapped_native)
        else None
    )  # fmt: skip
    remedy = "name the contract that takes the tokens from its caller, by an allowance for exactly them"
    return None if what is None else f"is {what}, which is never called: {remedy}"


def _calldata(reading: Reading, value: Json) -> bytes | None:
    name = f"{DESTINATION_CALL.name}.calldata"
    if value is None:
        reading.fault(name, "is missing: give the call's data, 0x for none")
        return None
    if not isinstance(value, str) or not _HEX.match(value):
        reading.fault(name, "must be 0x and hex digits, two for each byte")
        return None
    data = bytes.fromhex(value[2:])
    if len(data) > LONGEST_CALLDATA:
        reading.fault(name, f"must have at most {LONGEST_CALLDATA} bytes, as bridges carry it; got {len(data)}")
        return None
    return data


def _gas(reading: Reading, value: Json) -> int | None:
    if value is None:
        return None
    try:
        return _GAS.read(str(value) if isinstance(value, int) and not isinstance(value, bool) else "none")
    except Unreadable as fault:
        reading.fault(f"{DESTINATION_CALL.name}.gas", str(fault).replace("'none'", "another value"))
        return None


def wanted_of(request: RouteRequest) -> dict[str, JsonValue]:
    """Return a request's parameters of this page, as a query has them; none where nothing is wanted."""
    found: dict[str, JsonValue] = {}
    if request.destination_gas or request.auto_destination_gas:
        found[DESTINATION_GAS.name] = AUTO if request.auto_destination_gas else str(request.destination_gas)
    if (call := call_of(request)) is not MISSING:
        found[DESTINATION_CALL.name] = json.dumps(call, separators=(",", ":"))
    return found


def call_of(request: RouteRequest) -> dict[str, JsonValue] | MISSING:
    """Return a request's call as an object; its fallback is the receiver already."""
    call = request.destination_call
    if call is None:
        return MISSING
    gas: dict[str, JsonValue] = {} if call.gas is None else {"gas": call.gas}
    return {"target": call.target, "calldata": "0x" + call.data.hex(), **gas}
