"""Analyses the contracts with slither, and compares what it finds with contracts/analysis.toml.

    .venv/bin/python scripts/analyse.py

Exit 1 for a finding of low or higher impact that has no reason there, and for a reason without a finding.
"""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CONTRACTS = ROOT / "contracts"
REASONS = CONTRACTS / "analysis.toml"
WORK = ROOT / ".rhumbline" / "cache" / "analysis"
_IMPACTS = ("High", "Medium", "Low")


def findings(document: Mapping[str, Any]) -> set[str]:
    """Return slither's findings as ``check contract.function``; raise ValueError if it has none to give."""
    if not document.get("success"):
        raise ValueError(f"slither has failed: {document.get('error')}")
    found = set()
    for each in document["results"].get("detectors", []):
        if each["impact"] in _IMPACTS:
            element = each["elements"][0]
            within = element.get("type_specific_fields", {}).get("parent", {}).get("name", "")
            found.add(f"{each['check']} {within + '.' if within else ''}{element['name']}")
    return found


def reasons(text: str) -> dict[str, str]:
    """Return the reason for each finding; raise ValueError for one twice, or without a reason."""
    known: dict[str, str] = {}
    for group in tomllib.loads(text)["finding"]:
        for place in group["places"]:
            name = f"{group['check']} {place}"
            if name in known or not group["reason"].strip():
                raise ValueError(f"{REASONS.name}: {name} stands there twice, or without a reason")
            known[name] = group["reason"]
    return known


def verdict(found: set[str], known: Mapping[str, str]) -> list[str]:
    """Return what is wrong: findings without a reason, and reasons without a finding."""
    return [
        *(f"new: {each}" for each in sorted(found - set(known))),
        *(f"no longer found, take it out of contracts/{REASONS.name}: {each}" for each in sorted(set(known) - found)),
    ]


def _analysed() -> dict[str, Any]:
    """Compile the contracts without their tests, and give them to slither."""
    tools = subprocess.run(
        [ROOT / "scripts" / "security_tools"], capture_output=True, text=True, check=True
    ).stdout.strip()
    forge = ROOT / "node_modules" / "@foundry-rs" / "forge-linux-amd64" / "bin"
    out, cache, answer = WORK / "out", WORK / "cache", WORK / "answer.json"
    WORK.mkdir(parents=True, exist_ok=True)
    answer.unlink(missing_ok=True)
    own = {
        **os.environ,
        "PATH": f"{forge}:{os.environ['PATH']}",
        "FOUNDRY_OUT": str(out),
        "FOUNDRY_CACHE_PATH": str(cache),
    }
    build = ["forge", "build", "--build-info", "--force", "--skip", "test/**"]
    subprocess.run(build, cwd=CONTRACTS, env=own, check=True, stdout=subprocess.DEVNULL)
    words = [f"{tools}/slither", ".", "--ignore-compile", "--foundry-out-directory", str(out), "--json", str(answer)]
    done = subprocess.run(words, cwd=CONTRACTS, env=own, capture_output=True, text=True, check=False)
    if not answer.is_file():
        raise ValueError(f"slither has failed: {done.stderr[-500:]}")
    document: dict[str, Any] = json.loads(answer.read_text("utf-8"))
    return document


def main() -> None:
    known = reasons(REASONS.read_text("utf-8"))
    found = findings(_analysed())
    wrong = verdict(found, known)
    print("\n".join(wrong or [f"{len(found)} findings, each with its reason in contracts/{REASONS.name}"]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
