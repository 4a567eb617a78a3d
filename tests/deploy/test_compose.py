"""What compose.yaml and the Dockerfile run, outside containers: built as the image is, with the services' own commands.

A wheel from the files that the builder gets, in an environment that was empty; two processes that answer, two that
follow the chains, PostgreSQL, Valkey and Caddy as they are configured. Addresses and ports are those of this machine.
"""

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.deploy.customer import PAYER, Customer, chain_variables
from tests.deploy.files import DEPLOY, FILLED, ROOT, compose, variables, words_of
from tests.deploy.image import Image, build
from tests.deploy.servers import Part, answers, postgres, status, valkey
from tests.e2e.own_chain import own_chain
from tests.e2e.real_servers import free_port

REPLICAS = 2


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return build(tmp_path_factory.mktemp("image"))


@dataclass
class Composed:
    """The services of compose.yaml as processes, by their name with their number."""

    parts: dict[str, Part]
    ports: dict[str, tuple[int, int]]
    """Of each process of ours: for requests, and for metrics."""
    customer: Customer
    image: Image
    environment: Mapping[str, str]

    def healthy(self, name: str) -> bool:
        """What the image's own check says."""
        words = words_of(self.image.stage, "HEALTHCHECK")
        asked = [word.replace(":9464/", f":{self.ports[name][1]}/") for word in words]
        program = self.image.installed / "bin" / asked[0]
        return subprocess.run([program, *asked[1:]], check=False, capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def caddy() -> Path:
    words = [ROOT / "scripts" / "deploy_linters"]
    return Path(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()) / "caddy"


@pytest.fixture
async def composed(image: Image, caddy: Path, tmp_path: Path) -> AsyncIterator[Composed]:
    """Started in the order of `depends_on`, each in a folder that nobody may write to."""
    for name in ("chain", "valkey", "caddy", "closed"):
        (tmp_path / name).mkdir()
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())
        chain = await stack.enter_async_context(own_chain(tmp_path / "chain"))
        given = variables((ROOT / ".env.example").read_text("utf-8")) | FILLED | chain_variables(chain)
        services = compose(given)["services"]
        store, dsn = await stack.enter_async_context(postgres(given["POSTGRES_PASSWORD"]))
        redis_port = free_port()
        redis = valkey(tmp_path / "valkey", services["valkey"]["command"], redis_port, given["VALKEY_PASSWORD"])
        parts, ports = {"postgres": store, "valkey": redis}, {}
        addresses = {
            "@postgres:5432/": f"@{dsn.partition('@')[2].partition('/')[0]}/",
            "@valkey:6379/": f"@127.0.0.1:{redis_port}/",
            services["caddy"]["networks"]["edge"]["ipv4_address"]: "127.0.0.1",
        }

        def environment(service: Mapping[str, Any]) -> dict[str, str]:
            settings = {name: value for name, value in given.items() if name.startswith("RHUMBLINE_")}
            own: dict[str, str] = image.environment | settings | service["environment"]
            for theirs, here in addresses.items():
                own = {name: value.replace(theirs, here) for name, value in own.items()}
            return own

        for service in ("api", "worker"):
            assert services[service]["deploy"]["replicas"] == REPLICAS
            for number in range(REPLICAS):
                name, (asked, watched) = f"{service}-{number}", (free_port(), free_port())
                ports[name] = asked, watched
                own = {"RHUMBLINE_SERVER__PORT": str(asked), "RHUMBLINE_METRICS__PORT": str(watched)}
                words: list[str | Path] = [image.program, *services[service]["command"]]
                parts[name] = Part(
                    name,
                    words,
                    tmp_path,
                    answers(f"http://127.0.0.1:{watched}/health/ready"),
                    environment(services[service]) | own,
                    cwd=tmp_path / "closed",
                )
        url = f"http://127.0.0.1:{free_port()}"
        proxy: list[str | Path] = [caddy, "run", "--adapter", "caddyfile", "--config", DEPLOY / "caddy" / "Caddyfile"]
        told = {"SITE": url, "API_HOST": "localhost", "API_PORT": str(ports["api-0"][0])}
        told["HOME"] = str(tmp_path / "caddy")
        parts["caddy"] = Part("caddy", proxy, tmp_path / "caddy", answers(f"{url}/health"), told)
        for part in parts.values():
            stack.push_async_callback(part.end)
        found = Composed(parts, ports, Customer(chain, url, session), image, environment(services["migrate"]))
        await store.start()
        await redis.start()
        migrated: list[str | Path] = [image.program, *services["migrate"]["command"]]
        await done(migrated, tmp_path / "closed", found.environment)
        key = tmp_path / "key.txt"
        key.write_text(PAYER.private_key, "utf-8")
        deploy = ("contracts", "deploy", "--chain", "own", "--key-file", str(key), "--yes")
        await done([image.program, *deploy], tmp_path / "closed", found.environment)
        assert not found.healthy("api-0")
        await asyncio.gather(*(parts[name].start() for name in ports))
        await parts["caddy"].start()
        yield found


async def done(words: list[str | Path], folder: Path, environment: Mapping[str, str]) -> None:
    process = await asyncio.create_subprocess_exec(
        *words, cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()


async def text(url: str, **headers: str) -> tuple[str, str]:
    """The body and its type."""
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as response:
        assert response.status == 200, url
        return await response.text(), response.content_type


async def test_the_services_of_compose(composed: Composed, tmp_path: Path) -> None:
    url, parts = composed.customer.url, composed.parts
    assert all(composed.healthy(name) for name in composed.ports)

    # The wheel has the pages and what they load.
    page, kind = await text(f"{url}/")
    assert (kind, "<rhumbline-swap" in page) == ("text/html", True)
    loaded = re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css|svg))', page)
    assert loaded
    for path in loaded:
        assert await status(url + path) == 200, path
    assert "swagger" in (await text(f"{url}/docs"))[0].lower()
    # What a client says of itself is not believed, only what the proxy says.
    await text(f"{url}/v1/chains", **{"X-Forwarded-For": "203.0.113.9"})
    assert "203.0.113.9" not in parts["api-0"].log
    metrics, _ = await text(f"http://127.0.0.1:{composed.ports['worker-0'][1]}/metrics")
    assert 'rhumbline_chain_leader{chain="own"' in metrics

    record = await composed.customer.swaps()
    assert record["status"] == "success"

    # Everything but the proxy is killed at once; each part comes back, and the service with it.
    await asyncio.gather(*(part.kill() for name, part in parts.items() if name != "caddy"))
    await asyncio.gather(*(parts[name].start() for name in ("postgres", "valkey")))
    await asyncio.gather(*(parts[name].start() for name in composed.ports))
    assert (await composed.customer.swaps())["status"] == "success"

    # One of each is enough.
    await asyncio.gather(parts["api-1"].kill(), parts["worker-0"].kill())
    assert (await composed.customer.swaps())["status"] == "success"
    assert [await parts[name].stop() for name in ("api-0", "worker-1")] == [0, 0]

    assert list((tmp_path / "closed").iterdir()) == [], "an image's file system is read-only"
    for log in tmp_path.glob("*.log"):
        assert "0secret" not in log.read_text("utf-8"), log.name
