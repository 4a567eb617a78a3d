"""The attack on permits, one adapter after another: who signs one pays what the answer says, once, or nothing."""

import random
import sys
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from types import MappingProxyType
from zlib import crc32

from eth_utils.crypto import keccak

from attack.campaign import Campaign, Report, evm_address
from attack.judge import Contest, Outcome
from attack.lies import KINDS as OF_UPSTREAMS
from attack.lies import Lie
from attack.permits.claims import CLAIMS, HONEST, claiming, turn
from attack.permits.judge import Trial, judged
from attack.permits.node import with_lying_node
from attack.purse import Pair, fund, send_call
from attack.scene import Scene
from rhumbline.devnet.evm.operator import encoded
from rhumbline.gateways.evm.signatures import Account
from rhumbline.routing.evm.permit_call import PERMIT2
from tests.adapters.conformance.case import Ask

PREFIX = "permit:"
ETHER = 10**18
ASKS = (
    Ask("sbxa", "sbxa", "USDC", "ETH", 250 * 10**6),
    Ask("sbxa", "sbxa", "DAI", "WETH", 500 * ETHER),
    Ask("sbxb", "sbxb", "USDT", "WETH", 250 * 10**6),
    Ask("sbxa", "sbxb", "USDC", "USDC", 250 * 10**6),
    Ask("sbxb", "sbxa", "USDC", "WETH", 250 * 10**6),
    Ask("sbxb", "sbxa", "USDT", "WETH", 250 * 10**6),
    Ask("sbxa", "sbxa", "WETH", "USDC", ETHER // 10),
)
"""Questions that are paid with a token through the Diamond: of tokens that have permits, and of others by Permit2."""
OF_TOKENS = tuple(CLAIMS)
WITH_SIGNATURES = ("replay", "phish", "alter", "spender")
KINDS = tuple(PREFIX + each for each in (*OF_TOKENS, "node", "upstream", *WITH_SIGNATURES))
EACH = 3
"""So many lies of a kind are told about an adapter."""
_FIND = 200
_ALL = 2**256 - 1
_HAVE_PERMITS = frozenset({"USDC", "DAI", "WBTC"})


@dataclass(frozen=True)
class PermitCampaign:
    """How to attack: ``each`` lies of a kind about an adapter, with the questions, seed and patience of a campaign."""

    campaign: Campaign
    each: int = EACH
    kinds: tuple[str, ...] = KINDS

    async def scenes(self, key: str) -> list[Scene]:
        """Find the questions that an adapter answers, with a permit if nobody lies."""
        found = []
        for number, ask in enumerate(ASKS):
            scene = Scene(self.campaign.service, key, ask, _pair(key, number), self.campaign.patience_s)
            if await scene.prepare():
                found.append(scene)
        return found

    async def attack(self, key: str, report: Report) -> None:
        """Attack one adapter: first and last without a lie, when each answer must have a permit that works."""
        started, scenes = time.monotonic(), await self.scenes(key)
        if not scenes:
            return
        await self._honestly(scenes, report)
        found = [await self.judged(scenes, lie) for lie in self.planned(scenes)]
        await self._honestly(scenes, report)
        report.outcomes += found
        counts = Counter(each.verdict.value for each in found)
        words = ", ".join(f"{number} {word}" for word, number in sorted(counts.items()))
        sys.stderr.write(f"{key} with permits: {words} in {time.monotonic() - started:.0f} s\n")

    def planned(self, scenes: list[Scene]) -> list[Lie]:
        """Choose the lies: as many of each kind, over all questions that it can be told about."""
        lies = []
        for kind in self.kinds:
            places = [place for place, scene in enumerate(scenes) if _can_be_told(scene, kind)]
            # Others for each adapter, so that together they are all that there are.
            number = self.campaign.seed * 100_000 + crc32(scenes[0].key.encode()) % 1_000
            for turn_ in range(self.each if places else 0):
                place = places[turn_ % len(places)]
                number = self._next(scenes[place], kind, number)
                lies.append(Lie(scenes[place].key, place, kind, number))
                number += 1
        return lies

    async def tell(self, lie: Lie) -> Outcome:
        """Tell one lie, by name."""
        return await self.judged(await self.scenes(lie.adapter), lie)

    async def judged(self, scenes: list[Scene], lie: Lie) -> Outcome:
        """Tell one lie, sign what is answered as a wallet does that believes it, and do what the lie is for."""
        scene, kind = scenes[lie.ask], lie.kind.removeprefix(PREFIX)
        contest = Contest(scene)
        await contest.refresh()
        if kind == "upstream":
            await prepared(scene)
            return replace(await contest.judge(_of_upstream(scene, lie.seed)), lie=lie)
        if contest.honest is None:
            raise RuntimeError(f"{lie}: the honest upstream does not answer any more")
        claim, trial = HONEST, Trial(scene, contest.honest, lie, strikes=kind)
        async with AsyncExitStack() as stack:
            await prepared(scene, permit2=kind not in OF_TOKENS or random.Random(lie.seed).random() < 0.5)
            if kind in OF_TOKENS:
                claim = CLAIMS[kind][lie.seed % len(CLAIMS[kind])]
                await stack.enter_async_context(claiming(scene, claim))
                trial = replace(trial, claim=claim, token_lies=True)
            asked = with_lying_node(scene, lie.seed) if kind == "node" else scene
            answer = await asked.answered(scene.upstreams.honest)
            if claim.turns:
                await turn(scene)
            return await judged(trial, answer)

    def _next(self, scene: Scene, kind: str, number: int) -> int:
        """Return the next seed, of an upstream's lie one that alters something."""
        if kind != PREFIX + "upstream":
            return number
        seeds = range(number, number + _FIND)
        return next((seed for seed in seeds if scene.alters(_of_upstream(scene, seed))), number)

    async def _honestly(self, scenes: list[Scene], report: Report) -> None:
        for place, scene in enumerate(scenes):
            await prepared(scene)
            report.honest += 1
            answer = await scene.answered_at_last(scene.upstreams.deceived)
            if answer is None or answer.permit is None:
                report.unsound.append(f"{scene.key} {scene.ask}: no permit")
                continue
            sent, result = await scene.executed(answer, answer.min_output_amount)
            if not sent.ok or result.gained < answer.min_output_amount:
                report.unsound.append(f"{scene.key} {scene.ask}: {result.gained} arrived by permit {place}")


async def prepared(scene: Scene, *, permit2: bool = True) -> None:
    """Give the wallet the input; it has approved Permit2 for everything, or has not, and nobody else."""
    sold = scene.tokens[0]
    rpc = scene.service.rpcs[sold.chain_id]
    await fund(scene.service, scene.pair, sold, scene.ask.amount)
    diamond = str(scene.service.chain(scene.ask.origin).diamond)
    for spender, amount in ((PERMIT2, 0), (PERMIT2, _ALL if permit2 else 0), (diamond, 0)):
        await send_call(rpc, scene.pair.sender, sold.address, encoded("approve(address,uint256)", spender, amount), 0)


def _of_upstream(scene: Scene, seed: int) -> Lie:
    """Return an upstream's lie, of a kind by its seed."""
    return Lie(scene.key, 0, random.Random(f"upstream {seed}").choice(OF_UPSTREAMS), seed)


def _can_be_told(scene: Scene, kind: str) -> bool:
    return kind.removeprefix(PREFIX) not in OF_TOKENS or scene.tokens[0].symbol in _HAVE_PERMITS


def _pair(key: str, number: int) -> Pair:
    signer = Account.from_key(keccak(text=f"{key} {number} permits"))
    return Pair(signer.address, evm_address(f"{key} {number} permits receiver"), None, signer)


COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "domain": ("permit:domain",),
        "nonces": ("permit:nonce",),
        "token": ("permit:token",),
        "decimals": ("permit:decimals",),
        "node": ("permit:node",),
        "upstream": ("permit:upstream",),
        "replayed": ("permit:replay",),
        "phished": ("permit:phish",),
        "altered": ("permit:alter",),
        "spender": ("permit:spender",),
    }
)
"""The kinds in each column of the table."""
