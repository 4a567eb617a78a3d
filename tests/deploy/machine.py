"""A folder in place of a machine with Debian: it does what a line of docs/ says.

PostgreSQL and nginx are Debian's: PostgreSQL the machine's own, nginx too or out of Debian's package in the cache, as
Redis, which is Valkey's place on Debian 12. Of what only systemd can do, users and protections, there is but one:
memory is never both writable and executable. Paths lie below the folder, and ports are free ones.
"""

import asyncio
import os
import re
import shlex
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bench.tools import tool
from tests.deploy.files import ROOT, read_unit
from tests.deploy.servers import Part
from tests.e2e.own_chain import OwnChain
from tests.e2e.real_servers import debians_postgres

DOCS = ROOT / "docs"
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


def blocks(page: str, heading: str, language: str = "sh") -> list[str]:
    """The blocks of one language on a page of docs/ under a heading of the second level."""
    section = (DOCS / page).read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = re.findall(rf"^```{language}\n(.*?)^```", section, re.M | re.S)
    assert found, (page, heading)
    return found


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
    texts: dict[str, str] = field(default_factory=dict)
    """What a page can only give an example of, and what it is here."""
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """Where the operator is."""
        return self.root / "home"

    def here(self, text: str) -> str:
        """The text with the folder's paths and free ports. What PostgreSQL's user writes lies in its folder."""
        store = self.parts["postgres"].folder
        for theirs, ours in self.texts.items():
            text = text.replace(theirs, ours)
        text = text.replace("/var/backups", f"{store}/backups").replace("/var/lib/postgresql/17/main", f"{store}/data")
        text = text.replace("/var/lib/postgresql/17", str(store))
        text = PLACES.sub(f"{self.root}/", text)
        for theirs, ours in self.ports.items():
            text = re.sub(rf"(?<![\d.]){theirs}(?![\d.])", ours, text)
        return text

    @property
    def services(self) -> list[Part]:
        """Our processes."""
        return [part for name, part in self.parts.items() if name.startswith("rhumbline")]

    async def run(
        self, words: Sequence[str | Path], environment: Mapping[str, str] | None = None, user: int | None = None
    ) -> str:
        """Run a program to its end, return what it says, or fail."""
        folder = self.home if user is None else self.parts["postgres"].folder
        process = await asyncio.create_subprocess_exec(
            *words, cwd=folder, env={**os.environ, **(environment or {})}, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT, preexec_fn=None if user is None else partial(os.setuid, user),
        )  # fmt: skip
        said = (await process.communicate())[0].decode()
        assert process.returncode == 0, f"{words}: {said}"
        return said

    async def rhumbline(self, *words: str) -> str:
        """Run our command as an operator, with the installed settings."""
        settings = {"RHUMBLINE_CONFIG": self.here("/etc/rhumbline/rhumbline.toml")}
        return await self.run([self.here("/opt/rhumbline/bin/rhumbline"), *words], settings)

    async def follow(self, lines: str) -> None:
        """Do what the lines say, or fail."""
        for line in lines.splitlines():
            await self._follow(line)

    async def _follow(self, line: str) -> None:
        words = shlex.split(line, comments=True)
        match words:
            case ["apt-get", "install", "--yes", "postgresql", "valkey-server", "nginx", "python3-venv"]:
                await self.parts["postgres"].start()
                await self.parts["valkey"].start()
            case ["useradd", *_, "rhumbline"] | ["systemctl", "daemon-reload"]:
                pass
            case ["su", "postgres", "-c", command]:
                programs, store = debians_postgres(), self.parts["postgres"]
                assert programs is not None, "install Debian's package postgresql"
                own = {"PATH": f"{programs}:{os.environ['PATH']}"}
                own |= {"PGHOST": str(store.folder), "PGPORT": self.ports["5432"], "PGUSER": "postgres"}
                await self.run(["sh", "-euc", self.here(command)], own, store.user)
            case ["install", "-d", "--owner=postgres", "--mode=0700", *folders]:
                for folder in map(Path, map(self.here, folders)):
                    folder.mkdir(mode=0o700, parents=True)
                    # Only this one needs its user, if we are root.
                    for each in (folder, *folder.parents):
                        if each.is_relative_to(self.parts["postgres"].folder):
                            os.chown(each, self.parts["postgres"].user or -1, -1)
            case ["systemctl", "start", "rhumbline-migrate"]:
                await self.run(*self.unit("rhumbline-migrate"))
            case ["systemctl", "enable", "--now", *names]:
                for name in names:
                    self.parts[name] = self._service(name)
                await asyncio.gather(*(self.parts[name].start() for name in names))
            case ["systemctl", "start" | "stop" | "restart" as what, *names]:
                found = [self.parts["postgres" if name == "postgresql" else name] for name in names]
                if what != "start":
                    assert {await part.stop() for part in found} == {0}
                if what != "stop":
                    await asyncio.gather(*(part.start() for part in found))
            case ["nginx", "-t"]:
                nginx = await self.nginx()
                await self.run([*nginx.words, "-t"], nginx.env)
            case ["systemctl", "reload", "nginx"] if "nginx" not in self.parts:
                self.parts["nginx"] = await self.nginx()
                await self.parts["nginx"].start()
            case ["systemctl", "reload", name]:
                for part in self.services if name == "rhumbline*" else [self.parts[name]]:
                    assert part.child is not None
                    os.kill(part.child.pid, signal.SIGHUP)
            case ["valkey-cli", *command]:
                server = self.parts["valkey"]
                program = Path(server.words[0]).with_name(Path(server.words[0]).name.replace("-server", "-cli"))
                said = await self.run([program, "-p", self.ports["6379"], *command], server.env)
                assert said.strip() == "OK", said
            case ["rhumbline", *command]:
                await self.rhumbline(*map(self.here, command))
            case [program, *_] if program in ("python3", "install") or program.startswith("/opt/rhumbline/bin/"):
                # Only root may give a file to a group, and there is no such group here.
                await self.run(["sh", "-euc", self.here(line).replace(" --group=rhumbline", "")])
            case _:
                raise AssertionError(f"{line}: nothing here does that")

    def _service(self, name: str) -> Part:
        run, environment = self.unit(self.here(name))
        told = self.stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        told.setblocking(False)
        environment["NOTIFY_SOCKET"] = f"@{self.root.name}/{name}"
        told.bind(environment["NOTIFY_SOCKET"].replace("@", "\0", 1))

        async def ready() -> bool:
            try:
                return told.recv(4096) == b"READY=1"
            except BlockingIOError:
                return False

        return Part(name, run, self.root, ready, environment, cwd=self.root / "var" / "lib" / "rhumbline")

    def unit(self, name: str) -> tuple[list[str | Path], dict[str, str]]:
        """The words and variables of an installed unit."""
        template, _, instance = name.partition("@")
        read = read_unit(self.root / "etc" / "systemd" / "system" / f"{template}{'@' if instance else ''}.service")
        assert read.of("MemoryDenyWriteExecute") == ["yes"]
        assert read.of("Type") == ["notify" if instance else "oneshot"]
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
