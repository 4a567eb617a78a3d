"""Orders from Solana against what the vendor's SDK makes of the same quotes, and against one that was placed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rhumbline.adapters.mayan.bytes32 import ZERO, token_word, word
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS
from rhumbline.adapters.mayan.kinds.order import Order, Terms
from rhumbline.adapters.mayan.svm import fast_mctp as solana_fast_mctp
from rhumbline.adapters.mayan.svm import mctp as solana_mctp
from rhumbline.adapters.mayan.svm import swift as solana_swift
from rhumbline.adapters.mayan.svm.checking import read_program_call
from rhumbline.adapters.mayan.svm.draft import draft_of, proxied
from rhumbline.adapters.mayan.wire import FastMctpQuote, MctpQuote, SwiftQuote
from rhumbline.domain.chain import ChainType
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.http.strict_json import read_json
from rhumbline.gateways.upstreams.spec import read_answer
from tests.adapters.mayan.stub_upstream import SOLANA

VECTOR_FILES = Path(__file__).parents[1] / "vectors"
HERE = DEPLOYMENTS[SOLANA]
ARBITRUM = DEPLOYMENTS[42161]


def recorded(name: str) -> Any:
    """Numbers as the adapter reads them, never floats."""
    return read_json((VECTOR_FILES / name).read_bytes())


VECTORS: dict[str, Any] = {each["name"]: each for each in recorded("solana_vectors.json")["vectors"]}
GENUINE: Any = recorded("solana_swift_order.json")


def role(text: str) -> AccountRole:
    address, _, flags = text.partition(" ")
    return AccountRole(address, "s" in flags, "w" in flags)


def call(document: Any) -> SvmInstruction:
    return SvmInstruction(
        document["program"], tuple(role(each) for each in document["accounts"]), bytes.fromhex(document["data"])
    )


def drawn(vector: Any) -> Callable[[int], bytes]:
    """What the SDK drew at random for this order, as its data tells."""
    data = bytes.fromhex(vector["instructions"][-1]["data"])
    if vector["name"].startswith("mctp"):
        return lambda _: data[74:106]
    at = 84 if vector["name"].endswith("order") else 109
    return lambda count: int.from_bytes(data[at : at + 2], "little").to_bytes(count)


def order_of(vector: Any) -> Order:
    quote, referrers = vector["quote"], vector["referrers"]
    there = ChainType.EVM
    terms = Terms(
        HERE, ARBITRUM, word(vector["swapper"], ChainType.SVM), word(vector["destination"], there),
        token_word(quote["toToken"]["contract"], there), 6, int(quote["effectiveAmountIn64"]), drawn(vector),
        word(vector["swapper"], ChainType.SVM),
    )  # fmt: skip
    # Whoever carries the order on is paid nothing there: the SDK's own transaction burns the USDC itself.
    document = quote | {"solanaRelayerFee64": "0"}
    match quote["type"]:
        case "SWIFT":
            referrer = word(referrers["solana"], ChainType.SVM) if referrers else ZERO
            return solana_swift.order(read_answer(SwiftQuote, document), replace(terms, referrer=referrer))
        case "MCTP":
            referrer = word(referrers["evm"], there) if referrers else ZERO
            return solana_mctp.order(read_answer(MctpQuote, document), replace(terms, referrer=referrer))
        case _:
            referrer = word(referrers["evm"], there) if referrers else ZERO
            return solana_fast_mctp.order(read_answer(FastMctpQuote, document), replace(terms, referrer=referrer))


@pytest.mark.parametrize("name", list(VECTORS))
def test_the_calls_are_the_vendor_s(name: str) -> None:
    vector = VECTORS[name]
    order = order_of(vector)
    assert order.ledger is not None
    draft = draft_of(order, order.ledger, vector["swapper"], HERE, SOLANA)
    assert list(draft.instructions) == [call(each) for each in vector["instructions"]]
    assert draft.tables == HERE.tables


@pytest.mark.parametrize("name", list(VECTORS))
def test_what_was_made_is_read_back(name: str) -> None:
    vector = VECTORS[name]
    order = order_of(vector)
    assert order.ledger is not None
    found, owner = read_program_call(order.ledger.call, HERE.wormhole_id)
    assert owner == order.ledger.owner
    assert (found.amount, found.destination) == (order.amount, word(vector["destination"], ChainType.EVM))
    assert found.extras is bool(vector["referrers"])
    with pytest.raises(MalformedAnswer):
        read_program_call(replace(order.ledger.call, data=order.data[:-1]), HERE.wormhole_id)
    with pytest.raises(MalformedAnswer):
        read_program_call(replace(order.ledger.call, data=b"\0" + order.data[1:]), HERE.wormhole_id)
    with pytest.raises(MalformedAnswer):
        read_program_call(replace(order.ledger.call, accounts=()), HERE.wormhole_id)


def test_an_order_that_was_placed_lies_where_its_hash_says() -> None:
    roles = tuple(role(each) for each in GENUINE["accounts"])
    placed = SvmInstruction(roles[0].address, roles[1:], bytes.fromhex(GENUINE["data"]))
    found, owner = read_program_call(placed, HERE.wormhole_id)
    assert owner == roles[3].address
    assert (found.token, found.amount, found.chain) == (roles[7].address, 1_000_000_000, 2)
    # It had a referrer, for whom nobody asks here.
    assert found.extras
    hashed = bytes.fromhex(GENUINE["hash"][2:])
    assert solana_swift.state_address(hashed, 2, placed.program) == owner
    assert proxied(placed, HERE.proxy).accounts == roles
