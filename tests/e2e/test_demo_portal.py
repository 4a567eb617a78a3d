"""Who visits the demo's portal for the first time finds something there: its integrator has an owner that it names."""

import aiohttp
from eth_account import Account

from tests.e2e.running_demo import Demo
from tests.portal_fixture import Visitor


async def test_the_demo_names_a_wallet_that_signs_in(demo: Demo) -> None:
    sandbox = demo.sandbox
    owner = sandbox["integrator"]["owner"]
    (account,) = [each for each in sandbox["accounts"]["evm"] if each["address"] == owner]
    assert Account.from_key(account["private_key"]).address == owner
    place = f"accounts.evm[{sandbox['accounts']['evm'].index(account)}]"
    (told,) = [line for line in demo.log.read_text().splitlines() if line.startswith("portal ")]
    assert told == f"portal {sandbox['base_url']}/portal sign in as {owner} ({place} of that file)"
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        visitor = Visitor(sandbox["base_url"], session, account["private_key"])
        await visitor.sign_in()
        name = sandbox["integrator"]["name"]
        assert f'href="/portal/i/{name}"' in (await visitor.get("/portal")).text
        keys = (await visitor.get(f"/portal/i/{name}/keys")).text
        assert all(each in keys for each in ("Demo", "Load tests"))
        assert sandbox["integrator"]["wallet"] in (await visitor.get(f"/portal/i/{name}/wallets")).text
