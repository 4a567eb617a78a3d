"""The chains and the emulators of the upstreams, in a process of its own.

Run with `python -m load.chains <folder>`. Writes ``settings.toml`` there, the settings of a service on them that asks
the replay of `load.replay`, and prints one JSON object: what the traffic asks about, and the ports of the nodes and of
the upstreams.
"""

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

from load.questions import questions
from rhumbline.app.run import run, until_signalled
from rhumbline.app.running_devnet import emulated
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxConfig
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.gateways.processes.child import Child

CACHE = Path(".rhumbline/cache")
_KEPT_REQUESTS = 1000


async def _serve(folder: Path) -> None:
    async with AsyncExitStack() as stack:
        sandbox = await stack.enter_async_context(running_sandbox(SandboxConfig(cache=CACHE)))
        world = await stack.enter_async_context(running_world(sandbox))
        emulators = await stack.enter_async_context(running_emulators(world, emulated()))
        log = folder / "replay.log"

        async def has_told() -> bool:
            return log.read_bytes().endswith(b"}\n")

        argv = [sys.executable, "-m", "load.replay", *(f"{key}={each.url}" for key, each in emulators.items())]
        replay = await Child.start(argv, log_path=log, ready=has_told)
        stack.push_async_callback(replay.stop)
        ports = json.loads(log.read_bytes().splitlines()[-1])
        for key, each in emulators.items():
            each.url = f"http://127.0.0.1:{ports[key]}"
        collector = sandbox_account(61).address
        text = sandbox_settings(sandbox, folder / "store", "http://127.0.0.1:8700", collector, emulators.values())
        (folder / "settings.toml").write_text(text)
        print(json.dumps(_described(sandbox, ports, replay.pid)), flush=True)
        await _forget_requests(emulators)


def _described(sandbox: Sandbox, ports: Mapping[str, int], replay: int) -> dict[str, object]:
    nodes = [urlsplit(url).port for chain in sandbox.chains for url in (chain.rpc_url, chain.ws_url) if url]
    return {"questions": questions(sandbox), "nodes": nodes, "upstreams": list(ports.values()), "replay": replay}


async def _forget_requests(emulators: Mapping[str, Emulator]) -> None:
    """Emulators keep all requests for tests, which would fill the memory here."""
    while True:
        await asyncio.sleep(1)
        for each in emulators.values():
            del each.requests[:-_KEPT_REQUESTS]


if __name__ == "__main__":
    run(until_signalled(_serve(Path(sys.argv[1]))))
