"""Encodes deposits for Gas.zip's Solana program.

Source, read 2026-11-22: "Code Example for Solana Deposit" of https://dev.gas.zip (an undated copy of the pages). The
data is a discriminator, the lamports, a list of short IDs and 32 bytes of the receiver; an EVM address stands at their
right, other than in the contract's call on EVM chains. The program pays Gas.zip's one wallet.
"""

import struct

from rhumbline.adapters.gaszip.deployments import Deployment
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction
from rhumbline.gateways.chain_types.bytes32 import address_word
from rhumbline.gateways.svm.programs import SYSTEM

DEPOSIT = bytes([242, 35, 198, 137, 82, 225, 242, 182])
_DATA = struct.Struct("<8sQIH32s")
"""The discriminator, lamports, how many short IDs follow (one), it, and the receiver."""


def solana_deposit(request: QuoteRequest, places: tuple[Deployment, Deployment], expires_at: int | None) -> SvmDraft:
    """Return the transaction that deposits the request's amount for its receiver; ``expires_at`` in Unix seconds."""
    origin, destination = places
    roles = (
        AccountRole(request.sender, signer=True, writable=True),
        AccountRole(SYSTEM),
        AccountRole(origin.wallet, writable=True),
    )
    data = _DATA.pack(
        DEPOSIT, request.amount, 1, destination.short, address_word(request.destination, request.receiver)
    )
    return SvmDraft(
        request.origin.id,
        origin.contract,
        (SvmInstruction(origin.contract, roles, data),),
        frozenset({origin.contract}),
        deposit=BridgeDeposit(request.origin_token.address, request.amount, (origin.wallet,)),
        expires_at=expires_at,
    )
