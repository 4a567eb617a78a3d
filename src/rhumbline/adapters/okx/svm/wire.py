"""What is read of OKX's answers about Solana, under its own names (in snake case here, in camel case there).

The documented form of ``data`` is an object; lists of one were seen too, and base58 beside base64.
"""

from base64 import b64decode, b64encode
from binascii import Error

from rhumbline.adapters.okx.svm.route import is_swap
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.base58 import decode as decode_base58
from rhumbline.gateways.upstreams.fields import CamelAnswer, RawAmount
from rhumbline.gateways.upstreams.svm.fields import AnsweredRole, SvmAddress


class SolanaToken(CamelAnswer):
    """A token of the answer."""

    token_contract_address: SvmAddress
    is_honey_pot: bool | None = None


class SolanaResult(CamelAnswer):
    """The terms of a swap; amounts in raw units."""

    chain_index: str | int
    from_token: SolanaToken
    to_token: SolanaToken
    from_token_amount: RawAmount
    to_token_amount: RawAmount
    price_impact_percent: object = None


class SolanaInstruction(CamelAnswer):
    """An instruction; in which of two alphabets ``data`` is written, all of an answer tells."""

    program_id: SvmAddress
    accounts: list[AnsweredRole]
    data: str


class SolanaTransaction(CamelAnswer):
    """What is said of the transaction beside its instructions."""

    min_receive_amount: RawAmount


class SolanaSwap(CamelAnswer):
    """A quote and its instructions, those of the compute budget among them. Lists of tables hold duplicates."""

    router_result: SolanaResult
    instruction_lists: list[SolanaInstruction]
    address_lookup_table_account: list[SvmAddress] | None = None
    tx: SolanaTransaction

    def instructions(self, programs: frozenset[str]) -> tuple[SvmInstruction, ...]:
        """Return the instructions, by the alphabet in which one of these programs is asked to swap."""
        for decode in (_base64, decode_base58):
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


def _base64(text: str) -> bytes:
    try:
        data = b64decode(text, validate=True)
    except Error:
        raise ValueError("not base64") from None
    if b64encode(data).decode() != text:
        raise ValueError("not base64")
    return data
