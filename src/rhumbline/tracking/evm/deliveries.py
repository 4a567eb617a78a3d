"""What a destination chain tells of a transfer that arrived: when, what it cost there, and the token's metadata."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import structlog

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.errors import NodeUnavailable, NotFound
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError, quantity
from rhumbline.gateways.svm import address as svm
from rhumbline.tracking.amounts import AmountColumn, raw_amount, with_token
from rhumbline.tracking.evm.blocks import read_block
from rhumbline.tracking.evm.logs import read_hash, read_logs
from rhumbline.tracking.evm.receipts import gas_paid
from rhumbline.tracking.values import PriceReader, no_prices, valued

_LARGEST_AMOUNT = 2**256 - 1
_TRANSFER = topic("Transfer(address,address,uint256)")
_EVM_HASH = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)
_SVM_SIGNATURE = re.compile(r"[1-9A-HJ-NP-Za-km-z]{64,88}", re.ASCII)
_ARRIVED = frozenset({TransferState.SUCCESS, TransferState.RECOVERED})
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Arrival:
    """What is known of an arrival; None where nothing is. Not ``complete``: a node did not answer, so ask again.

    ``receiver`` is who was paid where a chain proves that it was not who was asked for. ``guaranteed`` is the minimum,
    which arrived where nobody tells how much did.
    """

    tx_hash: str | None = None
    time: datetime | None = None
    output: AmountColumn | None = None
    gas_fee: AmountColumn | None = None
    complete: bool = True
    receiver: str | None = None
    guaranteed: AmountColumn | None = None

    def columns(self) -> dict[str, object]:
        """Return the columns of a record that this fills; what is not known stays as it is."""
        found = {
            "dest_tx_hash": self.tx_hash,
            "dest_time": self.time,
            "output": self.output,
            "dest_gas_fee": self.gas_fee,
            "receiver": self.receiver,
        }
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Reads destinations: ``rpcs`` are the nodes of the chains that are served, ``prices`` tells values."""

    chains: ChainCatalog
    tokens: TokenCatalog
    rpcs: Mapping[int, EvmRpc]
    prices: PriceReader = no_prices

    async def read(self, transfer: Transfer, status: TransferStatus) -> Arrival:
        """Return what can be known of how a transfer arrived; a node that does not answer is no reason to wait."""
        chain = self.chains.by_id(transfer.destination_chain_id)
        if chain is None or status.state not in _ARRIVED:
            return Arrival()
        tx_hash, output = _hash(chain, status.dest_tx_hash), _output(chain, transfer, status)
        receiver, guaranteed = _receiver(chain, status), None
        if output is None and status.state is TransferState.SUCCESS:
            guaranteed = _guaranteed(chain, transfer)
        try:
            receipt = await self._receipt(chain, tx_hash)
            if receipt is not None and quantity(receipt.get("status")) != 1:
                _log.warning("delivered by a call that failed", adapter=transfer.adapter, tx=tx_hash)
                tx_hash = receipt = None
            if guaranteed is not None and receipt is not None:
                output = _delivered(chain, transfer, receipt)
            described = None if output is None else await self._described(chain, output)
            guaranteed = None if guaranteed is None else await self._described(chain, guaranteed)
            time, gas_fee = (None, None) if receipt is None else await self._paid(chain, receipt)
        except (RpcError, NodeUnavailable) as error:
            _log.info("arrival not read", chain=chain.key, tx=tx_hash, reason=str(error))
            return Arrival(tx_hash, output=output, complete=False, receiver=receiver)
        at = time or transfer.started_at
        output, gas_fee, guaranteed = (self._valued(chain, each, at) for each in (described, gas_fee, guaranteed))
        return Arrival(tx_hash, time, output, gas_fee, receiver=receiver, guaranteed=guaranteed)

    def _valued(self, chain: Chain, column: AmountColumn | None, at: datetime) -> AmountColumn | None:
        return None if column is None else valued(column, self.prices(chain.id, str(column["address"])), at)

    async def _described(self, chain: Chain, output: AmountColumn) -> AmountColumn:
        address = str(output["address"])
        try:
            token = self.tokens.find(chain, address) or await self.tokens.resolve(chain, address)
        except NotFound:
            return output
        return with_token(output, token)

    async def _receipt(self, chain: Chain, tx_hash: str | None) -> Mapping[str, object] | None:
        """Read the receipt; None where the chain has no node of ours, or does not know the transaction."""
        rpc = self.rpcs.get(chain.id) if chain.type is ChainType.EVM else None
        receipt = None if rpc is None or tx_hash is None else await rpc.call("eth_getTransactionReceipt", [tx_hash])
        return receipt if isinstance(receipt, dict) else None

    async def _paid(self, chain: Chain, receipt: Mapping[str, object]) -> tuple[datetime, AmountColumn]:
        """Read when it arrived, and what that cost there."""
        block = await read_block(self.rpcs[chain.id], quantity(receipt.get("blockNumber")))
        if block.hash != read_hash(receipt.get("blockHash")):
            raise NodeUnavailable(f"{chain.key}: the node's answers about a transaction do not fit together")
        return block.time, with_token(raw_amount(NATIVE_EVM, gas_paid(receipt)), chain.native)


def _hash(chain: Chain, tx_hash: str | None) -> str | None:
    """Return a transaction's hash as lookups expect it, an EVM chain's in lower case; None for what cannot be one."""
    if tx_hash is None:
        return None
    if chain.type is ChainType.SVM:
        return tx_hash if _SVM_SIGNATURE.fullmatch(tx_hash) else None
    return tx_hash.lower() if _EVM_HASH.fullmatch(tx_hash) else None


def _output(chain: Chain, transfer: Transfer, status: TransferStatus) -> AmountColumn | None:
    """Return what arrived, if it can be: a bridge that says "delivered" must have delivered what was asked for."""
    token = _canonical(chain, status.output_token or transfer.output_token)
    if token is None or status.output_amount is None or not 0 < status.output_amount <= _LARGEST_AMOUNT:
        return None
    native = {chain.native.address, chain.wrapped_native}
    same = token == transfer.output_token or {token, transfer.output_token} <= native
    if not same and status.state is TransferState.SUCCESS:
        _log.warning("another token than was asked for", adapter=transfer.adapter, tx=transfer.tx_hash, token=token)
        return None
    return raw_amount(token, status.output_amount)


def _delivered(chain: Chain, transfer: Transfer, receipt: Mapping[str, object]) -> AmountColumn | None:
    """Return what the delivery's own logs say that the receiver gained of the token; None below what was guaranteed.

    The native asset leaves no log. Raise NodeUnavailable for logs that are none.
    """
    token = _canonical(chain, transfer.output_token)
    if token is None or not is_address(transfer.receiver):
        return None
    receiver, gained = bytes.fromhex(transfer.receiver[2:]).rjust(32, b"\0"), 0
    for log in read_logs(receipt.get("logs")):
        if log.address == token.lower() and len(log.topics) == 3 and log.topics[0] == _TRANSFER:
            amount = int.from_bytes(log.data[:32])
            gained += amount * ((log.topics[2] == receiver) - (log.topics[1] == receiver))
    return raw_amount(token, gained) if max(transfer.min_output, 1) <= gained <= _LARGEST_AMOUNT else None


def _guaranteed(chain: Chain, transfer: Transfer) -> AmountColumn | None:
    token = _canonical(chain, transfer.output_token)
    return (
        None
        if token is None or not 0 < transfer.min_output <= _LARGEST_AMOUNT
        else raw_amount(token, transfer.min_output)
    )


def _receiver(chain: Chain, status: TransferStatus) -> str | None:
    """Return who was paid instead of who was asked for; a bridge's mere word replaces nobody."""
    if status.receiver is None or status.source is not StatusSource.ANALYTICS:
        return None
    return _canonical(chain, status.receiver)


def _canonical(chain: Chain, address: str) -> str | None:
    """Return an address in canonical form; None when it is none of this chain."""
    if chain.type is ChainType.SVM:
        return address if svm.is_address(address) else None
    return checksummed(address) if is_address(address) else None
