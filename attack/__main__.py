"""`make attack`: lie to the service in every upstream's name, execute its answers, and check what arrives.

Two processes share the adapters, each with its own chains. Exit status 1 if anything was lost, won by an inflated
promise, or an honest answer failed; 2 for an unknown name.
"""

import argparse
import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any

import structlog

from attack.abis import ROOT
from attack.asks import FROM_SOLANA, ON_SOLANA_ALONE
from attack.campaign import Campaign, Report
from attack.judge import Outcome, Verdict
from attack.lies import Lie
from attack.outputs import attack_outputs
from attack.permits.campaign import PREFIX as OF_PERMITS
from attack.permits.campaign import PermitCampaign
from attack.plan import DEFAULT_SEED, LIES
from attack.scores.board import open_board
from attack.scores.campaign import PREFIX as OF_SCORES
from attack.scores.campaign import ScoreCampaign
from attack.service import open_service
from attack.svm.campaign import SvmCampaign
from attack.svm.lies import KINDS, PREFIX
from attack.table import BEFORE, markdown, write_into
from rhumbline.app.registry import SPECS

KEYS = tuple(sorted(spec.key for spec in SPECS))
_PROCESSES = 2
_PAGE = ROOT / "docs" / "attack.md"
_LONGEST_LINE = 1 << 26
_LONGEST_S = 3600.0


@dataclass(frozen=True)
class _Campaigns:
    """The parts of the attack."""

    evm: Campaign
    solana: SvmCampaign
    permits: PermitCampaign
    scores: ScoreCampaign

    async def tell(self, lie: Lie) -> Outcome:
        if lie.kind.startswith(PREFIX):
            return await self.solana.tell(lie)
        if lie.kind.startswith(OF_PERMITS):
            return await self.permits.tell(lie)
        return await (self.scores if lie.kind.startswith(OF_SCORES) else self.evm).tell(lie)


@asynccontextmanager
async def _opened(arguments: argparse.Namespace) -> AsyncIterator[_Campaigns]:
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(open_service())
        board = await stack.enter_async_context(open_board())
        campaign = Campaign(service, arguments.seed, arguments.lies)
        kinds = (arguments.kind,) if arguments.kind else KINDS
        yield _Campaigns(
            campaign,
            SvmCampaign(service, arguments.seed, arguments.lies, kinds=kinds),
            PermitCampaign(campaign),
            ScoreCampaign(campaign, board),
        )


async def _work(arguments: argparse.Namespace) -> None:
    """Attack some adapters; one line of JSON each."""
    async with _opened(arguments) as campaigns:
        if arguments.lie:
            outcome = await campaigns.tell(_lie(arguments.lie))
            print(f"{outcome.lie} {campaign_words(outcome)}")
            return
        for key in arguments.only:
            if arguments.readers:
                print(json.dumps({"key": key, "accepted": await campaigns.evm.accepted(key)}), flush=True)
                continue
            report = Report()
            if arguments.outputs:
                await attack_outputs(campaigns.evm, key, report)
            else:
                await _attack(campaigns, key, report, arguments)
            print(json.dumps({"key": key, **asdict(report)}), flush=True)


async def _attack(campaigns: _Campaigns, key: str, report: Report, arguments: argparse.Namespace) -> None:
    """Attack one adapter by all parts, or by those that are named."""
    named = arguments.solana or arguments.permits or arguments.scores
    if key in FROM_SOLANA and (arguments.solana or not named):
        await campaigns.solana.attack(key, report)
    if key in ON_SOLANA_ALONE:
        return
    if not named:
        await campaigns.evm.attack(key, report)
    if arguments.permits or not named:
        await campaigns.permits.attack(key, report)
    if arguments.scores or not named:
        await campaigns.scores.attack(key, report)


def _is_asked(key: str, arguments: argparse.Namespace) -> bool:
    """Return whether an adapter is attacked; the earlier readers knew EVM chains only."""
    if arguments.solana:
        return key in FROM_SOLANA
    evm_only = arguments.readers or arguments.outputs or arguments.permits or arguments.scores
    return not (evm_only and key in ON_SOLANA_ALONE)


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
    more = [f"--{name}" for name in ("readers", "solana", "outputs", "permits", "scores") if getattr(arguments, name)]
    counts = ["--seed", str(arguments.seed), "--lies", str(arguments.lies)]
    counts += ["--kind", arguments.kind] if arguments.kind else []
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
    parser.add_argument("--permits", action="store_true", help="only lies about permits")
    parser.add_argument("--scores", action="store_true", help="only lies told to scorecards")
    parser.add_argument("--kind", choices=KINDS, help="only lies of this kind, of what begins on Solana")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/attack.md, or what was accepted")
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
