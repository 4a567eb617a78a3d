"""Our contracts on a chain: their addresses, their deployment, and the comparison with the committed artifacts.

They are created with CREATE2 through the deterministic deployment proxy
(https://github.com/Arachnid/deterministic-deployment-proxy, read 2026-11), so their addresses depend on nothing but
their code (the Receiver's on where Across is on the chain, too). Whoever deploys them gets no power over them.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from eth_utils.crypto import keccak

from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes, quantity

if TYPE_CHECKING:  # its import takes longer than all else that the service needs
    from eth_account.signers.local import LocalAccount

DEPLOYER = "0x4e59b44847b379578588920cA78FbF26c0B4956C"
DEPLOYER_CODE = bytes.fromhex(
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0"
    "3601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"
)
# The account of the one presigned transaction that creates the deployer, and what that transaction costs.
DEPLOYER_SIGNER = "0x3fAB184622Dc19b6109349B94811493BF2a45362"
SALT = b"rhumbline".ljust(32, b"\0")
RECEIPT_TIMEOUT_S = 180.0
_POLL_S = 0.25
_DEFAULT_TIP_WEI = 10**9
# Creation code: keeps 42 in transient storage, copies it with MCOPY, and returns it as the code of the new contract.
_PROBE = bytes.fromhex("602a5f5d5f5c5f5260205f60205e60206020f3")
_PROBE_ANSWER = (42).to_bytes(32)


class DeploymentError(Exception):
    """The contracts cannot be deployed on this chain; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled contract. ``immutables``: where the constructor writes its arguments in the runtime code."""

    name: str
    abi: tuple[Mapping[str, object], ...]
    creation_code: bytes
    runtime_code: bytes
    immutables: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract as it must be on a chain."""

    name: str
    address: str
    init_code: bytes
    runtime_code: bytes


class State(StrEnum):
    """The state of a contract's address, or the action taken there."""

    DEPLOYED = "deployed"
    IDENTICAL = "identical"
    DIFFERENT = "different"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class ContractReport:
    """One contract on one chain; hash and gas only if a transaction was sent."""

    name: str
    address: str
    state: State
    transaction_hash: str | None = None
    gas_used: int | None = None


@dataclass(frozen=True, slots=True)
class DeploymentReport:
    """Our contracts on one chain.

    After ``deploy`` each is DEPLOYED, or was there already and is IDENTICAL; ``verify`` finds them IDENTICAL, DIFFERENT
    or MISSING.
    """

    chain_id: int
    contracts: tuple[ContractReport, ...]

    @property
    def ok(self) -> bool:
        return all(contract.state is State.IDENTICAL for contract in self.contracts)


@cache
def artifact(name: str) -> Artifact:
    """Load a committed artifact: ``Diamond``, ``Executor``, ``Receiver``, or ``Lens`` or ``SignatureCheck``.

    The last two are never deployed.
    """
    text = resources.files("rhumbline.gateways.nodes.evm").joinpath("artifacts", f"{name}.json").read_text("utf-8")
    raw = json.loads(text)
    return Artifact(
        name=raw["contractName"],
        abi=tuple(raw["abi"]),
        creation_code=bytes.fromhex(raw["bytecode"][2:]),
        runtime_code=bytes.fromhex(raw["deployedBytecode"][2:]),
        immutables=tuple((place["start"], place["argument"]) for place in raw["immutableReferences"]),
    )


def create2_address(init_code: bytes) -> str:
    """Address of a contract with this init code, created through the deployer with our salt (EIP-1014)."""
    return checksummed(keccak(b"\xff" + bytes.fromhex(DEPLOYER[2:]) + SALT + keccak(init_code))[12:])


@cache
def contracts(spoke_pool: str | None = None) -> tuple[Contract, ...]:
    """Our contracts in the order of deployment; the Receiver where ``spoke_pool``, Across's contract, is given."""
    executor = _made("Executor")
    receiver = () if spoke_pool is None else (_made("Receiver", executor.address, spoke_pool),)
    return (executor, _made("Diamond", executor.address), *receiver)


def _made(name: str, *arguments: str) -> Contract:
    """Return a contract whose constructor is given addresses, which it keeps in its code."""
    compiled = artifact(name)
    words = [bytes.fromhex(argument[2:]).rjust(32, b"\0") for argument in arguments]
    init_code = compiled.creation_code + b"".join(words)
    code = bytearray(compiled.runtime_code)
    for start, argument in compiled.immutables:
        code[start : start + 32] = words[argument]
    return Contract(name, create2_address(init_code), init_code, bytes(code))


def executor_address() -> str:
    return contracts()[0].address


def diamond_address() -> str:
    """Address of the Diamond on every chain that has one: what wallets call and approve."""
    return contracts()[1].address


def receiver_address(spoke_pool: str) -> str:
    """Address of the Receiver on a chain where Across's contract is at ``spoke_pool``."""
    return contracts(spoke_pool)[2].address


async def probe(rpc: EvmRpc) -> None:
    """Raise DeploymentError unless the chain runs TSTORE, TLOAD, MCOPY and PUSH0 (Cancun); nothing is sent."""
    try:
        answer = hex_bytes(await rpc.call("eth_call", [{"data": "0x" + _PROBE.hex()}, "latest"]))
    except RpcError as error:
        reason = error.message
    else:
        if answer == _PROBE_ANSWER:
            return
        reason = f"the probe answered 0x{answer.hex()[:64]}"
    raise DeploymentError(
        f"{rpc.name}: this chain does not run the opcodes TSTORE and MCOPY of Cancun ({reason}), so the contracts "
        "cannot work here. Leave the chain without a Diamond: quotes then carry the upstream's own transaction"
    )


async def deploy(
    rpc: EvmRpc, signer: "LocalAccount", spoke_pool: str | None = None, *, timeout_s: float = RECEIPT_TIMEOUT_S
) -> DeploymentReport:
    """Create what is missing, with transactions that ``signer`` pays for and that are signed here.

    A contract that is there already with the same code counts as success. Raises DeploymentError when the chain lacks
    opcodes or the deployer, other code is in the way, the signer cannot pay, or no receipt comes within ``timeout_s``.
    """
    await probe(rpc)
    await check_deployer(rpc)
    chain_id = await rpc.chain_id()
    reports = [await _create(rpc, signer, chain_id, contract, timeout_s) for contract in contracts(spoke_pool)]
    return DeploymentReport(chain_id, tuple(reports))


async def verify(rpc: EvmRpc, spoke_pool: str | None = None) -> DeploymentReport:
    reports = [ContractReport(item.name, item.address, await state_of(rpc, item)) for item in contracts(spoke_pool)]
    return DeploymentReport(await rpc.chain_id(), tuple(reports))


async def state_of(rpc: EvmRpc, contract: Contract) -> State:
    code = await rpc.code(contract.address)
    if not code:
        return State.MISSING
    return State.IDENTICAL if code == contract.runtime_code else State.DIFFERENT


async def check_deployer(rpc: EvmRpc) -> None:
    """Raise DeploymentError unless the deterministic deployer is there; it says how it comes there."""
    code = await rpc.code(DEPLOYER)
    if code == DEPLOYER_CODE:
        return
    if code:
        raise DeploymentError(f"{rpc.name}: the code at {DEPLOYER} is not the deterministic deployer's: do not use it")
    raise DeploymentError(
        f"{rpc.name}: the deterministic deployer {DEPLOYER} is missing. Send 0.01 of the native asset to "
        f"{DEPLOYER_SIGNER}, then broadcast the presigned transaction that is in the repository "
        "https://github.com/Arachnid/deterministic-deployment-proxy. A chain that refuses transactions without a "
        "chain id (EIP-155) must add the deployer itself: ask its operator"
    )


async def _create(
    rpc: EvmRpc, signer: "LocalAccount", chain_id: int, contract: Contract, timeout_s: float
) -> ContractReport:
    found = await state_of(rpc, contract)
    if found is State.IDENTICAL:
        return ContractReport(contract.name, contract.address, found)
    if found is State.DIFFERENT:
        raise DeploymentError(f"{rpc.name}: other code is at {contract.address}, the address of {contract.name}")
    sent = await _send(rpc, signer, chain_id, contract)
    receipt = await _receipt(rpc, contract, sent, timeout_s)
    # Read again rather than from the receipt: somebody else may have created the same contract a moment earlier.
    if await _settled_state(rpc, contract, timeout_s) is not State.IDENTICAL:
        raise DeploymentError(f"{rpc.name}: transaction {sent} did not create {contract.name} at {contract.address}")
    return ContractReport(contract.name, contract.address, State.DEPLOYED, sent, quantity(receipt.get("gasUsed")))


async def _send(rpc: EvmRpc, signer: "LocalAccount", chain_id: int, contract: Contract) -> str:
    data = SALT + contract.init_code
    call: dict[str, object] = {"from": signer.address, "to": DEPLOYER, "data": "0x" + data.hex()}
    try:
        gas = quantity(await rpc.call("eth_estimateGas", [call])) * 12 // 10
        fee, tip = await fees_of(rpc)
        balance = quantity(await rpc.call("eth_getBalance", [signer.address, "latest"]))
        if balance < gas * fee:
            raise DeploymentError(
                f"{rpc.name}: {signer.address} has {balance} wei and deploying {contract.name} may cost {gas * fee}: "
                "send it the difference"
            )
        nonce = quantity(await rpc.call("eth_getTransactionCount", [signer.address, "pending"]))
        signed = signer.sign_transaction(
            {
                "type": 2,
                "chainId": chain_id,
                "nonce": nonce,
                "to": bytes.fromhex(DEPLOYER[2:]),
                "value": 0,
                "data": data,
                "gas": gas,
                "maxFeePerGas": fee,
                "maxPriorityFeePerGas": tip,
            }
        )
        return str(await rpc.call("eth_sendRawTransaction", ["0x" + bytes(signed.raw_transaction).hex()]))
    except RpcError as error:
        raise DeploymentError(f"{rpc.name}: the node refused to deploy {contract.name}: {error.message}") from error


async def fees_of(rpc: EvmRpc) -> tuple[int, int]:
    """Answer the most that is paid per gas, and the tip in it, in wei: room for the base fee to double."""
    block = await rpc.call("eth_getBlockByNumber", ["latest", False])
    base = block.get("baseFeePerGas") if isinstance(block, dict) else None
    if base is None:
        raise DeploymentError(f"{rpc.name}: this chain has no EIP-1559 fees, and only such transactions are sent here")
    try:
        tip = quantity(await rpc.call("eth_maxPriorityFeePerGas"))
    except RpcError:
        tip = _DEFAULT_TIP_WEI
    return 2 * quantity(base) + tip, tip


async def _receipt(rpc: EvmRpc, contract: Contract, sent: str, timeout_s: float) -> dict[str, object]:
    try:
        async with asyncio.timeout(timeout_s):
            while True:
                receipt = await rpc.call("eth_getTransactionReceipt", [sent])
                if isinstance(receipt, dict):
                    return receipt
                await asyncio.sleep(_POLL_S)
    except TimeoutError as error:
        raise DeploymentError(
            f"{rpc.name}: transaction {sent} (deploying {contract.name}) is not in a block after {timeout_s:g} s; "
            "run the deployment again when it is: what exists is left as it is"
        ) from error


async def _settled_state(rpc: EvmRpc, contract: Contract, timeout_s: float) -> State:
    """Wait for the code as well: behind one endpoint may be nodes that have not seen the block yet."""
    until = asyncio.get_running_loop().time() + min(timeout_s, 10.0)
    while True:
        found = await state_of(rpc, contract)
        if found is not State.MISSING or asyncio.get_running_loop().time() >= until:
            return found
        await asyncio.sleep(_POLL_S)
