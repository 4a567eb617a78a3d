"""The front page's modules by themselves, in the browser that runs them: what is signed, and what is seen."""

import json
from typing import Any

import pytest

from tests.portal.chromium import Page
from tests.portal.stack import PortalService

NATIVE = "0x" + "0" * 40
A, B, T, U = ("0x" + digit * 40 for digit in "abcd")
PAY = f"0xa9059cbb{'0' * 24}{'b' * 40}"


async def run(page: Page, portal_service: PortalService, module: str, body: str, **given: object) -> Any:
    """Run an expression over a module ``m`` of the front page, and ``given``."""
    if not (await page.evaluate("location.href")).startswith(portal_service.base_url):
        await page.goto(portal_service.base_url)
        await page.until("document.querySelector('#get-token').value === 'ETH'")
    script = await page.evaluate("document.querySelector('script[type=module]').src")
    path = script.replace("front.js", module)
    names = f"const given = {json.dumps(given)};"
    return await page.evaluate(f"import('{path}').then(async (m) => {{ {names} return await ({body}); }})")


@pytest.mark.parametrize(
    ("changes", "form"),
    [
        ({}, "contract"),
        ({"quote": {"approvalAddress": None}}, "contract"),
        ({"quote": {"approvalAddress": B}}, None),
        ({"to": B}, None),
        ({"to": B, "quote": {"approvalAddress": B}}, None),
        ({"to": B, "quote": {"approvalAddress": None}}, None),
        # A bridge's own transaction with native money, and nothing beyond what was agreed.
        ({"to": B, "value": "0xa", "pay": NATIVE, "quote": {"approvalAddress": None}}, "native"),
        ({"to": B, "value": "0xc", "pay": NATIVE, "quote": {"approvalAddress": None}}, "native"),
        ({"to": B, "value": "0xd", "pay": NATIVE, "quote": {"approvalAddress": None}}, None),
        ({"to": B, "value": "0x0", "pay": NATIVE, "quote": {"approvalAddress": None}}, None),
        ({"to": U, "value": "0xa", "pay": NATIVE, "quote": {"approvalAddress": None}}, None),
        ({"to": B, "value": "0xa", "pay": NATIVE}, None),
        ({"to": B, "value": "0xa", "pay": NATIVE, "quote": {"approvalAddress": None}, "crossing": False}, None),
        # A transfer of the token to a deposit address, of the amount or less.
        ({"to": T, "data": PAY + f"{10:064x}", "quote": {"approvalAddress": None}}, "transfer"),
        ({"to": T, "data": PAY + f"{11:064x}", "quote": {"approvalAddress": None}}, None),
        ({"to": T, "data": PAY + f"{10:064x}", "quote": {"approvalAddress": T}}, None),
        ({"to": T, "data": PAY + f"{10:064x}", "value": "0x1", "quote": {"approvalAddress": None}}, None),
        ({"to": T, "data": PAY + f"{10:064x}00", "quote": {"approvalAddress": None}}, None),
        ({"to": U, "data": PAY + f"{10:064x}", "quote": {"approvalAddress": None}}, None),
        ({"to": T, "data": f"0x095ea7b3{PAY[10:]}{10:064x}", "quote": {"approvalAddress": None}}, None),
        ({"to": T, "data": PAY + f"{10:064x}", "quote": {"approvalAddress": None}, "crossing": False}, None),
    ],
)
async def test_only_what_was_agreed_to_has_a_form(
    page: Page, portal_service: PortalService, changes: dict[str, Any], form: str | None
) -> None:
    fees = [{"type": "relayer", "amount": "2", "chainId": 1, "currencyAddress": NATIVE}]
    fees += [{"type": "relayer", "amount": "500", "chainId": 1, "currencyAddress": T}]
    calldata = {name: changes.get(name, usual) for name, usual in (("to", A), ("value", "0x0"), ("data", "0x12345678"))}
    quote = {
        "inputAmount": "10",
        "approvalAddress": A,
        "calldata": calldata,
        "fees": {"breakdown": fees},
        **changes.get("quote", {}),
    }
    trip = {
        "chain": {"id": 1, "rhumblineDiamond": A},
        "pay": {"address": changes.get("pay", T)},
        "listed": [{"address": U}],
        "crossing": changes.get("crossing", True),
    }
    found = await run(page, portal_service, "target.js", "m.formOf(given.trip, given.quote)", trip=trip, quote=quote)
    assert found == form
    if form == "transfer":
        paid = await run(page, portal_service, "target.js", "m.payee('transfer', given.quote)", quote=quote)
        assert paid == B


async def test_a_bridge_that_is_another_one_by_now_gets_nothing(page: Page, portal_service: PortalService) -> None:
    """An answer that has aged is asked for anew; another bridge, or another way to it, is another promise."""
    body = """(async () => {
      const results = [];
      for (const change of given.changes) {
        const sent = [];
        const quote = {...given.quote, ...change.first};
        const provider = {request: async ({method, params}) => {
          if (method === 'eth_chainId') return '0x1';
          if (method === 'eth_call') return '0x' + 'f'.repeat(64);
          if (method === 'eth_sendTransaction') { sent.push(params[0]); return '0xab'; }
          if (method === 'eth_getTransactionReceipt') return {status: '0x1', blockNumber: '0x5', logs: []};
        }};
        const trip = {quote, pay: {...given.token, address: change.pay ?? given.token.address}, get: given.token,
          asked: 0, sender: given.token.address, crossing: true, there: {id: 2, chainType: 'SVM', name: 'S'}};
        const again = async () => ({...quote, ...change.again});
        const chain = {id: 1, name: 'C', rhumblineDiamond: given.quote.calldata.to};
        try {
          const done = await m.sail({wallet: {provider, address: trip.sender}, chain, trip, again, log: () => {}});
          results.push([sent.length, done.quote.adapter, done.arrivals]);
        } catch (error) { results.push([sent.length, error.message]); }
      }
      return results;
    })()"""
    quote = {
        "adapter": "RELAY",
        "inputAmount": "10",
        "outputAmount": "20",
        "minOutputAmount": "19",
        "approvalAddress": A,
        "calldata": {"to": A, "value": "0x0", "data": "0x"},
    }
    direct = {"approvalAddress": None, "calldata": {"to": B, "value": "0xa", "data": "0x"}}
    changes = [
        {},
        {"again": {"adapter": "ACROSS"}},
        {"pay": NATIVE, "first": direct},
        {"pay": NATIVE, "first": direct, "again": {"calldata": {"to": A, "value": "0xa", "data": "0x"}}},
        {"pay": NATIVE, "first": direct, "again": {"calldata": {"to": B, "value": "0xb", "data": "0x"}}},
    ]
    token = {"address": T, "symbol": "T", "decimals": 0}
    found = await run(page, portal_service, "voyage.js", body, quote=quote, changes=changes, token=token)
    assert found[0] == [1, "RELAY", None]
    assert found[1] == [0, found[3][1]]
    assert "another kind than the one you agreed to" in found[1][1]
    assert found[2] == [1, "RELAY", None]
    assert found[3][0] == 0
    assert (found[4][0], "another contract" in found[4][1]) == (0, True)


NODE = """(async () => {
  const asked = [];
  const call = async (method, ...params) => {
    asked.push([method, ...params]);
    const state = given.steps[step];
    if (method === 'eth_blockNumber') return '0x' + state.head.toString(16);
    if (method === 'eth_getBalance') {
      if (state.forgets && Number(params[1]) < state.head) throw new Error('missing trie node');
      return '0x' + (Number(params[1]) >= (state.from ?? Infinity) ? state.gain : 7).toString(16);
    }
    if (method === 'eth_getBlockByNumber') return {transactions: state.plain ?? []};
    if (method === 'eth_getLogs') return (state.logs ?? []).filter((each) => {
      const at = Number(each.blockNumber), {fromBlock, toBlock} = params[0];
      if (Number(toBlock) - Number(fromBlock) > 400) throw new Error('range');
      return at >= Number(fromBlock) && at <= Number(toBlock);
    });
  };
  let step = 0;
  const look = await m.watch({call, token: given.token, owner: given.owner, least: 10n, most: 40n});
  const seen = [];
  for (step = 1; step < given.steps.length; step += 1) {
    const found = await look();
    seen.push(found && [Number(found.raw), found.block === null ? null : Number(found.block), found.hash]);
  }
  return [seen, asked.filter(([method]) => method === 'eth_getLogs').map(([, filter]) => filter)];
})()"""


def transfer(block: int, raw: int, topics: int = 3) -> dict[str, object]:
    return {
        "blockNumber": hex(block),
        "data": hex(raw),
        "topics": ["0x"] * topics,
        "transactionHash": f"0x{block:x}",
    }


async def test_a_token_is_seen_when_it_is_transferred(page: Page, portal_service: PortalService) -> None:
    """After the beginning only, within bounds, however many blocks passed, and also by a node that lags."""
    steps = [
        {"head": 100},
        {"head": 100, "logs": [transfer(100, 20)]},
        {"head": 101, "logs": [transfer(100, 20), transfer(101, 9), transfer(101, 41), transfer(101, 20, 4)]},
        {"head": 1500},
        {"head": 1490},
        {"head": 1501, "logs": [transfer(1495, 20)]},
    ]
    seen, filters = await run(page, portal_service, "arrivals.js", NODE, token=T, owner=A, steps=steps)
    assert seen == [None, None, None, None, [20, 1495, "0x5d7"]]
    assert {item["address"] for item in filters} == {T}
    assert {item["topics"][2] for item in filters} == {"0x" + A[2:].rjust(64, "0")}
    spans = [(int(item["fromBlock"], 16), int(item["toBlock"], 16)) for item in filters]
    covered = {block for first, last in spans for block in range(first, last + 1)}
    assert set(range(101, 1502)) <= covered
    assert 100 not in covered


async def test_native_money_is_seen_when_the_balance_grows(page: Page, portal_service: PortalService) -> None:
    paid = {"to": A.upper().replace("0X", "0x"), "value": "0xc", "hash": "0xfeed"}
    small = {"to": A, "value": "0x1", "hash": "0xdust"}
    for step, expected in (
        ({"head": 150, "from": 131, "gain": 19, "plain": [small, {"to": None, "value": "0xc"}, paid]}, "0xfeed"),
        ({"head": 150, "from": 131, "gain": 19, "plain": [small]}, None),
    ):
        steps = [{"head": 100}, {"head": 100}, {"head": 130, "from": 101, "gain": 16}, step]
        seen, _ = await run(page, portal_service, "arrivals.js", NODE, token=NATIVE, owner=A, steps=steps)
        assert seen == [None, None, [12, 131, expected]]
    forgetting = [{"head": 100}, {"head": 150, "from": 131, "gain": 19, "forgets": True}]
    seen, _ = await run(page, portal_service, "arrivals.js", NODE, token=NATIVE, owner=A, steps=forgetting)
    assert seen == [[12, None, None]]


async def test_a_node_of_another_chain_is_not_believed(page: Page, portal_service: PortalService) -> None:
    here, there = portal_service.sandbox.evm_chains
    chain = {"id": there.id, "chainType": "EVM", "rpcUrls": [here.rpc_url, there.rpc_url]}
    asked = "m.nodeOf(given.chain)('eth_chainId')"
    assert await run(page, portal_service, "nodes.js", asked, chain=chain) == hex(there.id)
    alone = {**chain, "rpcUrls": [here.rpc_url]}
    said = await run(page, portal_service, "nodes.js", asked + ".catch((error) => error.message)", chain=alone)
    assert said == "the node is of another chain"
    for none in ({**chain, "rpcUrls": []}, {**chain, "chainType": "SVM"}, None):
        assert await run(page, portal_service, "nodes.js", "m.nodeOf(given.chain)", chain=none) is None


async def test_a_bridge_s_page_is_linked_only_where_it_is_secure(page: Page, portal_service: PortalService) -> None:
    cases = [
        ("https://bridge.example/{txHash}", "https://bridge.example/0xab"),
        ("https://bridge.example/0x1", "https://bridge.example/0x1"),
        ("http://bridge.example/{txHash}", None),
        ("javascript:alert(1)//{txHash}", None),
        ("//bridge.example/{txHash}", None),
        ("data:text/html,{txHash}", None),
        ("", None),
        (None, None),
        (7, None),
    ]
    body = """given.cases.map(([url]) => {
      const quote = {adapter: 'X', bridgeScan: {url}};
      return [m.bridgePage(quote, '0xab')?.href ?? null, m.bridgePage(quote)?.href ?? null];
    })"""
    found = await run(page, portal_service, "journey.js", body, cases=cases)
    assert found == [[page, None if url and "{txHash}" in str(url) else page] for url, page in cases]


FOLLOW = """(async () => {
  const said = [];
  let now = 0, looks = 0;
  window.setTimeout = (then, ms) => { now += ms; queueMicrotask(then); return 0; };
  Date.now = () => now;
  const log = (name, state, text, hash) => said.push([state, text, hash ?? null]);
  const there = {name: 'There', chainType: given.type ?? 'EVM', rpcUrls: []};
  const token = {address: given.token, symbol: 'T', decimals: 0};
  const quote = {adapter: 'RELAY', inputAmount: '10', estimatedTimeSec: 50};
  const chain = {name: 'Here', chainType: 'EVM', rpcUrls: []};
  const trip = {chain, there, pay: token, get: token, quote, sender: given.token};
  const arrivals = given.type ? null : async () => {
    looks += 1;
    if (given.fails && looks === 2) throw new Error('gone');
    return looks > given.looks ? {raw: 12n, block: 5n, hash: given.hash ?? null} : null;
  };
  const wanted = () => !given.until || now < given.until;
  return [await m.follow(trip, {arrivals, block: 1n, wanted, log}), said, now];
})()"""


async def test_following_says_what_is_known_and_no_more(page: Page, portal_service: PortalService) -> None:
    """Once each, so that a screen reader is not told the same again and again; late when it is late."""
    end, said, now = await run(page, portal_service, "crossing.js", FOLLOW, token=T, looks=40, hash="0xfeed")
    assert (end, now > 150_000) == ("arrived", True)
    assert [state for state, _, _ in said] == ["doing", "doing", "done"]
    assert said[0][1].endswith(
        "nothing has arrived on There yet. You may leave this page; the transfer goes on without it"
    )
    assert "yet, though about 50 s were estimated" in said[1][1]
    assert said[2][1:] == ["12 T arrived on There in block 5", "0xfeed"]
    end, said, now = await run(page, portal_service, "crossing.js", FOLLOW, token=T, looks=3, fails=True)
    assert "a public node does not answer just now, so this page sees nothing" in said[1][1]
    assert said[-1][:2] == [
        "done",
        "12 T arrived on There in block 5; no plain transaction of that block did it, so there is no hash to show",
    ]
    end, said, now = await run(page, portal_service, "crossing.js", FOLLOW, token=T, looks=99, until=20_000)
    assert (end, len(said)) == ("left", 1)
    end, said, now = await run(page, portal_service, "crossing.js", FOLLOW, token=T, type="SVM")
    assert (end, len(said)) == ("unseen", 1)
    assert "This page cannot look at There, so it cannot tell when it arrives" in said[0][1]


FOLLOW_WORD = """(async () => {
  const said = [];
  let now = 0, asked = 0;
  window.setTimeout = (then, ms) => { now += ms; queueMicrotask(then); return 0; };
  Date.now = () => now;
  window.fetch = async (path) => {
    asked += 1;
    const body = now < given.at ? {status: 'bridge_pending'} : given.word;
    const ok = path === '/v1/status/0xab' && asked > 2;
    return {ok, status: ok ? 200 : 404, headers: new Headers(), json: async () => ok ? body : {message: 'not seen'}};
  };
  const log = (name, state, text, hash) => said.push([state, text, hash ?? null]);
  const there = {name: 'There', chainType: 'EVM', rpcUrls: []};
  const token = {address: given.token, symbol: 'T', decimals: 0};
  const quote = {adapter: 'RELAY', inputAmount: '10', transactionId: '0xab'};
  const trip = {chain: {name: 'Here', rpcUrls: []}, there, pay: token, get: token, quote, sender: given.token};
  const end = await m.follow(trip, {arrivals: null, block: 1n, wanted: () => now < 7_200_000, log});
  return [end, said, asked, now];
})()"""


@pytest.mark.parametrize(
    ("word", "end", "line"),
    [
        (
            {"status": "success", "outputAmountRaw": "12", "destTxHash": "0xfeed"},
            "arrived",
            ["done", "12 T arrived on There, as the service sees it", "0xfeed"],
        ),
        (
            {"status": "refunded"},
            "refunded",
            ["failed", "Refunded, as the service sees it: nothing arrived on There", None],
        ),
        ({"status": "bridge_failed"}, "failed", ["failed", "It failed, as RELAY says: nothing arrived on There", None]),
    ],
)
async def test_where_no_node_answers_the_service_is_asked(
    page: Page, portal_service: PortalService, word: dict[str, str], end: str, line: list[str | None]
) -> None:
    found, said, _, now = await run(page, portal_service, "crossing.js", FOLLOW_WORD, token=T, at=60_000, word=word)
    assert (found, said[-1]) == (end, line)
    assert said[0][1].endswith("so it goes by what the service sees")
    assert (len(said), now < 120_000) == (2, True)


async def test_a_page_that_follows_for_two_hours_asks_seldom(page: Page, portal_service: PortalService) -> None:
    """Beside what it asks for when it is opened: chains, tools and the tokens of the chains that are looked at."""
    found, _, asked, _ = await run(page, portal_service, "crossing.js", FOLLOW_WORD, token=T, at=10**9, word={})
    assert found == "left"
    assert 40 < asked < 90


async def test_a_silent_node_does_not_keep_a_price_waiting(page: Page, portal_service: PortalService) -> None:
    body = """(async () => {
      window.fetch = () => new Promise(() => {});
      const waits = [];
      window.setTimeout = (then, ms) => { waits.push(ms); queueMicrotask(then); return 0; };
      const there = {id: 2, chainType: 'EVM', rpcUrls: ['https://silent.example']};
      const quote = {outputAmount: '20', minOutputAmount: '19'};
      return [await m.lookout({there, get: {address: given.token}, quote, receiver: given.token}), waits];
    })()"""
    assert await run(page, portal_service, "crossing.js", body, token=T) == [None, [5000]]
