"""One adapter against its emulator on the chains of the sandbox, alone and behind the whole of routing."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pydantic import TypeAdapter
from solders.keypair import Keypair

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.svm.token_reader import token_readers as svm_token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.evm.operator import Operator, encoded, unlocked
from rhumbline.devnet.evm.pools import PRICES
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.devnet.sandbox import Sandbox, SandboxAccount
from rhumbline.devnet.svm.plans import PRICES as SOLANA_PRICES
from rhumbline.devnet.svm.wallet import SvmWallet
from rhumbline.devnet.svm.wallet import balance_of as solana_balance_of
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.domain.account import ApiClient
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction, SvmTransaction, UpstreamTransaction
from rhumbline.domain.transfer import IssuedTransaction, Transfer
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.fan_out import Deadlines
from rhumbline.routing.quote_service import QuoteService
from rhumbline.routing.slippage import least_output
from rhumbline.routing.svm.composer import SvmComposer
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from tests.adapters.conformance.case import Ask, Case
from tests.clocks import leaping
from tests.routing.svm.recording_simulator import RecordingSimulator
from tests.routing.venues import chain_of, tokens_of

RECEIVERS = {
    ChainType.EVM: "0x00000000000000000000000000000000000A11cE",
    ChainType.SVM: str(Keypair.from_seed(b"somebody who is paid on Solana  ").pubkey()),
}
WRAPPED = {"ETH": "WETH", "SOL": "WSOL"}
SLIPPAGE = Fraction(1, 100)
KEY = b"k" * 32
# A machine that is busy is no reason to fail.
PATIENCE_S = 60.0
PATIENT = Deadlines(30.0, 30.0)


@dataclass(frozen=True)
class AdapterFixture:
    case: Case
    adapter: Adapter[Any]
    emulator: Emulator
    upstreams: tuple[Upstream, ...]
    context: AdapterContext[Any]
    chains: Mapping[str, Chain]
    tokens: tuple[Token, ...]
    rpcs: Mapping[int, EvmRpc]
    svm_rpcs: Mapping[int, SvmRpc]
    accounts: Mapping[ChainType, SandboxAccount]
    ran: list[bytes] = field(default_factory=list)
    """What was simulated on Solana, in its order."""

    def sender(self, chain: Chain) -> str:
        return self.accounts[chain.type].address

    def receiver(self, ask: Ask) -> str:
        """Whom the output is for: somebody else, but of an upstream that pays the wallet alone."""
        if self.case.pays_the_wallet:
            return self.sender(self.chains[ask.origin])
        return RECEIVERS[self.chains[ask.destination].type]

    def token(self, chain: str, symbol: str) -> Token:
        number = self.chains[chain].id
        if symbol == self.chains[chain].native.symbol:
            return self.chains[chain].native
        return next(token for token in self.tokens if (token.chain_id, token.symbol) == (number, symbol))

    def request(self, ask: Ask, **changes: Any) -> QuoteRequest:
        origin, destination = self.chains[ask.origin], self.chains[ask.destination]
        sender, receiver = self.sender(origin), self.receiver(ask)
        own = ask.direct or origin.type is ChainType.SVM
        executor = sender if own else str(origin.executor)
        crossing = origin.id != destination.id
        plain = QuoteRequest(
            origin, destination, self.token(ask.origin, ask.origin_token),
            self.token(ask.destination, ask.destination_token), ask.amount, sender=sender, receiver=receiver,
            taker=executor, payout_address=receiver if crossing or own else executor, slippage=SLIPPAGE,
            deadline=int(system_clock().timestamp()) + 1200,
        )  # fmt: skip
        return replace(plain, **changes)

    async def transaction(self, request: QuoteRequest) -> UpstreamTransaction:
        """Quote and build as routing does: an upstream that fixed its minimum is held to it."""
        quote = await self.adapter.quote(request)
        least = least_output(quote.output_amount, SLIPPAGE)
        fixed = quote.min_output_amount
        return await self.adapter.build(replace(quote, min_output_amount=least if fixed is None else fixed))

    def service(self, kept: list[IssuedTransaction]) -> QuoteService:
        async def keep(build: IssuedTransaction) -> None:
            kept.append(build)

        async def nobody(name: str) -> None:
            return None

        gas = {number: GasReader(rpc) for number, rpc in self.rpcs.items()}
        return QuoteService(
            adapters=(self.adapter,),
            tokens=TokenCatalog(
                list(self.chains.values()),
                list(self.tokens),
                {**token_readers(self.rpcs), **svm_token_readers(self.svm_rpcs)},
            ),
            integrators=nobody,
            simulators={
                **{number: RpcSimulator(rpc, gas[number], 30.0) for number, rpc in self.rpcs.items()},
                **{number: RecordingSimulator(rpc, PATIENCE_S, self.ran) for number, rpc in self.svm_rpcs.items()},
            },
            composers={
                ChainType.EVM: EvmComposer((KEY,), gas),
                ChainType.SVM: SvmComposer((KEY,), self.svm_rpcs, PATIENCE_S),
            },
            deadlines=PATIENT,
            keep=keep,
            prices=self.price,
        )

    def price(self, chain_id: int, address: str) -> PriceSnapshot | None:
        """The prices at which the sandbox's pools were made, as somebody says who reads no pool."""
        token = next(
            (each for each in self.tokens if (each.chain_id, each.address) == (chain_id, address)),
            next(chain.native for chain in self.chains.values() if chain.id == chain_id),
        )
        known = SOLANA_PRICES if self.context.chains[chain_id].type is ChainType.SVM else PRICES
        usd = Decimal(known[WRAPPED.get(token.symbol, token.symbol)]) / 100
        now = system_clock()
        return PriceSnapshot(chain_id, address, usd, "reference", now, False, PriceTier.HOT, False)

    def question(self, ask: Ask) -> RouteRequest:
        """The caller's question; where the ask is in the direct form, of chains that have no Diamond."""
        origin, destination = self.chains[ask.origin], self.chains[ask.destination]
        if ask.direct and origin.type is ChainType.EVM:
            origin, destination = (replace(chain, diamond=None, executor=None) for chain in (origin, destination))
        return RouteRequest(
            origin, destination, self.token(ask.origin, ask.origin_token).address,
            self.token(ask.destination, ask.destination_token).address, ask.amount, self.sender(origin),
            self.receiver(ask), ApiClient(), slippage=SLIPPAGE,
        )  # fmt: skip

    async def balance(self, ask: Ask) -> int:
        token, kind = self.token(ask.destination, ask.destination_token), self.chains[ask.destination].type
        if kind is ChainType.SVM:
            return await solana_balance_of(self.svm_rpcs[token.chain_id], token.address, self.receiver(ask))
        return await balance_of(self.rpcs[token.chain_id], token.address, self.receiver(ask))

    async def execute(self, answer: RouteAnswer) -> str:
        """Approve and send what was answered, as its sender; the transaction's hash."""
        transaction, request = answer.transaction, answer.request
        if isinstance(transaction, SvmTransaction):
            assert transaction.data == self.ran[-1], "what is handed out is not what was run last"
            return await self.sign(transaction)
        assert isinstance(transaction, EvmTransaction)
        rpc = self.rpcs[request.origin.id]
        wallet: Operator = await unlocked(rpc, request.sender, 10**22)
        if answer.approval_address is not None:
            approve = encoded("approve(address,uint256)", answer.approval_address, request.amount)
            await wallet.send(request.origin_token, approve)
        assert answer.gas is not None
        assert answer.gas.limit is not None
        sent = {
            "from": request.sender, "to": transaction.to, "value": hex(transaction.value),
            "data": "0x" + transaction.data.hex(), "gas": hex(answer.gas.limit),
        }  # fmt: skip
        receipt = await rpc.call("eth_sendTransactionSync", [sent])
        assert isinstance(receipt, dict)
        assert receipt["status"] == "0x1"
        return str(receipt["transactionHash"])

    async def sign(self, transaction: SvmTransaction) -> str:
        """Sign what is handed out on Solana as its sender, and send it; the signature."""
        key = Keypair.from_base58_string(self.accounts[ChainType.SVM].private_key)
        wallet = SvmWallet(key, self.svm_rpcs[transaction.chain_id])
        return (await wallet.execute({"calldata": {"data": b64encode(transaction.data).decode()}})).tx_hash

    async def arrived(self, ask: Ask, before: int, least: int) -> int:
        """Wait until the receiver has at least so much more; what it has more."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                gained = await self.balance(ask) - before
                if gained >= least:
                    return gained
                await asyncio.sleep(0.05)

    def transfer(self, build: IssuedTransaction, tx_hash: str, log_index: int = -1) -> Transfer:
        return Transfer(
            build.adapter, build.origin_chain_id, build.destination_chain_id, tx_hash, log_index, build.sender,
            build.receiver, build.sender, build.input_token, build.sent_amount, build.output_token, build.min_output,
            build.reference, build.created_at,
        )  # fmt: skip

    async def last_log(self, tx_hash: str) -> int:
        """The place of a transaction's last log: the Diamond's event, where the Diamond was called."""
        for rpc in self.rpcs.values():
            receipt = await rpc.call("eth_getTransactionReceipt", [tx_hash])
            if isinstance(receipt, dict):
                logs = receipt["logs"]
                assert isinstance(logs, list)
                return int(logs[-1]["logIndex"], 16) if logs else -1
        raise AssertionError(f"{tx_hash} is on no chain")

    def without_nodes(self) -> Adapter[Any]:
        """The same adapter where no chain is served: it has the upstream's word alone."""
        made: Adapter[Any] = self.case.spec.make(replace(self.context, rpcs={}, svm_rpcs={}))
        return made

    def open_calls(self) -> int:
        """How many connections to the upstream are in the middle of a call."""
        return sum(upstream.pool.in_use for upstream in self.upstreams)


@asynccontextmanager
async def open_adapter(sandbox: Sandbox, emulator: Emulator, case: Case) -> AsyncIterator[AdapterFixture]:
    spec = case.spec
    credentials = emulator.credentials()
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(HttpClient())
        headers = spec.headers(credentials)

        async def opened(url: str) -> Upstream:
            return await stack.enter_async_context(
                open_upstream(
                    spec.key, url, headers=headers, timeout_s=spec.timeout_s,
                    largest_bytes=spec.largest_bytes,
                )
            )  # fmt: skip

        http = await opened(emulator.url)
        more = {name: await opened(emulator.more_urls().get(name, emulator.url)) for name in spec.more_urls}
        reader: TypeAdapter[Any] = TypeAdapter(spec.deployment)
        places = {number: reader.validate_python(facts) for number, facts in emulator.deployments().items()}
        chains = {described.id: chain_of(described) for described in sandbox.chains}
        rpcs = {
            described.id: EvmRpc(described.rpc_url, client, described.key, PATIENCE_S)
            for described in sandbox.evm_chains
        }
        svm_rpcs = {
            described.id: SvmRpc(described.rpc_url, client, described.key, PATIENCE_S, moment=Moment(leaping()))
            for described in sandbox.chains
            if described.type is ChainType.SVM
        }
        parts = AdapterContext(spec.key, http, places, rpcs, chains, system_clock, credentials, more, svm_rpcs=svm_rpcs)
        yield AdapterFixture(
            case,
            spec.make(parts),
            emulator,
            (http, *more.values()),
            parts,
            {chain.key: chain for chain in chains.values()},
            tuple(token for described in sandbox.chains for token in tokens_of(described)),
            rpcs,
            svm_rpcs,
            {kind: next(account for account in sandbox.accounts if account.type is kind) for kind in ChainType},
        )
