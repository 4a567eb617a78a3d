"""Calldata computed with the vendor's SDK, which is no part of the project: byte for byte."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rhumbline.adapters.mayan.bytes32 import ZERO, token_word, word
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS, FORWARDER, Deployment
from rhumbline.adapters.mayan.forwarder import Call, Swap, decode, encode
from rhumbline.adapters.mayan.kinds import fast_mctp, mctp, swift, wormhole
from rhumbline.adapters.mayan.kinds.order import Order, Terms
from rhumbline.adapters.mayan.wire import FastMctpQuote, MayanQuote, MctpQuote, SwapReply, SwiftQuote, WormholeQuote
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.http.strict_json import Json, read_json
from rhumbline.gateways.upstreams.spec import read_answer

FOLDER = Path(__file__).parents[1] / "vectors"
FIRST = ("0xC38e4e6A15593f908255214653d3D947CA1c2338",)


def _quote(document: Json) -> tuple[MayanQuote, Callable[[Terms], Order]]:
    assert isinstance(document, dict)
    match document["type"]:
        case "SWIFT":
            first = read_answer(SwiftQuote, document)
            return first, lambda terms: swift.order(first, terms)
        case "MCTP":
            second = read_answer(MctpQuote, document)
            return second, lambda terms: mctp.order(second, terms)
        case "FAST_MCTP":
            third = read_answer(FastMctpQuote, document)
            return third, lambda terms: fast_mctp.order(third, terms)
        case kind:
            assert kind == "WH"
            fourth = read_answer(WormholeQuote, document)
            return fourth, lambda terms: wormhole.order(fourth, terms)


def _chain(name: str) -> tuple[Deployment, ChainType]:
    found = next(each for each in DEPLOYMENTS.values() if each.name == name)
    return replace(found, swift_first=FIRST), ChainType.SVM if name == "solana" else ChainType.EVM


def _no_random(_: int) -> bytes:
    raise AssertionError("the vectors fix what is random")


def _made(vector: dict[str, Json]) -> tuple[Call, Order]:
    given = vector["input"]
    assert isinstance(given, dict)
    reply, order_of = _quote(given["quote"])
    here, there = _chain(reply.from_chain), _chain(reply.to_chain)
    terms = Terms(
        here[0], there[0], word(str(given["swapper"]), here[1]), word(str(given["destination"]), there[1]),
        token_word(reply.to_token.contract, there[1]), reply.to_token.decimals, reply.effective_amount_in64, _no_random,
        word(str(given["swapper"]), here[1]),
    )  # fmt: skip
    order = order_of(replace(terms, referrer=_referrer(reply, given["referrers"], there[1])))
    swap = None
    if order.swaps:
        answered = read_answer(SwapReply, vector["stubbedSwapEvmResponse"])
        swap = Swap(
            answered.swap_router_address, answered.swap_router_calldata, order.input_token, order.min_middle
        )  # fmt: skip
    return Call(reply.from_token.contract, order.amount, order.contract, order.data, order.message_fee, swap), order


def _referrer(reply: MayanQuote, referrers: Json, there: ChainType) -> bytes:
    if not isinstance(referrers, dict):
        return ZERO
    if isinstance(reply, SwiftQuote) and reply.swift_version == "V2":
        return word(str(referrers["evm"]), ChainType.EVM)
    if isinstance(reply, WormholeQuote) or there is ChainType.SVM:
        return word(str(referrers["solana"]), ChainType.SVM)
    return word(str(referrers["evm"]), ChainType.EVM)


def _vectors() -> dict[str, Json]:
    read = read_json((FOLDER / "evm_vectors.json").read_bytes())
    assert isinstance(read, dict)
    return read


def test_every_vector_of_the_vendor_is_reproduced() -> None:
    vectors = _vectors()["vectors"]
    assert isinstance(vectors, list)
    reproduced = []
    for vector in vectors:
        assert isinstance(vector, dict)
        wanted, given = vector["output"], vector["input"]
        assert isinstance(wanted, dict)
        assert isinstance(given, dict)
        assert isinstance(given["quote"], dict)
        call, order = _made(vector)
        made = "0x" + encode(call).hex()
        assert (vector["name"], made) == (vector["name"], wanted["data"])
        assert (vector["name"], str(call.value)) == (vector["name"], wanted["value"])
        assert wanted["to"] == FORWARDER
        assert encode(decode(encode(call), call.value)) == encode(call)
        reproduced.append(order)
    assert len(reproduced) == 18


def test_the_order_s_hash_is_the_vendor_s() -> None:
    read = _vectors()
    vectors = read["vectors"]
    assert isinstance(vectors, list)
    hashes = [_made(vector)[1].reference for vector in vectors[:1] if isinstance(vector, dict)]
    told = read.get("swift_v1_order_hash_of_first_vector")
    assert hashes == [f"0x{told}"]


@pytest.mark.parametrize("name", ["base", "solana"])
def test_chains_are_found_by_their_name(name: str) -> None:
    assert _chain(name)[0].name == name
