"""The approvals that a wallet sends before its transaction: exactly the amount, never more. Pure."""

from dataclasses import replace

from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.routing.built_quote import BuiltQuote

RESET_FIRST = frozenset({"USDT", "KNC"})
"""Listed tokens whose ``approve`` reverts while another allowance stands (github.com/d-xo/weird-erc20, "Approval Race
Protections", read 2026-11)."""


def with_approvals(built: BuiltQuote, *, reset: bool) -> BuiltQuote:
    """Return the same with the approvals that its transaction needs, of what it takes; none for the native asset.

    An approval of 0 goes first where the token may need it, and where the run was seen to (``reset``).
    """
    spender, offer = built.approval_address, built.offer
    if spender is None:
        return built
    token, intake = offer.quote.request.origin_token, offer.form.intake
    taken = built.upstream.input_taken if offer.form.direct else None
    amount = intake.net + sum(charge.amount for charge in intake.charges) if taken is None else taken
    amounts = (0, amount) if reset or _resets(token) else (amount,)
    return replace(built, approvals=tuple(_approval(token, spender, each) for each in amounts))


def _resets(token: Token) -> bool:
    """Tell whether an allowance must be 0 before it is set; of a token on no list nobody knows, so it may have to."""
    return not token.listed or token.symbol.upper() in RESET_FIRST


def _approval(token: Token, spender: str, amount: int) -> EvmTransaction:
    data = encode_call("approve(address,uint256)", ["address", "uint256"], [spender, amount])
    return EvmTransaction(token.chain_id, token.address, 0, data)
