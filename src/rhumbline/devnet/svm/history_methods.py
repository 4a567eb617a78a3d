"""RPC methods about executed transactions."""

from base64 import b64encode
from collections.abc import Mapping
from types import MappingProxyType

from solders.message import MessageV0, MessageV1

from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_methods import Method, with_context
from rhumbline.devnet.svm.faults import (
    BLOCK_NOT_AVAILABLE,
    INVALID_PARAMS,
    SLOT_MISSING,
    UNSUPPORTED_VERSION,
    RpcFault,
    invalid,
)
from rhumbline.devnet.svm.ledger import Executed
from rhumbline.devnet.svm.parameters import COMMITMENTS, Options, Parameters, read_number, read_signature
from rhumbline.devnet.svm.slots import FIRST, height
from rhumbline.gateways.svm import base58

_MOST_SIGNATURES = 1000
_MOST_STATUSES = 256
_MOST_BLOCKS = 500_000


def status_json(chain: SvmChain, executed: Executed) -> dict[str, object]:
    """Write a transaction's status and confirmations."""
    commitment = chain.slots.commitment(executed.slot)
    return {
        "slot": executed.slot,
        "confirmations": None if commitment == "finalized" else chain.slots.slot - executed.slot,
        "err": executed.error,
        "status": executed.meta["status"],
        "confirmationStatus": commitment,
    }


def _statuses(chain: SvmChain, parameters: Parameters) -> object:
    given = parameters.at(0)
    if not isinstance(given, list):
        raise invalid("expected a sequence of signatures")
    if len(given) > _MOST_STATUSES:
        raise RpcFault(INVALID_PARAMS, f"Too many inputs provided; max {_MOST_STATUSES}")
    found = [chain.ledger.find(read_signature(each)) for each in given]
    value = [None if each is None else status_json(chain, each) for each in found]
    return with_context(chain, Options({}), value, "processed")


def _transaction(chain: SvmChain, parameters: Parameters) -> object:
    given = parameters.values[1] if len(parameters.values) > 1 else None
    options = Options({"encoding": given}) if isinstance(given, str) else parameters.options(1)
    slot = _settled(chain, options)
    executed = chain.ledger.find(read_signature(parameters.at(0)))
    if executed is None or executed.slot > slot:
        return None
    version = _version(executed)
    highest = options.number("maxSupportedTransactionVersion")
    if version is not None and (highest is None or highest < version):
        raise RpcFault(
            UNSUPPORTED_VERSION,
            f"Transaction version ({version}) is not supported by the requesting client. Please try the request again "
            f'with the following configuration parameter: "maxSupportedTransactionVersion": {version}',
        )
    written: dict[str, object] = {
        "slot": executed.slot, "blockTime": executed.block_time, "meta": executed.meta,
        "transaction": _encoded(executed, options.text("encoding") or "json"),
    }  # fmt: skip
    if highest is not None:
        written["version"] = "legacy" if version is None else version
    return written


def _version(executed: Executed) -> int | None:
    return {MessageV0: 0, MessageV1: 1}.get(type(executed.transaction.message))


def _encoded(executed: Executed, encoding: str) -> object:
    raw = bytes(executed.transaction)
    if encoding == "base64":
        return [b64encode(raw).decode(), "base64"]
    if encoding == "base58":
        return [base58.encode(raw), "base58"]
    if encoding != "json":
        raise invalid(f"the sandbox writes transactions in json, base64 and base58, not in {encoding}")
    message = executed.transaction.message
    if isinstance(message, MessageV1):
        raise invalid("the sandbox writes transactions of version 1 in base64 and base58, not in json")
    header = message.header
    written: dict[str, object] = {
        "accountKeys": [str(key) for key in message.account_keys],
        "header": {
            "numRequiredSignatures": header.num_required_signatures,
            "numReadonlySignedAccounts": header.num_readonly_signed_accounts,
            "numReadonlyUnsignedAccounts": header.num_readonly_unsigned_accounts,
        },
        "recentBlockhash": str(message.recent_blockhash),
        "instructions": [
            {
                "programIdIndex": each.program_id_index, "accounts": list(each.accounts),
                "data": base58.encode(bytes(each.data)), "stackHeight": 1,
            }
            for each in message.instructions
        ],
    }  # fmt: skip
    if isinstance(message, MessageV0):
        written["addressTableLookups"] = [
            {
                "accountKey": str(each.account_key), "writableIndexes": list(each.writable_indexes),
                "readonlyIndexes": list(each.readonly_indexes),
            }
            for each in message.address_table_lookups
        ]  # fmt: skip
    return {"signatures": [str(each) for each in executed.transaction.signatures], "message": written}


def _signatures(chain: SvmChain, parameters: Parameters) -> object:
    address, options = str(parameters.key(0)), parameters.options(1)
    slot = _settled(chain, options)
    limit = options.number("limit")
    limit = _MOST_SIGNATURES if limit is None else limit
    if not 1 <= limit <= _MOST_SIGNATURES:
        raise RpcFault(INVALID_PARAMS, f"Invalid limit; max {_MOST_SIGNATURES}")
    before, until = (
        None if options.values.get(name) is None else read_signature(options.values[name])
        for name in ("before", "until")
    )
    found: list[object] = []
    # As a node without an archive: nothing is answered before an unknown signature.
    begun = before is None
    for each in chain.ledger.of(address):
        if each.signature == until or len(found) == limit:
            break
        if begun and each.slot <= slot:
            found.append(_listed(chain, each))
        begun = begun or each.signature == before
    return found


def _listed(chain: SvmChain, executed: Executed) -> dict[str, object]:
    return {
        "signature": executed.signature, "slot": executed.slot, "err": executed.error, "memo": None,
        "blockTime": executed.block_time, "confirmationStatus": chain.slots.commitment(executed.slot),
    }  # fmt: skip


def _block(chain: SvmChain, parameters: Parameters) -> object:
    slot, options = read_number(parameters.at(0), "slot"), parameters.options(1)
    if slot > _settled(chain, options):
        raise RpcFault(BLOCK_NOT_AVAILABLE, f"Block not available for slot {slot}")
    if slot < FIRST:
        raise RpcFault(SLOT_MISSING, f"Slot {slot} was skipped, or missing in long-term storage")
    if options.text("transactionDetails") != "signatures":
        raise invalid("the sandbox tells the signatures of a block, and no other details")
    return {
        "blockhash": str(chain.slots.blockhash(slot)), "previousBlockhash": str(chain.slots.blockhash(slot - 1)),
        "parentSlot": slot - 1, "blockHeight": height(slot), "blockTime": chain.slots.time(slot),
        "signatures": [each.signature for each in chain.ledger.records() if each.slot == slot],
    }  # fmt: skip


def _blocks(chain: SvmChain, parameters: Parameters) -> object:
    first, options = read_number(parameters.at(0), "slot"), parameters.options(2)
    limit = read_number(parameters.at(1), "limit", _MOST_BLOCKS)
    return list(range(max(first, FIRST), min(first + limit, _settled(chain, options) + 1)))


def _settled(chain: SvmChain, options: Options) -> int:
    """Return the slot up to which history is answered; slots that may still be withdrawn are not included."""
    commitment = options.commitment()
    if commitment == COMMITMENTS[0]:
        raise RpcFault(INVALID_PARAMS, "Method does not support commitment below `confirmed`")
    return chain.slots.at(commitment)


METHODS: Mapping[str, Method] = MappingProxyType({
    "getSignatureStatuses": _statuses,
    "getTransaction": _transaction,
    "getSignaturesForAddress": _signatures,
    "getBlock": _block,
    "getBlocksWithLimit": _blocks,
})  # fmt: skip
