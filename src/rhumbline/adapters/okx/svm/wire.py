"""The fields that are read of OKX's answers about Solana, under its own names (snake case here, camel case there).

The documented form of ``data`` is an object; lists of one were seen too, and base58 beside base64.
"""

from pydantic import TypeAdapter

from rhumbline.adapters.okx.svm.route import is_swap
from rhumbline.adapters.okx.wire import RouterResult
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.base58 import decode as decode_base58
from rhumbline.gateways.upstreams.fields import CamelAnswer, RawAmount
from rhumbline.gateways.upstreams.svm.fields import AnsweredRole, Base64Bytes, SvmAddress

_BASE64: TypeAdapter[bytes] = TypeAdapter(Base64Bytes)


class SolanaInstruction(CamelAnswer):
    """An instruction; only the whole answer shows in which of two encodings ``data`` is."""

    program_id: SvmAddress
    accounts: list[AnsweredRole]
    data: str


class SolanaTransaction(CamelAnswer):
    """The transaction's fields beside its instructions."""

    min_receive_amount: RawAmount


class SolanaSwap(CamelAnswer):
    """A quote and its instructions, those of the compute budget among them. Lists of tables hold duplicates."""

    router_result: RouterResult[SvmAddress]
    instruction_lists: list[SolanaInstruction]
    address_lookup_table_account: list[SvmAddress] | None = None
    tx: SolanaTransaction

    def instructions(self, programs: frozenset[str]) -> tuple[SvmInstruction, ...]:
        """Return the instructions, by the alphabet in which one of these programs is asked to swap."""
        for decode in (_BASE64.validate_python, decode_base58):
            try:
                read = tuple(
                    SvmInstruction(each.program_id, tuple(role.role() for role in each.accounts), decode(each.data))
                    for each in self.instruction_lists
                )
            except ValueError:
                continue
            if any(each.program in programs and is_swap(each) for each in read):
                return read
        return ()
