"""What the front page has a wallet send: nothing that was not agreed to, to nobody else, and on no other chain."""

import json
from typing import Any

import pytest

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.test_scripts import run

SAIL = """
import('MODULE').then(async ({sail}) => {
  const sent = [], ALL = '0x' + 'f'.repeat(64);
  let looks = 0;
  const quote = {inputAmount: '10', outputAmount: '20', minOutputAmount: '19', approvalAddress: A, transactionId: '0x1',
    calldata: {to: A, value: '0x0', data: '0x'}, ...CHANGES.quote};
  const provider = {request: async ({method, params}) => {
    if (method === 'eth_chainId') return (CHANGES.moved ?? Infinity) > looks++ ? '0x1' : '0x38';
    if (method === 'eth_call') return (sent.length ? CHANGES.given : null) ?? CHANGES.allowance ?? ALL;
    if (method === 'eth_sendTransaction') { sent.push(params[0]); return '0xab'; }
    if (method === 'eth_getTransactionReceipt') return {status: CHANGES.status ?? '0x1', blockNumber: '0x5', logs: []};
  }};
  const token = {address: T, symbol: 'T', decimals: 0};
  const trip = {quote, pay: token, get: token, asked: CHANGES.asked ?? Date.now(), sender: CHANGES.sender ?? T};
  const again = async () => ({...quote, ...CHANGES.again});
  try {
    const chain = {id: 1, idHex: '0x1', name: 'C', rhumblineDiamond: A};
    await sail({wallet: {provider, address: T}, chain, trip, again, log: () => {}});
    if (!sent.every(({chainId}) => chainId === '0x1')) return [sent.length, 'sent without its chain'];
    return [sent.length, 'done'];
  } catch (error) {
    return [sent.length, error.constructor.name + ' ' + error.message];
  }
})
"""
A, B, T = ("0x" + digit * 40 for digit in "abc")


@pytest.mark.parametrize(
    ("changes", "sent", "says"),
    [
        ({}, 1, "done"),
        ({"sender": B}, 0, "another wallet"),
        ({"quote": {"approvalAddress": B}}, 0, "another contract"),
        ({"quote": {"calldata": {"to": B, "value": "0x0", "data": "0x"}}}, 0, "another contract"),
        ({"asked": 0}, 1, "done"),
        ({"asked": 0, "again": {"minOutputAmount": "18"}}, 0, "PriceMoved"),
        ({"asked": 0, "again": {"approvalAddress": B}}, 0, "PriceMoved"),
        ({"asked": 0, "again": {"calldata": {"to": B, "value": "0x0", "data": "0x"}}}, 0, "another contract"),
        ({"asked": 0, "again": {"inputAmount": "11"}}, 0, "PriceMoved"),
        ({"status": "0x0"}, 1, "reverted the transaction"),
        ({"allowance": "0x0", "status": "0x0"}, 1, "reverted the approval"),
        ({"allowance": "0x0"}, 1, "Less than 10 T was approved"),
        ({"allowance": "0x0", "given": "0xa"}, 2, "done"),
        # The wallet is moved to another chain: before the approval, after it, and while the price is asked for anew.
        ({"allowance": "0x0", "given": "0xa", "moved": 1}, 0, "The wallet has left C"),
        ({"allowance": "0x0", "given": "0xa", "moved": 2}, 1, "The wallet has left C"),
        ({"asked": 0, "moved": 1}, 0, "The wallet has left C"),
    ],
)
async def test_nothing_is_sent_that_was_not_agreed_to(
    page: Page, portal_service: PortalService, changes: dict[str, Any], sent: int, says: str
) -> None:
    await page.goto(portal_service.base_url)
    await page.until("document.querySelector('#get-token').value === 'ETH'")
    script = await page.evaluate("document.querySelector('script[type=module]').src")
    text = SAIL.replace("MODULE", script.replace("front.js", "voyage.js")).replace(
        "CHANGES", f"({json.dumps(changes)})"
    )
    names = f"const A = '{A}', T = '{T}';"
    count, outcome = await page.evaluate(f"(() => {{ {names} return {text.strip()} }})()")
    assert says in outcome
    assert count == sent


DIRECT = """(async () => {
  const results = [];
  for (const [first, now] of given.changes) {
    const sent = [], said = [];
    const amounts = {inputAmount: '10', outputAmount: '20', minOutputAmount: '19'};
    const made = (calldata) => ({adapter: 'NEAR_INTENTS', ...amounts, calldata});
    const provider = {request: async ({method, params}) => {
      if (method === 'eth_chainId') return '0x1';
      if (method === 'eth_sendTransaction') { said.push('asked the wallet'); sent.push(params[0]); return '0xab'; }
      if (method === 'eth_getTransactionReceipt') return {status: '0x1', blockNumber: '0x5', logs: []};
    }};
    const token = {address: first.data.length > 100 ? given.token : given.native, symbol: 'T', decimals: 0};
    const trip = {quote: made(first), pay: token, get: token, asked: given.asked ?? 0, sender: given.token,
      crossing: true, there: {id: 2, chainType: 'SVM', name: 'S'}};
    const chain = {id: 1, idHex: '0x1', name: 'C', rhumblineDiamond: given.diamond};
    const log = (name, state, text) => said.push(text);
    try {
      await m.sail({wallet: {provider, address: trip.sender}, chain, trip, again: async () => made(now), log});
    } catch (error) { said.push(error.message); }
    results.push([sent.map(({to}) => to), said]);
  }
  return results;
})()"""
NATIVE, ONE, TWO = "0x" + "0" * 40, "0x" + "1" * 40, "0x" + "2" * 40


def paid(to: str, data: str = "0x") -> dict[str, str]:
    return {"to": to, "value": "0xa", "data": data}


def transferred(to: str) -> dict[str, str]:
    return {"to": T, "value": "0x0", "data": f"0xa9059cbb{to[2:].rjust(64, '0')}{10:064x}"}


async def test_another_payee_than_was_named_is_told_or_refused(page: Page, portal_service: PortalService) -> None:
    """A new deposit address is told before the wallet is asked; another contract is not what was agreed to."""
    changes = [
        (paid(ONE), paid(ONE.upper().replace("0X", "0x"))),
        (paid(ONE), paid(TWO)),
        (transferred(ONE), transferred(ONE)),
        (transferred(ONE), transferred(TWO)),
        (paid(ONE, "0xabcdef"), paid(ONE, "0x123456")),
        (paid(ONE, "0xabcdef"), paid(TWO, "0xabcdef")),
        (paid(ONE), paid(TWO, "0xabcdef")),
        (paid(ONE, "0xabcdef"), paid(TWO)),
    ]
    given = {"changes": changes, "token": T, "native": NATIVE, "diamond": A}
    found = await run(page, portal_service, "voyage.js", DIRECT, **given)
    wanted = [[ONE], [TWO], [T], [T], [ONE], [], [], []]
    assert [sent for sent, _ in found] == wanted
    told = [[line for line in said if line.startswith("It goes to ")] for _, said in found]
    new = f"It goes to {TWO}: NEAR_INTENTS has named a new deposit address, in place of {ONE}"
    assert told == [[], [new], [], [new], [], [], [], []]
    for _, said in (found[1], found[3]):
        assert said.index(new) < said.index("asked the wallet")
    for _, said in found[5:]:
        assert said[-1] == f"The answer now calls {TWO}, and not {ONE} as you agreed to. Nothing was sent: ask again"
    fresh = await run(page, portal_service, "voyage.js", DIRECT, **{**given, "changes": changes[1:2], "asked": 10**15})
    assert fresh[0][0] == [ONE], "an answer that is fresh is the one that was shown"
