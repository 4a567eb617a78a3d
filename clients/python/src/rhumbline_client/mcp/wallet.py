"""What a wallet is given to sign, and the fees that it pays."""

from collections.abc import Sequence

from rhumbline_client import models
from rhumbline_client.mcp.amounts import written_of
from rhumbline_client.mcp.trade_results import Fee, WalletTransaction


def transactions_of(
    calldata: models.QuoteCalldata,
    approvals: Sequence[models.QuoteCalldata] | None,
    gas: models.GasEstimation | None,
    chain_id: int,
    chain_type: str,
    sender: str | None,
) -> list[WalletTransaction]:
    """Return what ``sender`` signs, in order; nothing where there is no sender.

    Approvals have the price of gas of the transaction, but no limit: it was not measured for them.
    """
    if sender is None:
        return []
    offered = gas or models.GasEstimation()
    made = []
    for each in (*(approvals or ()), calldata):
        is_last = each is calldata
        made.append(
            WalletTransaction(
                purpose="transaction" if is_last else "approval",
                chain_id=chain_id,
                chain_type=chain_type,
                sender=sender,
                to=each.to,
                value=hex(each.value),
                data=each.data,
                gas_limit=_hex(offered.gas_limit) if is_last else None,
                gas_price=_hex(offered.gas_price),
                max_fee_per_gas=_hex(offered.max_fee_per_gas),
                max_priority_fee_per_gas=_hex(offered.max_priority_fee_per_gas),
            )
        )
    return made


def fee_of(item: models.FeeBreakdownItem) -> Fee:
    """Return a fee in whole units where its decimals are known."""
    return Fee(
        type=item.type,
        amount=str(item.amount) if item.decimals is None else written_of(item.amount, item.decimals),
        symbol=item.currency_symbol,
        usd=None if item.amount_usd is None else format(item.amount_usd, "f"),
        included=item.included,
    )


def _hex(number: int | None) -> str | None:
    return None if number is None else hex(number)
