"""Answers are taken apart and put together again without a change, and the same lie is the same alteration."""

import json

import pytest

from attack.__main__ import KEYS
from attack.asks import ON_SOLANA_ALONE, SAMPLE, WITH_GAS
from attack.campaign import Campaign
from attack.facts import STRANGER, calls_below
from attack.lies import KINDS, Lie, altered_answer
from attack.plan import planned
from attack.scene import Scene
from attack.service import AttackedService
from attack.tree import read

ON_EVM = [key for key in KEYS if key not in ON_SOLANA_ALONE]


async def scenes(service: AttackedService, key: str) -> list[Scene]:
    return await Campaign(service, 1, asks=SAMPLE, most=1).scenes(key)


@pytest.mark.parametrize("key", ON_EVM)
async def test_what_is_not_altered_stays_as_it_is_and_the_same_lie_is_the_same(
    service: AttackedService, key: str
) -> None:
    (scene,) = await scenes(service, key)
    assert scene.answers
    for said in scene.answers:
        assert read(said.document, service.compiled.known).document() == said.document
    lies = planned([scene], 3, 12)
    assert len(lies) == 12
    assert lies == planned([scene], 3, 12)
    for lie in lies:
        once, again = (
            [altered_answer(lie, said, facts) for said in scene.answers] for facts in (scene.facts(), scene.facts())
        )
        assert [json.dumps(each)[:200] for each in once] == [json.dumps(each)[:200] for each in again]
        assert any(each is not None for each in once)


async def test_calls_inside_of_calls_are_found_and_altered(service: AttackedService) -> None:
    (scene,) = await Campaign(service, 1, asks=(SAMPLE[1],)).scenes("RELAY")
    answer = read(scene.answers[0].document, service.compiled.known)
    signatures = [call.function.signature for call in calls_below(answer.root)]
    assert any(each.startswith("transferAndMulticall(") for each in signatures)
    assert any(each.startswith("exactInputSingle(") for each in signatures)
    stolen = [altered_answer(Lie("RELAY", 0, "call", seed), scene.answers[0], scene.facts()) for seed in range(20)]
    assert all(STRANGER[2:] in json.dumps(each) for each in stolen if each is not None)
    assert any(each is not None for each in stolen)


async def test_every_kind_of_lie_is_told_by_somebody(service: AttackedService) -> None:
    found = set()
    for key in ("RELAY", "KYBERSWAP", "ACROSS"):
        (scene,) = await scenes(service, key)
        found |= {lie.kind for lie in planned([scene], 5, 60)}
    # About native on arrival only those lie whose order names it, where it is wanted.
    (wanting,) = await Campaign(service, 1, asks=WITH_GAS, most=1).scenes("RELAY")
    assert found | {lie.kind for lie in planned([wanting], 5, 60)} == set(KINDS)
