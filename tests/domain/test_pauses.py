"""What a pause covers, and what is said of it."""

from datetime import UTC, datetime

import pytest

from rhumbline.domain.errors import NoAvailableQuotes, QuotingPaused
from rhumbline.domain.pauses import NOTHING_PAUSED, Pause, PauseKind, Pauses
from tests.routing.venues import toy_chain

NOW = datetime(2026, 11, 27, tzinfo=UTC)
HERE, THERE = toy_chain(1), toy_chain(2)


def paused(adapter: str | None, chain: int | None, *, public: bool = False) -> Pause:
    return Pause(adapter, chain, NOW, "alice", "hidden-word", public=public)


def test_nothing_paused_permits_everything() -> None:
    NOTHING_PAUSED.permit(HERE, THERE)
    assert NOTHING_PAUSED.of("ACROSS", 1, 2) is None
    assert NOTHING_PAUSED.of(None) is None


def test_a_pause_covers_its_adapter_and_chain_and_no_other() -> None:
    pauses = Pauses((paused("ACROSS", None), paused("RELAY", 2), paused(None, 3)))
    assert pauses.of("ACROSS", 7, 8) is pauses.each[0]
    assert pauses.of("RELAY", 1, 2) is pauses.of("RELAY", 2, 1) is pauses.each[1]
    assert pauses.of("RELAY", 1, 1) is pauses.of("RELAY") is pauses.of("RELAY", 3) is None
    assert pauses.of(None) is None
    pauses.permit(HERE, THERE)
    assert [each.kind for each in (*pauses.each, paused(None, None))] == [
        PauseKind.ADAPTER,
        PauseKind.ADAPTER_ON_CHAIN,
        PauseKind.CHAIN,
        PauseKind.QUOTING,
    ]


@pytest.mark.parametrize("public", [False, True])
def test_a_paused_chain_is_said_by_name_and_the_reason_if_it_is_public(public: bool) -> None:
    pauses = Pauses((paused(None, 2, public=public),))
    pauses.permit(HERE, HERE)
    for ends, way in (((HERE, THERE), "to"), ((THERE, HERE), "from"), ((THERE, THERE), "from")):
        with pytest.raises(NoAvailableQuotes, match=f"no quotes {way} Toy: the operator has paused it") as raised:
            pauses.permit(*ends)
        assert ("hidden-word" in raised.value.message) is public


@pytest.mark.parametrize("public", [False, True])
def test_quoting_that_is_paused_is_another_failure_than_a_paused_chain(public: bool) -> None:
    with pytest.raises(QuotingPaused, match="The operator has paused quoting") as raised:
        Pauses((paused(None, 1), paused(None, None, public=public))).permit(HERE, THERE)
    assert ("hidden-word" in raised.value.message) is public
