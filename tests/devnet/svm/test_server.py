"""The node's JSON-RPC as the service's own client speaks it, and as somebody does who wants to break it."""

from base64 import b64encode
from typing import Any

import pytest
from solders.hash import Hash
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, pool_address, token
from rhumbline.devnet.svm.chains import RunningSolana
from rhumbline.devnet.svm.parameters import PACKET
from rhumbline.devnet.svm.plans import HELD_USD, POOLS, raw_amount
from rhumbline.devnet.svm.pool_program import read_pool
from rhumbline.devnet.svm.programs import TOKEN, TOKEN_2022
from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.messages import compile_v0, serialise
from tests.devnet.svm.calls import BASE64, FRIEND, SOL, USER, asked, fault, given, text
from tests.devnet.svm.set_up_chain import PLAN
from tests.devnet.svm.tables import made_table
from tests.gateways.svm.versions import signed_v1

MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"


async def test_our_client_sends_and_follows(still: RunningSolana, node: SvmRpc) -> None:
    chain = still.server.chain
    latest = await node.latest_blockhash()
    assert latest.last_valid_block_height == await node.block_height() + 150
    transaction = given(latest.value)
    signature = await node.send(bytes(transaction))
    (status,) = await node.statuses([signature])
    assert status is not None
    assert (status.commitment, await node.transaction(signature)) == ("processed", None)
    assert await node.signatures(str(FRIEND)) == ()
    chain.advance()
    (status,) = await node.statuses([signature])
    assert status is not None
    assert status.commitment == "confirmed"
    executed = await node.transaction(signature)
    assert executed is not None
    assert executed.balances_after[str(FRIEND)] - executed.balances_before[str(FRIEND)] == SOL
    assert executed.fee == 5000
    assert [each.signature for each in await node.signatures(str(FRIEND))] == [signature]
    assert (await asked(node, "getSignaturesForAddress", str(FRIEND)))["result"] == []
    chain.advance(31)
    (status,) = await node.statuses([signature])
    assert status is not None
    assert (status.commitment, status.error) == ("finalized", None)
    assert len((await asked(node, "getSignaturesForAddress", str(FRIEND)))["result"]) == 1
    assert await node.statuses([str(Signature.default())]) == (None,)


async def test_our_client_swaps_through_a_table(still: RunningSolana, node: SvmRpc) -> None:
    chain, user = still.server.chain, USER.pubkey()
    account = chain.account(pool_address(PLAN))
    assert account is not None
    pool = read_pool(POOL_PROGRAM, pool_address(PLAN), account.data)
    source, target = token("USDC").account(user), token("USDT").account(user)
    call = pool.swap(user, source, target, 10**6, 990_000)
    listed = [role.pubkey for role in call.accounts if not role.is_signer]
    table = LookupTable(str(made_table(chain, keypair(6), listed)), dict(enumerate(map(str, listed))))
    instruction = SvmInstruction(
        str(POOL_PROGRAM),
        tuple(AccountRole(str(role.pubkey), role.is_signer, role.is_writable) for role in call.accounts),
        bytes(call.data),
    )
    message = compile_v0(str(user), [instruction], [table], (await node.latest_blockhash()).value)
    trial = await node.simulate(serialise(message, [str(user)], {}), [str(target)])
    assert trial.error is None
    assert trial.units is not None
    raw = serialise(message, [str(user)], {str(user): bytes(USER.sign_message(message))})
    signature = await node.send(raw)
    chain.advance()
    executed = await node.transaction(signature)
    assert executed is not None
    before, after = (
        {each.account: each.amount for each in tokens} for tokens in (executed.tokens_before, executed.tokens_after)
    )
    assert before[str(source)] - after[str(source)] == 10**6
    gained = after[str(target)] - before[str(target)]
    assert gained >= 990_000
    assert executed.inner is not None
    assert [(each.outer, each.instruction.program) for each in executed.inner] == [(0, str(TOKEN))] * 2
    assert executed.units == trial.units
    (left,) = trial.accounts
    assert left is not None
    assert int.from_bytes(left.data[64:72], "little") == after[str(target)]


async def test_a_refusal_says_why(still: RunningSolana, node: SvmRpc) -> None:
    transaction = given((await node.latest_blockhash()).value, 10**17)
    with pytest.raises(SvmRpcError) as raised:
        await node.send(bytes(transaction))
    error = raised.value
    assert error.code == -32002
    assert error.error is not None
    assert (error.error.instruction, error.error.reason, error.error.custom) == (0, "Custom", 1)
    assert error.logs[-1] == "Program 11111111111111111111111111111111 failed: custom program error: 0x1"
    # The very transaction lands, and fails, when nobody looks first.
    signature = await node.send(bytes(transaction), preflight=False)
    (status,) = await node.statuses([signature])
    assert status is not None
    assert status.error == error.error


async def test_what_cannot_be_sent_is_refused(still: RunningSolana, node: SvmRpc) -> None:
    chain = still.server.chain
    old = given(str(chain.blockhash()))
    chain.advance(151)
    code, words = await fault(node, "sendTransaction", text(old), BASE64)
    assert (code, words) == (-32002, "Transaction simulation failed: Blockhash not found")
    fresh = given(str(chain.blockhash()))
    forged = VersionedTransaction.populate(fresh.message, [keypair(1).sign_message(b"")])
    assert await fault(node, "sendTransaction", text(forged), BASE64) == (
        -32003, "Transaction signature verification failure",
    )  # fmt: skip
    assert "result" in await asked(node, "sendTransaction", text(fresh), BASE64)
    assert await fault(node, "sendTransaction", text(fresh), BASE64) == (
        -32002, "Transaction simulation failed: This transaction has already been processed",
    )  # fmt: skip
    # Without preflight a node takes it, and nothing becomes of it.
    late = given(str(Hash.default()))
    answer = await asked(node, "sendTransaction", text(late), {**BASE64, "skipPreflight": True})
    assert answer["result"] == str(late.signatures[0])
    assert await node.statuses([answer["result"]]) == (None,)


async def test_simulation_as_it_is_asked_for(still: RunningSolana, node: SvmRpc) -> None:
    unsigned = VersionedTransaction.populate(given(str(Hash.default())).message, [Signature.default()])
    stale = (await asked(node, "simulateTransaction", text(unsigned), BASE64))["result"]["value"]
    assert (stale["err"], stale["logs"], stale["accounts"]) == ("BlockhashNotFound", [], None)
    options = {**BASE64, "replaceRecentBlockhash": True, "accounts": {"addresses": [str(FRIEND)]}}
    value = (await asked(node, "simulateTransaction", text(unsigned), options))["result"]["value"]
    assert value["err"] is None
    assert value["accounts"][0]["lamports"] == SOL
    assert value["replacementBlockhash"]["blockhash"] == str(still.server.chain.blockhash())
    assert (value["fee"], value["unitsConsumed"]) == (5000, 150)
    assert still.server.chain.account(FRIEND) is None
    both = {**options, "sigVerify": True}
    assert (await fault(node, "simulateTransaction", text(unsigned), both))[0] == -32602
    assert (await fault(node, "simulateTransaction", text(unsigned), {**BASE64, "sigVerify": True}))[0] == -32003
    nobody = given(str(still.server.chain.blockhash()), signer=Keypair())
    value = (await asked(node, "simulateTransaction", text(nobody), BASE64))["result"]["value"]
    assert value["err"] == "AccountNotFound"


async def test_history_goes_by_pages(still: RunningSolana, node: SvmRpc) -> None:
    chain = still.server.chain
    sent = []
    for count in range(1, 8):
        sent.append(await node.send(bytes(given((await node.latest_blockhash()).value, SOL + count))))
        chain.advance()
    newest_first = sent[::-1]

    async def page(**options: Any) -> list[str]:
        return [each.signature for each in await node.signatures(str(FRIEND), **options)]

    assert await page() == newest_first
    assert await page(limit=3) == newest_first[:3]
    assert await page(limit=3, before=newest_first[2]) == newest_first[3:6]
    assert await page(before=newest_first[2], until=newest_first[5]) == newest_first[3:5]
    assert await page(until=newest_first[0]) == []
    assert await page(before=str(Signature.default())) == []
    assert await page(until=str(Signature.default())) == newest_first


async def test_accounts_are_found_by_filters(node: SvmRpc) -> None:
    owner = USER.pubkey()
    by_owner = [{"dataSize": 165}, {"memcmp": {"offset": 32, "bytes": str(owner)}}]
    options = {**BASE64, "filters": by_owner, "dataSlice": {"offset": 64, "length": 8}}
    found = (await asked(node, "getProgramAccounts", str(TOKEN), options))["result"]
    dollars = {each["pubkey"]: each["account"]["data"] for each in found}
    amount = raw_amount("USDC", HELD_USD).to_bytes(8, "little")
    assert dollars[str(token("USDC").account(owner))] == [b64encode(amount).decode(), "base64"]
    pools = (await asked(node, "getProgramAccounts", str(POOL_PROGRAM), {**BASE64, "withContext": True}))["result"]
    assert {each["pubkey"] for each in pools["value"]} == {str(pool_address(plan)) for plan in POOLS}
    many = {"filters": [{"dataSize": 1}] * 5}
    assert (await fault(node, "getProgramAccounts", str(TOKEN), many))[0] == -32602


async def test_parsed_tokens(still: RunningSolana, node: SvmRpc) -> None:
    owner, parsed = str(USER.pubkey()), {"encoding": "jsonParsed"}
    listed = (await asked(node, "getTokenAccountsByOwner", owner, {"programId": str(TOKEN_2022)}, parsed))["result"]
    (taxed,) = listed["value"]
    assert taxed["account"]["data"]["program"] == "spl-token-2022"
    info = taxed["account"]["data"]["parsed"]["info"]
    assert (info["owner"], info["state"], info["isNative"]) == (owner, "initialized", False)
    wrapped = str(token("WSOL").account(USER.pubkey()))
    info = (await asked(node, "getAccountInfo", wrapped, parsed))["result"]["value"]["data"]["parsed"]["info"]
    assert (info["isNative"], info["rentExemptReserve"]["amount"]) == (True, str(still.server.chain.rent(165)))
    mint = (await asked(node, "getAccountInfo", str(token("DAI").mint), parsed))["result"]["value"]["data"]["parsed"]
    assert (mint["type"], mint["info"]["decimals"]) == ("mint", 9)
    assert (await fault(node, "getTokenAccountBalance", owner))[1] == "Invalid param: not a Token account"
    assert (await fault(node, "getTokenSupply", str(FRIEND)))[1] == "Invalid param: could not find account"
    assert (await fault(node, "getTokenAccountsByOwner", owner, {"mint": owner}))[1].endswith("could not find mint")


async def test_a_lookup_table_in_words(still: RunningSolana, node: SvmRpc) -> None:
    chain = still.server.chain
    listed = [Pubkey([7, *([place] * 31)]) for place in range(3)]
    table = str(made_table(chain, USER, listed))
    data = (await asked(node, "getAccountInfo", table, {"encoding": "jsonParsed", "commitment": "confirmed"}))["result"]
    words = data["value"]["data"]
    assert (words["program"], words["space"], words["parsed"]["type"]) == ("address-lookup-table", 152, "lookupTable")
    assert words["parsed"]["info"] == {
        "addresses": [str(each) for each in listed], "authority": str(USER.pubkey()),
        "deactivationSlot": str(2**64 - 1), "lastExtendedSlot": str(chain.slots.slot - 1),
        "lastExtendedSlotStartIndex": 0,
    }  # fmt: skip


async def test_tests_move_the_chain_over_the_wire(node: SvmRpc) -> None:
    slot = (await asked(node, "getSlot", {"commitment": "processed"}))["result"]
    mark = (await asked(node, "sandbox_snapshot"))["result"]
    assert (await asked(node, "sandbox_advanceSlots", 50))["result"] == slot + 50
    signature = (await asked(node, "requestAirdrop", str(FRIEND), SOL))["result"]
    assert (await asked(node, "getBalance", str(FRIEND)))["result"]["value"] == SOL
    assert (await asked(node, "sandbox_restore", mark))["result"] == slot
    assert (await asked(node, "getBalance", str(FRIEND)))["result"]["value"] == 0
    assert await node.statuses([signature]) == (None,)
    assert (await fault(node, "sandbox_restore", mark))[0] == -32602


async def test_blocks_tell_what_was_executed_in_them(still: RunningSolana, node: SvmRpc) -> None:
    """As a node does: final ones, and an error of its own for each reason why there is none."""
    slot = await node.slot()
    signature = (await asked(node, "requestAirdrop", str(FRIEND), SOL))["result"]
    executed_in = still.server.chain.slots.slot
    final = {"commitment": "finalized", "transactionDetails": "signatures"}
    assert (await fault(node, "getBlock", executed_in, final))[0] == -32004
    still.server.chain.advance(40)
    told = (await asked(node, "getBlock", executed_in, final))["result"]
    assert (told["parentSlot"], told["signatures"]) == (executed_in - 1, [signature])
    assert (await fault(node, "getBlock", 7, final))[0] == -32009
    assert (await fault(node, "getBlock", executed_in, {"commitment": "finalized"}))[0] == -32602
    following = (await asked(node, "getBlocksWithLimit", slot, 3, {"commitment": "finalized"}))["result"]
    assert following == [slot, slot + 1, slot + 2]
    assert (await asked(node, "getBlocksWithLimit", slot + 1_000, 3))["result"] == []


async def test_version_1_is_executed_and_told_to_who_reads_it(still: RunningSolana, node: SvmRpc) -> None:
    """As a node does: who asks for less is told so; it may be larger than a packet, in base64 and not in json."""
    chain, user = still.server.chain, USER.pubkey()
    memo = SvmInstruction(MEMO, (AccountRole(str(user), signer=True),), b"m" * 1_300)
    call = SystemTransfer(str(user), str(FRIEND), SOL).encode()
    raw = signed_v1(USER, [call, memo], str(chain.blockhash()))
    assert len(raw) > PACKET
    trial = await node.simulate(raw)
    assert trial.error is None
    signature = await node.send(raw)
    chain.advance()
    for highest in ({}, {"maxSupportedTransactionVersion": 0}):
        told = await fault(node, "getTransaction", signature, {"commitment": "confirmed", **BASE64, **highest})
        assert told[0] == -32015
        assert told[1].startswith("Transaction version (1) is not supported by the requesting client.")
    read = {"commitment": "confirmed", "maxSupportedTransactionVersion": 1}
    assert (await asked(node, "getTransaction", signature, {**read, **BASE64}))["result"]["version"] == 1
    assert "not in json" in (await fault(node, "getTransaction", signature, read))[1]
    executed = await node.transaction(signature)
    assert executed is not None
    assert (executed.message.version, executed.error) == (1, None)
    assert executed.message.instructions[0] == call
    assert executed.balances_after[str(FRIEND)] - executed.balances_before[str(FRIEND)] == SOL
    large = b"\x01" + raw[1:]
    assert "too large" in (await fault(node, "sendTransaction", b64encode(large).decode(), BASE64))[1]
