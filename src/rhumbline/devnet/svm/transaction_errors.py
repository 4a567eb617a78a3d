"""Transaction errors in the nodes' form: the object `err`, and the texts of messages.

Source of the texts: github.com/anza-xyz/solana-sdk, transaction-error/src/lib.rs and instruction-error/src/lib.rs, read
2026-11-22; errors that are not listed are shown by name.
"""

from collections.abc import Mapping
from types import MappingProxyType

from solders.transaction_status import (
    InstructionErrorBorshIO,
    InstructionErrorCustom,
    InstructionErrorFieldless,
    TransactionErrorDuplicateInstruction,
    TransactionErrorFieldless,
    TransactionErrorInstructionError,
    TransactionErrorInsufficientFundsForRent,
    TransactionErrorType,
)

BLOCKHASH_NOT_FOUND = "BlockhashNotFound"
ALREADY_PROCESSED = "AlreadyProcessed"
_WORDS: Mapping[str, str] = MappingProxyType({
    "AccountNotFound": "Attempt to debit an account but found no record of a prior credit.",
    "AlreadyProcessed": "This transaction has already been processed",
    "BlockhashNotFound": "Blockhash not found",
    "InsufficientFundsForFee": "Insufficient funds for fee",
    "InvalidAccountForFee": "This account may not be used to pay transaction fees",
    "ProgramAccountNotFound": "Attempt to load a program that does not exist",
    "SanitizeFailure": "Transaction failed to sanitize accounts offsets correctly",
    "AddressLookupTableNotFound": "Transaction loads an address table account that doesn't exist",
    "InvalidAddressLookupTableIndex": "Transaction address table lookup uses an invalid index",
})  # fmt: skip
_INSTRUCTION_WORDS: Mapping[str, str] = MappingProxyType({
    "AccountAlreadyInitialized": "instruction requires an uninitialized account",
    "AccountNotExecutable": "account is not executable",
    "ComputationalBudgetExceeded": "Computational budget exceeded",
    "ExternalAccountLamportSpend": "instruction spent from the balance of an account it does not own",
    "IncorrectProgramId": "incorrect program id for instruction",
    "InsufficientFunds": "insufficient funds for instruction",
    "InvalidAccountData": "invalid account data for instruction",
    "InvalidAccountOwner": "Invalid account owner",
    "InvalidArgument": "invalid program argument",
    "InvalidInstructionData": "invalid instruction data",
    "MissingRequiredSignature": "missing required signature for instruction",
    "NotEnoughAccountKeys": "insufficient account keys for instruction",
    "PrivilegeEscalation": "Cross-program invocation with unauthorized signer or writable account",
    "ProgramFailedToComplete": "Program failed to complete",
    "UninitializedAccount": "instruction requires an initialized account",
})  # fmt: skip


def error_json(error: TransactionErrorType) -> object:
    """Write an error as the `err` of an answer: a name, or an object with one key."""
    if isinstance(error, TransactionErrorInstructionError):
        inner = error.err
        if isinstance(inner, InstructionErrorCustom):
            return {"InstructionError": [error.index, {"Custom": inner.code}]}
        if isinstance(inner, InstructionErrorBorshIO):
            return {"InstructionError": [error.index, {"BorshIoError": inner.value}]}
        return {"InstructionError": [error.index, _name(inner)]}
    if isinstance(error, TransactionErrorDuplicateInstruction):
        return {"DuplicateInstruction": error.index}
    if isinstance(error, TransactionErrorFieldless):
        return _name(error)
    kind = (
        "InsufficientFundsForRent"
        if isinstance(error, TransactionErrorInsufficientFundsForRent)
        else "ProgramExecutionTemporarilyRestricted"
    )
    return {kind: {"account_index": error.account_index}}


def error_words(error: object) -> str:
    """Write the `err` of an answer as text, as nodes do in their messages."""
    if isinstance(error, str):
        return _WORDS.get(error, error)
    if isinstance(error, dict) and isinstance(pair := error.get("InstructionError"), list):
        place, reason = pair
        if isinstance(reason, dict):
            code = reason.get("Custom")
            words = (
                f"custom program error: {code:#x}" if isinstance(code, int) else "Failed to serialize or deserialize"
            )
        else:
            words = _INSTRUCTION_WORDS.get(reason, reason)
        return f"Error processing Instruction {place}: {words}"
    if isinstance(error, dict) and isinstance(rent := error.get("InsufficientFundsForRent"), dict):
        return f"Transaction results in an account ({rent['account_index']}) with insufficient funds for rent"
    return str(error)


def _name(error: TransactionErrorFieldless | InstructionErrorFieldless) -> str:
    """Return an error's name, which the library prefixes with its class."""
    return str(error).rpartition(".")[2]
