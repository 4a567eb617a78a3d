"""A sample of `make load`: some seconds of traffic on one process, and the judge sees what is wrong with it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from load.campaign import Campaign
from load.generator import MIX, running_generator
from load.judge import faults, growth
from load.processes import usage
from load.questions import questions
from load.world import INTEGRATORS, World, opened, register, running_service, sizes
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.sandbox import Sandbox

KINDS = {
    kind: weight for kind, weight in MIX.items() if kind not in ("quotes-solana", "quotes-across", "routes", "step")
}
"""Without upstreams there are on-chain quotes only."""
NO_TOKEN = "0x" + 20 * "dd"


async def test_some_seconds_of_load_have_no_faults_and_a_wrong_question_is_one(
    sandbox: Sandbox, store_dsn: str, tmp_path: Path
) -> None:
    wallet = sandbox_account(61).address
    settings = sandbox_settings(sandbox, tmp_path / "store", "http://127.0.0.1:8700", wallet)
    asked: dict[str, Any] = questions(sandbox)
    asked["quotes-wrong"] = [{**asked["quotes-evm"][0], "originCurrency": NO_TOKEN}]
    async with opened(store_dsn) as engine:
        world = World(tmp_path, store_dsn, settings, asked, {})
        await register(world, engine, 40)
        campaign = Campaign(world, {"pid": 0, "replay": 0}, engine, say=lambda words: None, numbers=40)
        async with running_service(world, 1) as service:
            samples = [(0.0, usage(service.pids[0], service.peers).figures())]
            async with running_generator(world, service, streams=INTEGRATORS) as generator, campaign.events():
                found: dict[str, Mapping[str, float]] = {}
                events = 0
                while not events or not {"quotes-evm", "prices", "transactions"} <= set(found):
                    # On a busy machine no quote may be answered within a second.
                    answers = await generator.ask(20, 1.5, 0.5, KINDS)
                    assert answers["faults"] == {}
                    assert answers["broken"] == 0
                    events += answers["events"]
                    found |= {kind: each for kind, each in answers["answers"].items() if each["good"]}
                samples.append((60.0, usage(service.pids[0], service.peers).figures()))
                wrong = await campaign.step(service, generator, 20, 1.0, 0.5, {"quotes-wrong": 1})
            assert service.errors() == 0
    assert {each.name for each in growth(samples)} >= {
        "rss_mb",
        "pss_mb",
        "files",
        "connections: clients",
        "connections: store",
    }
    assert samples[1][1]["connections: clients"] >= 3
    assert wrong.failed > 0
    assert wrong.cpu["service"] > 0
    assert any("quotes-wrong 404" in each or "quotes-wrong 400" in each for each in faults([wrong], [], 0, 0))
    assert (await sizes(store_dsn))["record_bytes"] > 100
