"""The Solidity compiler, by its npm package `solc`: only whoever changes a contract of the sandbox needs it."""

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
    """Sources cannot be compiled, or what is committed differs from what they give."""


def request(own: Mapping[str, str], folders: Sequence[Path], settings: Mapping[str, object]) -> dict[str, object]:
    """Make the compiler's standard JSON input of sources by file name; raises CompileError for a missing import.

    What they import is looked for in `folders`, `node_modules` among them, in their order. No metadata goes into the
    code, so it depends on nothing but sources, compiler and settings.
    """
    return {
        "language": "Solidity",
        "sources": {name: {"content": text} for name, text in _with_imports(own, folders).items()},
        "settings": {**settings, "metadata": {"bytecodeHash": "none", "appendCBOR": False}},
    }


async def compiled(requests: Sequence[Mapping[str, object]], node_modules: Path) -> list[dict[str, Any]]:
    """Compile each with `node` from the PATH, apart from the others; raises CompileError with the compiler's words."""
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
    """Read which compiler that is."""
    return str(json.loads((node_modules / "solc" / "package.json").read_text())["version"])


def _with_imports(own: Mapping[str, str], folders: Sequence[Path]) -> dict[str, str]:
    """Add everything the sources import, by the name the compiler will ask for."""
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
