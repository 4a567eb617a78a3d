"""The steps of Relay's quotes for the wallet: approvals, deposits, calls of its router; and its lies.

Contracts and their addresses: docs.relay.link (contract addresses, v3; depository addresses), read 2026-11-21. A router
call ends with the order's ID after its arguments, as the live service's did in 2026-10.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.trades import Trade
from rhumbline.domain.chain import NATIVE_EVM

DEPOSITORY = "0x4cD00E387622C35bDDB9b4c962C136462338BC31"
ROUTER = "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f"
APPROVAL_PROXY = "0xCcC88a9d1B4ED6b0EABA998850414b24f1c315bE"
STRANGER = "0x00000000000000000000000000000000000BaDd1"
_CALLS = "(address,bool,uint256,bytes)[]"
_MULTICALL = f"multicall({_CALLS},address,address,bytes)"
PROXIED = f"transferAndMulticall(address[],uint256[],{_CALLS},address,address,bytes)"

Call = tuple[str, bool, int, bytes]


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """What steps are made from: ``token`` and ``amount`` of the wallet, on a chain; ``refund_to`` may be the wallet."""

    chain_id: int
    user: str
    token: str
    amount: int
    recipient: str
    refund_to: str
    request_id: str
    solver: str
    other_token: str

    @property
    def native(self) -> bool:
        return self.token == NATIVE_EVM


def deposit_steps(asked: CheckedRequest, identifier: bytes, lie: Lie | None) -> list[dict[str, Any]]:
    """Return the steps of a transfer whose input goes into the depository as it is."""
    amount = asked.amount // 2 if lie is Lie.OTHER_AMOUNT else asked.amount
    depositor = STRANGER if lie is Lie.OTHER_REFUND else asked.user
    to, value = DEPOSITORY, 0
    if lie is Lie.OTHER_ENTRY:
        to, value, data = _bare(asked)
    elif lie is Lie.OTHER_TOKEN:
        data = encoded(
            "depositErc20(address,address,uint256,bytes32)", depositor, asked.other_token, amount, identifier
        )
    elif asked.native:
        value, data = amount, encoded("depositNative(address,bytes32)", depositor, identifier)
    else:
        data = encoded("depositErc20(address,address,uint256,bytes32)", depositor, asked.token, amount, identifier)
    return _steps(asked, "deposit", to, value, data, lie)


def swapped_deposit_steps(
    asked: CheckedRequest, trade: Trade, identifier: bytes, lie: Lie | None
) -> list[dict[str, Any]]:
    """Return the steps of a transfer whose input is traded in the router before the deposit."""
    depositor = STRANGER if lie is Lie.OTHER_REFUND else asked.user
    left = encoded("depositErc20(address,address,bytes32)", depositor, trade.token_out, identifier)
    clean = encoded(
        "cleanupErc20sViaCall(address[],address[],bytes[],uint256[])", [trade.token_out], [DEPOSITORY], [left], [0]
    )
    calls = [*_traded(trade, ROUTER), (ROUTER, False, 0, clean)]
    # As with the live service in 2026-10: the router keeps what is left in the native asset for its solver.
    return _router_steps(replace(asked, refund_to=asked.solver), "deposit", calls, identifier, lie)


def swap_steps(asked: CheckedRequest, trade: Trade, minimum: int, lie: Lie | None) -> list[dict[str, Any]]:
    """Return the steps of a swap on one chain, whose output the router pays out."""
    receiver = STRANGER if lie is Lie.OTHER_RECEIVER else asked.recipient
    metadata = _metadata(asked.request_id)
    half = trade.amount_out // 2 if lie is Lie.WORSE_OUTPUT else 0
    if trade.token_out == NATIVE_EVM:
        paid = [encoded("cleanupNative(uint256,address,bytes)", half, receiver, metadata)]
    else:
        clean = "cleanupErc20s(address[],address[],uint256[],bytes)"
        paid = [encoded(clean, [trade.token_out], [receiver], [half], metadata)]
        if lie is Lie.WORSE_OUTPUT:
            paid.append(encoded(clean, [trade.token_out], [STRANGER], [0], metadata))
    calls = [*_traded(trade, ROUTER, 0 if half else minimum), *((ROUTER, False, 0, each) for each in paid)]
    # What is left of a native output goes to the refund address.
    left = replace(asked, refund_to=STRANGER) if half else asked
    return _router_steps(left, "swap", calls, b"", lie)


def _traded(trade: Trade, receiver: str, minimum: int = 0) -> list[Call]:
    router, data = trade.calldata(receiver, minimum)
    traded = (router, False, trade.value, data)
    if trade.token_in == NATIVE_EVM:
        return [traded]
    return [(trade.token_in, False, 0, encoded("approve(address,uint256)", router, trade.amount_in)), traded]


def _router_steps(
    asked: CheckedRequest, name: str, calls: list[Call], mark: bytes, lie: Lie | None
) -> list[dict[str, Any]]:
    refund_to = STRANGER if lie is Lie.OTHER_REFUND else asked.refund_to
    rest = (calls, refund_to, asked.recipient, _metadata(asked.request_id))
    amount = asked.amount // 2 if lie is Lie.OTHER_AMOUNT else asked.amount
    token = asked.other_token if lie is Lie.OTHER_TOKEN else asked.token
    if lie is Lie.OTHER_ENTRY:
        to, value, data = _bare(asked)
    elif asked.native and lie is not Lie.OTHER_TOKEN:
        to, value, data = ROUTER, amount, encoded(_MULTICALL, *rest) + mark
    else:
        to, value, data = APPROVAL_PROXY, 0, encoded(PROXIED, [token], [amount], *rest) + mark
    return _steps(asked, name, to, value, data, lie)


def _bare(asked: CheckedRequest) -> tuple[str, int, bytes]:
    """Return a transfer to the solver that ends with the request's ID: the effect of ``explicitDeposit: false``."""
    mark = bytes.fromhex(asked.request_id[2:])[-4:]
    if asked.native:
        return asked.solver, asked.amount, mark
    return asked.token, 0, encoded("transfer(address,uint256)", asked.solver, asked.amount) + mark


def _steps(asked: CheckedRequest, name: str, to: str, value: int, data: bytes, lie: Lie | None) -> list[dict[str, Any]]:
    more = 1 if lie is Lie.MORE_VALUE else 0
    steps = []
    if lie is Lie.OTHER_SPENDER:
        steps.append(_approval(asked, asked.other_token if asked.native else asked.token, STRANGER))
    elif not asked.native and to != asked.token:
        steps.append(_approval(asked, asked.token, to))
    steps.append(_step(asked, name, "Depositing funds to the relayer to execute the swap", to, value + more, data))
    return steps


def _approval(asked: CheckedRequest, token: str, spender: str) -> dict[str, Any]:
    data = encoded("approve(address,uint256)", spender, asked.amount)
    return _step(asked, "approve", "Sign an approval", token, 0, data)


def _step(asked: CheckedRequest, name: str, description: str, to: str, value: int, data: bytes) -> dict[str, Any]:
    call: Mapping[str, object] = {
        "from": asked.user.lower(),
        "to": to.lower(),
        "data": "0x" + data.hex(),
        "value": str(value),
        "chainId": asked.chain_id,
        "gas": "300000",
        "maxFeePerGas": "2000000000",
        "maxPriorityFeePerGas": "1000000",
    }
    item: dict[str, object] = {"status": "incomplete", "data": call}
    step: dict[str, Any] = {
        "id": name,
        "action": "Confirm transaction in your wallet",
        "description": description,
        "kind": "transaction",
        "items": [item],
        "requestId": asked.request_id,
    }
    if name != "approve":
        item["check"] = {"endpoint": f"/intents/status/v3?requestId={asked.request_id}", "method": "GET"}
        step["depositAddress"] = ""
    return step


def _metadata(request_id: str) -> bytes:
    """Write the request's ID with its digits reversed, and its action."""
    return bytes.fromhex(request_id[:1:-1] + "00")
