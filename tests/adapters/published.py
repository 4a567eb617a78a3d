"""Answers that others published: kept in ``published.json`` beside the adapter's tests, with source and date."""

import json
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any


def published(folder: Path, *patterns: str, read: Callable[[bytes], Any] = json.loads) -> dict[str, Any]:
    """The answers whose names fit a pattern, by name; every pattern is there to find something."""
    document = read((folder / "published.json").read_bytes())
    assert all(group["source"] for group in document["groups"])
    answers = {name: answer for group in document["groups"] for name, answer in group["answers"].items()}
    found: dict[str, Any] = {}
    for pattern in patterns:
        fitting = {name: answer for name, answer in answers.items() if fnmatchcase(name, pattern)}
        assert fitting, f"nothing published is called {pattern}"
        found |= fitting
    return found
