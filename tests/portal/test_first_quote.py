"""An integrator's first ten minutes: a key, the page's command pasted into a shell, and a real quote for an answer."""

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.portal.chromium import PATIENCE_S, Page
from tests.portal.stack import PortalService
from tests.portal.story import new_key, register, sign_in, wallet_of

NAME, ACCOUNT = "Beginner", 8


async def pasted(command: str, folder: Path, **environment: str) -> Any:
    """Run a line as a shell does into which it is pasted; return the JSON that it prints."""
    path = "/usr/local/bin:/usr/bin:/bin"
    process = await asyncio.create_subprocess_exec(
        "bash", "-c", command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, cwd=folder,
        env={"PATH": path, **environment},
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    assert process.returncode == 0, err.decode()
    return json.loads(out)


def is_real(quote: Any, wallet: str) -> bool:
    """Tell whether an answer is a quote that the wallet could sign: simulated, with its calldata and a minimum."""
    assert quote["simulation"]["executionStatus"] == "SUCCESS", quote
    assert int(quote["outputAmount"]) >= int(quote["minOutputAmount"]) > 0
    return bool(quote["calldata"]["data"].startswith("0x") and wallet)


async def test_the_first_command_answers_with_a_real_quote(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, tmp_path: Path
) -> None:
    base_url = portal_service.base_url
    wallet = wallet_of(portal_service, session, ACCOUNT)
    await wallet.into(page)
    await sign_in(page, base_url)
    await register(page, NAME)
    plain = await page.text("#command")
    key = await new_key(page, base_url, NAME)
    command = await page.text("#command")
    assert key in command
    assert wallet.address in command
    assert is_real(await pasted(command, tmp_path), wallet.address)
    assert is_real(await pasted(plain, tmp_path, RHUMBLINE_KEY=key), wallet.address)
    assert is_real(await pasted(plain, tmp_path), wallet.address), "without a key it is the public tier's"
    # Counts are written every few seconds; those of the public tier are nobody's.
    history = f"{base_url}/portal/i/{NAME}/requests?span=hour"
    await page.goto(history)
    async with asyncio.timeout(PATIENCE_S):
        while "2 × 200" not in await page.text():
            await asyncio.sleep(0.5)
            await page.goto(history)
    await page.goto(f"{base_url}/portal/i/{NAME}/log")
    assert "key created" in await page.text()
    assert key not in await page.text()


@pytest.mark.parametrize(
    ("kind", "origins", "code"), [("browser", "https://app.example", None), ("secret", "", "API_KEY_SCOPE")]
)
async def test_a_restricted_key_s_command_fits_it(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, tmp_path: Path,
    kind: str, origins: str, code: str | None,
) -> None:  # fmt: skip
    """A browser key's command says the origin, and fails without it; one for records lists them, and quotes nothing."""
    base_url, name = portal_service.base_url, f"Beginner-{kind}"
    wallet = wallet_of(portal_service, session, ACCOUNT)
    await wallet.into(page)
    await sign_in(page, base_url)
    await register(page, name)
    await page.goto(f"{base_url}/portal/i/{name}/keys")
    await page.click("details.terms summary")
    await page.click(f"input[value={kind}]")
    if origins:
        await page.fill("#origins-new", origins)
    else:
        await page.click("details.terms input[name=quotes]")
    await page.follow("form:has(#new-name) button")
    await page.see("shown this once")
    command = await page.text("#command")
    key = (await page.text("#key")).strip()
    answer = await pasted(command, tmp_path)
    question = f"{base_url}/v1/quotes"
    if kind == "browser":
        assert is_real(answer, wallet.address)
        elsewhere = await pasted(command.replace(origins, "https://evil.example"), tmp_path)
        assert elsewhere["details"]["errorCode"] == "API_KEY_ORIGIN"
        question = f"{base_url}/v1/transactions"
    else:
        assert answer == {"transactions": [], "nextCursor": None}
    headers = {"x-api-key": key, "origin": origins}
    async with session.get(question, headers=headers) as response:
        assert (response.status, (await response.json())["details"]["errorCode"]) == (403, "API_KEY_SCOPE")
