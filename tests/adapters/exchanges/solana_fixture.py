"""An exchange's adapter against its emulator on the sandbox's Solana chain: drafts signed by a wallet, and sent."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.svm.accounts import FUNDED, keypair
from rhumbline.devnet.svm.plans import CHAIN_ID
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.token import Token
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.compute_budget import MOST_UNITS, ComputeBudget
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec
from rhumbline.gateways.upstreams.upstream import open_upstream

SENDER, FRIEND = (str(keypair(index).pubkey()) for index in FUNDED[2:4])
HALF_A_PERCENT = Fraction(5, 1000)


@dataclass(frozen=True)
class SolanaFixture:
    adapter: Adapter[Any]
    emulator: Emulator
    chain: Chain
    tokens: dict[str, Token]
    node: SvmNode

    def request(self, sold: str, bought: str, amount: int, receiver: str = SENDER) -> QuoteRequest:
        return QuoteRequest(
            self.chain, self.chain, self.tokens[sold], self.tokens[bought], amount, sender=SENDER, receiver=receiver,
            taker=SENDER, payout_address=receiver, slippage=HALF_A_PERCENT, deadline=2**32,
        )  # fmt: skip

    async def built(self, quote: Quote[Any]) -> SvmDraft:
        made: Any = await self.adapter.build(quote)
        assert isinstance(made, SvmDraft)
        return made

    async def balance(self, owner: str, symbol: str) -> int:
        """Lamports, wrapped ones as well, or raw units of a token."""
        token = self.tokens[symbol]
        if token.address == NATIVE_SVM:
            account = await self.node.rpc.account(owner)
            return (0 if account is None else account.lamports) + await self.balance(owner, "WSOL")
        mint = (await SvmState(self.node.rpc).mints([token.address]))[token.address]
        assert mint is not None
        address = associated_token_address(owner, token.address, mint.program)
        found = (await SvmState(self.node.rpc).token_accounts([address]))[address]
        return 0 if found is None else found.amount

    async def execute(self, draft: SvmDraft) -> str:
        """Sign as the wallet and send; SvmRpcError where the runtime refuses."""
        rpc = self.node.rpc
        budget = ComputeBudget(units=MOST_UNITS, heap=draft.heap_frame)
        tables = await SvmState(rpc).tables(draft.tables)
        blockhash = (await rpc.latest_blockhash()).value
        message = compile_v0(SENDER, (*budget.instructions(), *draft.instructions), tables, blockhash)
        signature = bytes(keypair(FUNDED[2]).sign_message(message))
        signed = serialise(message, [SENDER], {SENDER: signature})
        return await rpc.send(signed)

    async def gained(self, quote: Quote[Any], draft: SvmDraft, receiver: str = SENDER) -> int:
        """Execute, and return what the receiver has more of the output."""
        bought = next(name for name, each in self.tokens.items() if each == quote.request.destination_token)
        before = await self.balance(receiver, bought)
        await self.execute(draft)
        await self.node.rpc.call("sandbox_advanceSlots", [2])
        return await self.balance(receiver, bought) - before


@asynccontextmanager
async def solana_fixture(
    sandbox: Sandbox, spec: AdapterSpec[Any], emulator_class: type[Emulator]
) -> AsyncIterator[SolanaFixture]:
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(running_world(sandbox))
        emulators = await stack.enter_async_context(running_emulators(world, [emulator_class]))
        emulator, node = emulators[spec.key], world.svm(CHAIN_ID)
        credentials = emulator.credentials()
        http = await stack.enter_async_context(
            open_upstream(spec.key, emulator.url, headers=spec.headers(credentials), timeout_s=spec.timeout_s)
        )
        native = Token(CHAIN_ID, NATIVE_SVM, "SOL", 9, "Solana")
        wrapped = node.chain.tokens["WSOL"].address
        chain = Chain(
            CHAIN_ID, node.chain.key, node.chain.name, ChainType.SVM, native, mainnet=False, wrapped_native=wrapped
        )
        tokens = {
            symbol: Token(CHAIN_ID, token.address, symbol, token.decimals, symbol)
            for symbol, token in node.chain.tokens.items()
        }
        places = {number: spec.deployment(**fields) for number, fields in emulator.deployments().items()}
        context = AdapterContext(
            spec.key, http, places, {}, {CHAIN_ID: chain}, system_clock, credentials, svm_rpcs={CHAIN_ID: node.rpc}
        )
        yield SolanaFixture(spec.make(context), emulator, chain, tokens | {"SOL": native}, node)
