"""Asks for known vulnerabilities of every locked package, Python's and npm's.

    .venv/bin/python scripts/audit.py

Exit 0 if all were asked for and none has one, 1 if there is one that scripts/audit.toml gives no reason for, 3 if there
is none, but not all could be asked for. A registry without advisories, or no network, is never taken for good news.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
REASONS = ROOT / "scripts" / "audit.toml"
_SERVICES = ("pypi", "osv")
_LONGEST_S = 300.0
_PASSED_OVER = frozenset({"node_modules", ".venv", ".rhumbline", ".git"})


@dataclass
class Audit:
    """What was found in one lock file: vulnerabilities by package, and what could not be asked for."""

    file: str
    packages: int = 0
    found: list[tuple[str, str]] = field(default_factory=list)
    unasked: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Reason:
    """Why a vulnerability does not matter here, until a day."""

    id: str
    package: str
    reason: str
    until: date


def lock_files() -> tuple[list[Path], list[Path]]:
    """Return the lock files of Python and of npm."""
    own = [
        path
        for pattern in ("requirements*.lock", "package-lock.json")
        for path in sorted(ROOT.rglob(pattern))
        if not _PASSED_OVER & set(path.relative_to(ROOT).parts)
    ]
    return [path for path in own if path.suffix == ".lock"], [path for path in own if path.suffix == ".json"]


def reasons(text: str) -> list[Reason]:
    """Read scripts/audit.toml; raise ValueError for an entry without id, package, reason and until."""
    found = []
    for entry in tomllib.loads(text).get("ignored", []):
        try:
            one = Reason(entry["id"], entry["package"], entry["reason"], entry["until"])
        except KeyError as missing:
            raise ValueError(f"audit.toml: an entry has no {missing.args[0]}: {entry}") from None
        if not one.reason.strip() or type(one.until) is not date:
            raise ValueError(f"audit.toml: {one.id} needs a reason in words, and a day for until")
        found.append(one)
    return found


def of_pip_audit(file: str, answers: Sequence[str]) -> Audit:
    """Read pip-audit's answers, of one service each: what one could not tell another may; "" is no answer."""
    audit, told = Audit(file), dict[str, list[str]]()
    unasked: dict[str, str] = {}
    for answer in answers:
        try:
            document = json.loads(answer)
        except ValueError:
            continue
        for each in document["dependencies"]:
            if "skip_reason" in each:
                unasked[each["name"]] = each["skip_reason"]
            else:
                told.setdefault(each["name"], []).extend(one["id"] for one in each["vulns"])
    audit.packages = len(told)
    audit.found = [(name, one) for name, ids in sorted(told.items()) for one in sorted(set(ids))]
    audit.unasked = sorted(name for name in unasked if name not in told)
    if not told and not unasked:
        audit.unasked = ["all of them: no service answered"]
    return audit


def of_npm(file: str, answer: str) -> Audit:
    """Read the answer of ``npm audit --json``."""
    audit = Audit(file)
    try:
        document: Any = json.loads(answer)
    except ValueError:
        document = {}
    if not isinstance(document, dict) or "vulnerabilities" not in document:
        why = document.get("message") if isinstance(document, dict) else None
        audit.unasked = [f"all of them: {str(why or 'no answer').split(' - ', maxsplit=1)[0]}"]
        return audit
    audit.packages = document.get("metadata", {}).get("dependencies", {}).get("total", 0)
    for name, each in document["vulnerabilities"].items():
        # A text names the package through which it comes; that one is listed by itself.
        audit.found += [(name, _advisory(via)) for via in each["via"] if isinstance(via, dict)]
    return audit


def _advisory(via: Mapping[str, Any]) -> str:
    return str(via.get("url", via.get("source", "?"))).rpartition("/")[2]


def verdict(audits: Sequence[Audit], ignored: Sequence[Reason], today: date) -> tuple[list[str], int]:
    """Return what is to be said, and the exit status."""
    known = {(each.id, each.package): each for each in ignored}
    lines, open_ones, unasked = [], 0, 0
    for audit in audits:
        lines.append(f"{audit.file}: {audit.packages} packages asked for")
        for name, one in audit.found:
            reason = known.get((one, name))
            if reason is not None and today <= reason.until:
                lines.append(f"  {name}: {one}, ignored until {reason.until}: {reason.reason}")
                continue
            open_ones += 1
            late = f" (its reason has ended on {reason.until})" if reason is not None else ""
            lines.append(f"  {name}: {one}{late}")
        if audit.unasked:
            unasked += 1
            shown = ", ".join(audit.unasked[:5]) + (
                f" and {len(audit.unasked) - 5} more" if len(audit.unasked) > 5 else ""
            )
            lines.append(f"  NOT CHECKED: {shown}")
    if open_ones:
        lines.append(
            f"{open_ones} vulnerabilities: upgrade, or say in scripts/audit.toml why they do not matter, and until when"
        )
    if unasked:
        lines.append(
            f"{unasked} of {len(audits)} lock files were not checked, or in part only: "
            "ask again where advisories are answered"
        )
    return lines, 1 if open_ones else 3 if unasked else 0


def _ran(words: Sequence[str], folder: Path) -> str:
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=_LONGEST_S)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def main() -> None:
    tools = subprocess.run(
        [ROOT / "scripts" / "security_tools"], capture_output=True, text=True, check=True
    ).stdout.strip()
    python, npm = lock_files()
    audits = []
    for file in python:
        words = [
            f"{tools}/pip-audit",
            "--disable-pip",
            "--require-hashes",
            "--format",
            "json",
            "--progress-spinner",
            "off",
        ]
        answers = [_ran([*words, "--vulnerability-service", service, "-r", str(file)], ROOT) for service in _SERVICES]
        audits.append(of_pip_audit(file.relative_to(ROOT).as_posix(), answers))
    for file in npm:
        answer = _ran(["npm", "audit", "--json", "--package-lock-only"], file.parent)
        audits.append(of_npm(file.relative_to(ROOT).as_posix(), answer))
    lines, status = verdict(audits, reasons(REASONS.read_text("utf-8")), date.today())
    print("\n".join(lines))
    sys.exit(status)


if __name__ == "__main__":
    main()
