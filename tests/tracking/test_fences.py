"""Whatever follows a chain writes under its lease only: each of its transactions begins with the fence."""

import ast
from pathlib import Path

import pytest

TRACKING = Path(__file__).parents[2] / "src" / "rhumbline" / "tracking"
WITHOUT = {
    ("rescan.py", "rescan_evm"),  # these add what is missing, under the lock of whoever leads
    ("rescan.py", "run"),
    ("rescan.py", "_take"),
    ("issued_transactions.py", "keep"),  # before it is handed out, by whoever answers
    ("awaited.py", "_write"),  # by whoever hands out a transaction
    ("restored_store.py", "notice_restoration"),  # before a process begins, by the first that starts on the store
    ("first_steps.py", "count"),  # by whoever is asked for a step
    ("endpoints.py", "_change"),  # by an endpoint's owner
    ("status_worker.py", "_claim"),  # the claim itself
    ("status_worker.py", "_free"),  # of a process that is gone, or of this one
    ("status_writer.py", "claim"),  # an operator's, who takes it from whoever has it
    ("status_writer.py", "reconsider"),  # by an operator, of what nobody claims any more
    ("status_writer.py", "put_off"),  # these make sure of the claim
    ("status_writer.py", "settle"),
    ("status_writer.py", "note_deposit"),
    ("status_writer.py", "disown"),
}


def transactions() -> list[tuple[str, str, ast.AsyncWith]]:
    """Return each block that begins a transaction, with its file and function."""
    found = []
    for path in sorted(TRACKING.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.AsyncFunctionDef):
                blocks = (each for each in ast.walk(function) if isinstance(each, ast.AsyncWith))
                found += [(path.name, function.name, each) for each in blocks if "engine.begin()" in opened(each)]
    return found


def opened(block: ast.AsyncWith) -> str:
    return " ".join(ast.unparse(item.context_expr) for item in block.items)


@pytest.mark.parametrize(
    ("file", "function", "block"), transactions(), ids=[f"{file}:{function}" for file, function, _ in transactions()]
)
def test_a_write_makes_sure_first_that_it_may(file: str, function: str, block: ast.AsyncWith) -> None:
    first = ast.unparse(block.body[0])
    assert ("fence(connection)" in first) is ((file, function) not in WITHOUT)


def test_there_are_writes() -> None:
    assert len(transactions()) > 12
