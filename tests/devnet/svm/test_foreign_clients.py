"""Clients of others, of three kinds, on the chain: they find all that they expect of a node."""

import asyncio
import json
from pathlib import Path
from typing import Any

from solders.pubkey import Pubkey

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.chains import RunningSolana
from rhumbline.devnet.svm.plans import HELD_USD, raw_amount
from tests.devnet.svm.tables import made_table

HERE = Path(__file__).parent
SOL = 10**9
HOLDER = keypair(5).pubkey()


async def told(script: str, running: RunningSolana, **more: object) -> dict[str, Any]:
    """Run a script with node and return what it found."""
    want = {
        "rpc": running.server.rpc_url, "ws": running.server.ws_url, "mint": str(token("USDC").mint),
        "holder": str(HOLDER), **more,
    }  # fmt: skip
    pipe = asyncio.subprocess.PIPE
    command = ("node", str(HERE / script), json.dumps(want))
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    out, words = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, words.decode()
    found: dict[str, Any] = json.loads(out)
    return found


async def test_web3_js(lively: RunningSolana) -> None:
    found = await told("web3.mjs", lively)
    assert found["airdropError"] is found["transferError"] is found["tableError"] is found["lookupError"] is None
    assert (found["airdropped"], found["transferred"]) == (10 * SOL, SOL)
    assert found["status"] == "finalized"
    assert found["entries"] == 20
    assert found["size"] < 700
    assert found["trial"] == {"err": None, "logs": 42, "units": 21 * 150}
    assert found["read"] == {
        "version": 0, "loaded": 20, "err": None, "units": 21 * 150, "paid": 20 * 2_000_000 + 5000
    }  # fmt: skip
    assert found["gift"] == 2_000_000
    words, lines = found["refused"]
    assert words == "Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1"
    assert lines == 3
    assert found["landed"] == {"InstructionError": [0, {"Custom": 1}]}
    assert found["history"] == [False, True, True, True, True]
    assert found["between"] == 2
    assert found["tokens"] == [str(raw_amount("USDC", HELD_USD))]
    assert found["supply"] == 6
    assert found["changed"] >= 2 * SOL
    assert found["slotWent"] is True


async def test_kit(lively: RunningSolana) -> None:
    listed = [Pubkey([9, *([place] * 31)]) for place in range(1, 16)]
    table = made_table(lively.server.chain, keypair(6), listed)
    found = await told("kit.mjs", lively, table=str(table), listed=[str(each) for each in listed])
    assert (found["airdropped"], found["transferred"]) == (str(10 * SOL), str(SOL))
    assert found["trial"] == {"err": None, "units": "150"}
    assert found["tableOwner"] == "AddressLookupTab1e1111111111111111111111111"
    assert found["tableRead"] is True
    assert found["read"] == {"version": 0, "loaded": 15, "err": None, "instructions": 15}
    assert found["status"] == "finalized"
    assert found["refused"] == {"preflight": True, "cause": 1}
    assert found["landed"] == 1
    assert found["history"] == [False, True, True]
    assert found["tokens"] == [str(raw_amount("USDC", HELD_USD))]
    assert found["token"] == str(HELD_USD)
    assert found["changed"] == str(2 * SOL)
