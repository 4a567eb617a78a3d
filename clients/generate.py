"""Writes what of the clients is made by programs: types of the OpenAPI document, and the blocking half of Python's.

``python -m clients.generate`` writes; ``--check`` only compares, names what differs, and exits with 1.
Changes of the document for the generators are in `clients/document.py`.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import unasync

from clients.document import for_python, for_typescript

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "openapi.json"
PYTHON = Path("clients/python/src/rhumbline_client")
MODELS = PYTHON / "models.py"
TYPESCRIPT = Path("clients/typescript/src/models.ts")
BIOME = ROOT / "node_modules" / "@biomejs" / "cli-linux-x64" / "biome"
ASYNC, SYNC = PYTHON / "_async", PYTHON / "_sync"
RUFF = Path(sys.executable).with_name("ruff")
CODEGEN = Path(sys.executable).with_name("datamodel-codegen")
OPTIONS = (
    "--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel",
    "--base-class", "rhumbline_client.values.Model", "--target-python-version", "3.11",
    "--snake-case-field", "--use-annotated", "--field-constraints", "--use-exact-imports", "--use-double-quotes",
    "--enum-field-as-literal", "all", "--collapse-root-models", "--use-single-line-docstring",
    "--use-field-description", "--use-attribute-docstrings", "--use-schema-description", "--disable-future-imports",
    "--output-datetime-class", "AwareDatetime", "--disable-timestamp",
    "--custom-file-header", '"""What the service answers, generated of docs/openapi.json by clients/generate.py."""',
    "--formatters", "builtin",
)  # fmt: skip
CONFIGURED = re.compile(r"^    model_config = ConfigDict\(\n(?: {8}.*\n)*    \)\n\n?", re.M)
"""All models have the one of their base class."""
BLOCKING = {
    "_async": "_sync",
    "aclose": "close",
    "aclosing": "closing",
    "aiter_bytes": "iter_bytes",
    "anyio": "time",
    "aread": "read",
    **{f"Async{name}": name for name in (
        "Client", "EvmSender", "Node", "Rhumbline", "Sender", "SolanaSender", "StatusWatch", "Transactions",
        "Transport", "Webhooks",
    )},
}  # fmt: skip
"""Names of the asynchronous half, and what they are in the blocking one; the library knows the language's own."""
NOTICE = '"""Made of {path} by clients/generate.py."""\n'


def models(document: dict[str, Any]) -> str:
    """Return the source of the models."""
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder, "document.json"), Path(folder, "models.py")
        given.write_text(json.dumps(for_python(document)), "utf-8")
        subprocess.run([CODEGEN, "--input", given, "--output", made, *OPTIONS], check=True, cwd=folder)
        return formatted(CONFIGURED.sub("", made.read_text("utf-8")).replace("ConfigDict, ", ""), MODELS)


def blocking(path: Path) -> str:
    """Return the blocking half of an asynchronous module, as its source."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "_async", path.name)
        source.parent.mkdir()
        source.write_text((ROOT / path).read_text("utf-8"), "utf-8")
        rule = unasync.Rule("/_async/", "/_sync/", additional_replacements=BLOCKING)
        unasync.unasync_files([str(source)], [rule])
        text = Path(folder, "_sync", path.name).read_text("utf-8")
    docstring = re.match(r'""".*?"""\n', text, re.S)
    return formatted(NOTICE.format(path=path) + text[docstring.end() if docstring else 0 :], SYNC / path.name)


def types(document: dict[str, Any]) -> str:
    """Return the source of TypeScript's types."""
    text = json.dumps(for_typescript(document))
    for command in (
        ("node", "clients/typescript/generate.mjs"),
        (BIOME, "format", f"--stdin-file-path={TYPESCRIPT}"),
    ):
        text = subprocess.run(command, cwd=ROOT, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    return text


def formatted(text: str, path: Path) -> str:
    """Return a source as ruff sorts its imports, formats it and begins its docstrings."""
    for command in (("check", "--select", "I,D212", "--fix-only", "--quiet"), ("format",)):
        done = subprocess.run(
            [RUFF, *command, "--stdin-filename", path, "-"],
            cwd=ROOT,
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        text = done.stdout
    return text


def written() -> dict[Path, str]:
    """Return each generated file's path below the root, with its text."""
    document = json.loads(DOCUMENT.read_text("utf-8"))
    modules = sorted(path.relative_to(ROOT) for path in (ROOT / ASYNC).glob("*.py"))
    return {
        TYPESCRIPT: types(document),
        MODELS: models(document),
        **{SYNC / path.name: blocking(path) for path in modules},
    }


def main() -> int:
    """Write the files, or compare them, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    is_check = parser.parse_args().check
    texts = written()
    stale = [path for path in (ROOT / SYNC).glob("*.py") if path.relative_to(ROOT) not in texts]
    different = [path for path, text in texts.items() if not _is(ROOT / path, text)]
    if is_check:
        for path in (*different, *stale):
            sys.stdout.write(f"{path} is not what clients/generate.py writes: run `make clients`\n")
        return 1 if different or stale else 0
    for path in different:
        (ROOT / path).parent.mkdir(exist_ok=True)
        (ROOT / path).write_text(texts[path], "utf-8")
    for path in stale:
        path.unlink()
    return 0


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text("utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
