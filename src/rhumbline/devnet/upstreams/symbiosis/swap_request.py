"""A question to Symbiosis' emulator, read as strictly as the API's schema has it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.devnet.upstreams.behaviour import Fails
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.address import checksum_holds, checksummed, is_address

_AMOUNT = re.compile(r"[1-9][0-9]{0,77}\Z", re.ASCII)
_REQUIRED = frozenset({"tokenAmountIn", "tokenOut", "from", "to", "slippage"})
_OPTIONAL = frozenset({
    "partnerAddress", "refundAddress", "fallbackReceiver", "revertableAddresses", "disabledProviders", "selectMode",
    "partnerId",
})  # fmt: skip
_TOKEN = frozenset({"chainId", "address", "decimals"})
_LEAST, _MOST = 20, 1_000


@dataclass(frozen=True, slots=True)
class Question:
    """Tokens by chain ID and address (the native marker for an empty one), ``slippage`` in basis points."""

    given: tuple[int, str]
    wanted: tuple[int, str]
    amount: int
    wallet: str
    receiver: str
    slippage: int
    reverters: Mapping[int, str]


def read_question(body: object) -> Question:
    """Read a body, or fail as the API does."""
    if not isinstance(body, dict) or not _REQUIRED <= body.keys() <= _REQUIRED | _OPTIONAL:
        raise _invalid("required: " + ", ".join(sorted(_REQUIRED)))
    given, wanted = _token(body["tokenAmountIn"], {"amount"}), _token(body["tokenOut"], set())
    amount = body["tokenAmountIn"]["amount"]
    if not isinstance(amount, str) or not _AMOUNT.match(amount):
        raise _invalid("tokenAmountIn.amount must be a positive integer string")
    slippage = body["slippage"]
    if isinstance(slippage, bool) or not isinstance(slippage, int):
        raise _invalid("slippage must be an integer")
    if slippage < _LEAST:
        raise Fails("slippage_too_low")
    if slippage > _MOST:
        raise Fails("slippage_too_high")
    return Question(
        given, wanted, int(amount), _wallet(body["from"]), _wallet(body["to"]), slippage,
        _reverters(body.get("revertableAddresses", [])),
    )  # fmt: skip


def _token(value: object, more: set[str]) -> tuple[int, str]:
    wanted = _TOKEN | more
    if not isinstance(value, dict) or not wanted <= value.keys() <= wanted | {"symbol"}:
        raise _invalid("a token has chainId, address, decimals, symbol")
    chain_id, address, decimals = (value[name] for name in ("chainId", "address", "decimals"))
    if isinstance(chain_id, bool) or not isinstance(chain_id, int) or not isinstance(decimals, int):
        raise _invalid("chainId and decimals must be integers")
    if address == "":
        return chain_id, NATIVE_EVM
    if not isinstance(address, str) or not is_address(address) or not checksum_holds(address):
        raise Fails("invalid_address")
    return chain_id, checksummed(address)


def _wallet(value: object) -> str:
    if not isinstance(value, str) or not is_address(value) or int(value, 16) == 0:
        raise Fails("invalid_address")
    return checksummed(value)


def _reverters(value: object) -> Mapping[int, str]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise _invalid("revertableAddresses must be a list of objects")
    return {each["chainId"]: _wallet(each.get("address")) for each in value if isinstance(each.get("chainId"), int)}


def _invalid(what: str) -> Fails:
    return Fails("invalid_body", {"code": 422, "message": f"Invalid body: {what}"})
