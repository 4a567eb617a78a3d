"""What the client asks of a node, and what it makes of honest answers."""

import json
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rhumbline.domain.svm import AccountRole, LookupTable
from rhumbline.gateways.nodes.json_rpc import AnswerTooLarge
from rhumbline.gateways.nodes.svm.answers import SignatureInfo
from rhumbline.gateways.nodes.svm.rpc import LARGEST_PAGE
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError
from rhumbline.gateways.nodes.svm.transactions import TokenBalance
from rhumbline.gateways.svm.account import Account, NoLookupTable, Rent
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenTransfer, decode
from rhumbline.gateways.svm.programs import SPL, SYSTEM
from rhumbline.gateways.svm.tokens import read_mint
from tests.gateways.nodes.svm.node import node
from tests.gateways.svm.runtime import Runtime
from tests.gateways.svm.strategies import KEYS

# Two transactions of devnet's slot 508799716 as `getTransaction` told them, all signatures genuine.
EXECUTED: dict[str, Any] = json.loads(Path(__file__).with_name("executed.json").read_text())
SIGNATURE = "3yMGsQ275aG65YsDoWEbNPNnGw7MuCq5MH2ne2PueBvcNGQ7ccKSkwhZgv2GmqXQYfBQpEF8eSvYTXdBKEA1Hn6r"
OTHER = "5ZaU9zepyLB2vq8NWAAaXjsHeDSyfW3FkDzaJdVJo9UGq9A66mVj5k3RWNu3gmBJjsgiTmetzbjSox4MuBgez47d"
CONFIRMED = {"commitment": "confirmed"}


def at(slot: int, value: object) -> dict[str, Any]:
    return {"context": {"apiVersion": "4.2.1", "slot": slot}, "value": value}


def account_json(lamports: int, owner: str, data: bytes) -> dict[str, object]:
    return {
        "lamports": lamports, "owner": owner, "data": [b64encode(data).decode(), "base64"], "executable": False,
        "rentEpoch": 18446744073709551615, "space": len(data),
    }  # fmt: skip


async def test_rent() -> None:
    async with node(890880) as (rpc, asked):
        assert await rpc.rent() == Rent(6960)
        assert asked.params == [0, CONFIRMED]
        assert (await rpc.rent()).minimum(165) == 2039280


async def test_accounts() -> None:
    options = {"commitment": "confirmed", "encoding": "base64"}
    async with node(at(7, account_json(5, SPL, b"data"))) as (rpc, asked):
        assert await rpc.account(KEYS[0]) == Account(5, SPL, b"data")
        assert asked.params == [KEYS[0], options]
    async with node(at(7, None)) as (rpc, _):
        assert await rpc.account(KEYS[0]) is None
    async with node(at(9, [account_json(5, SPL, b"data"), None])) as (rpc, asked):
        found = await rpc.accounts([KEYS[0], KEYS[1], KEYS[0]])
        assert (found.slot, found.found) == (9, {KEYS[0]: Account(5, SPL, b"data"), KEYS[1]: None})
        assert asked.params == [[KEYS[0], KEYS[1]], options]
        with pytest.raises(ValueError, match="100 accounts"):
            await rpc.accounts([str(i) for i in range(101)])


async def test_an_executed_transaction() -> None:
    async with node(EXECUTED["with_lookups"]) as (rpc, asked):
        found = await rpc.transaction(OTHER)
    options = {"commitment": "confirmed", "encoding": "base64", "maxSupportedTransactionVersion": 1}
    assert asked.params == [OTHER, options]
    assert found is not None
    assert (found.signature, found.slot, found.fee, found.units) == (OTHER, 508799716, 5000, 52124)
    payer, table = "BKSJXEd9nmKPHK6UPVWF2CySZpfK1RoYExBzpiMSuGaX", EXECUTED["with_lookups"]["meta"]["loadedAddresses"]
    assert found.message.payer == payer
    assert [[role.address for role in each.accounts] for each in found.message.instructions[2:]] == [
        [payer, table["readonly"][0], writable] for writable in table["writable"]
    ]
    assert found.balances_before[payer] - found.balances_after[payer] == 5000
    async with node(None) as (rpc, _):
        assert await rpc.transaction(OTHER) is None


async def test_calls_between_programs_and_token_balances() -> None:
    answer = json.loads(json.dumps(EXECUTED["with_inner_calls"]))
    balance = {"accountIndex": 2, "mint": KEYS[5], "owner": KEYS[6], "programId": SPL}
    amounts = {"amount": "18446744073709551615", "decimals": 6, "uiAmount": 1.5, "uiAmountString": "1.5"}
    answer["meta"]["preTokenBalances"] = [{**balance, "uiTokenAmount": amounts}]
    answer["meta"]["postTokenBalances"] = [{"accountIndex": 3, "mint": KEYS[5], "uiTokenAmount": amounts}]
    async with node(answer) as (rpc, _):
        found = await rpc.transaction(SIGNATURE)
    assert found is not None
    source, destination = found.message.accounts[2].address, found.message.accounts[3].address
    assert found.tokens_before == (TokenBalance(source, KEYS[5], KEYS[6], SPL, 2**64 - 1, 6),)
    assert found.tokens_after == (TokenBalance(destination, KEYS[5], None, None, 2**64 - 1, 6),)
    assert found.inner is not None
    assert [(each.outer, each.height) for each in found.inner] == [(1, 2), (1, 2)]
    transfer = decode(found.inner[0].instruction)
    assert isinstance(transfer, TokenTransfer)
    assert (transfer.source, transfer.destination, transfer.amount) == (source, destination, 1_000_000)
    # Somebody else, too, lets a transfer of nothing to oneself be found by a key.
    payer = found.message.payer
    extra = (AccountRole("Am4DMdbiyzJL86vJ1RS1hTkB6pTWQTtVehxBT57scQxm"),)
    assert decode(found.message.instructions[2]) == SystemTransfer(payer, payer, 0, extra)


async def test_a_simulation() -> None:
    value = {
        "err": None, "logs": ["Program log: ok"], "unitsConsumed": 2366, "loadedAccountsDataSize": 413, "fee": 5000,
        "accounts": [account_json(1, SYSTEM, b""), None], "returnData": {"programId": SPL, "data": ["KgA=", "base64"]},
        "replacementBlockhash": {"blockhash": KEYS[3], "lastValidBlockHeight": 500}, "innerInstructions": None,
    }  # fmt: skip
    async with node(at(218, value)) as (rpc, asked):
        found = await rpc.simulate(b"transaction", [KEYS[0], KEYS[1]])
        assert asked.params == [
            b64encode(b"transaction").decode(),
            {"commitment": "confirmed", "encoding": "base64", "sigVerify": False, "replaceRecentBlockhash": True,
             "accounts": {"encoding": "base64", "addresses": [KEYS[0], KEYS[1]]}},
        ]  # fmt: skip
    assert (found.slot, found.error, found.units, found.logs) == (218, None, 2366, ("Program log: ok",))
    assert found.accounts == (Account(1, SYSTEM, b""), None)


async def test_a_simulation_that_fails_is_an_answer() -> None:
    value = {"err": {"InstructionError": [0, "InvalidAccountData"]}, "logs": None, "accounts": None}
    async with node(at(218, value)) as (rpc, _):
        found = await rpc.simulate(b"transaction", [KEYS[0]])
    assert found.error == TransactionError("InstructionError", 0, "InvalidAccountData")
    assert (found.accounts, found.units, found.logs) == ((), None, ())


async def test_sending() -> None:
    signed = b64decode(EXECUTED["with_lookups"]["transaction"][0])
    async with node(OTHER) as (rpc, asked):
        assert await rpc.send(signed) == OTHER
        params: Any = asked.params
        assert b64decode(params[0]) == signed
        assert params[1] == {"encoding": "base64", "skipPreflight": False, "preflightCommitment": "confirmed"}
        await rpc.send(signed, preflight=False)
        params = asked.params
        assert params[1]["skipPreflight"] is True
        for unsigned in (b"", b"\x01" + bytes(64) + b"message", b"\x00" * 100, signed[:65], b"\x80" + signed[1:]):
            with pytest.raises(ValueError, match=r"not a transaction|has not signed"):
                await rpc.send(unsigned)
        assert len(asked.asked) == 2


async def test_state_of_many() -> None:
    runtime = Runtime()
    mint = runtime.mint()
    held, table = runtime.holding(KEYS[0], mint, 5), runtime.table(*KEYS[:3])
    slot = runtime.svm.get_clock().slot
    addresses = [mint, held, table, KEYS[9]]
    found = [runtime.account(each) for each in addresses]
    answer = at(slot + 1, [each and account_json(each.lamports, each.owner, each.data) for each in found])
    async with node(answer) as (rpc, asked):
        state = SvmState(rpc)
        mints = await state.mints(addresses)
        assert mints == {mint: read_mint(mint, runtime.account(mint)), held: None, table: None, KEYS[9]: None}
        accounts = await state.token_accounts([*addresses, mint])
        assert accounts == {mint: None, held: runtime.tokens(held), table: None, KEYS[9]: None}
        with pytest.raises(NoLookupTable, match=f"{mint} is no lookup table"):
            await state.tables(addresses)
        asked.answer = at(slot + 1, answer["value"][2:3])
        assert await state.tables([table, table]) == (LookupTable(table, dict(enumerate(KEYS[:3]))),)
        # Its entries came in the node's own slot.
        asked.answer = at(slot, answer["value"][2:3])
        assert await state.tables([table]) == (LookupTable(table, {}),)


async def test_more_than_a_node_tells_at_once_is_asked_in_parts() -> None:
    async with node(at(1, [None] * 100)) as (rpc, asked):
        many = [str(i) for i in range(200)]
        assert await SvmState(rpc).mints(many) == dict.fromkeys(many)
        parts: list[Any] = [each["params"] for each in asked.asked]
        assert [each[0] for each in parts] == [many[:100], many[100:]]


MEMO = "[4000] " + "\x01" * 4_000
LISTED = {
    "signature": SIGNATURE, "slot": 5, "err": {"InstructionError": [0, {"Custom": 1}]}, "memo": MEMO, "blockTime": 6,
    "confirmationStatus": "confirmed",
}  # fmt: skip


async def test_memos_are_not_read() -> None:
    """They were: a page with a memo of a thousand strangers each took most of a second."""
    async with node([LISTED] * 100) as (rpc, _):
        found = await rpc.signatures(KEYS[0], limit=100)
    assert len(found) == 100
    assert "memo" not in {each.name for each in msgspec.structs.fields(SignatureInfo)}


async def test_a_page_that_is_always_too_large_is_no_page() -> None:
    async with node([{**LISTED, "memo": "m" * LARGEST_PAGE}]) as (rpc, made):
        with pytest.raises(AnswerTooLarge):
            await rpc.signatures(KEYS[0], limit=1000)
        params: list[Any] = [each["params"] for each in made.asked]
    assert [options["limit"] for _, options in params] == [1000, 125, 15, 1]
