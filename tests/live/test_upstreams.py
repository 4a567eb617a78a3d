"""Every adapter asks its real upstream, has a transaction built, and compares what was answered with our recordings."""

import pytest

from rhumbline.app.adapters import switched_on
from rhumbline.app.settings import load_settings
from tests.adapters.conformance.case import Ask
from tests.live.adapter_fixture import Live
from tests.live.by_folder import ASKS
from tests.live.quote_check import check_quote

KEYS = [spec.key for spec in switched_on(load_settings())]


@pytest.mark.parametrize(("key", "ask"), [(key, ask) for key in KEYS for ask in ASKS[key]], ids=str)
async def test_it_quotes_builds_and_answers_as_recorded(live: Live, key: str, ask: Ask) -> None:
    wrong = await check_quote(live, key, ask)
    assert not wrong
