"""What a quote needs, from the settings: fee wallets, and Tenderly, all of it or nothing, its key shown nowhere."""

from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.app.chains import Chains
from rhumbline.app.quotes import build_quotes, opened_tenderly
from rhumbline.app.scorecards import build_scorecards
from rhumbline.app.sections import ScorecardSettings
from rhumbline.app.settings import Settings, SettingsError, load_settings
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.upstreams.tenderly import ACCESS_KEY, ACCOUNT, PROJECT, Tenderly
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.metrics import NoMetrics
from rhumbline.gateways.upstreams.guard.guard import GuardRules
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards, host_and_port
from rhumbline.gateways.upstreams.upstream import UpstreamRefused, UpstreamSpared
from rhumbline.routing.quote_prices import no_prices
from rhumbline.routing.quote_service import keep_nothing
from tests.accounts.test_score_tally import PAIR
from tests.app.conftest import WALLET
from tests.tracking.scorecards.test_track_records import seen


def settings_of(folder: Path, section: str) -> Settings:
    file = folder / "rhumbline.toml"
    file.write_text(f"[tenderly]\n{section}", "utf-8")
    return load_settings(file, {})


async def test_without_an_account_nobody_is_asked() -> None:
    async with opened_tenderly(Settings().tenderly, UpstreamGuards()) as upstream:
        assert upstream is None


@pytest.mark.parametrize(
    ("section", "fault"),
    [
        ("access_key = 'very-secret'", "tenderly: account, project and access_key go together"),
        ("account = 'me'\nproject = 'mine'", "tenderly: account, project and access_key go together"),
        ("account = '../me'\nproject = 'mine'\naccess_key = 'very-secret'", "tenderly.account: "),
        ("url = 'http://very-secret.example'", "tenderly.url: must be an https:// URL"),
    ],
)
def test_half_of_it_is_a_fault(tmp_path: Path, section: str, fault: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings_of(tmp_path, section)
    assert fault in str(caught.value)
    assert "very-secret" not in str(caught.value)


async def test_the_key_goes_to_its_host_alone_which_has_a_guard(tenderly: Tenderly, tmp_path: Path) -> None:
    settings = settings_of(
        tmp_path,
        f"account = '{ACCOUNT}'\nproject = '{PROJECT}'\naccess_key = '{ACCESS_KEY}'\nurl = '{tenderly.url}'",
    )
    assert ACCESS_KEY not in repr(settings)
    guards = UpstreamGuards({host_and_port(tenderly.url): GuardRules(calls_per_s=0.5)})
    async with opened_tenderly(settings.tenderly, guards) as upstream:
        assert upstream is not None
        assert ACCESS_KEY not in repr(upstream)
        path = f"/api/v1/account/{ACCOUNT}/project/{PROJECT}/simulate"
        with pytest.raises(UpstreamRefused) as refused:
            await upstream.post(path, {})
        # The key was right, the request is not.
        assert refused.value.status == 400
        with pytest.raises(UpstreamSpared):
            await upstream.post(path, {})


async def test_the_services_wallet_on_solana_earns_its_fees(chains: Chains) -> None:
    own = Settings.model_validate({"fees": {"svm_wallet": WALLET, "service_share": "0.001"}})

    async def nobody(_: str) -> None:
        return None

    tokens = TokenCatalog([], [], {})
    quotes = build_quotes(
        own, (), tokens, chains.rpcs, chains.svm_rpcs, nobody, (b"k" * 32,), NoMetrics(), no_prices, keep_nothing
    )
    assert quotes.fees.service_wallets.of(ChainType.SVM) == WALLET
    assert quotes.scores is None
    assert quotes.handicaps == {}


async def test_quotes_are_counted_and_ranked_by_what_transactions_have_shown(
    chains: Chains, store_engine: AsyncEngine
) -> None:
    async def nobody(_: str) -> None:
        return None

    await seen(store_engine, 20)
    scorecards = build_scorecards(ScorecardSettings(), store_engine, system_clock, ServiceMetrics())
    await scorecards.records.read()
    called = chains.rpcs, chains.svm_rpcs, nobody, (b"k" * 32,), NoMetrics(), no_prices, keep_nothing
    quotes = build_quotes(Settings(), (), TokenCatalog([], [], {}), *called, scorecards=scorecards)
    assert quotes.scores is scorecards.tally
    assert quotes.handicaps[PAIR] == Fraction(5, 10_000)
