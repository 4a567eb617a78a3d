"""A quote service on the sandbox, and a wallet that does what its answers say."""

from dataclasses import dataclass, replace
from typing import Any

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.evm.operator import Operator, encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.domain.account import ApiClient, Integrator
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.quote_service import QuoteService
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from tests.routing.venues import PoolVenue, chain_of, tokens_of

KEY = b"k" * 32


@dataclass(frozen=True)
class QuoteFixture:
    described: SandboxChain
    chain: Chain
    rpc: EvmRpc
    service: QuoteService
    sender: str
    receiver: str
    nobody: str

    def token(self, symbol: str) -> str:
        return NATIVE_EVM if symbol == "ETH" else self.described.tokens[symbol].address

    def ask(self, sold: str, bought: str, amount: int, **changes: Any) -> RouteRequest:
        plain = RouteRequest(
            self.chain, self.chain, self.token(sold), self.token(bought), amount, self.sender, self.sender, ApiClient()
        )
        return replace(plain, **changes)

    def with_(self, *adapters: Adapter[Any], **changes: Any) -> "QuoteFixture":
        return replace(self, service=replace(self.service, adapters=adapters, **changes))

    async def execute(self, answer: RouteAnswer) -> tuple[int, int]:
        """Approve and send as the answer's sender; the receiver's gain (without gas), and the gas limit's spare."""
        transaction, request = answer.transaction, answer.request
        assert isinstance(transaction, EvmTransaction)
        assert answer.gas is not None
        assert answer.gas.limit is not None
        wallet: Operator = await unlocked(self.rpc, request.sender, 10**21)
        if answer.approval_address is not None:
            approve = encoded("approve(address,uint256)", answer.approval_address, request.amount)
            await wallet.send(request.origin_token, approve)
        token = request.destination_token
        before = await balance_of(self.rpc, token, request.receiver)
        sent = {
            "from": request.sender, "to": transaction.to, "value": hex(transaction.value),
            "data": "0x" + transaction.data.hex(), "gas": hex(answer.gas.limit),
        }  # fmt: skip
        receipt = await self.rpc.call("eth_sendTransactionSync", [sent])
        assert isinstance(receipt, dict)
        assert receipt["status"] == "0x1"
        gain = await balance_of(self.rpc, token, request.receiver) - before
        if token == NATIVE_EVM and request.receiver == request.sender:
            gain += quantity(receipt["gasUsed"]) * quantity(receipt["effectiveGasPrice"])
        return gain, answer.gas.limit - quantity(receipt["gasUsed"])


def integrator(name: str = "Acme", wallet: str | None = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc") -> Integrator:
    return Integrator(name, wallet, None, system_clock())


async def registered(name: str) -> Integrator | None:
    return integrator() if name.casefold() == "acme" else None


def quotes_on(sandbox: Sandbox, http: HttpClient) -> QuoteFixture:
    described = sandbox.evm_chains[0]
    rpc, chain = EvmRpc(described.rpc_url, http, described.key), chain_of(described)
    gas = GasReader(rpc)
    service = QuoteService(
        adapters=(PoolVenue(described, rpc),),
        tokens=TokenCatalog([chain], tokens_of(described), token_readers({chain.id: rpc})),
        integrators=registered,
        simulators={chain.id: RpcSimulator(rpc, gas, 10.0)},
        composers={ChainType.EVM: EvmComposer((KEY,), {chain.id: gas})},
    )
    accounts = sandbox.accounts
    return QuoteFixture(
        described, chain, rpc, service, accounts[0].address, accounts[1].address, sandbox.empty[0].address
    )
