"""Which lies are told: by a seed, deterministically, with a share for each kind that experience suggests."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import cycle
from pathlib import Path

from attack.lies import KINDS, REFUND, Lie
from attack.scene import Scene

DEFAULT_SEED = 8
SHARES = Path(__file__).with_name("shares.json")
"""How many lies of each kind an adapter's upstream tells, by adapter; evenly for one that is not in it."""
LIES = 160
_TRIES = 25
_RIVAL_EVERY, _REFUNDS_EVERY = 3, 8


def shares(adapter: str, count: int = LIES) -> Mapping[str, int]:
    """Return how many lies of each kind to tell: in all `count`, rounded down each."""
    known = json.loads(SHARES.read_text("utf-8")).get(adapter, {}) if SHARES.is_file() else {}
    weights = {kind: known.get(kind, 0) for kind in KINDS} if known else dict.fromkeys(KINDS, 1)
    total = sum(weights.values())
    return {kind: count * weight // total for kind, weight in weights.items()}


def planned(scenes: list[Scene], seed: int, count: int = LIES) -> list[Lie]:
    """Choose the lies to tell: `count`, each of which alters something in the honest answers.

    Where somebody is named for refunds, every eighth is about that alone, and the bridge fails.
    """
    found = list(_about_refunds(scenes, seed, max(2, count // _REFUNDS_EVERY)))
    more = {kind: _of_kind(scenes, kind, seed) for kind in KINDS}
    counts = dict(shares(scenes[0].key, count - len(found)))
    for kind, number in counts.items():
        found += [lie for lie, _ in zip(more[kind], range(number), strict=False)]
    # What some kinds have not brought, others must.
    for kind in cycle(sorted(counts, key=lambda each: -counts[each])):
        if len(found) >= count or not more:
            break
        if kind in more and (lie := next(more[kind], None)) is not None:
            found.append(lie)
        else:
            more.pop(kind, None)
    return found


def _about_refunds(scenes: list[Scene], seed: int, count: int) -> Iterator[Lie]:
    if any(scene.pair.refunded is not None for scene in scenes):
        for lie, _ in zip(_of_kind(scenes, REFUND, seed), range(count), strict=False):
            yield replace(lie, rival=False)


def _of_kind(scenes: list[Scene], kind: str, seed: int) -> Iterator[Lie]:
    missed, number = 0, 0
    while missed < _TRIES:
        place = number % len(scenes)
        rival = (number + number // len(scenes)) % _RIVAL_EVERY == 0
        lie = Lie(scenes[place].key, place, kind, seed * 100_000 + number, rival)
        number += 1
        if scenes[place].alters(lie):
            missed = 0
            yield lie
        else:
            missed += 1
