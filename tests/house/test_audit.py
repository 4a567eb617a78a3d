"""What `make audit` and `make analyse` say of answers: findings, reasons, and what could not be asked for."""

import json
from datetime import date
from typing import Any

import pytest

from scripts.analyse import REASONS as TRIAGE
from scripts.analyse import findings
from scripts.analyse import reasons as triaged
from scripts.analyse import verdict as judged
from scripts.audit import REASONS, Audit, lock_files, of_npm, of_pip_audit, reasons, verdict

TODAY = date(2026, 11, 28)
CLEAN = {"name": "yarl", "version": "1.20", "vulns": []}
BAD = {"name": "aiohttp", "version": "3.0", "vulns": [{"id": "PYSEC-1"}, {"id": "GHSA-2"}]}
SKIPPED = {"name": "uvloop", "skip_reason": "not found on the index"}


def answer(*packages: object) -> str:
    return json.dumps({"dependencies": packages})


def test_what_was_not_answered_is_not_sound() -> None:
    lines, status = verdict([of_pip_audit("a.lock", ["", "no JSON"])], (), TODAY)
    assert (status, "NOT CHECKED: all of them" in lines[1]) == (3, True)
    partly = of_pip_audit("a.lock", [answer(CLEAN, SKIPPED), ""])
    assert (partly.packages, partly.unasked, verdict([partly], (), TODAY)[1]) == (1, ["uvloop"], 3)
    told_elsewhere = of_pip_audit("a.lock", [answer(CLEAN, SKIPPED), answer({**SKIPPED, "vulns": []} | CLEAN)])
    assert told_elsewhere.unasked == ["uvloop"]
    assert verdict([of_pip_audit("a.lock", [answer(CLEAN)])], (), TODAY)[1] == 0
    assert verdict([of_npm("package-lock.json", '{"message": "405 Method Not Allowed - POST x"}')], (), TODAY) == (
        [
            "package-lock.json: 0 packages asked for",
            "  NOT CHECKED: all of them: 405 Method Not Allowed",
            "1 of 1 lock files were not checked, or in part only: ask again where advisories are answered",
        ],
        3,
    )


def test_a_finding_counts_more_than_what_was_not_asked() -> None:
    audits = [of_pip_audit("a.lock", [answer(BAD), ""]), Audit("b.lock", unasked=["all of them"])]
    assert audits[0].found == [("aiohttp", "GHSA-2"), ("aiohttp", "PYSEC-1")]
    assert verdict(audits, (), TODAY)[1] == 1


def test_a_reason_holds_until_its_day() -> None:
    text = '[[ignored]]\nid = "PYSEC-1"\npackage = "aiohttp"\nreason = "not reached"\nuntil = 2026-11-28\n'
    ignored = reasons(text + text.replace("PYSEC-1", "GHSA-2"))
    audit = of_pip_audit("a.lock", [answer(BAD)])
    assert verdict([audit], ignored, TODAY)[1] == 0
    lines, status = verdict([audit], ignored, date(2026, 11, 29))
    assert (status, "its reason has ended" in lines[1]) == (1, True)
    with pytest.raises(ValueError, match="no until"):
        reasons('[[ignored]]\nid = "a"\npackage = "b"\nreason = "c"\n')
    with pytest.raises(ValueError, match="a reason in words"):
        reasons('[[ignored]]\nid = "a"\npackage = "b"\nreason = " "\nuntil = 2026-11-28\n')
    reasons(REASONS.read_text("utf-8"))


def test_npm_names_a_package_once() -> None:
    via = [{"url": "https://github.com/advisories/GHSA-3", "source": 1}, "other"]
    found = of_npm("x", json.dumps({"vulnerabilities": {"a": {"via": via}, "b": {"via": ["a"]}}, "metadata": {}}))
    assert found.found == [("a", "GHSA-3")]


def test_every_lock_file_is_asked_for() -> None:
    python, npm = lock_files()
    assert {"requirements.lock", "requirements-service.lock"} <= {path.name for path in python}
    assert [path.name for path in npm] == ["package-lock.json"] * len(npm)
    assert not [path for path in npm if "node_modules" in path.parts]


def slither(check: str, impact: str, name: str, parent: str = "") -> dict[str, Any]:
    fields = {"type_specific_fields": {"parent": {"name": parent}}} if parent else {}
    return {"check": check, "impact": impact, "elements": [{"name": name, **fields}]}


def test_a_new_finding_and_a_stale_reason_are_told() -> None:
    answered = [slither("a", "Low", "f", "C"), slither("b", "Informational", "g", "C"), slither("c", "High", "D")]
    found = findings({"success": True, "results": {"detectors": answered}})
    assert found == {"a C.f", "c D"}
    assert judged(found, {"a C.f": "x", "c D": "y"}) == []
    assert judged(found, {"a C.f": "x", "z": "y"}) == [
        "new: c D",
        "no longer found, take it out of contracts/analysis.toml: z",
    ]
    with pytest.raises(ValueError, match="has failed"):
        findings({"success": False, "error": "no compiler"})
    with pytest.raises(ValueError, match="twice"):
        triaged('[[finding]]\ncheck = "a"\nplaces = ["b", "b"]\nreason = "c"\n')
    assert triaged(TRIAGE.read_text("utf-8"))
