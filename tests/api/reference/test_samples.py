"""The document's examples in TypeScript have no fault of types in Node or a browser; tests/portal runs them."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.api.reference.write_document import default_document

NODE_MODULES = Path(__file__).parents[3] / "node_modules"
SURROUNDINGS: Mapping[str, tuple[str, ...]] = {
    "dom": ("--lib", "es2023,dom,dom.iterable", "--types", "node"),
    "node": ("--lib", "es2023", "--types", "node"),
}
STRICT = ("--noEmit", "--strict", "--noUnusedLocals", "--skipLibCheck", "--target", "es2022", "--module", "nodenext")


def faults(folder: Path, samples: Mapping[str, str], surroundings: str) -> str:
    """What the compiler says of samples, each a file of the folder."""
    for name, source in samples.items():
        (folder / f"{name}.mts").write_text(source)
    found = subprocess.run(
        [
            str(NODE_MODULES / ".bin" / "tsc"),
            *(*STRICT, *SURROUNDINGS[surroundings], "--typeRoots", str(NODE_MODULES / "@types")),
            *sorted(f"{name}.mts" for name in samples),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert bool(found.stdout) == bool(found.returncode), found.stderr
    return found.stdout


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_typescript_has_no_fault_of_types(tmp_path: Path, surroundings: str) -> None:
    samples = {
        operation["operationId"]: sample["source"]
        for methods in default_document()["paths"].values()
        for operation in methods.values()
        for sample in operation.get("x-codeSamples", ())
        if sample["label"] == "TypeScript"
    }
    assert len(samples) == 29
    assert faults(tmp_path, samples, surroundings) == ""


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_a_fault_of_types_is_found(tmp_path: Path, surroundings: str) -> None:
    source = (
        'const answer: number = await fetch("http://127.0.0.1").then((found) => found.text());\nawait answer.toFixed();'
    )
    assert "Type 'string' is not assignable to type 'number'" in faults(tmp_path, {"planted": source}, surroundings)
