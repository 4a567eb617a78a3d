"""The pool program: its build, which is committed, and whether it is what the source gives.

`make program` compiles `program/pool.c` anew with the PyPI package `ziglang` (`requirements-program.lock`), and with
`CHECK=1` only compares. The compiler is some 400 MB, so it is no dependency, and fetched by who changes the program
only. Everybody else has the digests, which a test compares.
"""

import argparse
import asyncio
import hashlib
import json
import sys
import tempfile
from pathlib import Path

from rhumbline.devnet.svm.sbf_linker import LinkError, link

_FOLDER = Path(__file__).with_name("program")
SOURCE = _FOLDER / "pool.c"
PROGRAM = _FOLDER / "pool.so"
DIGESTS = _FOLDER / "digests.json"
COMPILER = "0.17.0"
_FLAGS = (
    "-target", "bpfel-freestanding", "-mcpu=v2", "-O2", "-ffreestanding", "-fno-builtin", "-fno-stack-protector",
    "-fno-sanitize=all", "-fno-jump-tables", "-mllvm", "-bpf-stack-size=4096", "-Wall", "-Wextra", "-Werror",
)  # fmt: skip


class BuildError(Exception):
    """The program cannot be built, or is not what the source gives."""


async def build(python: Path) -> bytes:
    """Compile the source with the ``ziglang`` of a Python; raise BuildError."""
    version = (await _run(str(python), "-m", "ziglang", "version")).strip()
    if version != COMPILER:
        raise BuildError(f"ziglang {version} is not the compiler of the committed program: {COMPILER} is")
    with tempfile.TemporaryDirectory(prefix="rhumbline-program-") as folder:
        target = Path(folder) / "pool.o"
        await _run(str(python), "-m", "ziglang", "cc", *_FLAGS, "-c", SOURCE.name, "-o", str(target))
        try:
            return link(target.read_bytes())
        except LinkError as error:
            raise BuildError(str(error)) from None


def digests() -> dict[str, str]:
    """Return what the committed program was made of, as `DIGESTS` keeps it."""
    return {
        "compiler": f"ziglang {COMPILER}",
        "flags": " ".join(_FLAGS),
        "source": hashlib.sha256(SOURCE.read_bytes()).hexdigest(),
        "program": hashlib.sha256(PROGRAM.read_bytes()).hexdigest(),
    }


def main() -> int:
    """Write the program and its digests, or with --check compare; exit status 1 when the program differs."""
    parser = argparse.ArgumentParser(description="Build the pool program of the sandbox's Solana chain.")
    parser.add_argument("--check", action="store_true", help="compare with what is committed instead of writing it")
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="a Python that has ziglang")
    arguments = parser.parse_args()
    try:
        program = asyncio.run(build(arguments.python))
        if arguments.check and PROGRAM.read_bytes() != program:
            remedy = "run `make program`"
            raise BuildError(f"{PROGRAM} is not what the source gives; {remedy}")
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if not arguments.check:
        PROGRAM.write_bytes(program)
        DIGESTS.write_text(json.dumps(digests(), indent=1) + "\n", "utf-8")
    return 0


async def _run(*command: str) -> str:
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(*command, cwd=_FOLDER, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise BuildError(f"the compiler does not run: {error}") from None
    told, words = await process.communicate()
    if process.returncode != 0:
        raise BuildError(words.decode(errors="replace").strip())
    return told.decode()


if __name__ == "__main__":
    sys.exit(main())
