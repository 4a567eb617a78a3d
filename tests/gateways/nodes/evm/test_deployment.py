"""Deploying to, and verifying on, real chains: each test gets its own anvil."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from eth_account import Account
from eth_account.signers.local import LocalAccount
from eth_utils.crypto import keccak

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import decode_args, encode_call
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm import deployment
from rhumbline.gateways.nodes.evm.deployment import DEPLOYER, DeploymentError, State, deploy, probe, verify
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity

ROOT = Path(__file__).parents[4]
ANVIL = ROOT / "node_modules" / "@foundry-rs" / "anvil-linux-amd64" / "bin" / "anvil"
# The first account of anvil's published test mnemonic.
FUNDED_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"

StartChain = Callable[..., Awaitable[EvmRpc]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def running_chain(chain_id: int, *options: str) -> AsyncIterator[EvmRpc]:
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *(str(ANVIL), "--host", "127.0.0.1", "--port", str(port), "--chain-id", str(chain_id), "--silent", *options),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with HttpClient() as http:
            rpc = EvmRpc(f"http://127.0.0.1:{port}", http, name=f"chain-{chain_id}")
            await until_it_answers(rpc)
            yield rpc
    finally:
        process.kill()
        await process.wait()


async def until_it_answers(rpc: EvmRpc) -> None:
    for _ in range(1000):
        try:
            await rpc.chain_id()
        except NodeUnavailable:
            await asyncio.sleep(0.02)
        else:
            return
    pytest.fail("anvil does not answer after 20 s")


@pytest.fixture
async def start_chain() -> AsyncIterator[StartChain]:
    async with AsyncExitStack() as stack:

        async def start(chain_id: int = 900001, *options: str) -> EvmRpc:
            return await stack.enter_async_context(running_chain(chain_id, *options))

        yield start


@pytest.fixture
async def rpc(start_chain: StartChain) -> EvmRpc:
    return await start_chain()


@pytest.fixture
def signer() -> LocalAccount:
    account = Account.from_key(FUNDED_KEY)
    assert isinstance(account, LocalAccount)
    return account


def states(report: deployment.DeploymentReport) -> dict[str, State]:
    return {contract.name: contract.state for contract in report.contracts}


async def test_deploys_and_verifies(rpc: EvmRpc, signer: LocalAccount) -> None:
    assert states(await verify(rpc)) == {"Executor": State.MISSING, "Diamond": State.MISSING}
    report = await deploy(rpc, signer)
    assert report.chain_id == 900001
    assert states(report) == {"Executor": State.DEPLOYED, "Diamond": State.DEPLOYED}
    for contract in report.contracts:
        receipt = await rpc.call("eth_getTransactionReceipt", [contract.transaction_hash])
        assert isinstance(receipt, dict)
        assert receipt["type"] == "0x2"
        assert quantity(receipt["gasUsed"]) == contract.gas_used
        assert receipt["from"].lower() == signer.address.lower()
    found = await verify(rpc)
    assert found.ok
    assert states(found) == {"Executor": State.IDENTICAL, "Diamond": State.IDENTICAL}


async def test_the_diamond_works_at_its_address(rpc: EvmRpc, signer: LocalAccount) -> None:
    await deploy(rpc, signer)
    answer = await rpc.eth_call(deployment.diamond_address(), encode_call("executor()", [], []))
    assert decode_args(["address"], answer) == (deployment.executor_address().lower(),)
    answer = await rpc.eth_call(deployment.diamond_address(), encode_call("facetAddresses()", [], []))
    assert decode_args(["address[]"], answer) == ((deployment.diamond_address().lower(),),)


async def test_deploying_again_sends_nothing(rpc: EvmRpc, signer: LocalAccount) -> None:
    await deploy(rpc, signer)
    nonce = await rpc.call("eth_getTransactionCount", [signer.address, "latest"])
    penniless = Account.create()
    report = await deploy(rpc, penniless)
    assert states(report) == {"Executor": State.IDENTICAL, "Diamond": State.IDENTICAL}
    assert [contract.transaction_hash for contract in report.contracts] == [None, None]
    assert await rpc.call("eth_getTransactionCount", [signer.address, "latest"]) == nonce


async def test_what_is_missing_is_added(rpc: EvmRpc, signer: LocalAccount) -> None:
    await deploy(rpc, signer)
    await rpc.call("anvil_setCode", [deployment.diamond_address(), "0x"])
    await rpc.call("anvil_setNonce", [deployment.diamond_address(), "0x0"])
    assert states(await deploy(rpc, signer)) == {"Executor": State.IDENTICAL, "Diamond": State.DEPLOYED}


async def test_one_address_on_every_chain(start_chain: StartChain, signer: LocalAccount) -> None:
    first, second = await start_chain(900001), await start_chain(900002)
    # Another signer with another nonce makes no difference.
    other = Account.create()
    await second.call("anvil_setBalance", [other.address, hex(10**18)])
    one, two = await deploy(first, signer), await deploy(second, other)
    assert one.chain_id != two.chain_id
    assert [c.address for c in one.contracts] == [c.address for c in two.contracts]
    assert [c.address for c in one.contracts] == [deployment.executor_address(), deployment.diamond_address()]
    assert await first.code(deployment.diamond_address()) == await second.code(deployment.diamond_address())


async def test_the_receiver_is_deployed_where_across_is(start_chain: StartChain, signer: LocalAccount) -> None:
    """Its address is its bridge's as well: another pool, another Receiver."""
    rpc = await start_chain(900001)
    for number, pool in enumerate(("0x" + "a1" * 20, "0x" + "a2" * 20)):
        await rpc.call("anvil_setCode", [pool, "0x00"])
        report = await deploy(rpc, signer, pool)
        made = State.IDENTICAL if number else State.DEPLOYED
        assert states(report) == {"Executor": made, "Diamond": made, "Receiver": State.DEPLOYED}
        assert (await verify(rpc, pool)).ok
        receiver = deployment.receiver_address(pool)
        assert report.contracts[2].address == receiver
        for name, expected in (("executor()", deployment.executor_address()), ("spokePool()", pool)):
            answer = await rpc.eth_call(receiver, encode_call(name, [], []))
            assert decode_args(["address"], answer) == (expected.lower(),)
    assert len({deployment.receiver_address("0x" + pair * 20) for pair in ("a1", "a2")}) == 2


async def test_no_receiver_for_a_pool_that_is_not_there(rpc: EvmRpc, signer: LocalAccount) -> None:
    with pytest.raises(DeploymentError, match="refused to deploy Receiver"):
        await deploy(rpc, signer, "0x" + "a1" * 20)


async def test_a_missing_deployer_is_explained(rpc: EvmRpc, signer: LocalAccount) -> None:
    await rpc.call("anvil_setCode", [DEPLOYER, "0x"])
    with pytest.raises(DeploymentError, match=r"deployer 0x4e59\w+ is missing\. Send 0\.01 .* to 0x3fAB"):
        await deploy(rpc, signer)


async def test_another_contract_in_the_deployers_place_is_refused(rpc: EvmRpc, signer: LocalAccount) -> None:
    await rpc.call("anvil_setCode", [DEPLOYER, "0x6001"])
    with pytest.raises(DeploymentError, match="not the deterministic deployer's"):
        await deploy(rpc, signer)


def test_the_deployers_signer_creates_it() -> None:
    """The address of an account's first contract is the hash of the RLP list of the account and 0."""
    first = keccak(b"\xd6\x94" + bytes.fromhex(deployment.DEPLOYER_SIGNER[2:]) + b"\x80")[12:]
    assert first.hex() == DEPLOYER[2:].lower()


@pytest.mark.parametrize("index", [0, 1], ids=["Executor", "Diamond"])
async def test_other_code_is_detected_and_not_overwritten(rpc: EvmRpc, signer: LocalAccount, index: int) -> None:
    await deploy(rpc, signer)
    contract = deployment.contracts()[index]
    # One bit of the last byte.
    tampered = contract.runtime_code[:-1] + bytes([contract.runtime_code[-1] ^ 1])
    await rpc.call("anvil_setCode", [contract.address, "0x" + tampered.hex()])
    report = await verify(rpc)
    assert not report.ok
    assert states(report)[contract.name] is State.DIFFERENT
    with pytest.raises(DeploymentError, match=f"other code is at {contract.address}, the address of {contract.name}"):
        await deploy(rpc, signer)


async def test_a_diamond_of_another_executor_is_detected(rpc: EvmRpc, signer: LocalAccount) -> None:
    """The address in the immutable places counts: it is not masked."""
    await deploy(rpc, signer)
    contract = deployment.contracts()[1]
    foreign = contract.runtime_code.replace(bytes.fromhex(deployment.executor_address()[2:]), b"\x11" * 20)
    assert foreign != contract.runtime_code
    await rpc.call("anvil_setCode", [contract.address, "0x" + foreign.hex()])
    assert states(await verify(rpc)) == {"Executor": State.IDENTICAL, "Diamond": State.DIFFERENT}


async def test_a_signer_without_funds_is_told_how_much(rpc: EvmRpc) -> None:
    penniless = Account.create()
    await rpc.call("anvil_setBalance", [penniless.address, "0x64"])
    with pytest.raises(DeploymentError, match=rf"{penniless.address} has 100 wei and deploying Executor may cost \d+"):
        await deploy(rpc, penniless)


@pytest.mark.parametrize("hardfork", ["paris", "shanghai"])
async def test_a_chain_without_the_opcodes_is_refused(
    start_chain: StartChain, signer: LocalAccount, hardfork: str
) -> None:
    rpc = await start_chain(900001, "--hardfork", hardfork)
    with pytest.raises(DeploymentError, match="TSTORE and MCOPY"):
        await deploy(rpc, signer)
    assert quantity(await rpc.call("eth_getTransactionCount", [signer.address, "latest"])) == 0


async def test_the_probe_passes_on_cancun(start_chain: StartChain) -> None:
    rpc = await start_chain(900001, "--hardfork", "cancun")
    before = await rpc.block_number()
    await probe(rpc)
    assert await rpc.block_number() == before


async def test_a_transaction_that_stays_out_of_blocks_is_reported(
    start_chain: StartChain, signer: LocalAccount
) -> None:
    rpc = await start_chain(900001, "--no-mining")
    with pytest.raises(DeploymentError, match=r"transaction 0x\w{64} .* is not in a block after 0\.5 s"):
        await deploy(rpc, signer, timeout_s=0.5)
    await rpc.call("evm_mine", [])
    await rpc.call("evm_setAutomine", [True])
    assert states(await deploy(rpc, signer)) == {"Executor": State.IDENTICAL, "Diamond": State.DEPLOYED}
