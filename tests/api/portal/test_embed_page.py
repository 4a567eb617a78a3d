"""The portal's page that writes the lines of an embedded swap box."""

import re
from html import unescape
from urllib.parse import urlencode

from tests.api.portal.season import spent
from tests.api.portal.test_views import HOME, NAME
from tests.portal_fixture import ServedPortal, Visitor


async def lines_of(owner: Visitor, status: int = 200, **asked: object) -> str:
    """Ask for the page; answer the lines as they are read."""
    answer = await owner.get(f"{HOME}/embed?{urlencode(asked, doseq=True)}")
    assert answer.status == status, answer.text
    found = re.search(r'<code id="snippet">(.*?)</code>', answer.text, re.S)
    assert found is not None
    return unescape(found[1])


async def test_the_lines_name_the_service_and_the_integrator(portal: ServedPortal) -> None:
    owner = await spent(portal)
    script, element, style = (await lines_of(owner)).split("\n")
    assert script == f'<script type="module" src="{portal.url}/rhumbline-swap.js"></script>'
    assert element == f'<rhumbline-swap integrator="{NAME}"></rhumbline-swap>'
    assert style.startswith("<style>rhumbline-swap {")


async def test_chains_fee_and_proxy_become_attributes(portal: ServedPortal) -> None:
    owner = await spent(portal)
    lines = await lines_of(owner, chain=["8453", "1", "77"], fee="0.5", api="https://yours.example/rhumbline")
    assert f'integrator="{NAME}" chains="1 8453" api="https://yours.example/rhumbline" fee="0.005"' in lines


NO_ATTRIBUTES = (
    ({"fee": "0"}, "percentage"),
    ({"fee": "10.01"}, "percentage"),
    ({"fee": "NaN"}, "percentage"),
    ({"fee": "1e-400000"}, "percentage"),
    ({"api": "javascript:alert(1)"}, "address"),
    ({"api": "https://"}, "address"),
    ({"api": "https://[yours"}, "address"),
    ({"api": "https://yours.example/?key=rl_live_1"}, "address"),
)


async def test_what_is_no_attribute_is_said_and_left_out(portal: ServedPortal) -> None:
    owner = await spent(portal)
    usual = await lines_of(owner)
    for asked, told in NO_ATTRIBUTES:
        assert await lines_of(owner, 400, **asked) == usual, asked
        assert told in (await owner.get(f"{HOME}/embed?{urlencode(asked)}")).text, asked


async def test_what_is_written_stays_within_its_attribute(portal: ServedPortal) -> None:
    """Whoever copies the lines copies no script that a link has put there."""
    owner = await spent(portal)
    hostile = 'https://yours.example/"><script>alert(1)</script>'
    (element,) = [line for line in (await lines_of(owner, api=hostile)).split("\n") if "integrator" in line]
    assert element.count("<") == 2
    assert unescape(element).count(hostile) == 1


async def test_the_element_is_shown_as_the_lines_say_and_asks_this_service_only(portal: ServedPortal) -> None:
    owner = await spent(portal)
    asked = {
        "from": "1:USDC",
        "locked": "from",
        "layout": "compact",
        "api": "https://yours.example",
        "integrator": "Other",
    }
    answer = await owner.get(f"{HOME}/embed?{urlencode(asked)}")
    shown = re.findall("<rhumbline-swap [^>]*>", answer.text)
    assert shown == [f'<rhumbline-swap integrator="{NAME}" from="1:USDC" locked="from" layout="compact">']
    assert 'api="https://yours.example"' in unescape(answer.text)
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


async def test_a_fee_without_a_wallet_is_minded(portal: ServedPortal) -> None:
    owner = await spent(portal)
    assert "nowhere to pay" not in (await owner.get(f"{HOME}/embed?fee=1")).text
    other = portal.visitor(9)
    await other.sign_in()
    await other.register("Bare")
    assert "nowhere to pay" in (await other.get("/portal/i/Bare/embed?fee=1")).text
    assert (await other.get(f"{HOME}/embed")).status == 404
