"""The Solidity compiler, from the npm package `solc`; needed only to change a contract of the sandbox."""

import asyncio
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_IMPORT = re.compile(r'^import .*?"([^"]+)";', re.MULTILINE)
_COMPILE = (
    "const solc = require('solc'), asked = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
    "process.stdout.write(JSON.stringify(asked.map(each => JSON.parse(solc.compile(JSON.stringify(each))))))"
)


class CompileError(Exception):
    """Sources do not compile, or the committed code differs from theirs."""


def request(own: Mapping[str, str], folders: Sequence[Path], settings: Mapping[str, object]) -> dict[str, object]:
    """Return the compiler's standard JSON input for sources by file name; raise CompileError for a missing import.

    Imports are looked up in `folders`, in order, which include `node_modules`. The code contains no metadata, so it
    depends only on sources, compiler and settings.
    """
    return {
        "language": "Solidity",
        "sources": {name: {"content": text} for name, text in _with_imports(own, folders).items()},
        "settings": {**settings, "metadata": {"bytecodeHash": "none", "appendCBOR": False}},
    }


async def compiled(requests: Sequence[Mapping[str, object]], node_modules: Path) -> list[dict[str, Any]]:
    """Compile each source by itself with `node` from the PATH; raise CompileError with the compiler's message."""
    node = shutil.which("node")
    if node is None:
        raise CompileError("node is not on the PATH; install Node.js 20 or later")
    pipe = asyncio.subprocess.PIPE
    folder = node_modules.parent
    process = await asyncio.create_subprocess_exec(
        node, "-e", _COMPILE, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe
    )
    answer, words = await process.communicate(json.dumps(requests).encode())
    if process.returncode != 0:
        raise CompileError(f"solc did not run; is `npm ci` done in {folder}?\n{words.decode(errors='replace')}")
    outputs: list[dict[str, Any]] = json.loads(answer)
    faults = [
        fault["formattedMessage"]
        for output in outputs
        for fault in output.get("errors", [])
        if fault["severity"] == "error"
    ]
    if faults:
        raise CompileError("\n".join(faults))
    return outputs


def compiler_version(node_modules: Path) -> str:
    return str(json.loads((node_modules / "solc" / "package.json").read_text())["version"])


def _with_imports(own: Mapping[str, str], folders: Sequence[Path]) -> dict[str, str]:
    """Add all imported sources, by the name under which the compiler asks for them."""
    sources = dict(own)
    waiting = list(own)
    while waiting:
        name = waiting.pop()
        for target in _IMPORT.findall(sources[name]):
            full = _resolved(name, target)
            if full not in sources:
                sources[full] = _found(full, folders)
                waiting.append(full)
    return sources


def _found(name: str, folders: Sequence[Path]) -> str:
    for folder in folders:
        if (folder / name).is_file():
            return (folder / name).read_text()
    raise CompileError(f"{name} is missing; run `npm ci` in {folders[-1].parent}")


def _resolved(importer: str, target: str) -> str:
    if not target.startswith("."):
        return target
    parts = importer.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
