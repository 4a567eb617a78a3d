"""The approvals that a wallet sends before its transaction: exactly the amount, never more. Pure."""

from dataclasses import replace

from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.routing.built_quote import BuiltQuote

RESET_FIRST = frozenset({"USDT", "KNC"})
"""Listed tokens whose ``approve`` reverts while another allowance stands (github.com/d-xo/weird-erc20, "Approval Race
Protections", read 2026-11)."""


def with_approvals(built: BuiltQuote, amount: int) -> BuiltQuote:
    """Return the same with the approvals of ``amount`` (raw units) that its transaction needs; none for native."""
    spender, token = built.approval_address, built.quote.request.origin_token
    if spender is None:
        return built
    amounts = (0, amount) if _resets(token) else (amount,)
    return replace(built, approvals=tuple(_approval(token, spender, each) for each in amounts))


def with_reset(built: BuiltQuote) -> BuiltQuote:
    """Return the same with an approval of 0 first, which its run was seen to need, whatever is known of the token."""
    spender, token = built.approval_address, built.quote.request.origin_token
    if spender is None or len(built.approvals) != 1:
        return built
    return replace(built, approvals=(_approval(token, spender, 0), *built.approvals))


def _resets(token: Token) -> bool:
    """Tell whether an allowance must be 0 before it is set; of a token on no list nobody knows, so it may have to."""
    return not token.listed or token.symbol.upper() in RESET_FIRST


def _approval(token: Token, spender: str, amount: int) -> EvmTransaction:
    data = encode_call("approve(address,uint256)", ["address", "uint256"], [spender, amount])
    return EvmTransaction(token.chain_id, token.address, 0, data)
