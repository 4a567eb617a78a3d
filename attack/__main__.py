"""`make attack`: lie to the service in every upstream's name, execute its answers, and check what arrives.

Two processes share the adapters, each with its own chains. Exit status 1 if anything was lost, won by an inflated
promise, or an honest answer failed; 2 for an unknown name.
"""

import argparse
import asyncio
import json
import logging
import sys
from dataclasses import asdict
from typing import Any

import structlog

from attack.abis import ROOT
from attack.asks import FROM_SOLANA, ON_SOLANA_ALONE
from attack.campaign import Campaign, Report
from attack.judge import Outcome, Verdict
from attack.lies import Lie
from attack.outputs import attack_outputs
from attack.plan import DEFAULT_SEED, LIES
from attack.service import open_service
from attack.svm.campaign import SvmCampaign
from attack.svm.lies import PREFIX
from attack.table import BEFORE, markdown, write_into
from rhumbline.app.registry import SPECS

KEYS = tuple(sorted(spec.key for spec in SPECS))
_PROCESSES = 2
_PAGE = ROOT / "docs" / "security.md"
_LONGEST_LINE = 1 << 26
_LONGEST_S = 3600.0


async def _work(arguments: argparse.Namespace) -> None:
    """Attack some adapters; one line of JSON each."""
    async with open_service() as service:
        campaign = Campaign(service, arguments.seed, arguments.lies)
        on_solana = SvmCampaign(service, arguments.seed, arguments.lies)
        if arguments.lie:
            lie = _lie(arguments.lie)
            outcome = await (on_solana.tell(lie) if lie.kind.startswith(PREFIX) else campaign.tell(lie))
            print(f"{outcome.lie} {campaign_words(outcome)}")
            return
        for key in arguments.only:
            if arguments.readers:
                print(json.dumps({"key": key, "accepted": await campaign.accepted(key)}), flush=True)
                continue
            report = Report()
            if arguments.outputs:
                await attack_outputs(campaign, key, report)
                print(json.dumps({"key": key, **asdict(report)}), flush=True)
                continue
            if key in FROM_SOLANA:
                await on_solana.attack(key, report)
            if key not in ON_SOLANA_ALONE and not arguments.solana:
                await campaign.attack(key, report)
            print(json.dumps({"key": key, **asdict(report)}), flush=True)


def _is_asked(key: str, arguments: argparse.Namespace) -> bool:
    """Return whether an adapter is attacked; the earlier readers knew EVM chains only."""
    if arguments.solana:
        return key in FROM_SOLANA
    return not ((arguments.readers or arguments.outputs) and key in ON_SOLANA_ALONE)


def campaign_words(outcome: Outcome) -> str:
    """What became of a lie, in words."""
    sums = f"{outcome.missing / 100:.2f} USD missing, {outcome.beyond / 100:.2f} unstated"
    return f"{outcome.verdict.upper()} {sums}; {outcome.why}"


def _lie(name: str) -> Lie:
    adapter, ask, kind, seed, *rival = name.split("/")
    return Lie(adapter, int(ask), kind, int(seed), bool(rival))


async def _shared(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Let processes attack the adapters; what they printed."""
    keys = arguments.only
    parts = [part for part in (keys[place::_PROCESSES] for place in range(_PROCESSES)) if part]
    found = await asyncio.gather(*(_process(part, arguments) for part in parts))
    return [line for lines in found for line in lines]


async def _process(keys: list[str], arguments: argparse.Namespace) -> list[dict[str, Any]]:
    more = [f"--{name}" for name in ("readers", "solana", "outputs") if getattr(arguments, name)]
    counts = ["--seed", str(arguments.seed), "--lies", str(arguments.lies)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "attack", "--work", *more, *counts,
        *keys, stdout=asyncio.subprocess.PIPE, limit=_LONGEST_LINE, cwd=ROOT,
    )  # fmt: skip
    try:
        async with asyncio.timeout(_LONGEST_S):
            out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.terminate()
    if process.returncode:
        raise SystemExit(f"the attack on {', '.join(keys)} broke off")
    return [json.loads(line) for line in out.decode().splitlines()]


def _report(found: list[dict[str, Any]], arguments: argparse.Namespace) -> int:
    """Print the results; return the exit status."""
    outcomes = [
        Outcome(Lie(**each["lie"]), Verdict(each["verdict"]), each["missing"], each["why"], each["beyond"])
        for line in found
        for each in line["outcomes"]
    ]
    table = markdown(outcomes, arguments.seed)
    print(table)
    bad = [each for each in outcomes if each.verdict in (Verdict.LOST, Verdict.INFLATED) or each.beyond]
    unsound = [word for line in found for word in line["unsound"]]
    for outcome in sorted(bad, key=lambda each: -each.missing):
        print(f"{outcome.lie} {campaign_words(outcome)}")
    for word in unsound:
        print(f"without a lie: {word}")
    if arguments.write:
        write_into(_PAGE, table)
    return 1 if bad or unsound else 0


def main() -> int:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(prog="python -m attack", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="KEY", help="adapters to attack; all when none is given")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="which lies; the same ones for the same seed")
    parser.add_argument("--lies", type=int, default=LIES, help="how many an adapter")
    parser.add_argument("--lie", help="tell one lie alone, by the name that a report gives it")
    parser.add_argument("--readers", action="store_true", help="only count which lies the adapters' readers accept")
    parser.add_argument("--solana", action="store_true", help="only what begins on Solana")
    parser.add_argument("--outputs", action="store_true", help="lie while outputs are asked for, on EVM chains")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/security.md, or what was accepted")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if unknown := set(arguments.only) - set(KEYS):
        print(f"no such adapter: {', '.join(sorted(unknown))}; there are: {', '.join(KEYS)}", file=sys.stderr)
        return 2
    arguments.only = arguments.only or [key for key in KEYS if _is_asked(key, arguments)]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    if arguments.work or arguments.lie:
        asyncio.run(_work(arguments))
        return 0
    found = asyncio.run(_shared(arguments))
    if not arguments.readers:
        return _report(found, arguments)
    kept = {line["key"]: line["accepted"] for line in sorted(found, key=lambda line: str(line["key"]))}
    text = json.dumps(kept, indent=1, sort_keys=True) + "\n"
    print(text)
    if arguments.write:
        BEFORE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
