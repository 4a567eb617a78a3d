"""The table of an attack: adapters by kinds of lies, and what became of them."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from attack.judge import Outcome, Verdict
from attack.permits.campaign import COLUMNS as OF_PERMITS
from attack.scores.campaign import COLUMNS as OF_SCORES

COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "promise": ("promise",),
        "minimum": ("minimum",),
        "amounts": ("amount", "split"),
        "calls": ("call", "selector"),
        "fees": ("fee",),
        "largest": ("largest",),
        "addresses": ("address",),
        "tokens": ("token",),
        "shape": ("array", "tail", "flag"),
        "terms": ("time", "identity"),
        "spliced": ("splice", "refund"),
        "contracts": ("contract",),
        "together": ("together",),
    }
)
"""The kinds in each column."""
ON_SOLANA: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "instructions": ("svm:add", "svm:order", "svm:program"),
        "accounts": ("svm:account", "svm:friend", "svm:address"),
        "signers": ("svm:roles", "svm:header"),
        "data": ("svm:amount", "svm:bytes"),
        "fees": ("svm:fee",),
        "largest": ("svm:largest",),
        "tables": ("svm:table", "svm:chain"),
        "transactions": ("svm:whole", "svm:sealed"),
        "beforehand": ("svm:trap",),
        "costs": ("svm:budget", "svm:rent"),
        "choices": ("svm:chosen",),
        "numbers": ("svm:promise", "svm:number"),
        "spliced": ("svm:splice", "svm:refund"),
        "together": ("svm:together",),
    }
)
"""The same of what begins on Solana."""
_BEGIN, _END = "<!-- attack: begin -->\n", "<!-- attack: end -->\n"
_SHOWN = (Verdict.REFUSED, Verdict.OUTRANKED, Verdict.DELIVERED)
_BAD = (Verdict.LOST, Verdict.INFLATED)
_NAMES = MappingProxyType({"With permits": "lies", "On scorecards": "attacks"})
BEFORE = Path(__file__).with_name("before.json")
"""What the readers of commit 2e1e755 accepted: by adapter and kind, how many lies were told and how many accepted."""


def markdown(outcomes: Sequence[Outcome], seed: int) -> str:
    """Write the tables, with their sums and the earlier counts."""
    others = {"Beginning on Solana": ON_SOLANA, "With permits": OF_PERMITS, "On scorecards": OF_SCORES}
    plain = [outcome for outcome in outcomes if not any(_is_of(outcome, columns) for columns in others.values())]
    parts = [f"{_sums(plain, seed)}\n\n{_table(plain, COLUMNS)}"] if plain else []
    for name, columns in others.items():
        if found := [outcome for outcome in outcomes if _is_of(outcome, columns)]:
            words = f"{name}, seed {seed}: {len(found)} {_NAMES.get(name, 'altered answers')}: {_counted(found)}."
            parts.append(f"{words}\n\n{_table(found, columns)}")
    return "\n".join(parts)


def _is_of(outcome: Outcome, columns: Mapping[str, tuple[str, ...]]) -> bool:
    return any(outcome.lie.kind in kinds for kinds in columns.values())


def _table(outcomes: Sequence[Outcome], columns: Mapping[str, tuple[str, ...]]) -> str:
    rows = [["adapter", *columns, "all"]]
    for adapter in sorted({outcome.lie.adapter for outcome in outcomes}):
        own = [outcome for outcome in outcomes if outcome.lie.adapter == adapter]
        cells = [_cell(each for each in own if each.lie.kind in kinds) for kinds in columns.values()]
        rows.append([f"`{adapter}`", *cells, _cell(own)])
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]]) + "\n"


def _counted(outcomes: Sequence[Outcome]) -> str:
    counted = Counter(outcome.verdict for outcome in outcomes)
    beyond = sum(outcome.beyond > 0 for outcome in outcomes)
    verdicts = ", ".join(f"{counted[verdict]} {verdict}" for verdict in Verdict)
    return f"{verdicts}; leaves the wallet beyond what was stated: {beyond}"


def _cell(outcomes: Iterable[Outcome]) -> str:
    counted = Counter(outcome.verdict for outcome in outcomes)
    if not counted:
        return "–"
    kept = counted[Verdict.TOLD] + counted[Verdict.RETURNED]
    shown = [str(counted[verdict]) for verdict in _SHOWN]
    bad = sum(counted[verdict] for verdict in _BAD)
    return "·".join([*shown, str(kept)]) + (f" **{bad}!**" if bad else "")


def _sums(outcomes: Sequence[Outcome], seed: int) -> str:
    contested = sum(outcome.lie.rival for outcome in outcomes)
    unfilled = sum(outcome.lie.rival and outcome.verdict is Verdict.RETURNED for outcome in outcomes)
    tried, accepted = accepted_before()
    return (
        f"Seed {seed}: {len(outcomes)} altered answers, {contested} of them with an honest rival: "
        f"{_counted(outcomes)}. "
        f"Of those that nobody fills and that come back, {unfilled} won over the rival. "
        f"Of {tried} lies of an earlier count (EVM chains, all kinds but `largest`), told to the readers of commit "
        f"2e1e755, {accepted} were accepted."
    )


def accepted_before() -> tuple[int, int]:
    """Return how many lies were told to the earlier readers, and how many of them were accepted."""
    kept = json.loads(BEFORE.read_text("utf-8")) if BEFORE.is_file() else {}
    pairs = [pair for kinds in kept.values() for pair in kinds.values()]
    return sum(tried for tried, _ in pairs), sum(accepted for _, accepted in pairs)


def write_into(page: Path, table: str) -> None:
    """Put the table between the page's marks; ValueError where they are missing."""
    text = page.read_text("utf-8")
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{page.name}: the marks of the table are missing")
    page.write_text(f"{before}{begin}{table}{end}{after}", "utf-8")
