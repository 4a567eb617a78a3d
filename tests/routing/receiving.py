"""A quote service on both of the sandbox's EVM chains, with Across, whose relayer fills, and pools on either side."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.adapters.across.calldata import decode
from rhumbline.devnet.evm.operator import encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import IssuedTransaction, Transfer, TransferStatus
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, hex_bytes, quantity
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.evm.contract_checks import ContractChecks
from rhumbline.routing.evm.verification import decode_bridge, decode_message
from rhumbline.routing.quote_service import QuoteService
from rhumbline.simulation.evm.rehearsal import Rehearsal
from tests.adapters.onchain.adapter_fixture import adapter_of, open_adapter
from tests.routing.evm.test_composer import Crossing
from tests.routing.quote_fixture import KEY, QuoteFixture

__all__ = ["COMPLETED", "KEY", "RECOVERED", "Receiving", "decode_message", "message_in", "receiving_on"]

COMPLETED = topic("DestinationCompleted(bytes32,address,address,uint256,address,uint256)")
RECOVERED = topic("Recovered(bytes32,address,address,uint256,bytes)")
PATIENCE_S = 60


@dataclass
class Receiving:
    """Both chains; ``quotes`` asks Across and the pools of both."""

    crossing: Crossing
    quotes: QuoteFixture
    across: AcrossAdapter
    emulator: Emulator
    rpc: EvmRpc

    @property
    def there(self) -> SandboxChain:
        described: SandboxChain = self.crossing.other
        return described

    @property
    def kept(self) -> list[IssuedTransaction]:
        return self.crossing.kept

    def ask(self, sold: str, bought: str, amount: int, **changes: Any) -> RouteRequest:
        return self.crossing.ask(sold, bought, amount, **{"receiver": self.quotes.receiver, **changes})

    async def has(self, symbol: str) -> int:
        """What the receiver has on the second chain."""
        return await balance_of(self.rpc, self.there.tokens[symbol].address, self.quotes.receiver)

    def unrehearsed(self) -> QuoteService:
        """The quote service without nodes that run what is done on arrival."""
        evm = self.quotes.service.composers[ChainType.EVM]
        assert isinstance(evm, EvmComposer)
        blind = {ChainType.EVM: replace(evm, rehearsals={})}
        return self.quotes.with_(*self.quotes.service.adapters, composers=blind).service

    async def send(self, answer: RouteAnswer) -> Transfer:
        """Sign and send, as a wallet would; the transfer that tracking makes of it."""
        wallet = await unlocked(self.quotes.rpc, answer.request.sender, 10**21)
        assert isinstance(answer.transaction, EvmTransaction)
        if answer.approval_address is not None:
            approve = encoded("approve(address,uint256)", answer.approval_address, answer.request.amount)
            await wallet.send(answer.request.origin_token, approve)
        transaction = answer.transaction
        receipt: Any = await wallet.transact(transaction.to, transaction.data, transaction.value)
        ours = [log for log in receipt["logs"] if log["address"].lower() == transaction.to.lower()]
        build = self.kept[-1]
        return Transfer(
            build.adapter, build.origin_chain_id, build.destination_chain_id, receipt["transactionHash"],
            quantity(ours[-1]["logIndex"]), build.sender, build.receiver, build.sender,
            build.sent_token or build.input_token, build.sent_amount, build.output_token, build.min_output, None,
            system_clock(), build.destination_call,
        )  # fmt: skip

    async def ended(self, transfer: Transfer) -> TransferStatus:
        """Wait for the end, as the adapter tells it."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                status = await self.across.status(transfer)
                if status.state not in (TransferState.BRIDGE_PENDING, TransferState.UNKNOWN):
                    return status
                await asyncio.sleep(0.1)

    async def told(self) -> list[bytes]:
        """Wait for what the Receiver tells: the topics of its event."""
        where = {"address": self.there.contracts["receiver"], "fromBlock": "0x0", "toBlock": "latest"}
        logs: Any = []
        async with asyncio.timeout(PATIENCE_S):
            while not logs:
                await asyncio.sleep(0.1)
                logs = await self.rpc.call("eth_getLogs", [where])
        (log,) = logs
        return [hex_bytes(each) for each in log["topics"]]

    async def move_pools(self, amount: int) -> None:
        """Buy so much WBTC on the second chain, in USDC, that those who come later get less."""
        wallet = await unlocked(self.rpc, self.quotes.sender, 10**21)
        usdc = self.there.tokens["USDC"].address
        await wallet.send(usdc, encoded("mint(address,uint256)", self.quotes.sender, amount))
        pools = open_adapter(self.there, self.rpc, self.quotes.sender)
        quote = await pools.quote("USDC", "WBTC", amount)
        made = await pools.adapter.build(replace(quote, min_output_amount=1))
        await wallet.send(usdc, encoded("approve(address,uint256)", made.to, amount))
        await wallet.send(made.to, made.data)


def message_in(answer: RouteAnswer) -> tuple[Any, Any, bytes]:
    """The Diamond's order, its operations, and the message that its deposit carries."""
    assert isinstance(answer.transaction, EvmTransaction)
    decoded: Any = decode_bridge(answer.transaction.data)
    return decoded["order"], decoded["operations"], decode(decoded["operations"][-1]["data"]).message


def receiving_on(crossing: Crossing, across: AcrossAdapter, emulator: Emulator, rpc: EvmRpc) -> Receiving:
    quotes = crossing.quotes
    here = open_adapter(quotes.described, quotes.rpc, quotes.sender)
    there = open_adapter(crossing.other, rpc, quotes.sender)
    rpcs = {here.chain.id: quotes.rpc, there.chain.id: rpc}
    pools = adapter_of({each.chain.id: (rpcs[each.chain.id], each.deployment) for each in (here, there)})
    rehearsals = {chain: Rehearsal(each, PATIENCE_S) for chain, each in rpcs.items()}
    evm = quotes.service.composers[ChainType.EVM]
    assert isinstance(evm, EvmComposer)
    composers = {ChainType.EVM: replace(evm, checks=ContractChecks(rpcs, PATIENCE_S), rehearsals=rehearsals)}
    return Receiving(crossing, crossing.with_(pools, across, composers=composers), across, emulator, rpc)
