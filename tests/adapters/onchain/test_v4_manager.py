"""Hops of V4 in a plan, with Uniswap's own PoolManager: they bring what the vendor's own swapper brings."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from eth_abi.abi import encode as encode_abi

from rhumbline.devnet.artifacts import contract_codes, pinned_packages
from rhumbline.devnet.evm.nodes import go_back
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import hex_bytes
from rhumbline.routing.evm.router_call import OPERATION
from tests.adapters.onchain.adapter_fixture import AdapterFixture
from tests.sandbox_fixture import CACHE

ONE = 10**18
FEE, SPACING = 3000, 60
HALF = 2**31
_ONE_TO_ONE = 2**96
_LOWEST, _HIGHEST = 4295128740, 1461446703485210103287273052203988822378723970341
_KEY = "(address,address,uint24,int24,address)"
_POOLS = 4
_TERMS = "(address,address,address,address,uint256)"
_EXECUTE = f"executeSwap({_TERMS},address[],{OPERATION}[])"


@dataclass(frozen=True)
class V4:
    """A manager with pools of equal prices between the native asset and two tokens."""

    fixture: AdapterFixture
    manager: str
    swapper: str
    tokens: tuple[str, str, str]

    def hop(self, share: int, sold: int, bought: int) -> bytes:
        head = bytes([3]) + share.to_bytes(4) + bytes([sold, bought])
        return head + bytes.fromhex(self.manager[2:]) + FEE.to_bytes(3) + SPACING.to_bytes(3) + bytes(20)

    async def balance(self, token: str, owner: str) -> int:
        symbol = next(name for name, each in self.fixture.tokens.items() if each.address == token)
        return await self.fixture.balance(self.fixture.tokens[symbol], owner)

    async def by_plan(self, path: tuple[int, ...], amount: int, hops: bytes) -> int:
        """Trade by the Executor, and return what a receiver gains."""
        fixture, receiver = self.fixture, "0x" + "5e" * 20
        tokens = [self.tokens[number] for number in path]
        executor, sold, bought = str(fixture.chain.executor), tokens[0], tokens[-1]
        plan = bytes([len(tokens)]) + b"".join(bytes.fromhex(token[2:]) for token in tokens) + hops
        value = amount if sold == NATIVE_EVM else 0
        if not value:
            await fixture.send(
                sold, encode_call("transfer(address,uint256)", ["address", "uint256"], [executor, amount])
            )
        before = await self.balance(bought, receiver)
        data = encode_call(
            _EXECUTE, [_TERMS, "address[]", f"{OPERATION}[]"],
            [
                (fixture.account, receiver, sold, bought, 1), tokens[1:-1],
                [(_POOLS, NATIVE_EVM, NATIVE_EVM, sold, amount, 0, plan)],
            ],
        )  # fmt: skip
        await fixture.send(executor, data, value)
        for token in tokens:
            assert await self.balance(token, executor) == 0
        return await self.balance(bought, receiver) - before

    async def by_vendor(self, sold: int, bought: int, amount: int) -> int:
        """Trade by the package's own swapper; the account gains, and pays gas where native is bought."""
        first, second = sorted((self.tokens[sold], self.tokens[bought]), key=lambda token: int(token, 16))
        down = first == self.tokens[sold]
        terms = (down, -amount, _LOWEST if down else _HIGHEST)
        data = encode_call(
            f"swap({_KEY},(bool,int256,uint160),(bool,bool),bytes)",
            [_KEY, "(bool,int256,uint160)", "(bool,bool)", "bytes"],
            [(first, second, FEE, SPACING, NATIVE_EVM), terms, (False, False), b""],
        )
        call = {
            "from": self.fixture.account, "to": self.swapper, "data": "0x" + data.hex(), "gas": hex(8_000_000),
            "value": hex(amount if self.tokens[sold] == NATIVE_EVM else 0),
        }  # fmt: skip
        delta = hex_bytes(await self.fixture.rpc.call("eth_call", [call, "latest"]))
        await self.fixture.send(self.swapper, data, int(call["value"], 16))
        return int.from_bytes(delta[16:] if down else delta[:16], signed=True)


@pytest.fixture
async def v4(adapter_fixture: AdapterFixture) -> V4:
    fixture = adapter_fixture
    codes = await contract_codes(CACHE, lambda _: None, pinned_packages(Path(__file__).with_name("packages.toml")))
    await fixture.rpc.call("anvil_setBalance", [fixture.account, hex(10**24)])

    async def deployed(name: str, argument: str) -> str:
        data = codes[name] + encode_abi(["address"], [argument])
        call = {"from": fixture.account, "data": "0x" + data.hex(), "gas": hex(8_000_000)}
        receipt = await fixture.rpc.call("eth_sendTransactionSync", [call])
        assert isinstance(receipt, dict)
        return str(receipt["contractAddress"])

    manager = await deployed("PoolManager", fixture.account)
    router, swapper = [await deployed(name, manager) for name in ("PoolModifyLiquidityTest", "PoolSwapTest")]
    tokens = (NATIVE_EVM, *sorted((fixture.tokens[name].address for name in ("DAI", "WETH")), key=lambda a: int(a, 16)))
    for symbol in ("DAI", "WETH"):
        await fixture.mint(symbol, 10**23)
        for spender in (router, swapper):
            data = encode_call("approve(address,uint256)", ["address", "uint256"], [spender, 2**255])
            await fixture.send(fixture.tokens[symbol].address, data)
    await fixture.rpc.call("anvil_setBalance", [fixture.account, hex(10**24)])
    for first, second in ((0, 1), (0, 2), (1, 2)):
        key = (tokens[first], tokens[second], FEE, SPACING, NATIVE_EVM)
        await fixture.send(manager, encode_call(f"initialize({_KEY},uint160)", [_KEY, "uint160"], [key, _ONE_TO_ONE]))
        span = (-600, 600, 10**23, bytes(32))
        adding = encode_call(
            f"modifyLiquidity({_KEY},(int24,int24,int256,bytes32),bytes)",
            [_KEY, "(int24,int24,int256,bytes32)", "bytes"], [key, span, b""],
        )  # fmt: skip
        await fixture.send(router, adding, 10**22 if first == 0 else 0)
    return V4(fixture, manager, swapper, (tokens[0], tokens[1], tokens[2]))


@pytest.mark.parametrize(("sold", "bought"), [(0, 1), (1, 0), (1, 2), (2, 1)])
async def test_one_hop_brings_what_the_vendors_swapper_brings(v4: V4, sold: int, bought: int) -> None:
    mark = await v4.fixture.rpc.call("evm_snapshot", [])
    expected = await v4.by_vendor(sold, bought, 7 * ONE + 1)
    await go_back(v4.fixture.rpc, mark)
    assert await v4.by_plan((sold, bought), 7 * ONE + 1, v4.hop(0, 0, 1)) == expected > 6 * ONE


async def test_hops_in_a_row_and_beside(v4: V4) -> None:
    """Half goes from native through a token to the other, the rest straight there."""
    mark = await v4.fixture.rpc.call("evm_snapshot", [])
    half = 10 * ONE // 2
    expected = await v4.by_vendor(1, 2, await v4.by_vendor(0, 1, half)) + await v4.by_vendor(0, 2, half)
    await go_back(v4.fixture.rpc, mark)
    hops = v4.hop(HALF, 0, 1) + v4.hop(0, 1, 2) + v4.hop(0, 0, 2)
    assert await v4.by_plan((0, 1, 2), 10 * ONE, hops) == expected
