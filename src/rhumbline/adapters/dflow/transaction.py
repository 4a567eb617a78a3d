"""DFlow's transaction, read and checked with what the chain says of its tokens, lookup tables and accounts."""

from dataclasses import replace

from rhumbline.adapters.dflow.checking import Checked, Wanted, check_holdings, check_message, others
from rhumbline.adapters.dflow.wire import Order
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.decompiler import Decompiled
from rhumbline.gateways.svm.instructions import CreateTokenAccount, wrap_sol
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.upstreams.svm.transaction import read_transaction


def tables_of(order: Order) -> tuple[str, ...]:
    """Return the lookup tables of an answer, each once."""
    return tuple(dict.fromkeys(table.address for table in order.address_lookup_tables or ()))


async def checked_transaction(
    rpc: SvmRpc, program: str, request: QuoteRequest, order: Order
) -> tuple[Decompiled, Checked]:
    """Return an answer's transaction and what it does; raise an AdapterError unless that is what was asked."""
    try:
        return await _checked(rpc, program, request, order)
    except (NodeUnavailable, NodeRefused) as error:
        raise UpstreamFailed("cannot be checked: the node does not answer") from error


async def _checked(rpc: SvmRpc, program: str, request: QuoteRequest, order: Order) -> tuple[Decompiled, Checked]:
    state, mints = SvmState(rpc), request.pair(WRAPPED_SOL)
    found = await state.mints(mints)
    sold, bought = (found[mint] for mint in mints)
    if sold is None or bought is None:
        raise NoRoute("trades what is no token on this chain")
    wanted = Wanted(request, program, mints, (sold.program, bought.program))
    message = await read_transaction(rpc, order.transaction, tables_of(order))
    checked = check_message(message, wanted)
    wrapped = () if wanted.wrapped is None else (wanted.wrapped,)
    accounts = await state.token_accounts((*others(message, wanted), *wrapped))
    check_holdings(message, wanted, accounts)
    held = accounts.get(wanted.wrapped or "")
    if checked.unwraps and wanted.wrapped is not None and held is not None and held.amount:
        # DFlow closes the account of wrapped SOL, whatever was in it: nobody asked to unwrap that.
        made = CreateTokenAccount.of(request.sender, request.sender, WRAPPED_SOL, SPL).encode()
        again = (made, *wrap_sol(request.sender, wanted.wrapped, held.amount))
        checked = replace(checked, instructions=(*checked.instructions, *again))
    return message, checked
