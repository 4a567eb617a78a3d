"""What upstreams, price sources and nodes answer, as every part of the service that asks them reads it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web

from fuzz.conversations import recorded
from fuzz.decoder import Decoder
from rhumbline.api.portal.evm.contract_wallets import contract_verdict
from rhumbline.catalog.evm.token_reader import EvmTokenReader
from rhumbline.catalog.svm.token_reader import SvmTokenReader
from rhumbline.catalog.token_list import ListRefused, read_token_list
from rhumbline.devnet.hosts import hosted
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxConfig
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.domain.adapter import is_bridge
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import AdapterError, NodeRefused, NodeUnavailable, NotFound, RhumblineError
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transfer import IssuedTransaction, Transfer
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.list_download import DocumentUnavailable, fetch_document
from rhumbline.gateways.nodes.evm.ens import EnsNames
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.blocks import is_absent
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import FetchedTransaction
from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from rhumbline.pricing.source import PriceSource, SourceUnavailable
from rhumbline.pricing.sources import coingecko, jupiter
from rhumbline.pricing.sources.coingecko import CoinGecko
from rhumbline.pricing.sources.defillama import DefiLlama
from rhumbline.pricing.sources.dexscreener import DexScreener
from rhumbline.pricing.sources.jupiter import Jupiter
from rhumbline.tracking.evm.destinations import EvmDestinations
from rhumbline.tracking.evm.log_reader import LogReader, RangeRefused
from rhumbline.tracking.evm.receipts import EvmFees
from rhumbline.tracking.raw_status import printable_word, shown
from tests.adapters.conformance.adapter_fixture import AdapterFixture, open_adapter
from tests.adapters.conformance.case import Ask
from tests.adapters.conformance.cases import CASES, EMULATORS
from tests.adapters.onchain.adapter_fixture import open_adapter as open_onchain
from tests.catalog.conftest import CHAINS, USDC, entry, token_list
from tests.clocks import Clock, leaping
from tests.pricing.exchange import DEMO_KEY, JUPITER_KEY, NOW, SOLANA, WETH, WSOL, open_exchange

CACHE = Path(__file__).parents[1] / ".rhumbline" / "cache"
_NODE = (NodeUnavailable, NodeRefused)
_SETTLES_S = 60.0
_SENT_NOWHERE = "0x" + "9a" * 32


@dataclass(frozen=True)
class Asking:
    """An adapter, its nodes and its clock as they are at one moment; whatever is asked is asked of one made anew."""

    fixture: AdapterFixture
    at: datetime

    def anew(self) -> AdapterFixture:
        """The same adapter and nodes; they remember nothing of the last case."""
        old = self.fixture
        rpcs = {number: EvmRpc(rpc.url, rpc.http, rpc.name, rpc.timeout_s) for number, rpc in old.rpcs.items()}
        svm_rpcs = {
            number: SvmRpc(rpc.url, rpc.http, rpc.name, rpc.timeout_s, moment=Moment(leaping()))
            for number, rpc in old.svm_rpcs.items()
        }
        context = replace(old.context, rpcs=rpcs, svm_rpcs=svm_rpcs, clock=lambda: self.at)
        return replace(old, adapter=old.case.spec.make(context), context=context, rpcs=rpcs, svm_rpcs=svm_rpcs, ran=[])


@asynccontextmanager
async def sandboxed() -> AsyncIterator[tuple[Sandbox, Mapping[str, Emulator]]]:
    """Local chains with every upstream's emulator."""
    async with (
        running_sandbox(SandboxConfig(cache=CACHE)) as sandbox,
        running_world(sandbox) as world,
        running_emulators(world, EMULATORS) as emulators,
    ):
        yield sandbox, emulators


async def of_adapters(
    sandbox: Sandbox, emulators: Mapping[str, Emulator], *, whole: bool, keys: tuple[str, ...] = tuple(CASES)
) -> list[Decoder]:
    """Ask every adapter all that its conformance case says: quotes with builds, and statuses.

    With ``whole`` each is also asked through all of routing and simulation, one transfer a bridge is sent and followed,
    and the chains' nodes are asked what tracking asks.
    """
    found: list[Decoder] = []
    async with AsyncExitStack() as stack:
        for key in keys:
            case = CASES[key]
            emulator = emulators[case.emulator.key]
            emulator.reset()
            fixture = await stack.enter_async_context(open_adapter(sandbox, emulator, case))
            asking = Asking(fixture, system_clock())
            for ask in case.asks:
                found.append(await _quote(asking, ask))
            if whole:
                found += [await _answer(asking, ask) for ask in _first_of_each(case.asks)]
            if is_bridge(fixture.adapter):
                for ask in _first_of_each(case.asks):
                    found += await _status(asking, ask, sent=whole)
        if whole:
            found += await _nodes(fixture)
    return found


def _first_of_each(asks: tuple[Ask, ...]) -> list[Ask]:
    """One question from each chain type."""
    by_type = {ask.origin == "sbxs": ask for ask in reversed(asks)}
    return list(by_type.values())


async def _quote(asking: Asking, ask: Ask) -> Decoder:
    request = asking.fixture.request(ask)

    async def question() -> Any:
        return await asking.anew().transaction(request)

    return await recorded(f"{asking.fixture.case.spec.key} {ask}", question, (AdapterError,))


async def _answer(asking: Asking, ask: Ask) -> Decoder:
    request = asking.fixture.question(ask)

    async def question() -> Any:
        return (await asking.anew().service([]).answer(request)).transaction

    return await recorded(f"{asking.fixture.case.spec.key} {ask}, routed", question, (RhumblineError,), repeats=False)


async def _status(asking: Asking, ask: Ask, *, sent: bool) -> list[Decoder]:
    fixture = asking.fixture
    kept: list[IssuedTransaction] = []
    answer = await fixture.service(kept).answer(fixture.question(ask))
    transfers = [fixture.transfer(kept[0], _SENT_NOWHERE)]
    if sent:
        tx_hash = await fixture.execute(answer)
        place = -1 if kept[0].wallet_call else await fixture.last_log(tx_hash)
        transfers.append(fixture.transfer(kept[0], tx_hash, place))
        await _settled(fixture, transfers[-1])
    return [
        await recorded(
            f"{fixture.case.spec.key} {ask}, status of {what}", _status_of(asking, transfer), (AdapterError, *_NODE)
        )
        for what, transfer in zip(("nothing", "a transfer"), transfers, strict=False)
    ]


def _status_of(asking: Asking, transfer: Transfer) -> Any:
    async def question() -> Any:
        adapter = asking.anew().adapter
        assert is_bridge(adapter)
        status = await adapter.status(transfer)
        # As the status worker keeps it.
        return replace(status, raw=shown(status.raw), substatus=printable_word(status.substatus))

    return question


async def _settled(fixture: AdapterFixture, transfer: Transfer) -> None:
    """Wait until the bridge says that it has delivered."""
    adapter = fixture.adapter
    assert is_bridge(adapter)
    async with asyncio.timeout(_SETTLES_S):
        while True:
            if (await adapter.status(transfer)).state is TransferState.SUCCESS:
                return
            await asyncio.sleep(0.05)


async def _nodes(fixture: AdapterFixture) -> list[Decoder]:
    """What is asked of nodes beside quotes: by tracking, for tokens, and for signatures of contract wallets."""
    found: list[Decoder] = []
    for chain in fixture.chains.values():
        if chain.type is ChainType.SVM:
            found += await _svm_node(fixture, chain)
        else:
            found += await _evm_node(fixture, chain)
    return found


async def _evm_node(fixture: AdapterFixture, chain: Chain) -> list[Decoder]:
    old, token = fixture.rpcs[chain.id], fixture.token(chain.key, "USDC")
    newest = await old.block_number()
    last = await EvmRpc(old.url, old.http, old.name).call("eth_getBlockByNumber", [hex(newest), True])
    assert isinstance(last, dict)
    hashes = [each["hash"] for each in last["transactions"]]

    def rpc() -> EvmRpc:
        return EvmRpc(old.url, old.http, old.name, old.timeout_s)

    async def events() -> Any:
        reader = LogReader(chain, rpc())
        read = await reader.read(max(1, newest - 5), newest, None)
        longer = await reader.read(1, newest, None)
        return reader.decoded(read.logs, read.headers), reader.decoded(longer.logs, longer.headers)

    async def receipts() -> Any:
        return await EvmFees(rpc()).paid(hashes), await EvmDestinations({chain.id: rpc()}).receipt(
            chain.id, hashes[0], None
        )

    async def tokens() -> Any:
        return await EvmTokenReader(rpc()).read(chain, token.address)

    async def wallets() -> Any:
        return await contract_verdict(rpc(), str(chain.diamond), "text", "0x" + "ab" * 65)

    return [
        await recorded(f"{chain.key}, events", events, (*_NODE, RangeRefused)),
        await recorded(f"{chain.key}, receipts", receipts, _NODE),
        await recorded(f"{chain.key}, tokens", tokens, (*_NODE, NotFound)),
        await recorded(f"{chain.key}, contract wallets", wallets, _NODE),
    ]


async def _svm_node(fixture: AdapterFixture, chain: Chain) -> list[Decoder]:
    old, token = fixture.svm_rpcs[chain.id], fixture.token(chain.key, "USDC")
    wallet = fixture.sender(chain)
    page = await old.signatures(wallet, limit=20)

    def rpc() -> SvmRpc:
        return SvmRpc(old.url, old.http, old.name, old.timeout_s, moment=Moment(leaping()))

    async def state() -> Any:
        node = rpc()
        hashed = await node.latest_blockhash()
        return (
            await node.slot(), await node.block_height(), await node.epoch(), await node.rent(), hashed,
            await node.slot_of_validity(hashed.value), await node.priority_fees([wallet]),
            await node.genesis_hash(),
        )  # fmt: skip

    async def history() -> Any:
        node = rpc()
        listed = await node.signatures(wallet, limit=20)
        names = [each.signature for each in page]
        fetched = [each for each in await node.fetch_several(names) if isinstance(each, FetchedTransaction)]
        executed = [each.read() for each in fetched]
        return listed, await node.statuses(names), executed, await node.transaction(names[0])

    async def accounts() -> Any:
        node = rpc()
        return await node.account(wallet), await node.accounts([wallet, token.address])

    async def absence() -> Any:
        return await is_absent(rpc(), page[0].signature, page[0].slot)

    async def tokens() -> Any:
        return await SvmTokenReader(rpc()).read(chain, token.address)

    return [
        await recorded(f"{chain.key}, state", state, _NODE),
        await recorded(f"{chain.key}, history", history, (*_NODE, ValueError)),
        await recorded(f"{chain.key}, accounts", accounts, _NODE),
        await recorded(f"{chain.key}, absence", absence, _NODE),
        await recorded(f"{chain.key}, tokens", tokens, (*_NODE, NotFound)),
    ]


async def of_pools(sandbox: Sandbox, http: HttpClient) -> list[Decoder]:
    """Ask for quotes of on-chain liquidity: pools found, and read by the lens."""
    chain = sandbox.evm_chains[0]

    async def question(sold: str, bought: str, amount: int) -> Any:
        fixture = open_onchain(chain, EvmRpc(chain.rpc_url, http, chain.key, 30.0), sandbox.accounts[0].address)
        quote = await fixture.quote(sold, bought, amount)
        return await fixture.build(quote)

    return [
        await recorded(f"ONCHAIN {sold}-{bought}", partial(question, sold, bought, amount), (AdapterError, *_NODE))
        for sold, bought, amount in (("WETH", "USDC", 10**18), ("USDC", "DAI", 10**9), ("ETH", "USDT", 10**17))
    ]


async def of_lists(http: HttpClient) -> list[Decoder]:
    """Fetch a token list from a host."""

    async def answered(_: web.Request) -> web.Response:
        return web.json_response(token_list(entry(USDC, "USDC")), headers={"etag": 'W/"1"'})

    async def moved(_: web.Request) -> web.Response:
        return web.Response(status=302, headers={"location": "/list.json"})

    app = web.Application()
    app.add_routes([web.get("/list.json", answered), web.get("/moved", moved)])
    async with hosted(app) as url:

        async def fetched() -> Any:
            found = await fetch_document(http, f"{url}/moved", etag='W/"0"')
            return found and (found.etag, read_token_list(found.body, CHAINS).tokens)

        return [await recorded("hosts of lists", fetched, (DocumentUnavailable, ListRefused))]


async def of_names(http: HttpClient) -> list[Decoder]:
    """Look a name up at a node that answers what ENS' contract would."""
    address, resolver = "0x" + "34" * 20, "0x" + "12" * 20
    resolved = "0x" + encode_args(["bytes", "address"], [encode_args(["address"], [address]), resolver]).hex()

    async def answered(request: web.Request) -> web.Response:
        calls = await request.json()
        results = {"eth_chainId": "0x1", "eth_call": resolved, "eth_getCode": "0x"}
        answers = [
            {"jsonrpc": "2.0", "id": call["id"], "result": results[call["method"]]}
            for call in (calls if isinstance(calls, list) else [calls])
        ]
        return web.json_response(answers if isinstance(calls, list) else answers[0])

    app = web.Application()
    app.router.add_post("/", answered)
    async with hosted(app) as url:

        async def looked_up() -> Any:
            return await EnsNames(EvmRpc(url, http, "eth")).address("name.eth", 1)

        return [await recorded("names", looked_up, (*_NODE, NotFound))]


async def of_prices() -> list[Decoder]:
    """Ask every price source."""
    clock, found = Clock(NOW), list[Decoder]()
    async with AsyncExitStack() as stack:
        exchange = await stack.enter_async_context(open_exchange(clock))

        async def upstream(name: str, path: str, **headers: str) -> Upstream:
            named = {header.replace("_", "-"): value for header, value in headers.items()}
            return await stack.enter_async_context(open_upstream(name, exchange.url + path, headers=named))

        sources: list[PriceSource] = [
            DexScreener(await upstream("dexscreener", "/dex"), clock, interval_s=0),
            DefiLlama(await upstream("defillama", "/llama"), interval_s=0),
            Jupiter(await upstream("jupiter", "/jup", **{jupiter.KEY_HEADER: JUPITER_KEY}), clock, interval_s=0),
            CoinGecko(await upstream("coingecko", "/gecko", **{coingecko.KEY_HEADER: DEMO_KEY}), interval_s=0),
        ]
        for source in sources:
            tokens = [(1, WETH)] if source.covers(1) else [(SOLANA, WSOL)]
            found.append(
                await recorded(f"prices of {source.name}", partial(source.prices, tokens), (SourceUnavailable,))
            )
    return found
