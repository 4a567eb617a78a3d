"""Answers that others published."""

import json
from dataclasses import replace
from pathlib import Path

from rhumbline.adapters.gaszip.checking import contract_call, plain_calls
from rhumbline.adapters.gaszip.client import ERRORS
from rhumbline.adapters.gaszip.deployments import DEPLOYMENTS
from rhumbline.adapters.gaszip.wire import QuoteAnswer
from rhumbline.gateways.http.strict_json import read_json
from tests.adapters.gaszip.stub_upstream import ARBITRUM, ARBITRUM_ETHER, CONTRACT, REQUEST, StubUpstream, said
from tests.adapters.published import published

HERE = Path(__file__).parent


def test_every_published_quote_is_read() -> None:
    for sample in published(HERE, "quote_calldata_*").values():
        read = QuoteAnswer.model_validate(read_json(json.dumps(sample).encode()))
        assert [str(offer.expected) for offer in read.quotes] == [offer["expected"] for offer in sample["quotes"]]
        assert read.calldata is not None
        assert "0x" + read.calldata.hex() == sample["calldata"].lower()


def test_the_published_deposit_of_a_wallet_to_itself_is_what_is_expected() -> None:
    for sample in published(HERE, "quote_calldata_single").values():
        wallet = "0x7Ed2A81B7054Dc5D393234B7a3A33B9ba125cAc9"
        assert bytes.fromhex(sample["calldata"][2:]) in plain_calls(DEPLOYMENTS[42161].short, wallet, wallet)


def test_the_published_call_of_the_contract_is_the_one_that_is_written() -> None:
    for sample in published(HERE, "contract_deposit_arc_to_base_partial").values():
        data = bytes.fromhex(sample["contractDepositTxn"]["data"][2:])
        receiver = "0x" + data[36:56].hex()
        assert contract_call(DEPLOYMENTS[8453].short, receiver) == data


def test_every_published_error_is_known() -> None:
    for sample in published(HERE, "quote_error_*").values():
        read = QuoteAnswer.model_validate(sample)
        assert {offer.error for offer in read.quotes} | {read.error} <= set(ERRORS.meanings)


async def test_a_genuine_answer_passes_quote_and_build(stub_upstream: StubUpstream) -> None:
    """Of 0.01 ether from Ethereum to Base, to the wallet itself; the limits are the recorded ones."""
    for genuine in published(HERE, "quotes_1_to_8453_*").values():
        wallet = "0x7Ed2A81B7054Dc5D393234B7a3A33B9ba125cAc9"
        base = replace(ARBITRUM, id=8453, key="base", name="Base")
        asked = replace(
            REQUEST, destination=base, destination_token=replace(ARBITRUM_ETHER, chain_id=8453), amount=10**16,
            sender=wallet, receiver=wallet, taker=wallet, payout_address=wallet,
        )  # fmt: skip
        table = said("chains.json")
        table["chains"][1] |= {"chain": 8453, "short": 54}
        stub_upstream.upstream.says("/chains", table)
        stub_upstream.upstream.says("/quotes/1/10000000000000000/8453", genuine)
        quote = await stub_upstream.adapter.quote(asked)
        assert (quote.output_amount, quote.seconds) == (9_999_836_887_225_412, 3)
        built = await stub_upstream.built(quote)
        assert (built.to, built.value, built.expires_at) == (CONTRACT, 10**16, 1_791_268_600)


def test_the_published_contracts_are_the_ones_that_are_called() -> None:
    for sample in published(HERE, "inbound_chains_docs").values():
        told = {row["chainId"]: row["contractAddress"].lower() for row in sample}
        called = {number: place.contract.lower() for number, place in DEPLOYMENTS.items() if place.contract[:2] == "0x"}
        assert called == {number: told[number] for number in called}
