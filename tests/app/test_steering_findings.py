"""The doctor's lines about pauses and log levels."""

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.checkups import State
from rhumbline.app.steering_findings import steering_findings
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.operator import Operator
from rhumbline.steering.changes import SteeringChanges
from tests.routing.venues import toy_chain

CHAINS = ChainCatalog([toy_chain(1)])


async def test_what_is_set_is_named_and_nothing_else(store_engine: AsyncEngine) -> None:
    assert await steering_findings(store_engine, CHAINS) == []
    changes = SteeringChanges(store_engine, Operator("alice", "it is late"))
    await changes.pause("ACROSS", 1, "")
    await changes.set_log_level("debug", 3000)
    paused, level = await steering_findings(store_engine, CHAINS)
    assert (paused.what, paused.state) == ("paused", State.WARNS)
    assert paused.text.startswith("ACROSS on toy1 is paused since ")
    assert paused.text.endswith(" by alice: it is late")
    assert (level.what, level.state) == ("log level", State.WARNS)
    assert level.text in {f"debug for {minutes} min, by rhumbline log-level" for minutes in (48, 49, 50)}
