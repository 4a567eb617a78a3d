"""What a run found, as the tables of docs/capacity.md."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "capacity.md"
BEGIN, END = "<!-- written by make load: begin -->", "<!-- written by make load: end -->"
_BUSY = 0.5
_NAMES = {
    "quotes-evm": "a swap on an EVM chain",
    "quotes-solana": "a swap on Solana",
    "quotes-across": "a transfer between chains",
    "reads": "prices, tokens, chains, records",
}
_FIGURES = {"rss_mb": "memory (RSS), MB", "pss_mb": "memory (PSS), MB", "files": "open files"}


def tables(results: Mapping[str, Any]) -> str:
    """Write the parts that ``results`` has, each with its date and machine."""
    parts = (("costs", _costs), ("curves", _curves), ("steady", _steady), ("sizes", _sizes))
    return "\n\n".join("\n".join(write(results[name])) for name, write in parts if name in results)


def write(text: str, page: Path = PAGE) -> None:
    """Put the tables between the page's markers; raise ValueError where it has none."""
    before, begin, rest = page.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page.name} has no place for the tables: put back the lines {BEGIN!r} and {END!r}")
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


def _measured(part: Mapping[str, Any]) -> str:
    load = part["load_average"]
    busy = "" if load < _BUSY else f", beside other work (load average {load:.1f})"
    return f"Measured on {part['date']} on {part['machine']}{busy}."


def _costs(part: Mapping[str, Any]) -> Iterator[str]:
    yield f"### What a quote costs\n\n{_measured(part)}\n"
    yield "| what is asked for | CPU of the service, cold | time | CPU, warm | time | answers a second of one core |"
    yield "|---|---|---|---|---|---|"
    found = {(each["kind"], each["warm"]): each for each in part["costs"]}
    for kind in dict.fromkeys(each["kind"] for each in part["costs"]):
        both = [found.get((kind, warm)) for warm in (False, True)]
        used = " | ".join(f"{each['cpu_ms']:.1f} ms | {each['median_ms']:.0f} ms" if each else "|" for each in both)
        names = zip(("cold", "warm"), both, strict=True)
        served = ", ".join(f"{1000 / each['cpu_ms']:.0f} {name}" for name, each in names if each)
        yield f"| {_NAMES[kind]} | {used} | {served} |"


def _sizes(part: Mapping[str, Any]) -> Iterator[str]:
    records, issued = (part[name] * 1e6 / 2**30 for name in ("record_bytes", "issued_bytes"))
    yield (
        f"### What the store needs\n\n{_measured(part)}\n\nA million records, with their keys, events and indexes: "
        f"{records:.2f} GiB (from {part['records']:,}). A million issued transactions that wait to be seen: "
        f"{issued:.2f} GiB (from {part['issued']:,})."
    )


def _curves(part: Mapping[str, Any]) -> Iterator[str]:
    yield f"### From light load to beyond saturation\n\n{_measured(part)}"
    for count, steps in part["steps"].items():
        most = max(steps, key=lambda step: step["good"])
        yield (
            f"\n**{_processes(int(count))}**: saturated at {most['good']:.0f} good answers a second, "
            f"{_per_core(most):.0f} for each core that the service used.\n"
        )
        yield (
            "| asked a second | good | refused | late, 502, failed | quotes, p50 and p99 | reads, p50 and p99 "
            "| cores: service | store, Valkey | nodes, upstreams | generator | good a core |"
        )
        yield "|---|---|---|---|---|---|---|---|---|---|---|"
        for step in steps:
            cpu, times = step["cpu"], " | ".join(_times(step[what]) for what in ("quotes_ms", "reads_ms"))
            around = "store", "valkey", "nodes", "upstreams"
            store, valkey, nodes, upstreams = (f"{cpu[who]:.2f}" for who in around)
            yield (
                f"| {step['offered']:.0f} | {step['good']:.1f} | {step['refused']:.1f} "
                f"| {step['late']:.1f}, {step['unanswered']:.1f}, {step['failed']:.1f} | {times} "
                f"| {cpu['service']:.2f} | {store}, {valkey} | {nodes}, {upstreams} | {cpu['generator']:.2f} "
                f"| {_per_core(step):.0f} |"
            )


def _steady(part: Mapping[str, Any]) -> Iterator[str]:
    step, grown = part["step"], part["grown"]
    yield (
        f"### {part['seconds'] / 60:g} minutes at 80 % of saturation\n\n{_measured(part)}\n\n"
        f"{_processes(len(grown))}, {step['offered']:.0f} requests a second: {step['good']:.1f} well answered, "
        f"{step['refused']:.1f} refused, {step['late']:.1f} late, {step['unanswered']:.1f} without an upstream's "
        f"answer (502), {step['failed']:.1f} failed. The streams were told "
        f"{part['events']:,} events, and {part['broken']} of them ended. The log had {part['errors']} errors.\n"
    )
    yield "| of each process | idle, after the start | a third into it | at the end | growth a minute | bound |"
    yield "|---|---|---|---|---|---|"
    for number, name in enumerate(each["name"] for each in grown[0]):
        idle = [figures.get(name, 0.0) for figures in part["idle"]]
        yield _growth(_FIGURES.get(name, name), idle, [each[number] for each in grown])
    yield _growth("processes of PostgreSQL, of all", [], [part["store"]])


def _growth(name: str, idle: Sequence[float], grown: Sequence[Mapping[str, Any]]) -> str:
    first, last = ([each[at] for each in grown] for at in ("first", "last"))
    slopes = ", ".join(f"{each['slope']:+.2f}" for each in grown)
    return f"| {name} | {_listed(idle)} | {_listed(first)} | {_listed(last)} | {slopes} | {grown[0]['bound']:g} |"


def _processes(count: int) -> str:
    return "1 process" if count == 1 else f"{count} processes"


def _per_core(step: Mapping[str, Any]) -> float:
    return float(step["good"] / step["cpu"]["service"]) if step["cpu"]["service"] else 0.0


def _times(pair: Sequence[float]) -> str:
    return f"{pair[0]:.0f}, {pair[1]:.0f} ms"


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.0f}" for value in values)
