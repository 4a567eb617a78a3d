"""Answers of Relay to transfers from Solana: orders are made and signed by the sandbox's code, which is not ours here.

The step of a deposit of SOL is one that Relay made, as a client recorded it (the data of a step's item, word for word;
undated, found 2026-11-22); its accounts are those of relay-depository at 8c46f72d.
"""

import copy
from dataclasses import replace
from typing import Any

from rhumbline.adapters.relay.deployments import DEPLOYMENTS
from rhumbline.devnet.upstreams.relay.order import Terms, hashed, order_data, signed
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.signatures import Account
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.programs import ASSOCIATED, SPL, SYSTEM
from tests.adapters.relay.stub_upstream import (
    BASE_USDC,
    REQUEST,
    REQUEST_ID,
    SOL,
    SOLANA,
    SOLANA_ID,
    SOLVER,
    SOLVER_KEY,
    said,
)

WALLET = "27q8k7t3VAdZgeG679xpgmm9WD4g3EgVfNQaVgfGocPL"
STATE, VAULT = "Dodg2HifwU8rmaVVyMyUZDGTRbqAJTyVYxXPwcbNpBKc", "7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ"
STRANGER = "mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v"
PROGRAM = DEPLOYMENTS[SOLANA_ID].depository
SOLANA_USDC = Token(SOLANA_ID, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USDC", 6, "USD Coin")
FROM_SOL = replace(
    REQUEST, origin=SOLANA, origin_token=SOL, amount=10_000_000, sender=WALLET, taker=WALLET,
    destination_token=BASE_USDC,
)  # fmt: skip
FROM_USDC = replace(FROM_SOL, origin_token=SOLANA_USDC, amount=250_000_000)
_MADE_BY_RELAY: dict[str, Any] = {
    "instructions": [
        {
            "keys": [
                {"pubkey": "Dodg2HifwU8rmaVVyMyUZDGTRbqAJTyVYxXPwcbNpBKc", "isSigner": False, "isWritable": False},
                {"pubkey": "27q8k7t3VAdZgeG679xpgmm9WD4g3EgVfNQaVgfGocPL", "isSigner": True, "isWritable": True},
                {"pubkey": "27q8k7t3VAdZgeG679xpgmm9WD4g3EgVfNQaVgfGocPL", "isSigner": False, "isWritable": False},
                {"pubkey": "7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ", "isSigner": False, "isWritable": True},
                {"pubkey": "11111111111111111111111111111111", "isSigner": False, "isWritable": False},
            ],
            "programId": "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2",
            "data": "0d9e0ddf5fd51c06809698000000000014dde76fee19fe608e718acf1c9d29bdcf3caa142b82f2df800530cae1572cd7",
        }
    ],
    "addressLookupTableAddresses": ["Hm9fUgcn7qwDaiNTFiGh6pNtVATgnaRcmK6Bbx6EMZfP"],
}
OUTPUT, MINIMUM = 2_400_000, 2_388_000


def made_by_relay() -> dict[str, Any]:
    """The data of a step that Relay made: a deposit of 10,000,000 lamports."""
    return copy.deepcopy(_MADE_BY_RELAY)


def token_step(amount: int) -> dict[str, Any]:
    """A deposit of USDC, in the accounts of the program's source."""
    source, holder = (associated_token_address(owner, SOLANA_USDC.address, SPL) for owner in (WALLET, VAULT))
    roles = [
        (STATE, False, False), (WALLET, True, True), (WALLET, False, False), (VAULT, False, False),
        (SOLANA_USDC.address, False, False), (source, False, True), (holder, False, True), (SPL, False, False),
        (ASSOCIATED, False, False), (SYSTEM, False, False),
    ]  # fmt: skip
    keys = [{"pubkey": key, "isSigner": signs, "isWritable": written} for key, signs, written in roles]
    data = "0b9c60da27a3b413" + amount.to_bytes(8, "little").hex() + "00" * 32
    return {
        "instructions": [{"keys": keys, "programId": PROGRAM, "data": data}],
        "addressLookupTableAddresses": ["Hm9fUgcn7qwDaiNTFiGh6pNtVATgnaRcmK6Bbx6EMZfP"],
    }


def terms(*, native: bool, **changes: Any) -> Terms:
    request = FROM_SOL if native else FROM_USDC
    plain = Terms(
        "solana", "base", request.origin_token.address, request.amount, WALLET, request.receiver, BASE_USDC.address,
        OUTPUT, MINIMUM, 1_893_456_000, "0x" + "b9" * 20,
    )  # fmt: skip
    return replace(plain, **changes)


def answered(*, native: bool, order: Terms | None = None, steps: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """An answer whose deposit names its order's ID; ``steps`` are those of another deposit."""
    made: dict[str, Any] = order_data(order or terms(native=native), SOLVER, REQUEST_ID)
    identifier = hashed(made)
    request = FROM_SOL if native else FROM_USDC
    item = made_by_relay() if native else token_step(request.amount)
    step: dict[str, Any] = {"id": "deposit", "kind": "transaction", "items": [{"data": item}], "requestId": REQUEST_ID}
    wanted = copy.deepcopy([step] if steps is None else steps)
    for each in wanted:
        for one in each["items"][0]["data"].get("instructions", []):
            if one["programId"] == PROGRAM:
                one["data"] = one["data"][:32] + identifier.hex() + one["data"][96:]
    body: dict[str, Any] = said("transfer.json")
    solver = Account.from_key(SOLVER_KEY)
    body["steps"] = wanted
    body["protocol"]["v2"] |= {
        "orderId": "0x" + identifier.hex(), "orderData": made, "orderSignature": signed(solver, identifier),
    }  # fmt: skip
    body["details"] |= {
        "sender": WALLET,
        "recipient": request.receiver,
        "currencyIn": _amount(792703809, request.origin_token, request.amount, request.amount),
        "currencyOut": _amount(8453, BASE_USDC, OUTPUT, MINIMUM),
    }
    return body


def _amount(chain: int, token: Token, amount: int, minimum: int) -> dict[str, Any]:
    currency = {"chainId": chain, "address": token.address, "symbol": token.symbol, "decimals": token.decimals}
    return {"currency": currency, "amount": str(amount), "minimumAmount": str(minimum)}
