"""Whose fault: each thing that the service needs fails in turn, and what is answered says so and blames nobody else."""

import asyncio
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.gateways.nodes.svm.block_pace import LONGEST_S
from tests.outages.checks import check_all
from tests.outages.expectations import EVM_NODE, OUTAGES, PRICES, STORE, SVM_NODE, SVM_RUNS, Asked, Outage
from tests.outages.faulty import Fault, FaultyHost, FaultyStore
from tests.outages.fragile_service import FragileService, Reply, fragile_service
from tests.postgres_fixture import Databases
from tests.sandbox_fixture import LoopThread

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
ALL = tuple(asked for asked in Asked if asked is not Asked.READY)
QUICK = (Fault.CUT, Fault.BUSY, Fault.ERROR, Fault.GARBAGE, Fault.HALF, Fault.NULL)


@pytest.fixture(scope="module")
def service(
    sandbox: Sandbox,
    emulators: Mapping[str, Emulator],
    running_defillama: DefiLlama,
    postgres_databases: Databases,
    sandbox_loop: LoopThread,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[FragileService]:
    dsn, folder = postgres_databases.create(), tmp_path_factory.mktemp("outages")
    with tempfile.TemporaryDirectory() as sockets:
        given = (sandbox, emulators.values(), running_defillama, dsn, folder, Path(sockets))
        with sandbox_loop.entered(fragile_service(*given)) as opened:
            yield opened
    postgres_databases.drop(dsn)


def failing(service: FragileService, outage: Outage) -> FaultyHost | FaultyStore:
    if outage is STORE:
        return service.store
    if outage is PRICES:
        return service.prices
    return service.hosts[(service.solana if outage in (SVM_NODE, SVM_RUNS) else service.here).key]


def answers(
    service: FragileService, loop: LoopThread, faults: Mapping[str, tuple[Outage, Fault]], asked: Collection[Asked]
) -> dict[Asked, Reply]:
    """Ask while these fail; afterwards all is well again."""

    async def ask() -> dict[Asked, Reply]:
        places = [(failing(service, outage), outage, fault) for outage, fault in faults.values()]
        for place, outage, fault in places:
            place.fail(fault, *outage.methods) if isinstance(place, FaultyHost) else place.fail(fault)
        if any(outage is SVM_NODE for _, outage, _ in places):
            # What quotes share of the chain is as old as a slot at the most.
            await asyncio.sleep(LONGEST_S)
        try:
            return await service.ask(asked)
        finally:
            for place, _, _ in places:
                place.fail(None)

    return loop.run(ask())


def test_while_all_is_well_everything_is_answered(service: FragileService, sandbox_loop: LoopThread) -> None:
    check_all(sandbox_loop.run(service.ask(ALL)), PRICES)


@pytest.mark.parametrize("outage", OUTAGES, ids=lambda outage: outage.what)
def test_what_fails_is_named_and_the_rest_is_answered(
    service: FragileService, sandbox_loop: LoopThread, outage: Outage
) -> None:
    fault = Fault.ERROR if outage.methods else Fault.CUT
    check_all(answers(service, sandbox_loop, {"it": (outage, fault)}, ALL), outage)


@pytest.mark.parametrize("fault", QUICK[1:])
def test_however_a_node_fails_it_is_the_node(service: FragileService, sandbox_loop: LoopThread, fault: Fault) -> None:
    """In both wings at once: who asks on one chain hears nothing of the other's node."""
    both = {"there": (SVM_NODE, fault), "here": (EVM_NODE, fault)}
    evm = (Asked.EVM_SWAP, Asked.EVM_STEP, Asked.EVM_STRANGER)
    solana = (Asked.SVM_SWAP, Asked.SVM_STEP, Asked.SVM_ROUTES, Asked.SVM_STREAM, Asked.SVM_STRANGER)
    told = answers(service, sandbox_loop, both, (*evm, *solana))
    check_all({asked: told[asked] for asked in evm}, EVM_NODE)
    check_all({asked: told[asked] for asked in solana}, SVM_NODE)


def test_what_is_silent_is_not_awaited_for_long(service: FragileService, sandbox_loop: LoopThread) -> None:
    """Everything at once, and of each what needs nothing else."""
    silent = {each.what: (each, Fault.SILENT) for each in (EVM_NODE, SVM_NODE, STORE)}
    of_each = {
        EVM_NODE.what: (Asked.EVM_SWAP, Asked.EVM_STRANGER),
        SVM_NODE.what: (Asked.SVM_SWAP, Asked.SVM_ROUTES, Asked.SVM_STREAM, Asked.SVM_STRANGER),
        STORE.what: (Asked.TRANSACTIONS, Asked.LOOKUP, Asked.STATUS),
        PRICES.what: (Asked.TOKENS, Asked.PRICES, Asked.HEALTH, Asked.PORTAL),
    }
    told = answers(service, sandbox_loop, silent, [asked for each in of_each.values() for asked in each])
    for outage in (EVM_NODE, SVM_NODE, STORE, PRICES):
        check_all({asked: told[asked] for asked in of_each[outage.what]}, outage)


def test_readiness_names_each_that_is_away(service: FragileService, sandbox_loop: LoopThread) -> None:
    """An answer is given again for a second, so it is asked until it is another."""

    async def until(status: int, degraded: int) -> Reply:
        for _ in range(600):
            told = (await service.ask([Asked.READY]))[Asked.READY]
            if (told.status, _degraded(told)) == (status, degraded):
                return told
            await asyncio.sleep(0.1)
        raise AssertionError(told)

    async def away(*outages: Outage, status: int) -> Reply:
        places = [failing(service, outage) for outage in outages]
        for place in places:
            place.fail(Fault.CUT)
        try:
            return await until(status, 2)
        finally:
            for place in places:
                place.fail(None)

    told = sandbox_loop.run(away(EVM_NODE, SVM_NODE, STORE, status=503))
    assert (told.retry_s, told.json["message"]) == (5, "Not ready: store")
    told = sandbox_loop.run(away(EVM_NODE, SVM_NODE, status=200))
    assert {"rpc:sbxa", "rpc:sbxs"} <= told.json["dependencies"].keys()
    told = sandbox_loop.run(until(200, 0))
    assert told.json["status"] == "ok"
    assert set(told.json["chains"]) == {chain.key for chain in service.sandbox.chains}


def _degraded(told: Reply) -> int:
    return sum(state.startswith("degraded") for state in told.json["dependencies"].values())


def test_the_page_says_the_same() -> None:
    """`docs/reliability.md` has a row for each outage and question that is not answered as ever."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(), re.MULTILINE)
    expected = {
        (outage.what, asked.value): answer.value for outage in OUTAGES for asked, answer in outage.answers.items()
    }
    told = {
        (what, question): answer
        for what, questions, answer in rows
        for question in questions.split(", ")
        if what in {outage.what for outage in OUTAGES}
    }
    assert told == expected
