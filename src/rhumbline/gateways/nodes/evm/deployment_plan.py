"""What a deployment of our contracts would send and cost, computed without sending anything."""

from dataclasses import dataclass

from rhumbline.gateways.nodes.evm.deployment import (
    DEPLOYER,
    SALT,
    Contract,
    DeploymentError,
    State,
    check_deployer,
    contracts,
    fees_of,
    probe,
    state_of,
)
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity

# What creating a contract costs at most before its constructor runs (EIP-2028, EIP-3860, EIP-170, read 2026-11).
_CREATION_GAS = 21_000 + 32_000 + 100_000
_GAS_PER_BYTE_SENT = 17
_GAS_PER_BYTE_KEPT = 200


@dataclass(frozen=True, slots=True)
class PlannedTransaction:
    """A transaction to the deterministic deployer that creates ``contract``, with at most ``gas``."""

    contract: Contract
    gas: int


@dataclass(frozen=True, slots=True)
class DeploymentPlan:
    """The transactions to send, in order, without existing contracts. ``max_fee`` is in wei per gas."""

    chain_id: int
    payer: str
    balance: int
    max_fee: int
    transactions: tuple[PlannedTransaction, ...]

    @property
    def most_wei(self) -> int:
        return self.max_fee * sum(item.gas for item in self.transactions)

    @property
    def lacking_wei(self) -> int:
        return max(0, self.most_wei - self.balance)


async def plan(rpc: EvmRpc, payer: str, spoke_pool: str | None = None) -> DeploymentPlan:
    """Read the present state; raise DeploymentError if the contracts cannot be deployed by anybody.

    ``spoke_pool`` is Across's contract on the chain, None if there is none.
    """
    await probe(rpc)
    await check_deployer(rpc)
    missing = []
    for contract in contracts(spoke_pool):
        found = await state_of(rpc, contract)
        if found is State.DIFFERENT:
            raise DeploymentError(f"{rpc.name}: other code is at {contract.address}, the address of {contract.name}")
        if found is State.MISSING:
            missing.append(contract)
    max_fee, _ = await fees_of(rpc) if missing else (0, 0)
    balance = quantity(await rpc.call("eth_getBalance", [payer, "latest"]))
    planned = [PlannedTransaction(item, await _gas(rpc, payer, item, missing)) for item in missing]
    return DeploymentPlan(await rpc.chain_id(), payer, balance, max_fee, tuple(planned))


async def _gas(rpc: EvmRpc, payer: str, contract: Contract, missing: list[Contract]) -> int:
    """Estimate as if the contracts before this one were there; a node that cannot suppose that gets a bound instead."""
    before = {item.address: {"code": "0x" + item.runtime_code.hex()} for item in missing if item is not contract}
    call = {"from": payer, "to": DEPLOYER, "data": "0x" + (SALT + contract.init_code).hex()}
    try:
        return quantity(await rpc.call("eth_estimateGas", [call, "latest", *([before] if before else [])])) * 12 // 10
    except RpcError:
        sent, kept = len(SALT + contract.init_code), len(contract.runtime_code)
        return _CREATION_GAS + _GAS_PER_BYTE_SENT * sent + _GAS_PER_BYTE_KEPT * kept
