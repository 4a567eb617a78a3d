"""A quote service on the sandbox's Solana chain, and a wallet that signs what it answers."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from solders.keypair import Keypair
from solders.transaction import VersionedTransaction

from rhumbline.catalog.svm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.svm.accounts import EMPTY, INTEGRATOR_WALLET, SERVICE_WALLET, keypair
from rhumbline.devnet.svm.chains import RunningSolana
from rhumbline.domain.account import ApiClient, Integrator
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.fee import ChainWallets, FeeRule
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.decompiler import decompile
from rhumbline.routing.fan_out import Deadlines
from rhumbline.routing.fees import FeeSettings
from rhumbline.routing.quote_service import QuoteLimits, QuoteService
from rhumbline.routing.svm.composer import SvmComposer
from rhumbline.simulation.svm.runtime import SvmSimulator
from tests.routing.svm.pool_venue import PoolVenue, svm_chain, svm_tokens

KEY = b"k" * 32
PATIENCE_S = 30.0


def address(index: int) -> str:
    return str(keypair(index).pubkey())


SENDER, FRIEND, POOR = address(0), address(1), address(EMPTY[0])
SERVICE, INTEGRATOR = address(SERVICE_WALLET), address(INTEGRATOR_WALLET)


@dataclass(frozen=True)
class SvmQuotes:
    running: RunningSolana
    rpc: SvmRpc
    chain: Chain
    service: QuoteService

    def token(self, symbol: str) -> str:
        return NATIVE_SVM if symbol == "SOL" else self.running.furnished.tokens[symbol].address

    def ask(self, sold: str, bought: str, amount: int, **changes: Any) -> RouteRequest:
        plain = RouteRequest(
            self.chain, self.chain, self.token(sold), self.token(bought), 0, SENDER, SENDER, ApiClient()
        )
        return replace(plain, **{"amount": amount, **changes})

    def with_(self, *adapters: Adapter[Any], **changes: Any) -> "SvmQuotes":
        return replace(self, service=replace(self.service, adapters=adapters, **changes))

    def with_fees(self, service: str | None, integrator: str | None, share: int = 1000) -> "SvmQuotes":
        """The service takes a ``share``th, and the integrator ACME has a wallet."""

        async def registered(name: str) -> Integrator | None:
            return Integrator("ACME", None, integrator, system_clock()) if name.casefold() == "acme" else None

        fees = FeeSettings(FeeRule(Fraction(1, share)), ChainWallets(None, service))
        return replace(self, service=replace(self.service, fees=fees, integrators=registered))

    async def execute(self, answer: RouteAnswer, signer: Keypair | None = None) -> ExecutedTransaction:
        """Sign and send, and return the executed transaction."""
        transaction = answer.transaction
        assert isinstance(transaction, SvmTransaction)
        unsigned = VersionedTransaction.from_bytes(transaction.data)
        signed = VersionedTransaction(unsigned.message, [signer or keypair(0)])
        self.running.server.chain.advance()
        signature = await self.rpc.send(bytes(signed), preflight=False)
        self.running.server.chain.advance()
        executed = await self.rpc.transaction(signature)
        assert executed is not None
        return executed

    async def balance(self, owner: str, symbol: str) -> int:
        mint = self.token(symbol)
        if mint == NATIVE_SVM:
            account = await self.rpc.account(owner)
            return 0 if account is None else account.lamports
        answer = await self.rpc.call("getTokenAccountsByOwner", [owner, {"mint": mint}, {"encoding": "jsonParsed"}])
        assert isinstance(answer, dict)
        return sum(int(each["account"]["data"]["parsed"]["info"]["tokenAmount"]["amount"]) for each in answer["value"])


def instructions_of(answer: RouteAnswer) -> Any:
    transaction = answer.transaction
    assert isinstance(transaction, SvmTransaction)
    return decompile(transaction.data).instructions


def quotes_on_solana(running: RunningSolana, rpc: SvmRpc) -> SvmQuotes:
    chain = svm_chain()

    async def nobody(_: str) -> Integrator | None:
        return None

    service = QuoteService(
        adapters=(PoolVenue(running.server.chain),),
        tokens=TokenCatalog([chain], svm_tokens(running), token_readers({chain.id: rpc})),
        integrators=nobody,
        simulators={chain.id: SvmSimulator(rpc, PATIENCE_S)},
        composers={ChainType.SVM: SvmComposer((KEY,), {chain.id: rpc}, PATIENCE_S)},
        deadlines=Deadlines(PATIENCE_S, PATIENCE_S),
        limits=QuoteLimits(simulation_budget_s=PATIENCE_S),
    )
    return SvmQuotes(running, rpc, chain, service)
