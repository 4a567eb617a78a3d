"""Exact output, executed: whoever answers, the receiver gets what was asked for or more, for the quoted input or less.

`EXACT_OUTPUTS=500` executes so many answers instead of one of each adapter; `RANDOM_SEED` asks other questions. What
was delivered beyond the question is printed: its median and its worst, in basis points (`-s` shows it).
"""

import os
import sys
import time
from base64 import b64decode, b64encode
from collections import Counter
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any

from eth_abi.abi import encode
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak
from solders.keypair import Keypair
from solders.message import to_bytes_versioned
from solders.transaction import VersionedTransaction

from tests.e2e.random_questions import NATIVE, Json, Tool, questions, tools_of
from tests.e2e.running_demo import Demo
from tests.e2e.test_foreign_clients import balance, get, post, rpc, send

WANTED = int(os.environ.get("EXACT_OUTPUTS", "19"))
SEED = os.environ.get("RANDOM_SEED", "rhumbline")
MOST_REFUSED = 40
"""So many questions for each answer, and so many more, are asked of an adapter at the most: many serve few pairs."""
REFUSALS = {"NO_AVAILABLE_QUOTES", "AMOUNT_TOO_LOW", "SLIPPAGE_EXCEEDED", "ADAPTER_BAD_REQUEST"}
OWN_RECEIVER = {"RISE"}
LOOKS = 600


@dataclass(frozen=True)
class Delivery:
    """What must arrive at a receiver that had ``before``; ``gas`` is what the receiver paid in the same token."""

    tool: Tool
    asked: dict[str, str]
    before: int
    gas: int

    @property
    def wanted(self) -> int:
        return int(self.asked["amount"])


def test_what_is_asked_for_arrives(demo: Demo) -> None:
    tools = tools_of(demo.sandbox, get(demo, "/v1/tools")[1])
    each = max(1, -(-WANTED // len(tools)))
    faults: list[str] = []
    sent: list[Delivery] = []
    beyond: list[float | None] = []
    for tool in tools:
        sent += executed(demo, tool, each, faults, beyond)
    beyond += [arrived(demo, delivery, faults) for delivery in sent if delivery.tool.crossing]
    answered = Counter(str(delivery.tool) for delivery in sent)
    tell([found for found in beyond if found is not None])
    assert not faults, f"{len(faults)} of {len(sent)}:\n" + "\n".join(faults[:20])
    assert not [tool for tool in tools if answered[str(tool)] < each], answered
    assert len(beyond) == len(sent) >= WANTED


def tell(beyond: list[float]) -> None:
    """Say how much more was delivered than asked for, where `-s` shows it."""
    text = f"{len(beyond)} delivered; beyond the question: median {median(beyond):.2f} bp, worst {max(beyond):.2f} bp"
    sys.stdout.write(text + "\n")


def test_a_route_gives_at_least_as_much(demo: Demo) -> None:
    """Every route's last step guarantees the output, and a posted step keeps to it for the input that was planned."""
    chance = Random(f"{SEED} routes")
    tools = {str(tool): tool for tool in tools_of(demo.sandbox, get(demo, "/v1/tools")[1])}
    for name in ("ONCHAIN swap", "ACROSS across"):
        asking = questions(demo.sandbox, tools[name], chance, exact_output=True)
        asked = next(each for each in asking if get(demo, "/v1/quotes", **each)[0] == 200)
        wide = {name: text for name, text in asked.items() if not name.startswith("include")}
        numbers = {name: float(text) if name == "fee" else int(text) for name, text in wide.items()
                   if name in ("fee", "originChainId", "destinationChainId")}  # fmt: skip
        status, body = post(demo, "/v1/advanced/routes", {**wide, **numbers})
        assert status == 200, body
        inputs = [int(route["inputAmount"]) for route in body["routes"]]
        for route in body["routes"]:
            assert int(route["minOutputAmount"]) >= int(asked["amount"]), route
            assert int(route["expectedSurplus"]) == int(route["outputAmount"]) - int(asked["amount"])
            assert route["steps"][0]["action"]["fromAmount"] == route["inputAmount"]
        assert min(inputs) <= inputs[0] * 1.05
        step = next(route["steps"][0] for route in body["routes"] if not route["isMultistep"])
        context = {"senderAddress": asked["senderAddress"], "receiverAddress": asked["receiverAddress"]}
        status, populated = post(demo, "/v1/advanced/stepTransaction", {"step": step, "context": context})
        assert status == 200, populated
        assert int(populated["estimate"]["toAmountMin"]) >= int(step["estimate"]["toAmountMin"])
        assert populated["estimate"]["fromAmount"] == step["action"]["fromAmount"]


def executed(demo: Demo, tool: Tool, wanted: int, faults: list[str], beyond: list[float | None]) -> list[Delivery]:
    """Ask one adapter until it answered so often, and execute each answer; what a swap delivers is seen at once."""
    chance, found = Random(f"{SEED} {tool} output"), list[Delivery]()
    chains = {str(chain["id"]): chain for chain in demo.sandbox["chains"]}
    asking = questions(demo.sandbox, tool, chance, exact_output=True)
    for _ in range(MOST_REFUSED * (wanted + 1)):
        if len(found) == wanted:
            break
        asked = next(asking)
        here, there = chains[asked["originChainId"]], chains[asked["destinationChainId"]]
        if tool.key not in OWN_RECEIVER:
            asked["receiverAddress"] = _fresh(there, chance)
        status, quote = get(demo, "/v1/quotes", **asked)
        if status != 200:
            faults += [] if status == 422 and quote["code"] in REFUSALS else [f"{tool}: {status} {quote} for {asked}"]
            continue
        told = int(quote["minOutputAmount"]) >= int(asked["amount"])
        surplus = int(quote["outputAmount"]) - int(asked["amount"])
        if not told or quote["expectedSurplus"] != str(surplus):
            faults.append(f"{tool}: promises {quote['minOutputAmount']} for {asked}")
            continue
        had = held(there, asked["destinationCurrency"], asked["receiverAddress"])
        spent, gas = _sent(demo, here, asked, quote)
        if spent > int(quote["inputAmount"]):
            faults.append(f"{tool}: {spent} was sent, {quote['inputAmount']} quoted, for {asked}")
        own = here is there and asked["receiverAddress"] == asked["senderAddress"]
        native = asked["destinationCurrency"] == NATIVE[there["type"]]
        found.append(Delivery(tool, asked, had, gas if own and native else 0))
        if not tool.crossing:
            beyond.append(arrived(demo, found[-1], faults))
    return found


def arrived(demo: Demo, delivery: Delivery, faults: list[str]) -> float | None:
    """Wait for a delivery, for so many looks; return by how many basis points it is larger than what was asked for."""
    asked = delivery.asked
    there = next(chain for chain in demo.sandbox["chains"] if str(chain["id"]) == asked["destinationChainId"])
    gained = 0
    for _ in range(LOOKS):
        now = held(there, asked["destinationCurrency"], asked["receiverAddress"])
        gained = now - delivery.before + delivery.gas
        if gained >= delivery.wanted:
            return (gained - delivery.wanted) * 10_000 / delivery.wanted
        if gained > 0:
            break
        time.sleep(0.2)
    faults.append(f"{delivery.tool}: {gained} arrived of {delivery.wanted}, for {asked}")
    return None


def _fresh(chain: Json, chance: Random) -> str:
    seed = chance.randbytes(32)
    if chain["type"] == "SVM":
        return str(Keypair.from_seed(seed).pubkey())
    return to_checksum_address(seed[:20])


def held(chain: Json, token: str, owner: str) -> int:
    if chain["type"] == "EVM":
        return balance(dict(chain), token, owner)
    if token == NATIVE["SVM"]:
        return int(rpc(dict(chain), "getBalance", owner, {"commitment": "confirmed"})["value"])
    accounts = rpc(
        dict(chain), "getTokenAccountsByOwner", owner, {"mint": token},
        {"encoding": "jsonParsed", "commitment": "confirmed"},
    )["value"]  # fmt: skip
    return sum(int(each["account"]["data"]["parsed"]["info"]["tokenAmount"]["amount"]) for each in accounts)


def _sent(demo: Demo, chain: Json, asked: dict[str, str], quote: Json) -> tuple[int, int]:
    """Sign and send; return what left of the input token, without fees beside it, and the gas that was paid."""
    kind, token, sender = chain["type"], asked["originCurrency"], asked["senderAddress"]
    accounts = demo.sandbox["accounts"][kind.lower()]
    key = next(each["private_key"] for each in accounts if each["address"] == sender)
    if kind == "SVM":
        return _sent_on_solana(dict(chain), Keypair.from_base58_string(key), asked, quote)
    where, gas = dict(chain), dict(quote["gas"])
    if "approvalAddress" in quote:
        data = keccak(text="approve(address,uint256)")[:4] + encode(
            ["address", "uint256"], [quote["approvalAddress"], int(quote["inputAmount"])]
        )
        send(where, key, token, "0x0", "0x" + data.hex(), gas)
    before, call = balance(where, token, sender), quote["calldata"]
    receipt = send(where, key, call["to"], call["value"], call["data"], gas)
    paid = int(receipt["gasUsed"], 16) * int(receipt["effectiveGasPrice"], 16)
    if token == NATIVE["EVM"]:
        beside = sum(int(item["amount"]) for item in quote["fees"]["breakdown"]
                     if item["type"] == "relayer" and item["currencyAddress"] == token)  # fmt: skip
        return before - balance(where, token, sender) - paid - beside, paid
    return before - balance(where, token, sender), paid


def _sent_on_solana(chain: dict[str, Any], key: Keypair, asked: dict[str, str], quote: Json) -> tuple[int, int]:
    token, sender = asked["originCurrency"], asked["senderAddress"]
    unsigned = VersionedTransaction.from_bytes(b64decode(quote["calldata"]["data"]))
    message = unsigned.message
    signatures = list(unsigned.signatures)
    signatures[list(message.account_keys).index(key.pubkey())] = key.sign_message(to_bytes_versioned(message))
    signed = VersionedTransaction.populate(message, signatures)
    before = held(chain, token, sender)

    signature = rpc(chain, "sendTransaction", b64encode(bytes(signed)).decode(), {"encoding": "base64"})
    for _ in range(LOOKS):
        (status,) = rpc(chain, "getSignatureStatuses", [signature])["value"]
        if status is not None and status.get("confirmationStatus") in ("confirmed", "finalized"):
            assert status["err"] is None, status
            break
        time.sleep(0.1)
    else:
        raise AssertionError("not confirmed")
    beside = sum(int(item["amount"]) for item in quote["fees"]["breakdown"]
                 if item["type"] == "gas" and item["currencyAddress"] == NATIVE["SVM"])  # fmt: skip
    spent = before - held(chain, token, sender)
    return spent - (beside if token == NATIVE["SVM"] else 0), beside
