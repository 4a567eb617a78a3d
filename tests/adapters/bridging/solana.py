"""A bridge's adapter where one end is the sandbox's Solana chain: its draft executed, balances, what arrives."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from solders.keypair import Keypair

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.plans import CHAIN_ID, CHAIN_KEY
from rhumbline.devnet.svm.wallet import balance_of
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.token import Token
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from tests.adapters.adapter_fixture import PATIENCE_S, RECEIVER, SLIPPAGE, AdapterFixture, with_minimum
from tests.adapters.svm_fixture import executed

WALLET = str(keypair(0).pubkey())
PAID = str(Keypair.from_seed(b"somebody who is paid on Solana  ").pubkey())


@dataclass(frozen=True)
class SolanaFixture:
    """Either end may be Solana's: chains by key, tokens by symbol, ``SOL`` and ``ETH`` the native ones."""

    evm: AdapterFixture

    @property
    def node(self) -> SvmNode:
        return self.evm.world.svm(CHAIN_ID)

    def token(self, place: tuple[str, str]) -> Token:
        return self.evm.tokens[place]

    def request(
        self, origin: tuple[str, str], destination: tuple[str, str], amount: int, **changes: Any
    ) -> QuoteRequest:
        sender = WALLET if origin[0] == CHAIN_KEY else self.evm.account
        receiver = PAID if destination[0] == CHAIN_KEY else RECEIVER
        plain = QuoteRequest(
            self.evm.chains[origin[0]], self.evm.chains[destination[0]], self.token(origin), self.token(destination),
            amount, sender=sender, receiver=receiver, taker=sender, payout_address=receiver, slippage=SLIPPAGE,
            deadline=int(system_clock().timestamp()) + 1200,
        )  # fmt: skip
        return replace(plain, **changes)

    async def drafted(self, quote: Quote[Any]) -> tuple[Quote[Any], SvmDraft]:
        bound = with_minimum(quote)
        made = await self.evm.adapter.build(bound)
        assert isinstance(made, SvmDraft)
        return bound, made

    async def run(self, draft: SvmDraft) -> ExecutedTransaction:
        """Sign as the wallet and send; SvmRpcError where it fails."""
        return (await executed(self.node.rpc, draft)).transaction

    async def crossed(self, request: QuoteRequest) -> Transfer:
        """Quote, build and execute from either chain; the transfer it began."""
        quote = await self.evm.adapter.quote(request)
        if request.origin.type is ChainType.SVM:
            bound, draft = await self.drafted(quote)
            return self.evm.begun(bound, draft, (await self.run(draft)).signature)
        evm_bound, built = await self.evm.built(quote)
        return await self.evm.execute(evm_bound, built)

    async def balance(self, token: Token, owner: str) -> int:
        if token.chain_id == CHAIN_ID:
            return await balance_of(self.node.rpc, token.address, owner)
        return await self.evm.balance(token, owner)

    async def until_balance(self, token: Token, owner: str, amount: int) -> None:
        """Wait until somebody has so much."""
        async with asyncio.timeout(PATIENCE_S):
            async for _ in self.node.news.slots():
                if await self.balance(token, owner) == amount:
                    return

    async def held(self, account: str) -> int:
        """What a token account, or a wallet, has."""
        found = await self.node.rpc.account(account)
        if found is None:
            return 0
        return int.from_bytes(found.data[64:72], "little") if len(found.data) >= 165 else found.lamports
