"""A request to Symbiosis' emulator, parsed as strictly as the API's schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rhumbline.devnet.upstreams.behaviour import Fails
from rhumbline.devnet.upstreams.parameters import AMOUNT, Parameters, anything, evm_address, integer, text
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.address import checksum_holds, checksummed

_LEAST, _MOST = 20, 1_000


@dataclass(frozen=True, slots=True)
class SwapRequest:
    """Tokens by chain ID and address (the native marker for an empty one), ``slippage`` in basis points."""

    given: tuple[int, str]
    wanted: tuple[int, str]
    amount: int
    wallet: str
    receiver: str
    slippage: int
    reverters: Mapping[int, str]


def read_request(body: object) -> SwapRequest:
    """Parse a body, or fail as the API does."""
    asked = _REQUEST.values(body)
    given, wanted = _GIVEN.values(asked["tokenAmountIn"]), _WANTED.values(asked["tokenOut"])
    if asked["slippage"] < _LEAST:
        raise Fails("slippage_too_low")
    if asked["slippage"] > _MOST:
        raise Fails("slippage_too_high")
    return SwapRequest(
        _token(given), _token(wanted), int(given["amount"]), _wallet(asked["from"]), _wallet(asked["to"]),
        asked["slippage"], _reverters(asked.get("revertableAddresses", [])),
    )  # fmt: skip


def _token(token: Mapping[str, Any]) -> tuple[int, str]:
    address = token["address"]
    if address == "":
        return token["chainId"], NATIVE_EVM
    if not evm_address(address) or not checksum_holds(address):
        raise Fails("invalid_address")
    return token["chainId"], checksummed(address)


def _wallet(value: Any) -> str:
    if not evm_address(value) or int(value, 16) == 0:
        raise Fails("invalid_address")
    return checksummed(value)


def _reverters(value: object) -> Mapping[int, str]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise _invalid("revertableAddresses must be a list of objects")
    return {each["chainId"]: _wallet(each.get("address")) for each in value if isinstance(each.get("chainId"), int)}


def _invalid(what: str) -> Fails:
    return Fails("invalid_body", {"code": 422, "message": f"Invalid body: {what}"})


_REQUEST = Parameters(
    {"tokenAmountIn": anything, "tokenOut": anything, "from": anything, "to": anything, "slippage": integer},
    {"revertableAddresses": anything, "disabledProviders": anything},
    wrong=lambda field: _invalid(f"{field} must be an integer"),
    unknown=lambda field: _invalid(f"{field} is not known"),
    missing=lambda field: _invalid(f"required: {field}"),
)
_TOKEN = MappingProxyType({"chainId": integer, "address": text, "decimals": integer})
_GIVEN, _WANTED = (
    Parameters(
        fields,
        {"symbol": anything},
        wrong=lambda field: _invalid(
            "tokenAmountIn.amount must be a positive integer string"
            if field == "amount"
            else "chainId and decimals must be integers"
        ),
        unknown=lambda _: _invalid("a token has chainId, address, decimals, symbol"),
        missing=lambda _: _invalid("a token has chainId, address, decimals, symbol"),
    )
    for fields in (_TOKEN | {"amount": AMOUNT}, _TOKEN)
)
