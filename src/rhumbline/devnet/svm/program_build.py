"""The sandbox's programs: their committed builds, and the check that these match their sources.

`make program` compiles each `program/*.c` with the PyPI package `ziglang` (`requirements-program.lock`); with `CHECK=1`
it only compares. The compiler is some 400 MB, so it is no dependency, and only a change of a program downloads it.
Otherwise a test compares digests.
"""

import argparse
import asyncio
import hashlib
import json
import sys
import tempfile
from pathlib import Path

from rhumbline.devnet.svm.sbf_linker import LinkError, link

FOLDER = Path(__file__).with_name("program")
SHARED = FOLDER / "runtime.h"
DIGESTS = FOLDER / "digests.json"
COMPILER = "0.17.0"
_FLAGS = (
    "-target", "bpfel-freestanding", "-mcpu=v2", "-O2", "-ffreestanding", "-fno-builtin", "-fno-stack-protector",
    "-fno-sanitize=all", "-fno-jump-tables", "-mllvm", "-bpf-stack-size=4096", "-Wall", "-Wextra", "-Werror",
)  # fmt: skip


class BuildError(Exception):
    """A program cannot be built, or does not match its source."""


def names() -> tuple[str, ...]:
    """Return the names of the programs that have sources."""
    return tuple(sorted(source.stem for source in FOLDER.glob("*.c")))


def program(name: str) -> bytes:
    """Return a committed program; raise FileNotFoundError if there is none."""
    return (FOLDER / f"{name}.so").read_bytes()


async def build(python: Path, name: str) -> bytes:
    """Compile a source with the ``ziglang`` of this Python executable; raise BuildError."""
    version = (await _run(str(python), "-m", "ziglang", "version")).strip()
    if version != COMPILER:
        raise BuildError(f"ziglang {version} is not the compiler of the committed programs: {COMPILER} is")
    with tempfile.TemporaryDirectory(prefix="rhumbline-program-") as folder:
        target = Path(folder) / f"{name}.o"
        await _run(str(python), "-m", "ziglang", "cc", *_FLAGS, "-c", f"{name}.c", "-o", str(target))
        try:
            return link(target.read_bytes())
        except LinkError as error:
            raise BuildError(f"{name}.c: {error}") from None


def digests() -> dict[str, object]:
    """Return the digests of the committed programs and their sources, in the form of `DIGESTS`."""
    return {
        "compiler": f"ziglang {COMPILER}",
        "flags": " ".join(_FLAGS),
        "shared": _digest(SHARED),
        "programs": {
            name: {"source": _digest(FOLDER / f"{name}.c"), "program": _digest(FOLDER / f"{name}.so")}
            for name in names()
        },
    }


def main() -> int:
    """Write the programs and their digests, or with --check compare them; exit status 1 if one differs."""
    parser = argparse.ArgumentParser(description="Build the programs of the sandbox's Solana chain.")
    parser.add_argument("--check", action="store_true", help="compare with what is committed instead of writing it")
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="a Python that has ziglang")
    arguments = parser.parse_args()
    try:
        for name in names():
            _settle(name, asyncio.run(build(arguments.python, name)), check=arguments.check)
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if not arguments.check:
        DIGESTS.write_text(json.dumps(digests(), indent=1) + "\n", "utf-8")
    return 0


def _settle(name: str, built: bytes, *, check: bool) -> None:
    path = FOLDER / f"{name}.so"
    if not check:
        path.write_bytes(built)
    elif not path.exists() or path.read_bytes() != built:
        raise BuildError(f"{path} is not what the source gives; run `make program`")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


async def _run(*command: str) -> str:
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(*command, cwd=FOLDER, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise BuildError(f"the compiler does not run: {error}") from None
    told, words = await process.communicate()
    if process.returncode != 0:
        raise BuildError(words.decode(errors="replace").strip())
    return told.decode()


if __name__ == "__main__":
    sys.exit(main())
