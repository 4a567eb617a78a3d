"""Names of what is paused, for operators and for metrics."""

from datetime import UTC, datetime

import pytest

from rhumbline.app.paused_places import in_words, labels, place_in_words
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.pauses import Pause, Pauses
from tests.routing.venues import toy_chain

CHAINS = ChainCatalog([toy_chain(1)])
NOW = datetime(2026, 11, 27, 10, 0, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("adapter", "chain", "place", "label"),
    [
        (None, None, "quoting", ("quoting", "all")),
        (None, 1, "toy1", ("chain", "toy1")),
        ("ACROSS", None, "ACROSS", ("adapter", "ACROSS")),
        ("ACROSS", 1, "ACROSS on toy1", ("adapter_on_chain", "ACROSS:toy1")),
        # A chain that the settings of this process do not have.
        ("ACROSS", 77, "ACROSS on 77", ("adapter_on_chain", "ACROSS:77")),
    ],
)
def test_places(adapter: str | None, chain: int | None, place: str, label: tuple[str, str]) -> None:
    assert place_in_words(adapter, chain, CHAINS) == place
    pauses = Pauses((Pause(adapter, chain, NOW, "alice", "it is late", public=chain is None),))
    assert list(labels(pauses, CHAINS)) == [label]
    public = " (public)" if chain is None else ""
    line = f"{place} is paused since 2026-11-27T10:00:01+00:00 by alice: it is late{public}"
    assert in_words(pauses.each[0], CHAINS) == line
