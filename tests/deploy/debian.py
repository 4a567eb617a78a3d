"""The lines of docs/deployment.md for Debian, word by word in a folder, and every part killed in turn: `make campaign`.

PostgreSQL and nginx are Debian's: PostgreSQL the machine's own, nginx too or out of Debian's package in the cache.
Valkey is that of the tests. Of what only systemd can do, users and protections, there is but one: memory is never both
writable and executable. Paths lie below the folder, and ports are free ones.
"""

import asyncio
import os
import re
import shlex
import shutil
import socket
import ssl
import sys
import tomllib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest

from bench.tools import tool
from tests.deploy.customer import PAYER, Customer
from tests.deploy.files import DEPLOY, ROOT, read_unit
from tests.deploy.servers import Part, answers, postgres, valkey
from tests.e2e.own_chain import OwnChain, own_chain
from tests.e2e.real_servers import debians_postgres, free_port

PAGE = ROOT / "docs" / "deployment.md"
PLACES = re.compile(r"(?<![\w./])/(?=(?:etc|opt|var)/)")
INSTANCES = ("8700", "8701", "18801", "18802")
MEMORY = """
import ctypes, os, sys
# PR_SET_MDWE with PR_MDWE_REFUSE_EXEC_GAIN: what MemoryDenyWriteExecute=yes asks of the kernel, from Linux 6.3 on.
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):
    print("this kernel does not know PR_SET_MDWE", file=sys.stderr)
os.execv(sys.argv[1], sys.argv[1:])
"""
NGINX = """
daemon off;
{user}
pid {root}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {root}/body;
    proxy_temp_path {root}/proxy;
    fastcgi_temp_path {root}/fastcgi;
    uwsgi_temp_path {root}/uwsgi;
    scgi_temp_path {root}/scgi;
    include {root}/etc/nginx/conf.d/*.conf;
}}
"""
HOST = "swap.example.org"


def blocks(language: str) -> Iterator[str]:
    """The page's blocks of one language under its heading for Debian."""
    section = PAGE.read_text("utf-8").partition("\n## Debian with systemd\n")[2].partition("\n## ")[0]
    yield from re.findall(rf"^```{language}\n(.*?)^```", section, re.M | re.S)


def four_digits(taken: set[str]) -> str:
    """A free port of four digits; the one with a 1 before it is free too, for metrics."""
    for port in range(5000, 10_000):
        with socket.socket() as one, socket.socket() as other:
            try:
                one.bind(("127.0.0.1", port))
                other.bind(("127.0.0.1", 10_000 + port))
            except OSError:
                continue
            if str(port) not in taken:
                return str(port)
    raise AssertionError("no port is free")


@dataclass
class Machine:
    """A folder in place of a machine: it does what a line of the page says."""

    root: Path
    chain: OwnChain
    stack: AsyncExitStack
    ports: dict[str, str] = field(default_factory=dict)
    """Free ones in place of the page's."""
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """Where the operator is."""
        return self.root / "home"

    def here(self, text: str) -> str:
        """The text with the folder's paths and free ports."""
        text = PLACES.sub(f"{self.root}/", text)
        for theirs, ours in self.ports.items():
            text = re.sub(rf"(?<![\d.]){theirs}(?![\d.])", ours, text)
        return text

    async def run(self, words: Sequence[str | Path], environment: dict[str, str] | None = None) -> None:
        process = await asyncio.create_subprocess_exec(
            *words, cwd=self.home, env={**os.environ, **(environment or {})}, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        said, _ = await process.communicate()
        assert process.returncode == 0, f"{words}: {said.decode()}"

    async def follow(self, line: str) -> None:
        """Do what a line says, or fail."""
        words = shlex.split(line)
        match words:
            case ["apt-get", "install", "--yes", "postgresql", "valkey-server", "nginx", "python3-venv"]:
                await self.parts["postgres"].start()
                await self.parts["valkey"].start()
            case ["useradd", *_, "rhumbline"] | ["systemctl", "daemon-reload"]:
                pass
            case ["su", "postgres", "-c", command]:
                programs, (program, *options) = debians_postgres(), shlex.split(command)
                assert programs is not None, "install Debian's package postgresql"
                store = self.parts["postgres"]
                where = {"PGHOST": str(store.folder), "PGPORT": self.ports["5432"], "PGUSER": "postgres"}
                await self.run([programs / program, *options], where)
            case ["systemctl", "start", "rhumbline-migrate"]:
                await self.run(*self.unit("rhumbline-migrate"))
            case ["systemctl", "enable", "--now", *names]:
                for name in names:
                    run, environment = self.unit(self.here(name))
                    port = environment["RHUMBLINE_METRICS__PORT"]
                    ready = answers(f"http://127.0.0.1:{port}/health/ready")
                    self.parts[name] = Part(
                        name, run, self.root, ready, environment, cwd=self.root / "var" / "lib" / "rhumbline"
                    )
                await asyncio.gather(*(self.parts[name].start() for name in names))
            case ["nginx", "-t"]:
                nginx = await self.nginx()
                await self.run([*nginx.words, "-t"], dict(nginx.env))
            case ["systemctl", "reload", "nginx"]:
                self.parts["nginx"] = await self.nginx()
                await self.parts["nginx"].start()
            case [program, *_] if program in ("python3", "install") or program.startswith("/opt/rhumbline/bin/"):
                # Only root may give a file to a group, and there is no such group here.
                await self.run(["sh", "-euc", self.here(line).replace(" --group=rhumbline", "")])
            case _:
                raise AssertionError(f"{line}: nothing here does that")

    def unit(self, name: str) -> tuple[list[str | Path], dict[str, str]]:
        """The words and variables of an installed unit."""
        template, _, instance = name.partition("@")
        read = read_unit(self.root / "etc" / "systemd" / "system" / f"{template}{'@' if instance else ''}.service")
        assert read.of("MemoryDenyWriteExecute") == ["yes"]
        words = [self.here(word) for word in read.command(instance)]
        environment = {key: self.here(value) for key, value in read.environment(instance).items()}
        return [sys.executable, "-c", MEMORY, *words], {"PATH": os.defpath, "LANG": "C.UTF-8", **environment}

    async def nginx(self) -> Part:
        """With the installed site: the certificate is one of ours, as an operator puts in a real one."""
        site = self.root / "etc" / "nginx" / "conf.d" / "rhumbline.conf"
        text = self.here(site.read_text("utf-8"))
        for port in ("80", "443"):
            text = re.sub(rf"listen {port}\b", f"listen 127.0.0.1:{self.ports[f'nginx {port}']}", text)
        site.write_text(text, "utf-8")
        user = "user root;" if os.geteuid() == 0 else ""
        (self.root / "nginx.conf").write_text(NGINX.format(root=self.root, user=user), "utf-8")
        found = await tool("nginx")
        words: list[str | Path] = [found.program, "-c", self.root / "nginx.conf", "-e", "stderr"]

        async def ready() -> bool:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", int(self.ports["nginx 443"]))
            except OSError:
                return False
            writer.close()
            return not reader.at_eof()

        return Part("nginx", words, self.root, ready, found.env)


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    """A folder with what an operator has in it, and servers that are not started yet."""
    for name in ("home", "chain", "valkey", "var/lib/rhumbline", "etc/ssl/rhumbline"):
        (tmp_path / name).mkdir(parents=True)
    async with AsyncExitStack() as stack:
        chain = await stack.enter_async_context(own_chain(tmp_path / "chain"))
        made = Machine(tmp_path, chain, stack)
        store, dsn = await stack.enter_async_context(postgres("unused", "postgres"))
        redis = free_port()
        made.parts |= {"postgres": store, "valkey": valkey(tmp_path / "valkey", ["valkey-server"], redis)}
        made.ports |= {"6379": str(redis), "5432": dsn.rpartition(":")[2].partition("/")[0]}
        for instance in INSTANCES:
            made.ports[instance] = four_digits(set(made.ports.values()))
        made.ports |= {f"nginx {port}": str(free_port()) for port in ("80", "443")}
        shutil.copytree(DEPLOY, made.home / "deploy")
        shutil.copy(ROOT / "requirements-service.lock", made.home)
        build = (".venv/bin/uv", "build", "--quiet", "--wheel", "--build-constraints", "requirements.lock")
        await made.run(["env", "-C", str(ROOT), *build, "--require-hashes", "--out-dir", str(made.home)])
        (written,) = blocks("toml")
        text = made.here(written).replace("host=/run/postgresql", f"host={store.folder}&port={made.ports['5432']}")
        assert tomllib.loads(text)["base_url"] == f"https://{HOST}"
        more = '\n[prices]\nsources = ["onchain"]\n'
        text = text.replace("[limits]", "[limits]\nunauthenticated_requests = 1000000")
        (made.home / "rhumbline.toml").write_text(text + more + chain.settings, "utf-8")
        pair = ("-keyout", "etc/ssl/rhumbline/privkey.pem", "-out", "etc/ssl/rhumbline/fullchain.pem")
        request = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}")
        await made.run(["env", "-C", str(tmp_path), *request, "-addext", f"subjectAltName=DNS:{HOST}", *pair])
        try:
            yield made
        finally:
            for part in reversed(made.parts.values()):
                await part.end()


async def test_debian_word_by_word_and_every_part_killed(machine: Machine) -> None:
    (lines,) = blocks("sh")
    for line in lines.splitlines():
        await machine.follow(line)
    key = machine.home / "key.txt"
    key.write_text(PAYER.private_key, "utf-8")
    program = machine.here("/opt/rhumbline/bin/rhumbline")
    settings = {"RHUMBLINE_CONFIG": machine.here("/etc/rhumbline/rhumbline.toml")}
    deploy = ("contracts", "deploy", "--chain", "own", "--key-file", str(key), "--yes")
    await machine.run([program, *deploy], settings)

    trusted = ssl.create_default_context(cafile=str(machine.root / "etc/ssl/rhumbline/fullchain.pem"))
    port = int(machine.ports["nginx 443"])
    connector = aiohttp.TCPConnector(ssl=trusted, resolver=Local())
    async with aiohttp.ClientSession(connector=connector) as session:
        customer = Customer(machine.chain, f"https://{HOST}:{port}", session)
        await customer.swaps()
        for name, part in machine.parts.items():
            await part.kill()
            if name.startswith("rhumbline"):
                # Nobody notices: the other one answers, and the other one follows.
                for _ in range(20):
                    async with session.get(f"{customer.url}/v1/chains") as response:
                        assert response.status == 200, name
                await customer.swaps()
            await part.start()
            await customer.swaps()
    assert list((machine.root / "var" / "lib" / "rhumbline").iterdir()) == []


class Local(aiohttp.abc.AbstractResolver):
    """Every name is this machine."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[aiohttp.abc.ResolveResult]:
        return [
            aiohttp.abc.ResolveResult(
                hostname=host, host="127.0.0.1", port=port, family=socket.AF_INET, proto=0, flags=socket.AI_NUMERICHOST
            )
        ]

    async def close(self) -> None:
        """Nothing is open."""
