"""RPC methods about the chain itself, and those by which tests control it.

`sandbox_advanceSlots [n]` lets slots pass, `sandbox_snapshot []` saves a state, `sandbox_restore [number]` returns to
it. `sandbox_setProgram [address, code]` places a program at an address, and `sandbox_setAccount [address, {lamports,
owner, data}]` an account; code and data are in base64.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from solders.account import Account
from solders.hash import Hash

from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.faults import SLOT_NOT_REACHED, RpcFault, invalid
from rhumbline.devnet.svm.parameters import Options, Parameters, read_bytes, read_key, read_number
from rhumbline.devnet.svm.slots import EPOCH, FIRST, LIFETIME, height

Method = Callable[[SvmChain, Parameters], object]
VERSION = "3.0.0"
_MOST_SLOTS = 10_000_000
_FEES_TOLD = 150
_LARGEST_ACCOUNT = 10 * 1024 * 1024
_MOST_LAMPORTS = 10**18


def with_context(chain: SvmChain, options: Options, value: object, default: str = "finalized") -> dict[str, object]:
    """Wrap an answer in the context of its commitment's slot; raise RpcFault if that slot is not reached yet."""
    return {"context": {"apiVersion": VERSION, "slot": slot_of(chain, options, default)}, "value": value}


def slot_of(chain: SvmChain, options: Options, default: str = "finalized") -> int:
    """Return the latest slot of the requested commitment, which must be at least `minContextSlot`."""
    slot = chain.slots.at(options.commitment(default=default))
    least = options.number("minContextSlot")
    if least is not None and slot < least:
        raise RpcFault(SLOT_NOT_REACHED, "Minimum context slot has not been reached", {"contextSlot": slot})
    return slot


def _version(_: SvmChain, __: Parameters) -> object:
    return {"solana-core": VERSION, "feature-set": 0}


def _slot(chain: SvmChain, parameters: Parameters) -> object:
    return slot_of(chain, parameters.options(0))


def _height(chain: SvmChain, parameters: Parameters) -> object:
    return height(slot_of(chain, parameters.options(0)))


def _genesis(chain: SvmChain, _: Parameters) -> object:
    return str(chain.slots.genesis)


def _epoch(chain: SvmChain, parameters: Parameters) -> object:
    slot = slot_of(chain, parameters.options(0))
    return {
        "absoluteSlot": slot, "blockHeight": height(slot), "epoch": slot // EPOCH, "slotIndex": slot % EPOCH,
        "slotsInEpoch": EPOCH, "transactionCount": chain.ledger.count(),
    }  # fmt: skip


def _block_time(chain: SvmChain, parameters: Parameters) -> object:
    slot = read_number(parameters.at(0), "slot")
    return chain.slots.time(slot) if FIRST <= slot <= chain.slots.slot else None


def _blockhash(chain: SvmChain, parameters: Parameters) -> object:
    options = parameters.options(0)
    slot = slot_of(chain, options)
    value = {"blockhash": str(chain.slots.blockhash(slot)), "lastValidBlockHeight": height(slot) + LIFETIME}
    return with_context(chain, options, value)


def _is_valid(chain: SvmChain, parameters: Parameters) -> object:
    return with_context(chain, parameters.options(1), chain.slots.is_valid(Hash(bytes(parameters.key(0)))))


def _rent(chain: SvmChain, parameters: Parameters) -> object:
    return chain.rent(read_number(parameters.at(0), "data length", 10 * 1024 * 1024))


def _priority_fees(chain: SvmChain, parameters: Parameters) -> object:
    given = parameters.values[0] if parameters.values else []
    if not isinstance(given, list) or len(given) > 128:
        raise invalid("Too many inputs provided; max 128")
    slot = chain.slots.slot
    return [{"slot": each, "prioritizationFee": 0} for each in range(slot - _FEES_TOLD + 1, slot + 1)]


def _advance(chain: SvmChain, parameters: Parameters) -> object:
    return chain.advance(read_number(parameters.at(0), "slots", _MOST_SLOTS))


def _snapshot(chain: SvmChain, _: Parameters) -> object:
    return chain.snapshot()


def _restore(chain: SvmChain, parameters: Parameters) -> object:
    try:
        chain.restore(read_number(parameters.at(0), "snapshot"))
    except KeyError:
        raise invalid("no such snapshot") from None
    return chain.slots.slot


def _set_program(chain: SvmChain, parameters: Parameters) -> object:
    chain.add_program(parameters.key(0), read_bytes(parameters.at(1), "base64", _LARGEST_ACCOUNT))
    return True


def _set_account(chain: SvmChain, parameters: Parameters) -> object:
    content = parameters.options(1)
    data = read_bytes(content.text("data") or "", "base64", _LARGEST_ACCOUNT)
    lamports = read_number(content.values.get("lamports"), "lamports", _MOST_LAMPORTS)
    chain.set_account(parameters.key(0), Account(lamports, data, read_key(content.values.get("owner"))))
    return True


METHODS: Mapping[str, Method] = MappingProxyType({
    "getHealth": lambda _, __: "ok",
    "getVersion": _version,
    "getSlot": _slot,
    "getBlockHeight": _height,
    "getGenesisHash": _genesis,
    "getEpochInfo": _epoch,
    "getBlockTime": _block_time,
    "getFirstAvailableBlock": lambda _, __: FIRST,
    "getLatestBlockhash": _blockhash,
    "isBlockhashValid": _is_valid,
    "getMinimumBalanceForRentExemption": _rent,
    "getRecentPrioritizationFees": _priority_fees,
    "getTransactionCount": lambda chain, _: chain.ledger.count(),
    "sandbox_advanceSlots": _advance,
    "sandbox_snapshot": _snapshot,
    "sandbox_restore": _restore,
    "sandbox_setProgram": _set_program,
    "sandbox_setAccount": _set_account,
})  # fmt: skip
