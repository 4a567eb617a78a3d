"""What a Solana node answers is read into what it means."""

from typing import Any

import pytest

from rhumbline.gateways.nodes.svm.answers import Blockhash, Epoch, PriorityFee, SignatureInfo, SignatureStatus
from rhumbline.gateways.nodes.svm.cluster import CLUSTERS
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError
from tests.gateways.nodes.svm.node import node
from tests.gateways.nodes.svm.test_rpc import CONFIRMED, OTHER, SIGNATURE, at
from tests.gateways.svm.strategies import KEYS


async def test_where_the_chain_is() -> None:
    genesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
    async with node(genesis) as (rpc, asked):
        assert CLUSTERS[await rpc.genesis_hash()] == "mainnet-beta"
        assert asked.asked == [{"jsonrpc": "2.0", "id": 0, "method": "getGenesisHash", "params": []}]
    async with node(440909041) as (rpc, asked):
        assert [await rpc.slot(), await rpc.block_height()] == [440909041] * 2
        assert [(each["method"], each["params"]) for each in asked.asked] == [
            ("getSlot", [CONFIRMED]), ("getBlockHeight", [CONFIRMED]),
        ]  # fmt: skip
    answer = {"absoluteSlot": 166598, "blockHeight": 166500, "epoch": 27, "slotIndex": 2790, "slotsInEpoch": 8192}
    async with node(answer) as (rpc, _):
        assert await rpc.epoch() == Epoch(27, 166598, 2790, 8192, 166500)


async def test_a_blockhash_and_its_last_block() -> None:
    value = {"blockhash": "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N", "lastValidBlockHeight": 3090}
    async with node(at(2792, value)) as (rpc, asked):
        found = await rpc.latest_blockhash()
        assert found == Blockhash("EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N", 3090, 2792)
        assert asked.params == [CONFIRMED]


async def test_the_history_of_an_address() -> None:
    entry: dict[str, Any] = {
        "signature": SIGNATURE, "slot": 114, "err": {"InstructionError": [1, {"Custom": 6001}]}, "memo": None,
        "blockTime": 1700000000, "confirmationStatus": "finalized",
    }  # fmt: skip
    old = {"signature": OTHER, "slot": 113, "err": None, "memo": None, "blockTime": None}
    async with node([entry, old]) as (rpc, asked):
        found = await rpc.signatures(KEYS[0], before=OTHER, until=SIGNATURE, limit=2)
        assert found == (
            SignatureInfo(SIGNATURE, 114, entry["err"], 1700000000, "finalized"),
            SignatureInfo(OTHER, 113, None, None, None),
        )
        assert found[0].error == TransactionError("InstructionError", 1, "Custom", 6001)
        assert str(found[0].error) == "instruction 1: Custom 6001 (0x1771)"
        assert asked.params == [
            KEYS[0], {"commitment": "confirmed", "before": OTHER, "until": SIGNATURE, "limit": 2},
        ]  # fmt: skip
        await rpc.signatures(KEYS[0])
        assert asked.params == [KEYS[0], {"commitment": "confirmed", "limit": 1000}]
        for limit in (0, 1001):
            with pytest.raises(ValueError, match="1 to 1000"):
                await rpc.signatures(KEYS[0], limit=limit)


async def test_statuses() -> None:
    known = {"slot": 72, "confirmations": 10, "err": None, "status": {"Ok": None}, "confirmationStatus": "confirmed"}
    final = {"slot": 48, "confirmations": None, "err": "AccountNotFound", "confirmationStatus": "finalized"}
    async with node(at(82, [known, final, None])) as (rpc, asked):
        found = await rpc.statuses([SIGNATURE, OTHER, SIGNATURE])
        assert found == (
            SignatureStatus(72, None, 10, "confirmed"), SignatureStatus(48, "AccountNotFound", None, "finalized"), None,
        )  # fmt: skip
        assert found[1] is not None
        assert found[1].error == TransactionError("AccountNotFound")
        assert asked.params == [[SIGNATURE, OTHER, SIGNATURE], {"searchTransactionHistory": True}]
        with pytest.raises(ValueError, match="256 statuses"):
            await rpc.statuses([SIGNATURE] * 257)


async def test_what_was_paid_of_late() -> None:
    async with node([{"slot": 348125, "prioritizationFee": 1234}]) as (rpc, asked):
        assert await rpc.priority_fees([KEYS[0]]) == (PriorityFee(348125, 1234),)
        assert asked.params == [[KEYS[0]]]
