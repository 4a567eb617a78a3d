"""What `rhumbline serve` says at its start of the nodes that it was given, and how it is given others."""

import json
import os
import signal
from pathlib import Path

import aiohttp

from rhumbline.devnet.sandbox import Sandbox
from tests.app.service_process import serving

CHAIN = '[[chains]]\nid = {id}\nkey = "{key}"\nname = "{key}"\nrpc = "{rpc}"\nnative = {{ symbol = "E", name = "E" }}\n'


async def test_nodes_that_are_no_use_are_named_until_there_are_others(
    tmp_path: Path, store_dsn: str, sandbox: Sandbox
) -> None:
    here = sandbox.chain("sbxa").rpc_url
    entries = (("900001", "right", here), ("77", "wrong", here), ("78", "away", "http://127.0.0.1:9"))
    chains = "".join(CHAIN.format(id=number, key=key, rpc=rpc) for number, key, rpc in entries)
    async with serving(tmp_path, store_dsn, chains=chains) as process:
        await process.until_logged("node_on_another_chain")
        await process.until_logged("node_not_seen")
        lines = [json.loads(line) for line in process.log.splitlines() if '"node_' in line]
        file, url = tmp_path / "rhumbline.toml", f"http://127.0.0.1:{process.port}/health/ready"

        async def reloaded(text: str, said: str) -> set[str]:
            """Put another text in the file's place; return the nodes that the service asks once it has said so."""
            file.with_suffix(".new").write_text(text)
            file.with_suffix(".new").rename(file)
            os.kill(process.pid, signal.SIGHUP)
            await process.until_logged(said)
            async with aiohttp.ClientSession() as session, session.get(url) as answer:
                return {name for name in (await answer.json())["dependencies"] if name.startswith("rpc:")}

        before, settings = {"rpc:right", "rpc:wrong", "rpc:away"}, file.read_text()
        fewer = settings[: settings.index("[[chains]]")] + CHAIN.format(id=900001, key="right", rpc=here)
        assert await reloaded(settings[:-20], "not valid TOML.*settings_not_reloaded") == before
        assert await reloaded(fewer.replace("port = 0", "port = 1"), "server.port: needs a restart") == before
        assert (
            await reloaded(fewer + CHAIN.format(id=2, key="x", rpc="ftp://hidden-word"), r"chains\.1\.rpc: must")
            == before
        )
        assert await reloaded(fewer, "settings_reloaded") == {"rpc:right"}
        assert "hidden-word" not in process.log
    told = {line["event"]: line for line in lines}
    assert {line["chain"] for line in lines} == {"wrong", "away"}
    wrong = told["node_on_another_chain"]
    assert (wrong["chain"], wrong["expected"], wrong["found"], wrong["level"]) == ("wrong", 77, "chain 900001", "error")
    assert "correct chains.rpc" in wrong["remedy"]
    assert told["node_not_seen"]["chain"] == "away"
