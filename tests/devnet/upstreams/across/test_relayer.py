"""Across on the sandbox: the real pools, a relayer that fills, and refunds that are really executed."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.evm.operator import Operator, SetUpError, encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.across.relay import Relayed
from rhumbline.devnet.upstreams.across.relayer import Relayer
from rhumbline.devnet.upstreams.background import kept_running
from rhumbline.devnet.upstreams.behaviour import Behaviour, Outcome
from rhumbline.devnet.upstreams.solver import DepositState
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM
from tests.sandbox_fixture import LoopThread, on_sandbox_loop

A, B = 900_001, 900_002
RECEIVER = "0x00000000000000000000000000000000000cafe3"
NOBODY = "0x" + "00" * 20
DEADLINE_S = 20
RELAY = "(bytes32,bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,bytes)"
DEPOSIT = "depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)"


@dataclass
class RelayerTrial:
    """A depositor, and a relayer at work as `behaviour` says."""

    world: World
    behaviour: Behaviour = field(default_factory=Behaviour)

    def __post_init__(self) -> None:
        self.relayer = Relayer(self.world, lambda: self.behaviour)

    def token(self, chain: int, symbol: str) -> str:
        return self.world.chain(chain).tokens[symbol].address

    def pool(self, chain: int) -> str:
        return self.world.chain(chain).contracts["spoke_pool"]

    async def depositor(self, chain: int, token: str) -> Operator:
        account = await unlocked(self.world.rpc(chain), sandbox_account(2).address, 10**22)
        for allowed in (0, 2**255):
            await account.send(token, encoded("approve(address,uint256)", self.pool(chain), allowed))
        return account

    async def deposit(
        self, chain: int, sold: str, bought: str, amount: int, output: int, ahead_s: int = 3600
    ) -> Relayed:
        """Deposit on `chain` for the other one, and wait until the relayer has seen it."""
        other = B if chain == A else A
        account = await self.depositor(chain, sold)
        now = await self.world.block_time(chain)
        deadline = max(now, await self.world.block_time(other)) + ahead_s
        terms = (account.address, RECEIVER, sold, bought, amount, output, other, NOBODY, now, deadline, 0, b"")
        native = sold == self.world.chain(chain).contracts["weth9"]
        seen = set(self.relayer.deposits)
        await account.send(self.pool(chain), encoded(DEPOSIT, *terms), amount if native else 0)
        await until(lambda: set(self.relayer.deposits) != seen)
        (place,) = set(self.relayer.deposits) - seen
        return self.relayer.deposits[place]

    async def passes(self, chain: int, moment: int) -> None:
        """Mine a block whose time is `moment`."""
        await self.world.rpc(chain).call("evm_setNextBlockTimestamp", [moment])
        await self.world.rpc(chain).call("anvil_mine", ["0x1"])


async def until(condition: Callable[[], bool]) -> None:
    end = asyncio.get_running_loop().time() + DEADLINE_S
    while not condition():
        assert asyncio.get_running_loop().time() < end, "in vain"
        await asyncio.sleep(0.01)


async def state_of(relayed: Relayed) -> DepositState:
    await until(lambda: relayed.state is not DepositState.PENDING)
    return relayed.state


@pytest.fixture
def trial(restored_sandbox: Sandbox, world: World, sandbox_loop: LoopThread) -> Iterator[RelayerTrial]:
    async def made() -> RelayerTrial:
        return RelayerTrial(world)

    trial = sandbox_loop.run(made())
    with world.posts.held("ACROSS"), sandbox_loop.entered(kept_running(trial.relayer.run(), "relayer")):
        # Its subscription stands before the test begins.
        sandbox_loop.run(until_listening(world))
        yield trial


async def until_listening(world: World) -> None:
    await asyncio.gather(*(world.rpc(chain).block_number() for chain in world.evm_chains))


@pytest.mark.parametrize(("origin", "symbol"), [(A, "USDC"), (B, "USDT"), (A, "WETH"), (B, "WBTC")])
@on_sandbox_loop
async def test_a_deposit_is_filled(trial: RelayerTrial, origin: int, symbol: str) -> None:
    other = B if origin == A else A
    # Wrapped ether is delivered unwrapped to whoever has no code.
    wanted = NATIVE_EVM if symbol == "WETH" else trial.token(other, symbol)
    rpc = trial.world.rpc(other)
    before = await balance_of(rpc, wanted, RECEIVER)
    tokens = trial.token(origin, symbol), trial.token(other, symbol)
    relayed = await trial.deposit(origin, *tokens, 10**5, 99_000)
    assert await state_of(relayed) is DepositState.FILLED
    assert await balance_of(rpc, wanted, RECEIVER) - before == 99_000
    assert await rpc.call("eth_getTransactionReceipt", [relayed.fill_tx]) is not None


@on_sandbox_loop
async def test_never_expires_and_is_refunded(trial: RelayerTrial) -> None:
    usdc = trial.token(A, "USDC"), trial.token(B, "USDC")
    rpc = trial.world.rpc(A)
    trial.behaviour.outcome = Outcome.NEVER
    relayed = await trial.deposit(A, *usdc, 10**6, 990_000, ahead_s=30)
    owner = sandbox_account(2).address
    before = await balance_of(rpc, usdc[0], owner)
    assert relayed.state is DepositState.PENDING
    await trial.passes(B, relayed.relay.fill_deadline + 1)
    assert await state_of(relayed) is DepositState.REFUNDED
    assert await balance_of(rpc, usdc[0], owner) - before == 10**6
    assert relayed.fill_tx is None
    receipt = await rpc.call("eth_getTransactionReceipt", [relayed.refund_tx])
    assert isinstance(receipt, dict)
    executed = "0xf4ad92585b1bc117fbdd644990adf0827bc4c95baeae8a23322af807b6d0020e"
    assert executed in {log["topics"][0] for log in receipt["logs"]}


@on_sandbox_loop
async def test_a_refund_may_come_at_once(trial: RelayerTrial) -> None:
    trial.behaviour.outcome = Outcome.REFUND
    ends = trial.token(B, "DAI"), trial.token(A, "DAI")
    first = await trial.deposit(B, *ends, 10**18, 10**17)
    second = await trial.deposit(B, *ends, 10**18, 10**17)
    assert (await state_of(first), await state_of(second)) == (DepositState.REFUNDED, DepositState.REFUNDED)


@on_sandbox_loop
async def test_what_was_left_alone_is_filled_once_it_is_told(trial: RelayerTrial) -> None:
    usdc = trial.token(A, "USDC"), trial.token(B, "USDC")
    trial.behaviour.outcome = Outcome.LATE
    trial.behaviour.delay_s = 3600
    relayed = await trial.deposit(A, *usdc, 10**6, 990_000)
    assert relayed.state is DepositState.PENDING
    trial.behaviour.delay_s = 0.1
    assert await state_of(relayed) is DepositState.FILLED


@on_sandbox_loop
async def test_fail_leaves_it_for_good(trial: RelayerTrial) -> None:
    usdc = trial.token(A, "USDC"), trial.token(B, "USDC")
    trial.behaviour.outcome = Outcome.FAIL
    relayed = await trial.deposit(A, *usdc, 10**6, 990_000)
    assert await state_of(relayed) is DepositState.FAILED
    assert (relayed.fill_tx, relayed.refund_tx) == (None, None)


@pytest.mark.parametrize(("bought", "output"), [("DAI", 1), ("USDC", 10**6 + 1)])
@on_sandbox_loop
async def test_what_nobody_would_fill_expires(trial: RelayerTrial, bought: str, output: int) -> None:
    relayed = await trial.deposit(A, trial.token(A, "USDC"), trial.token(B, bought), 10**6, output, ahead_s=30)
    await trial.passes(B, relayed.relay.fill_deadline + 1)
    assert await state_of(relayed) is DepositState.REFUNDED
    assert relayed.fill_tx is None


async def _strangers_fill(trial: RelayerTrial, relay: tuple[object, ...], token: str) -> str:
    stranger = await unlocked(trial.world.rpc(B), sandbox_account(3).address, 10**22)
    await stranger.send(token, encoded("approve(address,uint256)", trial.pool(B), 2**255))
    call = encoded(f"fillRelay({RELAY},uint256,bytes32)", relay, B, bytes(12) + bytes.fromhex(stranger.address[2:]))
    return await stranger.send(trial.pool(B), call)


@on_sandbox_loop
async def test_a_stranger_can_forge_a_fill_and_the_deposit_is_filled_all_the_same(trial: RelayerTrial) -> None:
    """A `FilledRelay` with our deposit's ID proves nothing: anybody can fill something else under the same ID."""
    trial.behaviour.outcome = Outcome.NEVER
    usdc, worthless = trial.token(B, "USDC"), trial.token(B, "TAX")
    relayed = await trial.deposit(A, trial.token(A, "USDC"), usdc, 10**6, 990_000)
    forged = list(relayed.relay.data)
    forged[4], forged[6] = bytes(12) + bytes.fromhex(worthless[2:]), 1
    forgery = await _strangers_fill(trial, tuple(forged), worthless)
    receipt = await trial.world.rpc(B).call("eth_getTransactionReceipt", [forgery])
    assert isinstance(receipt, dict)
    filled = "0x44b559f101f8fbcc8a0ea43fa91a05a729a5ea6e14a7c75aa750374690137208"
    (log,) = [log for log in receipt["logs"] if log["topics"][0] == filled]
    assert int(log["topics"][2], 16) == relayed.relay.deposit_id
    trial.behaviour.outcome = Outcome.DELIVER
    assert await state_of(relayed) is DepositState.FILLED
    assert relayed.fill_tx not in (None, forgery)


@on_sandbox_loop
async def test_a_strangers_honest_fill_counts(trial: RelayerTrial) -> None:
    trial.behaviour.outcome = Outcome.NEVER
    usdc = trial.token(B, "USDC")
    relayed = await trial.deposit(A, trial.token(A, "USDC"), usdc, 10**6, 990_000)
    await _strangers_fill(trial, relayed.relay.data, usdc)
    with pytest.raises(SetUpError):
        await _strangers_fill(trial, relayed.relay.data, usdc)
    trial.behaviour.outcome = Outcome.REFUND
    assert await state_of(relayed) is DepositState.FILLED
    assert (relayed.fill_tx, relayed.refund_tx) == (None, None), "nobody pays twice"
