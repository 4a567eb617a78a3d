"""The status of a transfer, from Mayan's explorer.

``clientStatus`` is one of a few and decides; ``status`` is the step, of an open list, and decides where the other is
missing or still says INPROGRESS. Both lists: Mayan's package readme, its front end and an indexer, read 2026-11-21.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

from rhumbline.adapters.mayan.bytes32 import NATIVE
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds.order import USDC_DECIMALS
from rhumbline.adapters.mayan.wire import TransferReply
from rhumbline.domain.chain import Chain
from rhumbline.domain.expectations import same
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.address import checksummed, is_address

PENDING, REFUNDING = TransferState.BRIDGE_PENDING, TransferState.REFUND_PENDING
SUCCESS, REFUNDED, FAILED = TransferState.SUCCESS, TransferState.REFUNDED, TransferState.BRIDGE_FAILED
_LONGEST_TEXT = 200
_HASH = re.compile(r"0[xX][0-9a-fA-F]{64}\Z", re.ASCII)
_PLAIN = re.compile(r"[0-9]{1,40}(\.[0-9]{1,40})?\Z", re.ASCII)


def _all(state: TransferState, words: str) -> dict[str, TransferState]:
    return dict.fromkeys(words.split(), state)


CLIENT_STATES: Mapping[str, TransferState] = MappingProxyType(
    {"COMPLETED": SUCCESS, "REFUNDED": REFUNDED, "CANCELED": REFUNDED, "FAILED": FAILED, "INPROGRESS": PENDING}
)
STATES: Mapping[str, TransferState] = MappingProxyType(
    _all(
        SUCCESS,
        "SETTLED_ON_SOLANA REDEEMED_ON_EVM REDEEMED_ON_APTOS SWAPPED_ON_EVM_MCTP SWAPPED_ON_SUI_MCTP "
        "SETTLED_ON_SOLANA_MCTP REDEEMED_ON_SUI_WITH_FEE REDEEMED_ON_EVM_WITH_FEE REDEEMED_ON_SOL_WITH_FEE "
        "REDEEMED_ON_SOLANA_WITH_FEE REDEEMED_ON_SUI_WITH_LOCKED_FEE REDEEMED_ON_EVM_WITH_LOCKED_FEE "
        "REDEEMED_ON_SOL_WITH_LOCKED_FEE MCTP_FEE_UNLOCKED ORDER_SETTLED ORDER_UNLOCKED ORDER_FROZEN "
        "SWAP_LAYER_ORDER_SETTLED HC_SWIFT_ORDER_FULFILLED HC_REDEEMED_ON_ARBITRUM",
    )
    | _all(
        REFUNDED,
        "REFUNDED_ON_EVM REFUNDED_ON_SOLANA REFUNDED_ON_SOLANA_MCTP REFUNDED_ON_EVM_MCTP REFUNDED_ON_SUI_MCTP "
        "ORDER_REFUNDED",
    )
    | _all(REFUNDING, "ORDER_EXPIRED ORDER_CANCELED REFUND_SEQUENCE_RECEIVED REFUND_VAA_SIGNED")
    | _all(
        PENDING,
        "INITIATED_ON_EVM TRANSFER_VAA_SIGNED SWAP_VAA_SIGNED SUBMITTED_ON_SOLANA CLAIMED_ON_SOLANA SWAPPED_ON_SOLANA "
        "INITIATED_ON_SUI_MCTP INITIATED_ON_EVM_MCTP INITIATED_ON_SOLANA_MCTP SUBMITTED_ON_SOLANA_MCTP "
        "CIRCLE_ATTESTATION_ACQUIRED CLAIMED_ON_SOLANA_MCTP SWAPPED_ON_SOLANA_MCTP ORDER_SUBMITTED ORDER_CREATED "
        # On Solana an order is paid only when it is settled.
        "ORDER_FULFILLED SWAP_LAYER_ORDER_CREATED REDEEM_SEQUENCE_RECEIVED REDEEM_VAA_SIGNED",
    )
)


def transfer_status(
    reply: TransferReply,
    transfer: Transfer,
    here: Deployment | None,
    there: Deployment | None,
    destination: Chain | None,
) -> TransferStatus:
    """Return a transfer's status; UNKNOWN if the answer is about another one.

    Delivered in another token than was ordered is RECOVERED.
    """
    left_out = set() if drops(reply) else {"gas_drop"}
    fields = reply.model_dump(by_alias=True, exclude=left_out)
    raw = {name: _short(text) for name, text in fields.items() if isinstance(text, str) and text}
    if not _is_it(reply, transfer, here, there):
        return TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API, "another transfer", raw=raw)
    state, token = _state(reply), _token(reply, destination)
    if state is SUCCESS and token is not None and not same(token, transfer.output_token):
        state = TransferState.RECOVERED
    arrived = state in (SUCCESS, TransferState.RECOVERED)
    return TransferStatus(
        state,
        StatusSource.BRIDGE_API,
        _short(reply.status or reply.client_status),
        destination_tx_hash=_short(reply.fulfill_tx_hash or reply.redeem_tx_hash) if arrived else None,
        refund_tx_hash=_short(reply.refund_tx_hash),
        output_token=token if arrived else None,
        output_amount=_amount(reply.to_amount, token, there, destination) if arrived else None,
        raw=raw,
    )


def drops(reply: TransferReply) -> bool:
    """Return whether the explorer tells of native that was to arrive with the output."""
    return bool(_PLAIN.match(reply.gas_drop or "") and Decimal(reply.gas_drop or 0))


def names_of(reply: TransferReply, transfer: Transfer, asked_by: str) -> tuple[str, ...]:
    """Return the ID of the transfer in the answer: its order's hash, otherwise its transaction and the question.

    A transaction may have started several, of which the explorer shows one.
    """
    if reply.order_hash:
        return (reply.order_hash,)
    started = f"{transfer.origin_chain_id}:{transfer.tx_hash}"
    return (started,) if asked_by == transfer.tx_hash else (started, asked_by)


def _state(reply: TransferReply) -> TransferState:
    """Return the state: a client's word that ends the transfer wins, then the step's, and else it is under way."""
    client = CLIENT_STATES.get(reply.client_status or "")
    if client is not None and client is not PENDING:
        return client
    step = STATES.get(reply.status or "", PENDING)
    # A final step is not final while ``clientStatus`` says that the transfer continues.
    return PENDING if client is PENDING and step is not REFUNDING else step


def _is_it(reply: TransferReply, transfer: Transfer, here: Deployment | None, there: Deployment | None) -> bool:
    """Compare the answer's transaction, chains, receiver and order with the transfer's."""
    claims = [
        (reply.source_tx_hash, transfer.tx_hash),
        (reply.source_chain, None if here is None else str(here.wormhole_id)),
        (reply.dest_chain, None if there is None else str(there.wormhole_id)),
        (reply.dest_address, transfer.receiver),
        (reply.order_hash if _HASH.match(reply.order_hash or "") else None, transfer.reference),
    ]
    return all(
        same(reported, expected) for reported, expected in claims if reported is not None and expected is not None
    )


def _token(reply: TransferReply, destination: Chain | None) -> str | None:
    """Return the token that arrived, as we write it; None if it is not stated."""
    address = reply.to_token_address
    if address is None or destination is None:
        return None
    if address == NATIVE:
        return destination.native.address
    return checksummed(address) if is_address(address) else _short(address)


def _amount(text: str | None, token: str | None, there: Deployment | None, destination: Chain | None) -> int | None:
    """Return raw units, rounded down, where the token's decimals are known: of the native asset and of USDC."""
    if text is None or token is None or there is None or destination is None:
        return None
    if token == destination.native.address:
        decimals = destination.native.decimals
    elif there.usdc is not None and same(token, there.usdc):
        decimals = USDC_DECIMALS
    else:
        return None
    return int(Decimal(text).scaleb(decimals)) if _PLAIN.match(text) else None


def _short(text: str | None) -> str | None:
    return None if text is None else text[:_LONGEST_TEXT]
