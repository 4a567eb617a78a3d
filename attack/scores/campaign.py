"""The attack on scorecards: whoever asks, sends or lies, an adapter that brings what it quotes loses nothing by it."""

import random
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from eth_utils.crypto import keccak

from attack.campaign import Campaign, Report, evm_address
from attack.judge import Contest, Outcome, Verdict
from attack.lies import Lie
from attack.purse import Pair
from attack.scene import Scene
from attack.scores.board import MOST, Board, Trade
from attack.scores.forged import copied_ids
from rhumbline.accounts.score_tally import MOST_OF_CALLER, ScoreTally
from rhumbline.domain.account import ApiClient
from rhumbline.domain.errors import RhumblineError
from rhumbline.domain.scorecard import AdapterPair, Promise
from rhumbline.domain.tracking import StatusSource
from rhumbline.gateways.evm.signatures import Account
from rhumbline.tracking.scorecards.executions import LEAST_CENTS, WEIGHED_WITHIN
from tests.adapters.conformance.case import Ask

PREFIX = "score:"
ASKS = (
    Ask("sbxa", "sbxa", "USDC", "WETH", 250 * 10**6),
    Ask("sbxa", "sbxb", "USDC", "USDC", 250 * 10**6),
    Ask("sbxb", "sbxb", "USDT", "WETH", 250 * 10**6),
    Ask("sbxb", "sbxa", "USDC", "WETH", 250 * 10**6),
    Ask("sbxa", "sbxb", "ETH", "USDC", 10**17),
)
"""Questions whose transactions count in the ranking: each pays its sender with a token."""
_THOUSAND = 1_000
_MANY, _FEW, _STRANGERS = 40, 15, 3
_WHALE = 5_000_00
_BPS = 10_000


@dataclass(frozen=True)
class Victim:
    """An adapter that brings what it quotes, with the question by which it is attacked, and what it was quoted with.

    ``first`` is whose answer is the best while nobody lies.
    """

    board: Board
    scene: Scene
    contest: Contest
    first: str
    promise: Promise

    @property
    def pair(self) -> AdapterPair:
        return self.promise.pair

    def trades(self, number: int, short: Fraction, cents: int = 500_00, **changes: Any) -> list[Trade]:
        """Return transactions of so many senders, each of 500 USD, that bring less by a share of what was quoted."""
        promise = replace(self.promise, value_cents=cents)
        brought = int(promise.output * (1 - short))
        senders = (evm_address(f"{self.scene.key} {cents} {changes} {place}") for place in range(number))
        return [Trade(sender, promise, brought, **changes) for sender in senders]


async def _quotes(victim: Victim, rng: random.Random) -> str:
    """One caller asks a thousand times, of all processes in turn."""
    client = ApiClient(requester=f"address:198.51.100.{rng.randrange(250)}")
    tally = ScoreTally(victim.board.writers[0].clock)
    await _ask(victim, tally, client)
    asked = [request for requests in tally.take().requests.values() for request in requests]
    for number in range(_THOUSAND):
        for request in asked:
            victim.board.writers[number % len(victim.board.writers)].tally.add(*request)
        if number % 333 == 0:
            await victim.board.written()
    await victim.board.written()
    counted = await victim.board.asked(victim.pair)
    return "" if 0 < counted <= MOST_OF_CALLER else f"one caller counts {counted} times"


async def _callers(victim: Victim, rng: random.Random) -> str:
    """Many callers ask, and have it refused: that counts on the scorecard, for people."""
    tally = ScoreTally(victim.board.writers[0].clock)
    await _ask(victim, tally, ApiClient(requester="address:none"))
    asked = [request for requests in tally.take().requests.values() for request in requests]
    for number in range(_THOUSAND):
        for caller, keys in asked:
            mine = caller._replace(requester=f"address:203.0.113.{number}")
            victim.board.writers[number % len(victim.board.writers)].tally.add(mine, keys)
    await victim.board.written()
    counted = await victim.board.asked(victim.pair)
    return "" if counted == _THOUSAND else f"{counted} callers of {_THOUSAND} are counted"


async def _dust(victim: Victim, rng: random.Random) -> str:
    await victim.board.traded(victim.trades(300, Fraction(1), cents=LEAST_CENTS - 1))
    return ""


async def _sender(victim: Victim, rng: random.Random) -> str:
    """One sender again and again, for much."""
    (one,) = victim.trades(1, Fraction(rng.randrange(1, 100), 100), cents=_WHALE)
    await victim.board.traded([one] * 300)
    return ""


async def _few(victim: Victim, rng: random.Random) -> str:
    """Too few senders, of very much."""
    await victim.board.traded(victim.trades(_FEW, Fraction(1), cents=_WHALE * 100))
    return ""


async def _late(victim: Victim, rng: random.Random) -> str:
    """They wait until the price has moved."""
    after = WEIGHED_WITHIN + timedelta(seconds=rng.randrange(1, 3_000))
    await victim.board.traded(victim.trades(_MANY, Fraction(1, 20), after=after))
    return ""


async def _unmeasured(victim: Victim, rng: random.Random) -> str:
    """A bridge says of its rival's deliveries what it likes."""
    source = rng.choice((StatusSource.BRIDGE_API, StatusSource.MIXED))
    await victim.board.traded(victim.trades(_MANY, Fraction(1), source=source))
    return ""


async def _withdrawn(victim: Victim, rng: random.Random) -> str:
    """A chain takes the transactions back."""
    block = await victim.board.traded(victim.trades(_MANY, Fraction(1)))
    await victim.board.reorganised(victim.pair.origin_chain_id, block)
    left = await victim.board.executed()
    return f"{left} transactions are left that the chain took back" if left else ""


async def _minority(victim: Victim, rng: random.Random) -> str:
    """Less than half of the weight lies, in as many wallets as there may be."""
    honest = victim.trades(_MANY, Fraction(0))
    liars = victim.trades(rng.randrange(20, 5 * _MANY - 1), Fraction(1), cents=LEAST_CENTS)
    await victim.board.traded([*honest, *liars])
    return ""


async def _forged(victim: Victim, rng: random.Random) -> str:
    """Strangers send the answer's own transaction, with its ID, from wallets of theirs."""
    taken, own = await copied_ids(victim.scene, _STRANGERS)
    if not own:
        return "the wallet's own transaction is not recognised"
    return f"{taken} transactions of strangers are taken for the answer's" if taken else ""


async def _boast(victim: Victim, rng: random.Random) -> str:
    """An adapter trades with itself, and brings more than it quotes."""
    await victim.board.traded(victim.trades(_MANY, -Fraction(rng.randrange(1, 50), 100)))
    return ""


ATTACKS = MappingProxyType(
    {
        "quotes": _quotes, "callers": _callers, "dust": _dust, "sender": _sender, "few": _few, "late": _late,
        "unmeasured": _unmeasured, "withdrawn": _withdrawn, "minority": _minority, "forged": _forged, "boast": _boast,
    }
)  # fmt: skip
"""What may not move a ranking. What may is ``short``: the adapter itself brings less than it quotes."""
KINDS = tuple(PREFIX + each for each in (*ATTACKS, "short"))
EACH = 1


@dataclass(frozen=True)
class ScoreCampaign:
    """How to attack: ``each`` attacks of a kind on an adapter, on one board of all."""

    campaign: Campaign
    board: Board
    each: int = EACH
    kinds: tuple[str, ...] = KINDS

    async def victims(self, key: str) -> list[Victim]:
        """Find the questions that an adapter answers, and what each is quoted with."""
        found = []
        for number, ask in enumerate(ASKS):
            signer = Account.from_key(keccak(text=f"{key} {number} scores"))
            scene = Scene(self.campaign.service, key, ask, Pair(signer.address, signer.address), 1.0)
            if await scene.prepare() and (victim := await self._victim(scene)) is not None:
                found.append(victim)
        return found

    async def attack(self, key: str, report: Report) -> None:
        """Attack one adapter's scorecards."""
        started = time.monotonic()
        found = await self.attack_all(await self.victims(key), report)
        counts = Counter(each.verdict.value for each in found)
        words = ", ".join(f"{number} {word}" for word, number in sorted(counts.items()))
        sys.stderr.write(f"{key} on scorecards: {words or 'nothing to rank'} in {time.monotonic() - started:.0f} s\n")

    async def attack_all(self, victims: list[Victim], report: Report) -> list[Outcome]:
        """Make as many attacks of each kind, over all questions of one adapter; return what became of them."""
        lies = [
            Lie(victims[0].scene.key, (place + number) % len(victims), kind, self.campaign.seed * 100_000 + place)
            for number, kind in enumerate(self.kinds)
            for place in range(self.each if victims else 0)
        ]
        found = [await self.judged(victims[lie.ask], lie) for lie in lies]
        report.outcomes += found
        return found

    async def tell(self, lie: Lie) -> Outcome:
        """Make one attack, by name."""
        return await self.judged((await self.victims(lie.adapter))[lie.ask], lie)

    async def judged(self, victim: Victim, lie: Lie) -> Outcome:
        """Make one attack, and ask again who is first."""
        kind, rng = lie.kind.removeprefix(PREFIX), random.Random(f"{lie.kind} {lie.seed}")
        await self.board.clear()
        if kind == "short":
            return await self._short(victim, lie, rng)
        words = await ATTACKS[kind](victim, rng)
        costs = await self.board.costs()
        first = await _first(victim, costs)
        if words:
            return Outcome(lie, Verdict.INFLATED, why=words)
        if costs or first != victim.first:
            cents = float(max(costs.values(), default=Fraction(0)) * victim.scene.value())
            return Outcome(lie, Verdict.LOST, cents, f"{first} is before {victim.first}: it costs {dict(costs)}")
        counts = await self.board.executed() or await self.board.asked(victim.pair)
        return Outcome(lie, Verdict.DELIVERED if counts else Verdict.REFUSED, why="who was first is first")

    async def _short(self, victim: Victim, lie: Lie, rng: random.Random) -> Outcome:
        """The adapter brings less than it quotes, to most or all who send: that costs it as much, up to the bound."""
        short = Fraction(rng.choice((1, 3, 5, 40, 5_000)), _BPS)
        await self.board.traded(victim.trades(_MANY, short))
        cost = (await self.board.costs()).get(victim.pair, Fraction(0))
        expected = min(short, MOST)
        words = f"brings less by {float(short * _BPS)} basis points, and is charged {float(cost * _BPS)}"
        if cost > MOST or abs(cost - expected) > Fraction(1, 100_000):
            return Outcome(lie, Verdict.LOST if cost > expected else Verdict.INFLATED, why=words)
        first = await _first(victim, {victim.pair: cost})
        return Outcome(lie, Verdict.DELIVERED if first == victim.first else Verdict.OUTRANKED, why=words)

    async def _victim(self, scene: Scene) -> Victim | None:
        contests = await self.campaign.contests(scene)
        contest, tally = contests[True], ScoreTally(self.board.writers[0].clock)
        first = await _ask_all(scene, contest, tally, ApiClient(requester="address:none"), {})
        alone = ScoreTally(self.board.writers[0].clock)
        await _ask_all(scene, Contest(scene), alone, ApiClient(requester="address:none"), {})
        promised = alone.take().promises
        if not first or not promised or not promised[0].weighs:
            return None
        return Victim(self.board, scene, contest, first, promised[0])


async def _ask(victim: Victim, tally: ScoreTally, client: ApiClient) -> None:
    await _ask_all(victim.scene, victim.contest, tally, client, {})


async def _first(victim: Victim, costs: Mapping[AdapterPair, Fraction]) -> str:
    tally = ScoreTally(victim.board.writers[0].clock)
    return await _ask_all(victim.scene, victim.contest, tally, ApiClient(requester="address:none"), costs)


async def _ask_all(
    scene: Scene, contest: Contest, tally: ScoreTally, client: ApiClient, costs: Mapping[AdapterPair, Fraction]
) -> str:
    """Ask the service, with the adapter and its rival; return whose answer it is, empty for none."""
    rivals = () if contest.rival is None else (contest.rival,)
    service = scene.service.service((scene.upstreams.honest, *rivals))
    asked = replace(service, scores=tally, handicaps=costs)
    try:
        return (await asked.answer(replace(scene.question(), client=client))).adapter
    except RhumblineError:
        return ""


COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "a thousand quotes": ("score:quotes", "score:callers"),
        "dust, few": ("score:dust", "score:few"),
        "one sender": ("score:sender",),
        "waited": ("score:late",),
        "said": ("score:unmeasured",),
        "taken back": ("score:withdrawn",),
        "minority": ("score:minority",),
        "forged": ("score:forged",),
        "boast": ("score:boast",),
        "brings less": ("score:short",),
    }
)
"""The kinds in each column of the table."""
