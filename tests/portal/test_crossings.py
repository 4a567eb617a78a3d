"""Transfers to another chain from the front page, in a real Chromium with a wallet beside it: every bridge settles."""

import asyncio
import re
from collections.abc import AsyncIterator

import aiohttp
import pytest
from sqlalchemy import select

from rhumbline.domain.tracking import NO_EVENT, TransactionRecord, TransferState
from rhumbline.tracking.store import read_records, transactions
from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, choose_chain, choose_token, wallet_of
from tests.portal.wallet import TestWallet

ACCOUNT = OWNER + 2


@pytest.fixture
async def wallet(page: Page, portal_service: PortalService, session: aiohttp.ClientSession) -> TestWallet:
    found = wallet_of(portal_service, session, ACCOUNT)
    await found.into(page)
    return found


@pytest.fixture
async def behaving(portal_service: PortalService, session: aiohttp.ClientSession) -> AsyncIterator[None]:
    """The bridge behaves again afterwards."""
    yield
    await portal_service.tell(session, "RELAY")


async def ask(page: Page, portal_service: PortalService, symbol: str, amount: str) -> None:
    """Ask how to get a token to the other chain."""
    here, there = portal_service.sandbox.evm_chains
    await page.goto(portal_service.base_url)
    await choose_chain(page, "pay-chain", here.id)
    await choose_chain(page, "get-chain", there.id)
    await choose_token(page, "pay-token", symbol)
    await choose_token(page, "get-token", symbol)
    await page.fill("#amount", amount)
    await page.click("#get-quote")
    await page.until("!!document.querySelector('.route')")


async def connect(page: Page) -> None:
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.until("!!document.querySelector('#swap')")


async def take(page: Page, adapter: str) -> None:
    """Choose one bridge's answer: it is the best already, or among the others, of whom some have no route."""
    if f"via {adapter}\n" not in await page.text(".route .tags") + "\n":
        await page.click("#compare")
        await page.see("other sources have a route")
        page.faults[:] = [fault for fault in page.faults if "includeBridges=" not in fault]
        await page.evaluate(
            "[...document.querySelectorAll('button.use')].find((e) => e.textContent.endsWith("
            f"' {adapter}')).setAttribute('id', 'taken')"
        )
        await page.click("#taken")
        await page.until("document.querySelectorAll('.route').length === 1 && !!document.querySelector('#swap')")
    assert f"via {adapter}\n" in await page.text(".route .tags") + "\n"


async def shown_hash(page: Page, words: str, log: str = "#log") -> str:
    """The hash that stands in the line of the log with these words."""
    found: str = await page.evaluate(
        f"[...document.querySelectorAll('{log} li')].find((e) => e.innerText.includes('{words}'))"
        ".querySelector('code').textContent"
    )
    assert re.fullmatch("0x[0-9a-f]{64}", found)
    return found


async def record_of(portal_service: PortalService, tx_hash: str, status: TransferState) -> TransactionRecord:
    """The record of a transaction, once it has this status."""
    found: list[TransactionRecord] = []
    for _ in range(400):
        async with portal_service.engine.connect() as connection:
            found = await read_records(connection, select(transactions).where(transactions.c.origin_tx_hash == tx_hash))
        if [record.status for record in found] == [status]:
            return found[0]
        await asyncio.sleep(0.05)
    raise AssertionError(f"{tx_hash}: {found}")


async def test_the_answer_says_what_holds_for_a_transfer(page: Page, portal_service: PortalService) -> None:
    await ask(page, portal_service, "USDC", "800")
    answer = await page.text("#answer")
    tags = await page.text(".route .tags")
    (adapter,) = re.findall("via ([A-Z_]+)", tags)
    assert re.search(r"about \d+ (s|min)", tags)
    assert "simulated, succeeds" in tags
    assert re.search(r"At least, as the bridge promises\s+79\d\.\d+ USDC", answer)
    assert "enforced on chain" not in answer
    assert re.search(r"Estimated time\s+about \d+ (s|min) to Sandbox B", answer)
    assert "not simulated: the output arrives on another chain" in answer
    assert "Service and integrator, taken from what you pay\t0.8 USDC" in answer
    assert "USDC on Sandbox B" in await page.text(".route .output")
    assert "Connect a wallet to transfer" in answer
    assert adapter in await page.evaluate("document.querySelector('#answer-status').textContent")
    nodes = [chain.rpc_url for chain in portal_service.sandbox.evm_chains]
    assert not any(url.startswith(tuple(nodes)) for url in page.requests), "nothing is asked elsewhere before"


async def test_bridges_are_compared_chosen_and_left_out(page: Page, portal_service: PortalService) -> None:
    await ask(page, portal_service, "USDC", "800")
    async with aiohttp.ClientSession() as asking, asking.get(f"{portal_service.base_url}/v1/tools") as response:
        bridges = {tool["key"] for tool in (await response.json())["bridges"]}
    (best,) = re.findall("via ([A-Z_]+)", await page.text(".route .tags"))
    await page.see(f"Compare with {len(bridges) - 1} other sources")
    await page.click("#compare")
    # Gas.zip carries native money only.
    await page.see(f"{len(bridges) - 2} of {len(bridges) - 1} other sources have a route")
    asked = re.findall(r"includeBridges=(\w+)", " ".join(page.requests))
    assert sorted(asked) == sorted(bridges - {best})
    tags = await page.evaluate("[...document.querySelectorAll('.routes > li .tags')].map((each) => each.textContent)")
    assert {re.findall("via ([A-Z_]+?)about", tag)[0] for tag in tags} == bridges - {"GASZIP"}
    raw = await page.evaluate("[...document.querySelectorAll('.routes .output')].map((each) => +each.dataset.raw)")
    assert raw[1:] == sorted(raw[1:], reverse=True)
    (refused,) = page.faults
    assert "includeBridges=GASZIP" in refused
    page.requests.clear()
    await page.click("#answer .steer button.plain")
    await page.until(f"!document.querySelector('.route .tags').innerText.includes('via {best}\\n')")
    (second,) = re.findall("via ([A-Z_]+)", await page.text(".route .tags"))
    await page.click("#answer .steer button.plain")
    await page.until(f"!/via ({best}|{second})\\n/.test(document.querySelector('.route .tags').innerText)")
    excluded = re.findall(r"excludeBridges=([\w%]+)", " ".join(page.requests))
    assert excluded == [best, f"{best}%2C{second}"]


@pytest.mark.parametrize("adapter", ["ACROSS", "RELAY", "NEAR_INTENTS", "MAYAN_SWIFT", "SYMBIOSIS"])
async def test_a_token_is_followed_until_it_has_arrived(
    page: Page, portal_service: PortalService, wallet: TestWallet, adapter: str
) -> None:
    """From a wallet that is on the wrong chain to the destination's transaction, which is the record's too."""
    here, there = portal_service.sandbox.evm_chains
    wallet.chain_id = there.id
    await ask(page, portal_service, "USDC", "120.5")
    await connect(page)
    await take(page, adapter)
    assert await page.text("#swap") == "Approve and transfer"
    await page.click("#swap")
    await page.see("arrived on Sandbox B in block", 40)
    log = await page.text("#log")
    assert "Your wallet is on Sandbox A" in log
    assert "Approved exactly 120.5 USDC" in log
    assert re.search(r"Left Sandbox A in block \d+", log)
    assert wallet.chain_id == here.id
    sent = [params[0] for method, params in wallet.seen if method == "eth_sendTransaction"]
    assert [each["to"].lower() for each in sent] == [
        here.tokens["USDC"].address.lower(),
        here.contracts["diamond"].lower(),
    ]
    assert int(sent[0]["data"][-64:], 16) == 120_500_000
    record = await record_of(portal_service, await shown_hash(page, "Sent"), TransferState.SUCCESS)
    assert record.destination_tx_hash == await shown_hash(page, "arrived on")
    assert record.transaction_id == await shown_hash(page, "tracking ID")
    arrived = re.search(r"([\d.]+) USDC arrived on", log)
    assert arrived is not None
    if record.output is not None:
        assert record.output.raw == round(float(arrived[1]) * 10**6)
    pages = await page.evaluate("[...document.querySelectorAll('#log a')].map((e) => [e.href, e.rel, e.target])")
    assert all(url.startswith("https://") and (rel, to) == ("noreferrer", "_blank") for url, rel, to in pages)
    assert len(pages) == 1
    assert not any("x-api-key" in name.lower() for headers in page.headers for name in headers)
    origins = {"/".join(url.split("/")[:3]) for url in page.requests if not url.startswith("data:")}
    nodes = {chain.rpc_url.rstrip("/") for chain in (here, there)}
    assert {portal_service.base_url, there.rpc_url.rstrip("/")} <= origins <= {portal_service.base_url, *nodes}
    assert page.faults == []


@pytest.mark.parametrize("adapter", ["GASZIP", "NEAR_INTENTS"])
async def test_native_money_goes_straight_to_a_bridge(
    page: Page, portal_service: PortalService, wallet: TestWallet, adapter: str
) -> None:
    """The direct form: no approval, no contract of ours between, and the page says so before anything is signed."""
    await ask(page, portal_service, "ETH", "0.005")
    await connect(page)
    await take(page, adapter)
    said = await page.text("#answer")
    (to,) = re.findall(r"It goes to (0x[0-9a-fA-F]{40})\.", said)
    assert f"Sent straight to {adapter}, without the service's contract between" in said
    assert "Service and integrator" not in said
    assert await page.text("#swap") == "Transfer"
    await page.click("#swap")
    await page.see("arrived on Sandbox B in block", 40)
    (sent,) = [params[0] for method, params in wallet.seen if method == "eth_sendTransaction"]
    assert int(sent["value"], 16) == 5 * 10**15
    assert to.lower() != portal_service.sandbox.evm_chains[0].contracts["diamond"].lower()
    # The log names a deposit address that is new.
    told = re.findall(r"It goes to (0x[0-9a-fA-F]{40})", await page.text("#answer"))
    assert sent["to"].lower() == told[-1].lower()
    record = await record_of(portal_service, await shown_hash(page, "Sent"), TransferState.SUCCESS)
    assert (record.origin_log_index, record.protocol) == (NO_EVENT, adapter)
    assert record.destination_tx_hash == await shown_hash(page, "arrived on")
    assert page.faults == []


@pytest.mark.usefixtures("behaving")
async def test_a_refund_is_told(
    page: Page, portal_service: PortalService, wallet: TestWallet, session: aiohttp.ClientSession
) -> None:
    await ask(page, portal_service, "USDC", "300")
    await connect(page)
    await take(page, "RELAY")
    await portal_service.tell(session, "RELAY", outcome="refund")
    await page.click("#swap")
    await page.see("Refunded, as it seems: nothing arrived on Sandbox B, and 299.7 USDC came back", 40)
    record = await record_of(portal_service, await shown_hash(page, "Sent"), TransferState.REFUNDED)
    assert (record.destination_tx_hash, record.output) == (None, None)
    receipt = await wallet.receipt(await shown_hash(page, "Refunded"))
    assert any(int(log["data"], 16) == 299_700_000 for log in receipt["logs"] if len(log["topics"]) == 3)


@pytest.mark.usefixtures("behaving")
async def test_what_is_on_its_way_is_followed_beside_the_next_question(
    page: Page, portal_service: PortalService, wallet: TestWallet, session: aiohttp.ClientSession
) -> None:
    await ask(page, portal_service, "USDC", "310")
    await connect(page)
    await take(page, "RELAY")
    await portal_service.tell(session, "RELAY", outcome="never")
    await page.click("#swap")
    await page.see("On its way with RELAY: nothing has arrived on Sandbox B yet. You may leave this page", 40)
    record = await record_of(portal_service, await shown_hash(page, "Sent"), TransferState.BRIDGE_PENDING)
    assert record.destination_tx_hash is None
    assert not await page.evaluate("document.querySelector('#quote').inert"), "the page goes on"
    await page.fill("#amount", "311")
    await page.click("#get-quote")
    await page.until("!document.querySelector('#answer').hidden && !!document.querySelector('#swap')")
    assert "310 USDC to Sandbox B" in await page.text("#voyages h2")
    assert await page.evaluate("document.querySelectorAll('#voyages .log').length") == 1
    await portal_service.tell(session, "RELAY", outcome="deliver")
    await page.see("arrived on Sandbox B in block", 40)
    arrived = await shown_hash(page, "arrived on", "#voyages")
    record = await record_of(portal_service, await shown_hash(page, "Sent", "#voyages"), TransferState.SUCCESS)
    assert record.destination_tx_hash == arrived


async def test_where_no_node_answers_the_page_says_that_it_sees_nothing(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    nodes = [chain.rpc_url for chain in portal_service.sandbox.evm_chains]
    await page.send("Network.setBlockedURLs", urls=[f"{url}*" for url in nodes])
    await ask(page, portal_service, "USDC", "15")
    await connect(page)
    await page.click("#swap")
    await page.see("arrived on Sandbox B, as the service sees it", 40)
    await page.see("tracking ID is")
    await record_of(portal_service, await shown_hash(page, "Sent"), TransferState.SUCCESS)


async def test_only_the_nodes_of_the_chains_may_be_asked(page: Page, portal_service: PortalService) -> None:
    """The browser itself keeps the page's script from any other host, and the portal's from the nodes too."""
    node = portal_service.sandbox.evm_chains[1].rpc_url
    fetched = "fetch('URL', {method: 'POST', body: '{}'}).then(() => 'reached', () => 'kept')"
    stranger = portal_service.emulators["RELAY"]
    await page.goto(portal_service.base_url)
    assert await page.evaluate(fetched.replace("URL", node)) == "reached"
    assert await page.evaluate(fetched.replace("URL", stranger)) == "kept"
    await page.goto(f"{portal_service.base_url}/portal")
    assert await page.evaluate(fetched.replace("URL", node)) == "kept"
