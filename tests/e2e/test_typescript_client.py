"""The TypeScript client, packed and installed into an empty project: its README's programs, typed and run."""

import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from rhumbline.tracking.webhooks.signature import new_secret, signed
from tests.e2e.client_environment import FETCHES
from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_python_client import BRIDGE, SOLANA, SWAP, check_arrival, settings

CLIENT = ROOT / "clients" / "typescript"
PACKAGES = ROOT / "node_modules"
NEEDED = ("viem", "@solana/kit", "tsx", "typescript", "@types/node")
STRICT = [
    "--strict",
    "--noEmit",
    "--skipLibCheck",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2023,dom,dom.iterable",
]


def programs() -> dict[str, str]:
    found = re.findall(r"^```ts\n// (\S+)\n(.*?)^```$", (CLIENT / "README.md").read_text("utf-8"), re.M | re.S)
    return dict(found)


@pytest.fixture(scope="package")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has nothing but the package, the programs, and what the package's wallets are made of."""
    folder = tmp_path_factory.mktemp("typescript-client")
    packed = folder / "packed"
    build = ["node", str(CLIENT / "package.mjs"), str(packed)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (tarball,) = packed.glob("*.tgz")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    pinned = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]
    fetched = [f"{name}@{pinned[name]}" for name in NEEDED] if FETCHES else ["--offline"]
    install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", str(tarball), *fetched]
    subprocess.run(install, cwd=folder, check=True, capture_output=True)
    if not FETCHES:
        # A wallet's library is no dependency: whoever has none installs none.
        assert [path.name for path in (folder / "node_modules").glob("[!.]*")] == ["@rhumbline"]
        for name in NEEDED:
            (folder / "node_modules" / name).parent.mkdir(exist_ok=True)
            (folder / "node_modules" / name).symlink_to(PACKAGES / name)
    for name, text in programs().items():
        (folder / name).write_text(text)
    return folder


def run(project: Path, name: str, told: dict[str, object]) -> str:
    environment = {**os.environ, "no_proxy": "127.0.0.1", **{key: str(value) for key, value in told.items()}}
    done = subprocess.run(
        ["node", "node_modules/tsx/dist/cli.mjs", name],
        cwd=project, env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_programs_are_typed(project: Path) -> None:
    command = ["node", "node_modules/typescript/bin/tsc", *STRICT, "--types", "node", *programs()]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("name", "asked"), [("swap", SWAP), ("bridge", BRIDGE), ("solana-transfer", SOLANA)])
def test_a_program_of_the_readme_moves_money(
    demo: Demo, project: Path, name: str, asked: tuple[str, str, int, str, str]
) -> None:
    check_arrival(run(project, f"{name}.mts", settings(demo, *asked)))


def test_an_error_has_its_code(demo: Demo, project: Path) -> None:
    written = run(project, "errors.mts", settings(demo, "sbxa", "USDC", 1, "sbxb", "USDC"))
    assert re.fullmatch(r"AMOUNT_TOO_LOW [1-9]\d*n true\n", written)


def test_a_webhook_is_taken_if_the_service_signed_it(project: Path) -> None:
    secret, body = new_secret(), json.dumps({"type": "webhook.test", "data": {}}).encode()
    environment = {**os.environ, "WEBHOOK_SECRET": secret, "PORT": "0"}
    command = ["node", "node_modules/tsx/dist/cli.mjs", "webhook.mts"]
    server = subprocess.Popen(command, cwd=project, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"port: (\d+)", server.stdout.readline())
        assert found is not None
        answers = []
        for sent in (body, body + b" "):
            headers = signed("msg_1", int(time.time()), body, [new_secret(), secret])
            request = urllib.request.Request(f"http://127.0.0.1:{found[1]}/hooks", sent, dict(headers))
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    answers.append(response.status)
            except urllib.error.HTTPError as refused:
                with refused:
                    answers.append(refused.code)
        assert answers == [204, 400]
        assert server.stdout.readline() == "msg_1 webhook.test undefined\n"
    finally:
        server.terminate()
        server.wait(30)
        if server.stdout is not None:
            server.stdout.close()


def test_every_program_of_the_readme_is_run() -> None:
    assert sorted(programs()) == ["bridge.mts", "errors.mts", "solana-transfer.mts", "swap.mts", "webhook.mts"]
