"""Upstreams are who their certificates say, or they are not spoken to.

Which authorities are trusted is settled when the process starts, so each question is asked by a process of its own that
trusts the certificates of this test, the bad ones too: what is refused is refused for its name or its time.
"""

import asyncio
import os
import ssl
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.gateways.http.rogue import rogue, says, whole

ASK = """
import asyncio, sys
from rhumbline.gateways.upstreams.upstream import UpstreamError, open_upstream

async def ask(url):
    async with open_upstream("EXAMPLE", url, timeout_s=20) as http:
        try:
            print(await http.get("/s3cret"))
        except UpstreamError as error:
            print(type(error).__name__, error, error.__cause__)

asyncio.run(ask(sys.argv[1]))
"""
HERE = "DNS:localhost,IP:127.0.0.1"


@dataclass(frozen=True)
class Papers:
    key: Path
    certificate: Path

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context


def papers(folder: Path, names: str, days: int) -> Papers:
    made = Papers(folder / "key.pem", folder / "cert.pem")
    extensions = folder / "extensions"
    extensions.write_text(f"subjectAltName={names}\nbasicConstraints=critical,CA:TRUE\n")
    asked = folder / "asked.pem"
    for command in (
        ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=example",
         "-keyout", str(made.key), "-out", str(asked)],
        ["x509", "-req", "-in", str(asked), "-signkey", str(made.key), "-days", str(days), "-extfile", str(extensions),
         "-out", str(made.certificate)],
    ):  # fmt: skip
        subprocess.run(["openssl", *command], check=True, capture_output=True)
    return made


async def told(url: str, trusted: Path) -> str:
    """What a process that trusts a certificate, and no other, says of an upstream."""
    env = {**os.environ, "SSL_CERT_FILE": str(trusted), "SSL_CERT_DIR": str(trusted.parent / "none")}
    asking = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ASK, url, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    async with asyncio.timeout(60):
        return (await asking.communicate())[0].decode().strip()


@pytest.mark.parametrize(
    ("names", "days", "trusts", "expected"),
    [
        (HERE, 2, True, "{'a': 1}"),
        ("DNS:other.example,IP:127.0.0.2", 2, True, None),
        (HERE, -1, True, None),
        (HERE, 2, False, None),
    ],
    ids=["sound", "of another host", "expired", "signed by nobody we know"],
)
async def test_certificates(tmp_path: Path, names: str, days: int, trusts: bool, expected: str | None) -> None:
    (tmp_path / "other").mkdir()
    own, other = papers(tmp_path, names, days), papers(tmp_path / "other", HERE, 2)
    async with rogue(says(whole(b'{"a":1}')), own.context()) as server:
        said = await told(f"{server.url}/s3cret", (own if trusts else other).certificate)
    refused = "UpstreamSilent EXAMPLE cannot be reached (SSLCertVerificationError) None"
    assert said == (expected or refused)
    assert len(server.asked) == (1 if expected else 0)


async def test_plain_http_where_tls_is_expected(tmp_path: Path) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        said = await told(f"https://127.0.0.1:{port}", papers(tmp_path, HERE, 2).certificate)
    assert said.startswith("UpstreamSilent EXAMPLE cannot be reached (")
    assert str(port) not in said
