"""What `rhumbline serve` says at its start of the nodes that it was given."""

import json
from pathlib import Path

from rhumbline.devnet.sandbox import Sandbox
from tests.app.service_process import serving

CHAIN = '[[chains]]\nid = {id}\nkey = "{key}"\nname = "{key}"\nrpc = "{rpc}"\nnative = {{ symbol = "E", name = "E" }}\n'


async def test_serve_says_which_node_is_on_another_chain(tmp_path: Path, store_dsn: str, sandbox: Sandbox) -> None:
    here = sandbox.chain("sbxa").rpc_url
    entries = (("900001", "right", here), ("77", "wrong", here), ("78", "away", "http://127.0.0.1:9"))
    chains = "".join(CHAIN.format(id=number, key=key, rpc=rpc) for number, key, rpc in entries)
    async with serving(tmp_path, store_dsn, chains=chains) as process:
        await process.until_logged("node_on_another_chain")
        await process.until_logged("node_not_seen")
        lines = [json.loads(line) for line in process.log.splitlines() if '"node_' in line]
    told = {line["event"]: line for line in lines}
    assert {line["chain"] for line in lines} == {"wrong", "away"}
    wrong = told["node_on_another_chain"]
    assert (wrong["chain"], wrong["expected"], wrong["found"], wrong["level"]) == ("wrong", 77, "chain 900001", "error")
    assert "correct chains.rpc" in wrong["remedy"]
    assert told["node_not_seen"]["chain"] == "away"
