"""The bytecode of third parties' contracts, from the npm packages pinned in `packages.toml`.

Downloaded once with `npm pack`, checked against the pinned SHA-512, and cached as one file with only the codes needed.
"""

import asyncio
import base64
import hashlib
import io
import json
import re
import shutil
import tarfile
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rhumbline.devnet.atomic_files import exclusive, read_whole, write_whole

PINS = Path(__file__).with_name("packages.toml")
_FETCH_DEADLINE_S = 300.0
_LARGEST_FILE = 32 * 1024 * 1024

Progress = Callable[[str], None]


class ArtifactError(Exception):
    """A package cannot be downloaded, is not the pinned one, or does not contain the expected artifact."""


@dataclass(frozen=True, slots=True)
class ArtifactPin:
    """A bytecode in a package. `pattern`: regular expression whose first group is its hex; None: compiler JSON."""

    name: str
    path: str
    pattern: str | None


@dataclass(frozen=True, slots=True)
class PackagePin:
    """An npm package at one version; `integrity` is `sha512-<base64>` of its tarball."""

    name: str
    version: str
    integrity: str
    artifacts: tuple[ArtifactPin, ...]


def pinned_packages(path: Path = PINS) -> tuple[PackagePin, ...]:
    """Read a pin file."""
    return tuple(
        PackagePin(
            str(entry["name"]),
            str(entry["version"]),
            str(entry["integrity"]),
            tuple(ArtifactPin(item["name"], item["path"], item.get("pattern")) for item in entry["artifact"]),
        )
        for entry in tomllib.loads(path.read_text())["package"]
    )


def pins_digest(pins: tuple[PackagePin, ...]) -> str:
    """Return 16 hex digits that change when any pin changes."""
    return hashlib.sha256(repr(pins).encode()).hexdigest()[:16]


async def contract_codes(
    cache: Path, progress: Progress, pins: tuple[PackagePin, ...] | None = None
) -> Mapping[str, bytes]:
    """Return the bytecode of every pinned artifact by name, from the cache or downloaded into it.

    `progress` is called with each package before its download. Raise ArtifactError, and CacheError when another process
    has been downloading for more than five minutes.
    """
    wanted = pinned_packages() if pins is None else pins
    place = cache / "artifacts" / f"{pins_digest(wanted)}.json"
    if (stored := read_whole(place)) is None:
        async with exclusive(cache / "artifacts" / "lock", _FETCH_DEADLINE_S):
            if (stored := read_whole(place)) is None:
                codes = {}
                for number, pin in enumerate(wanted, 1):
                    progress(f"fetching {pin.name}@{pin.version} ({number} of {len(wanted)})")
                    codes.update(extracted(pin, await fetched(pin)))
                stored = json.dumps({name: code.hex() for name, code in codes.items()}).encode()
                write_whole(place, stored)
    return {name: bytes.fromhex(code) for name, code in json.loads(stored).items()}


async def fetched(pin: PackagePin) -> bytes:
    """Download a package's tarball and check its digest; raise ArtifactError."""
    npm = shutil.which("npm")
    if npm is None:
        raise ArtifactError("npm is not on the PATH; the sandbox fetches its contracts with it, once: install Node.js")
    with tempfile.TemporaryDirectory(prefix="rhumbline-npm-") as folder:
        process = await asyncio.create_subprocess_exec(
            npm,
            *("pack", f"{pin.name}@{pin.version}", "--ignore-scripts", "--pack-destination", folder),
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            _, words = await asyncio.wait_for(process.communicate(), _FETCH_DEADLINE_S)
        except BaseException as error:
            if process.returncode is None:
                process.kill()
            if isinstance(error, TimeoutError):
                raise ArtifactError(f"{pin.name}@{pin.version}: npm took over {_FETCH_DEADLINE_S:.0f} s") from error
            raise
        tarball = _packed(Path(folder))
        if process.returncode != 0 or tarball is None:
            raise ArtifactError(
                f"{pin.name}@{pin.version} could not be fetched; is there a network, and does npm's registry have it?\n"
                + words.decode(errors="replace")[-1500:]
            )
    found = "sha512-" + base64.b64encode(hashlib.sha512(tarball).digest()).decode()
    if found != pin.integrity:
        raise ArtifactError(
            f"{pin.name}@{pin.version} is not the package that is pinned, and not used: "
            f"it has {found}, the pin says {pin.integrity}"
        )
    return tarball


def _packed(folder: Path) -> bytes | None:
    for tarball in folder.glob("*.tgz"):
        return tarball.read_bytes()
    return None


def extracted(pin: PackagePin, tarball: bytes) -> dict[str, bytes]:
    """Extract the pinned bytecodes from a package's tarball; raise ArtifactError."""
    codes: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as archive:
        for artifact in pin.artifacts:
            where = f"{pin.name}@{pin.version}: {artifact.path}"
            try:
                file = archive.extractfile(artifact.path)
            except KeyError:
                file = None
            if file is None:
                raise ArtifactError(f"{where} is not in the package")
            codes[artifact.name] = _code(file.read(_LARGEST_FILE).decode(), artifact.pattern, where)
    return codes


def _code(text: str, pattern: str | None, where: str) -> bytes:
    if pattern is not None:
        match = re.search(pattern, text)
        if match is None:
            raise ArtifactError(f"{where} does not hold {pattern}")
        return bytes.fromhex(match[1])
    output = json.loads(text)
    code = output.get("bytecode") or output.get("evm", {}).get("bytecode", {})
    if isinstance(code, dict):
        code = code.get("object", "")
    try:
        return bytes.fromhex(code.removeprefix("0x"))
    except ValueError as error:
        raise ArtifactError(f"{where} holds no linked bytecode") from error
