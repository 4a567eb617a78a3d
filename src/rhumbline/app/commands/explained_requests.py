"""Shows kept requests to people."""

from rhumbline.app.console import output, show_table
from rhumbline.domain.escaped_text import escaped
from rhumbline.domain.trail import AskedNote, KeptTrail, TrailPart
from rhumbline.routing.explained_trail import AdapterExplanation, amount_text, explained

_COLUMNS = ("adapter", "verdict", "output", "worth USD", "costs USD", "run", "ms quote+build", "why")


def summary(trail: KeptTrail) -> tuple[str, ...]:
    """Return a request's row: time, ID, endpoint, what was asked, status, answer."""
    return (
        trail.at.isoformat(timespec="milliseconds"),
        trail.request_id,
        trail.endpoint,
        _pair(trail),
        _status(trail),
        escaped(_answer(trail)),
    )


def show_trail(trail: KeptTrail, who: str | None = None) -> None:
    """Print a request, its answer, and a table of adapters for each pair of tokens."""
    asked, body = trail.body.asked, trail.body
    rows = [
        ("request", trail.request_id),
        ("time", trail.at.isoformat(timespec="milliseconds")),
        *([] if who is None else [("who", escaped(who))]),
        ("endpoint", trail.endpoint),
        ("asked", _pair(trail)),
        *([] if asked is None else _terms(asked)),
        ("status", f"{_status(trail)} after {trail.ms} ms"),
        *([("message", escaped(body.message))] if body.message else []),
        *(("answer", escaped(_answer_text(trail, number))) for number in range(len(body.answers))),
        *([("transaction ID", trail.transaction_id)] if trail.transaction_id else []),
    ]
    show_table(rows)
    for part in body.parts:
        output().print()
        if len(body.parts) > 1:
            output().print(f"{amount_text(part.amount, part.origin)} to {part.destination.symbol}:")
        show_table([_row(each, part) for each in explained(part)], _COLUMNS)
    if not body.parts:
        output().print("\nIt ended before adapters were asked, or before all had been compared.")


def _row(found: AdapterExplanation, part: TrailPart) -> tuple[str, ...]:
    tried = found.tried
    spent = [each for each in (found.quote_ms, found.build_ms) if each is not None]
    return (
        found.adapter,
        found.verdict.value,
        "" if found.offer is None else escaped(amount_text(found.offer.output, part.destination)),
        "" if found.worth_usd is None else f"{found.worth_usd:.6f}",
        "" if found.cost_usd is None else f"{found.cost_usd:.6f}",
        "" if tried is None or tried.simulated is None else tried.simulated,
        "+".join(map(str, spent)),
        escaped(found.why if found.kind is None else f"{found.kind}: {found.why}"),
    )


def _pair(trail: KeptTrail) -> str:
    asked, parts = trail.body.asked, trail.body.parts
    if parts and asked is not None:
        first = parts[0]
        chains = f"{asked.origin_chain_id} to {asked.destination_chain_id}"
        return escaped(f"{amount_text(first.amount, first.origin)} to {first.destination.symbol}, chain {chains}")
    if asked is None:
        return "(not understood)"
    return (
        f"{asked.amount} of {asked.origin_token} to {asked.destination_token}, "
        f"chain {asked.origin_chain_id} to {asked.destination_chain_id}"
    )


def _terms(asked: AskedNote) -> list[tuple[str, str]]:
    slippage = "auto" if asked.auto_slippage else asked.slippage or "the default"
    terms = f"order {asked.order}, slippage {slippage}" + (f", fee {asked.fee}" if asked.fee else "")
    filters = {
        "only exchanges": asked.include_exchanges,
        "only bridges": asked.include_bridges,
        "without exchanges": asked.exclude_exchanges or None,
        "without bridges": asked.exclude_bridges or None,
    }
    chosen = [f"{name} {', '.join(keys)}" for name, keys in filters.items() if keys is not None]
    return [("terms", terms), *([("filters", escaped("; ".join(chosen)))] if chosen else [])]


def _status(trail: KeptTrail) -> str:
    if not trail.status:
        return "no answer: the client left"
    return f"{trail.status} {trail.code}".strip()


def _answer(trail: KeptTrail) -> str:
    return ", ".join(" → ".join(each.adapters) for each in trail.body.answers[:3]) or trail.body.message


def _answer_text(trail: KeptTrail, number: int) -> str:
    answer = trail.body.answers[number]
    adapters = " → ".join(answer.adapters)
    if not trail.body.parts:
        return adapters
    token = trail.body.parts[0].destination
    return f"{adapters}: {amount_text(answer.output, token)}, at least {amount_text(answer.minimum, token)}"
