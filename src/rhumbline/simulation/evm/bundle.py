"""One ``eth_simulateV1`` request for one transaction, and reading its answer.

Protocol: https://github.com/ethereum/execution-apis, ``eth_simulateV1`` (read 2026-11). The calls of a bundle see each
other's effects: what the wallet has, its approval, what the receiver had, the transaction, what the receiver has then.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BURNT
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.nobody import STAND_IN, is_nobodys
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.evm.rpc import hex_bytes, quantity
from rhumbline.simulation.evm.gas import GasPrice
from rhumbline.simulation.evm.task import EvmSimulationTask

MOST_GAS = 16_777_216
"""No transaction may have more (EIP-7825)."""
NATIVE_LOG = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
"""Under this address nodes report moves of the native asset as a token's, when ``traceTransfers`` is set."""
_READER = "0x9D713C3b552b72cee81b496a3b573D57ba57a779"
# CALLDATALOAD(0) BALANCE, returned: a contract that exists during the simulation only and tells native balances.
_READER_CODE = "0x6000353160005260206000f3"


class Told(Enum):
    """What a run tells beside balances: its logs and the native asset's moves, its logs alone, or nothing."""

    ALL = "all"
    LOGS = "logs"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Log:
    """An event: ``address`` in lower case."""

    address: str
    topics: tuple[bytes, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class CallResult:
    """What one call of a bundle did. ``gas`` is the most it held at any moment if the node tells, else what it used."""

    ok: bool
    data: bytes
    gas_used: int
    gas: int
    logs: tuple[Log, ...]

    @property
    def number(self) -> int | None:
        return int.from_bytes(self.data) if self.ok and len(self.data) == 32 else None


@dataclass(frozen=True, slots=True)
class Bundle:
    """A transaction and the circumstances of its run.

    ``actor`` sends it, ``receiver`` is watched. ``balance_word`` is the storage key and the word by which the actor has
    exactly the input, None to go with what it really has. ``price`` None runs it without paying for gas. ``reset``
    approves 0 first.
    """

    task: EvmSimulationTask
    actor: str
    receiver: str
    data: bytes
    price: GasPrice | None
    gas_limit: int
    balance_word: tuple[bytes, bytes] | None = None
    reset: bool = False

    @property
    def input_is_native(self) -> bool:
        return self.task.input_token == NATIVE_EVM

    @property
    def watched(self) -> tuple[tuple[str, str], ...]:
        """Tokens and owners whose balances tell what the bridge took and what the wallet kept of that."""
        deposit = self.task.deposit
        if deposit is None:
            return ()
        owners = [holder for holder in deposit.holders if holder != BURNT]
        # Of the native asset the wallet's balance tells nothing: it pays for gas.
        owners += [] if deposit.token == NATIVE_EVM else [self.actor]
        return tuple((deposit.token, owner) for owner in owners)

    @property
    def stood_in(self) -> bool:
        """Tell whether somebody else takes the sender's or the receiver's place."""
        return (self.actor, self.receiver, self.data) != (self.task.sender, self.task.receiver, self.task.data)

    @property
    def call(self) -> dict[str, str]:
        """The transaction without a price, as JSON-RPC writes it."""
        return {
            "from": self.actor,
            "to": self.task.to,
            "value": hex(self.task.value),
            "data": "0x" + self.data.hex(),
            "gas": hex(self.gas_limit),
        }

    @property
    def gas_cost_each(self) -> int:
        """Wei that one unit of gas costs the actor in this run."""
        return 0 if self.price is None else self.price.now


def bundle_of(task: EvmSimulationTask, price: GasPrice | None) -> Bundle:
    """Return the task's own run; placeholders for a wallet are exchanged for the stand-in."""
    actor = STAND_IN if is_nobodys(task.sender) else task.sender
    limit = MOST_GAS if price is None else min(MOST_GAS, price.block_gas)
    bundle = Bundle(task, actor, task.receiver, task.data, price, limit)
    return as_stand_in(bundle, actor) if is_nobodys(task.receiver) else bundle


def as_stand_in(bundle: Bundle, actor: str = STAND_IN) -> Bundle:
    """Return the same run with the stand-in as the receiver, where the call can be made for it, and as the actor."""
    if bundle.task.stand_in_data is None:
        return replace(bundle, actor=actor)
    return replace(bundle, actor=actor, receiver=STAND_IN, data=bundle.task.stand_in_data)


def request(bundle: Bundle) -> list[object]:
    """Return the parameters of ``eth_simulateV1``.

    The calls are ``has``, ``reset``, ``approve``, ``before``, ``main``, ``after``, as far as they are needed; the
    watched balances are ``before 0``, ``after 0`` and so on.
    """
    calls = list(calls_of(bundle).values())
    block: dict[str, object] = {"stateOverrides": overrides_of(bundle), "calls": calls}
    if bundle.price is not None and bundle.price.base_fee is not None:
        block["blockOverrides"] = {"baseFeePerGas": hex(bundle.price.base_fee)}
    return [{"blockStateCalls": [block], "traceTransfers": True, "validation": False}, "latest"]


def read_answer(bundle: Bundle, answer: object) -> Mapping[str, CallResult]:
    """Return the calls' results by name; raise NodeUnavailable when the answer is not one to this bundle."""
    names = _names(bundle)
    return dict(zip(names, read_calls(answer, len(names)), strict=True))


def read_calls(answer: object, count: int) -> list[CallResult]:
    """Read the answer to one simulated block of so many calls; raise NodeUnavailable when it is something else."""
    block = answer[0] if isinstance(answer, list) and answer else None
    calls = block.get("calls") if isinstance(block, dict) else None
    if not isinstance(calls, list) or len(calls) != count:
        raise NodeUnavailable("the node answered a simulation with something else")
    return [_result(call) for call in calls]


def calls_of(bundle: Bundle) -> Mapping[str, dict[str, str]]:
    """Return the bundle's calls by name, in their order."""
    return {name: _call(bundle, name) for name in _names(bundle)}


def _names(bundle: Bundle) -> list[str]:
    # Some tokens take an approval only when there is none, some refuse an approval of 0: the first of the two may fail.
    approval = [] if bundle.task.spender is None else ["reset", "approve"] if bundle.reset else ["approve"]
    seen = [] if bundle.task.output_token is None else [""]
    seen += [f" {number}" for number, _ in enumerate(bundle.watched)]
    main = [*(f"before{each}" for each in seen), "main", *(f"after{each}" for each in seen)]
    return [*([] if bundle.input_is_native else ["has"]), *approval, *main]


def _call(bundle: Bundle, name: str) -> dict[str, str]:
    task = bundle.task
    if name == "has":
        return _balance(task.input_token, bundle.actor)
    if name in ("reset", "approve"):
        amount = task.input_amount if name == "approve" else 0
        return _approval(bundle.actor, task.input_token, task.spender or bundle.actor, amount)
    if name != "main":
        _, _, number = name.partition(" ")
        return _balance(
            *(bundle.watched[int(number)] if number else (task.output_token or NATIVE_EVM, bundle.receiver))
        )
    main = bundle.call
    if bundle.price is not None:
        main["gasPrice"] = hex(bundle.price.now)
    return main


def _balance(token: str, owner: str) -> dict[str, str]:
    if token == NATIVE_EVM:
        return {"to": _READER, "data": "0x" + _word(owner)}
    return {"to": token, "data": "0x" + selector("balanceOf(address)").hex() + _word(owner)}


def _approval(owner: str, token: str, spender: str, amount: int) -> dict[str, str]:
    data = selector("approve(address,uint256)").hex() + _word(spender) + amount.to_bytes(32).hex()
    return {"from": owner, "to": token, "data": "0x" + data}


def _word(address: str) -> str:
    return address[2:].rjust(64, "0")


def overrides_of(bundle: Bundle) -> dict[str, dict[str, object]]:
    """Return the state in which the calls run, by address."""
    funds = bundle.task.value + bundle.gas_limit * bundle.gas_cost_each
    overrides: dict[str, dict[str, object]] = {bundle.actor: {"balance": hex(funds)}}
    if NATIVE_EVM in (bundle.task.output_token, *(token for token, _ in bundle.watched)):
        overrides[_READER] = {"code": _READER_CODE}
    if bundle.balance_word is not None:
        key, word = bundle.balance_word
        overrides.setdefault(bundle.task.input_token, {})["stateDiff"] = {"0x" + key.hex(): "0x" + word.hex()}
    return overrides


def _result(call: object) -> CallResult:
    if not isinstance(call, dict):
        raise NodeUnavailable("the node answered a simulated call with something else")
    used = quantity(call.get("gasUsed"))
    most = call.get("maxUsedGas")
    logs = call.get("logs") or []
    if not isinstance(logs, list):
        raise NodeUnavailable("the node answered a simulated call with something else")
    return CallResult(
        ok=quantity(call.get("status")) == 1,
        data=hex_bytes(call.get("returnData") or "0x"),
        gas_used=used,
        gas=used if most is None else max(used, quantity(most)),
        logs=tuple(_log(log) for log in logs),
    )


def _log(log: object) -> Log:
    topics = log.get("topics") if isinstance(log, dict) else None
    if not isinstance(log, dict) or not isinstance(topics, list):
        raise NodeUnavailable("the node answered a simulated call with something else")
    return Log(str(log.get("address")).lower(), tuple(hex_bytes(topic) for topic in topics), hex_bytes(log.get("data")))
