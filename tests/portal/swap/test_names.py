"""Receivers by ENS on the front page where chain 1 is served, in a real Chromium; the names lie on a real chain."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.gateways.postgres.engine import create_engine
from tests.ens_chain import EnsChain, ens_chain
from tests.portal.axe import violations
from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService, running_service
from tests.portal.swap_box import BUTTON, ROUTES, choose, connect, opened, routes, send
from tests.portal.wallet import TestWallet
from tests.postgres_fixture import Databases

ALICE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
OTHER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
NOTED = """
window.asked = [];
const fetched = window.fetch;
window.fetch = (url, options) => {
  if (String(url).endsWith('ROUTES')) window.asked.push(JSON.parse(options.body).receiverAddress ?? '');
  return fetched(url, options);
};
""".replace("ROUTES", ROUTES)
REFUSED = {
    "nobody.eth": "There is no such name, or it names no address",
    "zero.eth": "This name names no address",
    "offchain.eth": "This name keeps its address outside Ethereum",
    "hostile.eth": "What this name's resolver answers is no address",
    "\u0430lice.eth": "This is no valid ENS name",
}
NAMED, FAULT = "deep('#receiver-named')?.textContent", "deep('#receiver-fault')?.textContent"


@dataclass(frozen=True)
class Named:
    """A service with the sandbox's chains and Ethereum's names."""

    service: PortalService
    names: EnsChain

    @property
    def address(self) -> str:
        return self.service.base_url + "/front/names"


@pytest.fixture(scope="module")
async def named(
    portal_service: PortalService,
    emulators: Mapping[str, Emulator],
    postgres_databases: Databases,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Named]:
    """Beside the service of the other tests, whose fixture puts the chains back."""
    folder = Path(tmp_path_factory.mktemp("named"))
    dsn = postgres_databases.create()
    engine = create_engine(dsn)
    async with ens_chain(folder) as names:
        await names.name("alice.eth", ALICE)
        # Without the source of prices, whose emulator knows no Ethereum.
        upstreams, more = emulators.values(), _ethereum(names)
        async with running_service(portal_service.sandbox, engine, folder, upstreams, more) as service:
            yield Named(service, names)
    await engine.dispose()
    postgres_databases.drop(dsn)


def _ethereum(names: EnsChain) -> str:
    return f"""
[[chains]]
id = 1
key = "eth"
name = "Ethereum"
rpc = "{names.rpc.url}"
wrapped_native = "{OTHER}"
native = {{ symbol = "ETH", name = "Ether", coin_key = "ETH" }}
"""


async def asked_for(page: Page, service: PortalService, name: str) -> None:
    """Open the form with an amount, and type a receiver."""
    await page.begin_with(NOTED)
    await opened(page, service, "?amount=5")
    await page.click("#add-receiver")
    await page.fill("#receiver", name)


@at_a_size
async def test_a_name_shows_its_whole_address_and_the_api_gets_the_address(
    page: Page, named: Named, size: tuple[int, int]
) -> None:
    await page.look(*size)
    await asked_for(page, named.service, "Alice.ETH")
    await page.until(f"{NAMED}?.includes('{ALICE}')")
    here = named.service.sandbox.evm_chains[0]
    assert await page.text("#receiver-named") == f"alice.eth on {here.name} is {ALICE}: compare it."
    assert await page.evaluate("deep('#receiver').value") == "Alice.ETH"
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await routes(page)
    asked = await page.evaluate("window.asked")
    assert asked[-1] == ALICE
    assert set(asked) <= {"", ALICE}, "no question has the name"
    assert await violations(page) == []
    assert page.faults == []
    foreign = {url for url in page.requests if not url.startswith(("http://127.0.0.1:", "data:"))}
    assert foreign == set()


async def test_names_that_cannot_be_used_are_refused_in_words(page: Page, named: Named) -> None:
    names = named.names
    await names.name("zero.eth", "0x" + "00" * 20)
    await names.resolved_by("offchain.eth", await names.deploy("OffchainResolver"))
    hostile = await names.deploy("HostileResolver", ("bytes", "bool"), b"\xff" * 64, False)
    await names.resolved_by("hostile.eth", hostile)
    await asked_for(page, named.service, "nobody.eth")
    for name, words in REFUSED.items():
        await page.fill("#receiver", name)
        await page.until(f"{FAULT}?.startsWith({json.dumps(words)})")
        await page.until(f"{BUTTON} === 'Check the receiver' && !usable('#go')")
        assert await page.text("#receiver-named") == ""
    assert set(await page.evaluate("window.asked")) <= {""}


async def test_a_name_that_means_another_address_by_now_sends_nothing(
    page: Page, named: Named, wallet: TestWallet
) -> None:
    await named.names.name("moving.eth", ALICE)
    here = named.service.sandbox.evm_chains[0]
    await opened(page, named.service, "?from=HERE:ETH&to=HERE:USDC&amount=0.1")
    await page.click("#add-receiver")
    await page.fill("#receiver", "moving.eth")
    await page.until(f"{NAMED}?.includes('{ALICE}')")
    await connect(page)
    await page.until(f"{BUTTON} === 'Swap' && usable('#go')")
    await named.names.name("moving.eth", OTHER)
    await page.click("#go")
    await page.see("moving.eth now means another address")
    assert wallet.orders() == []
    assert OTHER in await page.text("#receiver-named")
    await send(page)
    await page.see("USDC arrived")
    assert len(wallet.orders()) == 1
    usdc = here.tokens["USDC"].address
    data = f"0x70a08231{OTHER[2:].lower().rjust(64, '0')}"
    assert int(str(await wallet.rpc("eth_call", {"to": usdc, "data": data}, "latest")), 16) > 0


async def test_a_name_follows_the_chain_and_a_link_names_nobody(page: Page, named: Named) -> None:
    here, there = named.service.sandbox.evm_chains
    await named.names.name("two.eth", ALICE)
    await named.names.name("two.eth", OTHER, there.id)
    await opened(page, named.service, "?from=HERE:USDC&to=THERE:USDC&receiver=two.eth")
    assert await page.evaluate("deep('#receiver')") is None
    await page.click("#add-receiver")
    await page.fill("#receiver", "two.eth")
    await page.until(f"{NAMED}?.includes('on {there.name} is {OTHER}')")
    await choose(page, "get", "WETH", here.id)
    await page.until(f"{NAMED}?.includes('on {here.name} is {ALICE}')")
    await page.fill("#receiver", OTHER)
    await page.until(f"{NAMED} === '' && {FAULT} === ''")


async def test_a_page_without_names_takes_addresses_only(page: Page, portal_service: PortalService) -> None:
    await asked_for(page, portal_service, "alice.eth")
    await page.until(f"{FAULT}?.startsWith('An EVM address has 0x')")
    assert not [url for url in page.requests if "names" in url]


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({"name": "alice.eth", "chain": "900001"}, 200, ALICE),
        ({"name": "alice.eth", "chain": "1"}, 200, ALICE),
        ({"name": "Alice.eth", "chain": "1"}, 400, "must be a normalised ENS name"),
        ({"name": "alice.eth"}, 400, "must be the ID of an EVM chain"),
        ({"name": "alice.eth", "chain": "900003"}, 400, "must be the ID of an EVM chain"),
        ({"chain": "1"}, 400, "must be a normalised ENS name"),
        ({"name": "nobody.eth", "chain": "1"}, 404, "There is no such name"),
    ],
)
async def test_the_front_answers_addresses_or_words(
    named: Named, session: aiohttp.ClientSession, asked: dict[str, str], status: int, words: str
) -> None:
    async with session.get(named.address, params=asked) as response:
        assert response.status == status
        assert words in await response.text()
        assert response.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in response.headers


async def test_names_are_not_offered_where_chain_1_is_not_served(
    portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    async with session.get(portal_service.base_url + "/front/names", params={"name": "a.eth", "chain": "1"}) as answer:
        assert answer.status == 404
