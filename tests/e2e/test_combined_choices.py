"""What goes beyond the contract, together in one answer: executed by a published client, with what each promises."""

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from eth_account import Account
from eth_utils.address import to_checksum_address

from rhumbline_client import Rhumbline
from rhumbline_client.evm import EvmSender
from tests.e2e.running_demo import Demo
from tests.e2e.test_foreign_clients import NATIVE, address, balance, chain_of, get, post, rpc, send
from tests.e2e.test_permits import allowance, nonce, ready, words
from tests.e2e.test_published_clients import waited
from tests.solidity import ROOT, creation_codes

SAVINGS = ROOT / "contracts" / "test" / "support" / "Savings.sol"
GAS = 10**15
PAYER = 5


@dataclass(frozen=True)
class Wish:
    """One question from the first chain; ``put`` is how much of the output a call on arrival takes, None: all of it."""

    there: str
    origin: str
    destination: str
    amount: int
    choices: dict[str, Any] = field(default_factory=dict)
    calls: bool = False
    put: int | None = None

    @property
    def exact(self) -> bool:
        return "trade_type" in self.choices

    def __str__(self) -> str:
        names = ["call"] * self.calls + ["part"] * (self.put is not None) + sorted(self.choices)
        return f"{self.origin}-{self.there}.{self.destination} " + "+".join(names)


EXACT = {"trade_type": "EXACT_OUTPUT"}
USDC = 10**8
WISHES = (
    Wish("sbxa", "USDC", "WETH", 10**16, EXACT),
    Wish("sbxa", "USDT", "WETH", 10**16, EXACT),
    Wish("sbxb", "USDC", "USDC", USDC, {**EXACT, "refund_to": 7, "destination_gas": GAS}),
    Wish("sbxb", "DAI", "USDC", USDC, {**EXACT, "refund_to": 7, "destination_gas": "auto"}, calls=True),
    Wish("sbxb", "USDC", "USDC", USDC, EXACT, calls=True, put=USDC),
    Wish("sbxb", "USDC", "USDC", USDC, {"destination_gas": GAS}, calls=True),
)
"""Each with permits as well."""


@pytest.fixture(scope="module")
def savings(demo: Demo) -> str:
    """The address of a contract on the second chain into which a call on arrival puts what arrives."""
    chain, owner = chain_of(demo, "sbxb"), demo.sandbox["accounts"]["evm"][PAYER]
    code = "0x" + asyncio.run(creation_codes(SAVINGS))["Savings"].hex()
    gas = {"gasPrice": rpc(chain, "eth_gasPrice"), "gasLimit": hex(2_000_000)}
    return to_checksum_address(send(chain, owner["private_key"], "", "0x0", code, gas)["contractAddress"])


@pytest.mark.parametrize("wish", WISHES, ids=str)
def test_every_promise_is_kept(demo: Demo, savings: str, wish: Wish) -> None:
    here, account, token = ready(demo, PAYER, wish.origin)
    there, owner = chain_of(demo, wish.there), account["address"]
    bought, receiver = address(there, wish.destination), to_checksum_address(Random(str(wish)).randbytes(20))
    choices = dict(wish.choices)
    if "refund_to" in choices:
        choices["refund_to"] = demo.sandbox["accounts"]["evm"][choices["refund_to"]]["address"]
    if wish.calls:
        data = words("depositAll(address,address)", bought, receiver)
        if wish.put is not None:
            data = words("deposit(address,uint256,address)", bought, wish.put, receiver)
        call = {"target": savings, "calldata": data, "fallbackAddress": receiver}
        choices["destination_call"] = call
    with Rhumbline(demo.sandbox["base_url"]) as rhumbline:
        quote = rhumbline.quote(
            sender_address=owner, receiver_address=receiver, origin_chain_id=here["id"],
            destination_chain_id=there["id"], amount=wish.amount, origin_currency=token, destination_currency=bought,
            permits=True, **choices,
        )  # fmt: skip
    assert quote.permit is not None
    assert quote.refund_to == choices.get("refund_to")
    least = quote.min_output_amount or 0
    assert least >= wish.amount if wish.exact else int(quote.input_amount) == wish.amount
    before = balance(here, token, owner), nonce(here, owner)
    with EvmSender(here["rpc_url"], Account.from_key(account["private_key"]), here["id"], poll=0.1) as sender:
        sender.execute(quote)
    spent = before[0] - balance(here, token, owner)
    assert (spent, nonce(here, owner) - before[1]) == (int(quote.input_amount), 1)
    assert allowance(here, token, owner) == 0
    path = f"/v1/status/{quote.transaction_id}"
    waited(lambda: get(demo, path), lambda answer: answer[1].get("status") == "success")
    got, saved = balance(there, bought, receiver), 0
    if wish.calls:
        asked = {"to": savings, "data": words("saved(address,address)", bought, receiver)}
        saved = int(rpc(there, "eth_call", asked, "latest"), 16)
        assert saved == (wish.put or least)
    assert got + saved >= least
    if quote.destination_gas is not None:
        assert balance(there, NATIVE, receiver) >= int(quote.destination_gas.min_amount) > 0


def test_a_step_of_a_route_takes_them_together(demo: Demo) -> None:
    here, account, token = ready(demo, PAYER, "USDC")
    there, receiver = chain_of(demo, "sbxb"), to_checksum_address(Random("step").randbytes(20))
    bought = address(there, "USDC")
    asked = {
        "senderAddress": account["address"], "receiverAddress": receiver, "originChainId": here["id"],
        "destinationChainId": there["id"], "amount": str(USDC), "originCurrency": token,
        "destinationCurrency": bought, "destinationGas": str(GAS), "tradeType": "EXACT_OUTPUT",
    }  # fmt: skip
    status, found = post(demo, "/v1/advanced/routes", asked)
    assert status == 200, found
    route = found["routes"][0]
    context = {"senderAddress": account["address"], "receiverAddress": receiver, "permits": True}
    status, step = post(demo, "/v1/advanced/stepTransaction", {"step": route["steps"][0], "context": context})
    assert status == 200, step
    permit, key, before = step["permit"], account["private_key"], balance(here, token, account["address"])
    signature = Account.from_key(key).sign_typed_data(full_message=permit["typedData"]).signature.hex()
    data = permit["calldata"]["data"][:-192] + signature + 62 * "0"
    gas = {**step["transactionRequest"]["gas"], "gasLimit": hex(int(permit["gasLimit"], 0))}
    send(here, key, permit["calldata"]["to"], permit["calldata"]["value"], data, gas)
    assert before - balance(here, token, account["address"]) == int(route["inputAmount"])
    waited(lambda: balance(there, bought, receiver), lambda got: got >= USDC)
    assert balance(there, NATIVE, receiver) >= GAS
