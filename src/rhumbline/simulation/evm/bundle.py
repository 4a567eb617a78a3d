"""The calls around one transaction, for one ``eth_simulateV1`` request.

The calls of a bundle see each other's effects: what the wallet has, its approval, what the receiver had, the
transaction, what the receiver has then; as far as each is needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BURNT
from rhumbline.domain.unowned_addresses import STAND_IN, is_unowned
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.nodes.evm.rpc import CallResult, EvmRpc
from rhumbline.simulation.evm.gas_price import GasPrice
from rhumbline.simulation.evm.task import EvmSimulationTask

MOST_GAS = 16_777_216
"""No transaction may have more (EIP-7825)."""
NATIVE_LOG = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
"""Under this address nodes report moves of the native asset as a token's, when ``traceTransfers`` is set."""
_BALANCE_OF = "0x" + selector("balanceOf(address)").hex()
_APPROVE = "0x" + selector("approve(address,uint256)").hex()
_READER = "0x9D713C3b552b72cee81b496a3b573D57ba57a779"
# CALLDATALOAD(0) BALANCE, returned: a contract that exists during the simulation only and tells native balances.
_READER_CODE = "0x6000353160005260206000f3"


class RunDetail(Enum):
    """What a run tells beside balances: its logs and the native asset's moves, its logs alone, or nothing."""

    ALL = "all"
    LOGS = "logs"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A transaction and the conditions of its simulation.

    ``actor`` sends it, ``receiver``'s balance is measured. ``balance_word`` is the storage key and the word that give
    the actor exactly the input, None for the actual balance. ``price`` None simulates without paying for gas. ``reset``
    approves 0 first. ``asks_balance`` reads the actor's balance of the input token.
    """

    task: EvmSimulationTask
    actor: str
    receiver: str
    data: bytes
    price: GasPrice | None
    gas_limit: int
    balance_word: tuple[bytes, bytes] | None = None
    reset: bool = False
    asks_balance: bool = True

    @property
    def input_is_native(self) -> bool:
        return self.task.input_token == NATIVE_EVM

    @property
    def watched(self) -> tuple[tuple[str, str], ...]:
        """Tokens and owners whose balances show what the bridge took and what the wallet kept of it."""
        deposit = self.task.deposit
        if deposit is None:
            return ()
        owners = [holder for holder in deposit.holders if holder != BURNT]
        # Of the native asset the wallet's balance tells nothing: it pays for gas.
        owners += [] if deposit.token == NATIVE_EVM else [self.actor]
        return tuple((deposit.token, owner) for owner in owners)

    @property
    def stood_in(self) -> bool:
        """Return whether a stand-in replaces the sender or the receiver."""
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
    """Return the task's own simulation; placeholders for a wallet are replaced by the stand-in."""
    actor = task.actor or (STAND_IN if is_unowned(task.sender) else task.sender)
    limit = MOST_GAS if price is None else min(MOST_GAS, price.block_gas)
    bundle = Bundle(task, actor, task.receiver, task.data, price, limit)
    return as_stand_in(bundle, actor) if is_unowned(task.receiver) else bundle


def as_stand_in(bundle: Bundle, actor: str = STAND_IN) -> Bundle:
    """Return the same simulation with the stand-in as the receiver, if possible, and as the actor."""
    if bundle.task.stand_in_data is None:
        return replace(bundle, actor=actor)
    return replace(bundle, actor=actor, receiver=STAND_IN, data=bundle.task.stand_in_data)


async def run_bundle(rpc: EvmRpc, bundle: Bundle) -> Mapping[str, CallResult]:
    """Run a bundle and return its calls' results by name; raise RpcError or NodeUnavailable."""
    calls = calls_of(bundle)
    return dict(zip(calls, await rpc.simulate_calls(request(bundle, calls), len(calls)), strict=True))


def request(bundle: Bundle, calls: Mapping[str, dict[str, str]]) -> list[object]:
    """Return the parameters of ``eth_simulateV1`` for a bundle and its calls."""
    block: dict[str, object] = {"stateOverrides": overrides_of(bundle), "calls": list(calls.values())}
    if bundle.price is not None and bundle.price.base_fee is not None:
        block["blockOverrides"] = {"baseFeePerGas": hex(bundle.price.base_fee)}
    return [{"blockStateCalls": [block], "traceTransfers": True, "validation": False}, "latest"]


def calls_of(bundle: Bundle) -> Mapping[str, dict[str, str]]:
    """Return the bundle's calls by name, in their order.

    They are ``has``, ``reset``, ``approve``, ``before``, ``main``, ``after``, as far as they are needed; the watched
    balances are ``before 0``, ``after 0`` and so on.
    """
    task, calls = bundle.task, dict[str, dict[str, str]]()
    if bundle.asks_balance and not bundle.input_is_native:
        calls["has"] = _balance(task.input_token, bundle.actor)
    if task.spender is not None and task.approved:
        # Some tokens take an approval only when there is none, some refuse an approval of 0: the first may fail.
        if bundle.reset:
            calls["reset"] = _approval(bundle.actor, task.input_token, task.spender, 0)
        calls["approve"] = _approval(bundle.actor, task.input_token, task.spender, task.input_amount)
    looks = [(f" {number}", _balance(*place)) for number, place in enumerate(bundle.watched)]
    if task.output_token is not None and not task.returns_gain:
        looks.append(("", _balance(task.output_token, bundle.receiver)))
    for name, look in looks:
        calls[f"before{name}"] = look
    calls["main"] = bundle.call
    if bundle.price is not None:
        calls["main"]["gasPrice"] = hex(bundle.price.now)
    for name, look in looks:
        calls[f"after{name}"] = look
    return calls


def _balance(token: str, owner: str) -> dict[str, str]:
    if token == NATIVE_EVM:
        return {"to": _READER, "data": "0x" + _word(owner)}
    return {"to": token, "data": _BALANCE_OF + _word(owner)}


def _approval(owner: str, token: str, spender: str, amount: int) -> dict[str, str]:
    return {"from": owner, "to": token, "data": f"{_APPROVE}{_word(spender)}{amount:064x}"}


def _word(address: str) -> str:
    return address[2:].rjust(64, "0")


def overrides_of(bundle: Bundle) -> dict[str, dict[str, object]]:
    """Return the state in which the calls run, by address."""
    funds = bundle.task.value + bundle.gas_limit * bundle.gas_cost_each
    overrides: dict[str, dict[str, object]] = {bundle.actor: {"balance": hex(funds)}}
    if bundle.task.output_token == NATIVE_EVM or any(token == NATIVE_EVM for token, _ in bundle.watched):
        overrides[_READER] = {"code": _READER_CODE}
    if bundle.balance_word is not None:
        key, word = bundle.balance_word
        overrides.setdefault(bundle.task.input_token, {})["stateDiff"] = {"0x" + key.hex(): "0x" + word.hex()}
    return overrides
