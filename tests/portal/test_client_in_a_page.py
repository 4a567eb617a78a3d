"""The TypeScript client in a page of another origin: quotes as they come, an error with its headers."""

import json
from pathlib import Path

from rhumbline.devnet.evm.accounts import sandbox_account
from tests.portal.chromium import ROOT, Page
from tests.portal.element_apps import run
from tests.portal.stack import PortalService
from tests.portal.swap_box import faults
from tests.portal.test_element_package import serving

SCRIPT = """
import { Rhumbline, ServiceError } from "./index.js";
const { api, asked } = TOLD;
const client = new Rhumbline(api);
const kinds = [];
for await (const each of client.quoteStream(asked)) kinds.push(each.kind);
const { minOutputAmount, transactionId } = await client.quote(asked);
const error = await client.quote({ ...asked, amount: 0n }).catch((refused) => refused);
const late = await client.wait(transactionId, { within: 0.5 }).catch(({ name }) => name);
window.told = {
  kinds, late, isPositive: BigInt(minOutputAmount) > 0n,
  error: [error instanceof ServiceError, error.code, typeof error.requestId, error.faults[0].slice(0, 7)],
};
"""


async def test_a_page_quotes_with_the_packed_client(page: Page, portal_service: PortalService, tmp_path: Path) -> None:
    await run(ROOT, "node", "clients/typescript/package.mjs", str(tmp_path / "packed"))
    chain = portal_service.sandbox.evm_chains[0]
    asked = {
        "senderAddress": sandbox_account(4).address,
        "originChainId": chain.id,
        "destinationChainId": chain.id,
        "originCurrency": chain.tokens["USDC"].address,
        "destinationCurrency": chain.tokens["WETH"].address,
        "amount": "1000000",
    }
    told = json.dumps({"api": portal_service.base_url, "asked": asked})
    index = f"<!doctype html><script type=module>{SCRIPT.replace('TOLD', told)}</script>"
    async with serving(tmp_path / "packed" / "package", index) as url:
        await page.goto(url)
        found = await page.until("window.told")
    assert found["kinds"][-1] == "answer"
    assert "quote" in found["kinds"][:-1]
    assert (found["late"], found["isPositive"]) == ("TimedOut", True)
    assert found["error"] == [True, "VALIDATION_ERROR", "string", "amount "]
    assert [each for each in faults(page) if "400" not in each and "404" not in each] == []
