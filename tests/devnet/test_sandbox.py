"""What lies on the sandbox's chains is real: pools quote and trade, accounts hold, contracts are where they belong."""

import time
from collections.abc import Iterator

import pytest
from eth_utils.crypto import keccak

from rhumbline.devnet.evm.operator import Operator, SetUpError, constructed, encoded, unlocked
from rhumbline.devnet.evm.pools import PRICES
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxChain, SandboxConfig
from rhumbline.devnet.tokens import TOKENS
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.deployment import verify
from rhumbline.gateways.nodes.evm.multicall import Read, read_many
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, hex_bytes, quantity
from tests.sandbox_fixture import CACHE, LoopThread

KEYS = ["sbxa", "sbxb"]


def rpc_of(chain: SandboxChain, http: HttpClient) -> EvmRpc:
    return EvmRpc(chain.rpc_url, http, chain.key)


def reader(chain: SandboxChain, http: HttpClient) -> Operator:
    return Operator(rpc_of(chain, http), chain.contracts["weth9"])


async def number(operator: Operator, to: str, signature: str, *values: object) -> int:
    return int.from_bytes(await operator.rpc.eth_call(to, encoded(signature, *values)))


async def quoted(
    operator: Operator, chain: SandboxChain, sold: str, bought: str, amount: int, fee: int
) -> tuple[int, int]:
    """Output and number of initialised ticks crossed, by QuoterV2."""
    order = (chain.tokens[sold].address, chain.tokens[bought].address, amount, fee, 0)
    data = encoded("quoteExactInputSingle((address,address,uint256,uint24,uint160))", order)
    out, _, crossed, _ = await operator.read(
        chain.contracts["quoter_v2"], data, "uint256", "uint160", "uint32", "uint256"
    )
    return int(str(out)), int(str(crossed))


def fair(chain: SandboxChain, sold: str, bought: str, amount: int) -> int:
    """What the amount is worth at the plan's prices, without fee."""
    worth: int = amount * PRICES[sold] * 10 ** chain.tokens[bought].decimals
    return worth // int(PRICES[bought] * 10 ** chain.tokens[sold].decimals)


@pytest.mark.parametrize("key", KEYS)
async def test_chain_is_itself_and_everything_has_code(sandbox: Sandbox, http: HttpClient, key: str) -> None:
    chain = sandbox.chain(key)
    rpc = rpc_of(chain, http)
    assert await rpc.chain_id() == chain.id
    places = [*chain.contracts.values(), *(t.address for t in chain.tokens.values()), *(p.address for p in chain.pools)]
    codes = await rpc.batch([("eth_getCode", [place, "latest"]) for place in places])
    assert [place for place, code in zip(places, codes, strict=True) if len(hex_bytes(code)) < 60] == []
    assert len(chain.pools) == 15
    assert (await verify(rpc)).ok


@pytest.mark.parametrize("key", KEYS)
async def test_v3_pools_quote_both_ways_near_the_price(sandbox: Sandbox, http: HttpClient, key: str) -> None:
    chain = sandbox.chain(key)
    operator = reader(chain, http)
    pools = [pool for pool in chain.pools if pool.kind == "uniswap_v3"]
    assert len(pools) == 6
    for pool in pools:
        for sold, bought in (pool.tokens, pool.tokens[::-1]):
            amount = 10 ** chain.tokens[sold].decimals * 1000 * 100 // PRICES[sold]
            out, _ = await quoted(operator, chain, sold, bought, amount, pool.fee)
            kept = fair(chain, sold, bought, amount) * (1_000_000 - pool.fee) // 1_000_000
            assert abs(out - kept) * 10_000 < kept * 15, (pool, sold, out, kept)


@pytest.mark.parametrize("key", KEYS)
async def test_v2_pairs_quote_both_ways_near_the_price(sandbox: Sandbox, http: HttpClient, key: str) -> None:
    chain = sandbox.chain(key)
    operator = reader(chain, http)
    pairs = [pool for pool in chain.pools if pool.kind == "uniswap_v2"]
    assert len(pairs) == 6
    for pair in pairs:
        for sold, bought in (pair.tokens, pair.tokens[::-1]):
            amount = 10 ** chain.tokens[sold].decimals * 100 * 100 // PRICES[sold]
            path = [chain.tokens[sold].address, chain.tokens[bought].address]
            (amounts,) = await operator.read(
                chain.contracts["uniswap_v2_router"],
                encoded("getAmountsOut(uint256,address[])", amount, path),
                "uint256[]",
            )
            assert isinstance(amounts, tuple | list)
            kept = fair(chain, sold, bought, amount) * 997 // 1000
            assert abs(amounts[1] - kept) * 10_000 < kept * 20, (pair, sold, amounts, kept)


@pytest.mark.parametrize("key", KEYS)
async def test_large_trades_cross_ticks(sandbox: Sandbox, http: HttpClient, key: str) -> None:
    chain = sandbox.chain(key)
    operator = reader(chain, http)
    # 50 ether are what an account of the sandbox holds.
    for fee, ether, least in ((500, 50, 4), (3000, 150, 2)):
        for sold, bought, amount in (("WETH", "USDC", ether * 10**18), ("USDC", "WETH", ether * 3000 * 10**6)):
            _, crossed = await quoted(operator, chain, sold, bought, amount, fee)
            assert crossed >= least, (fee, sold, crossed)


async def test_chains_disagree_on_prices(sandbox: Sandbox, http: HttpClient) -> None:
    outputs = {
        key: (await quoted(reader(sandbox.chain(key), http), sandbox.chain(key), "WETH", "USDC", 10**18, 500))[0]
        for key in KEYS
    }
    assert outputs["sbxa"] != outputs["sbxb"]


@pytest.mark.parametrize("key", KEYS)
async def test_swap_gives_what_was_quoted(restored_sandbox: Sandbox, http: HttpClient, key: str) -> None:
    chain = restored_sandbox.chain(key)
    trader = await unlocked(rpc_of(chain, http), restored_sandbox.accounts[0].address, 10**20)
    weth, usdc = chain.tokens["WETH"].address, chain.tokens["USDC"].address
    router = chain.contracts["swap_router_02"]
    promised, _ = await quoted(trader, chain, "WETH", "USDC", 10**18, 500)
    before = await number(trader, usdc, "balanceOf(address)", trader.address)
    await trader.send(weth, encoded("approve(address,uint256)", router, 10**18))
    order = (weth, usdc, 500, trader.address, 10**18, promised, 0)
    await trader.send(
        router, encoded("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", order)
    )
    assert await number(trader, usdc, "balanceOf(address)", trader.address) == before + promised


@pytest.fixture(scope="module")
def new_sandbox(sandbox_loop: LoopThread) -> Iterator[Sandbox]:
    """Chains on which nobody has sent anything."""
    with sandbox_loop.entered(running_sandbox(SandboxConfig(cache=CACHE))) as running:
        yield running


@pytest.mark.parametrize("key", KEYS)
async def test_accounts_hold_everything_or_nothing(new_sandbox: Sandbox, http: HttpClient, key: str) -> None:
    sandbox = new_sandbox
    chain = sandbox.chain(key)
    operator = reader(chain, http)
    assert set(chain.tokens) == {"WETH", "USDC", "USDT", "DAI", "WBTC", "TAX"}
    accounts = [each for each in sandbox.accounts if each.type is ChainType.EVM]
    assert len(accounts) == 8
    for account in accounts:
        assert quantity(await operator.rpc.call("eth_getBalance", [account.address, "latest"])) == 10_000 * 10**18
        for token in chain.tokens.values():
            assert await number(operator, token.address, "balanceOf(address)", account.address) > 0
    for account in (each for each in sandbox.empty if each.type is ChainType.EVM):
        assert quantity(await operator.rpc.call("eth_getBalance", [account.address, "latest"])) == 0
        for token in chain.tokens.values():
            assert await number(operator, token.address, "balanceOf(address)", account.address) == 0


async def test_tokens_say_what_the_description_says(sandbox: Sandbox, http: HttpClient) -> None:
    for chain in sandbox.evm_chains:
        operator = reader(chain, http)
        for plan in TOKENS:
            token = chain.tokens[plan.symbol]
            assert token.decimals == plan.decimals
            assert await number(operator, token.address, "decimals()") == plan.decimals
            assert await operator.read(token.address, encoded("symbol()"), "string") == (plan.symbol,)


def test_contracts_agree_across_chains_and_tokens_do_not(sandbox: Sandbox) -> None:
    first, second = sandbox.evm_chains
    assert first.contracts == second.contracts
    chains = (first, second)
    places = [{token.address for symbol, token in chain.tokens.items() if symbol != "WETH"} for chain in chains]
    assert places[0] & places[1] == set()


async def test_time_is_now_and_past_states_can_be_read(sandbox: Sandbox, http: HttpClient) -> None:
    for chain in sandbox.evm_chains:
        rpc = rpc_of(chain, http)
        block = await rpc.call("eth_getBlockByNumber", ["latest", False])
        assert isinstance(block, dict)
        # The chain started with this test process at the earliest, and never runs ahead of the clock by much.
        assert -30 < time.time() - quantity(block["timestamp"]) < 900
        for tag in ("safe", "finalized"):
            balance = encoded("balanceOf(address)", sandbox.accounts[0].address)
            assert int.from_bytes(await rpc.eth_call(chain.tokens["USDC"].address, balance, tag)) > 0


async def test_permit2_signs_for_this_chain(sandbox: Sandbox, http: HttpClient) -> None:
    for chain in sandbox.evm_chains:
        permit2 = chain.contracts["permit2"]
        words = [
            keccak(text="EIP712Domain(string name,uint256 chainId,address verifyingContract)"), keccak(text="Permit2"),
            chain.id, permit2,
        ]  # fmt: skip
        expected = keccak(encode_args(["bytes32", "bytes32", "uint256", "address"], words))
        assert await rpc_of(chain, http).eth_call(permit2, encoded("DOMAIN_SEPARATOR()")) == expected


async def test_taxed_token_burns_one_percent_rounded_down(restored_sandbox: Sandbox, http: HttpClient) -> None:
    chain = restored_sandbox.chains[0]
    holder = await unlocked(rpc_of(chain, http), restored_sandbox.accounts[0].address, 10**20)
    tax, receiver = chain.tokens["TAX"].address, restored_sandbox.empty[0].address
    for sent, arrives in ((10_000, 9900), (199, 198), (99, 99)):
        before = await number(holder, tax, "balanceOf(address)", receiver)
        supply = await number(holder, tax, "totalSupply()")
        await holder.send(tax, encoded("transfer(address,uint256)", receiver, sent))
        assert await number(holder, tax, "balanceOf(address)", receiver) - before == arrives
        assert supply - await number(holder, tax, "totalSupply()") == sent - arrives


async def test_tether_has_tethers_habits(restored_sandbox: Sandbox, http: HttpClient) -> None:
    chain = restored_sandbox.chains[0]
    holder = await unlocked(rpc_of(chain, http), restored_sandbox.accounts[0].address, 10**20)
    usdt, router = chain.tokens["USDT"].address, chain.contracts["uniswap_v2_router"]
    assert await holder.rpc.call("eth_call", [
        {"from": holder.address, "to": usdt, "data": "0x" + encoded("transfer(address,uint256)", router, 1).hex()},
        "latest",
    ]) == "0x"  # fmt: skip
    await holder.send(usdt, encoded("approve(address,uint256)", router, 10**9))
    with pytest.raises(SetUpError, match=keccak(text="AllowanceNotZero(address,uint256)")[:4].hex()):
        await holder.send(usdt, encoded("approve(address,uint256)", router, 10**8))
    path = [usdt, chain.tokens["USDC"].address]
    before = await number(holder, path[1], "balanceOf(address)", holder.address)
    swap = "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)"
    await holder.send(router, encoded(swap, 10**9, 0, path, holder.address, 2**40))
    assert await number(holder, path[1], "balanceOf(address)", holder.address) > before
    await holder.send(usdt, encoded("approve(address,uint256)", router, 0))
    await holder.send(usdt, encoded("approve(address,uint256)", router, 10**8))


async def test_failed_set_up_says_why(restored_sandbox: Sandbox, http: HttpClient) -> None:
    chain = restored_sandbox.chains[0]
    nobody = await unlocked(rpc_of(chain, http), restored_sandbox.empty[0].address, 10**20)
    with pytest.raises(SetUpError, match="sbxa: a transaction to None reverted"):
        await nobody.deploy(constructed(bytes.fromhex("5f5ffd"), ("uint256",), 1))


async def test_restored_sandbox_left_nothing_behind(sandbox: Sandbox, http: HttpClient) -> None:
    for chain in sandbox.evm_chains:
        balance = await rpc_of(chain, http).call("eth_getBalance", [sandbox.empty[0].address, "latest"])
        assert quantity(balance) == 0


async def test_multicall3_answers_the_gateway(sandbox: Sandbox, http: HttpClient) -> None:
    for chain in sandbox.evm_chains:
        reads = [Read(token.address, encoded("decimals()")) for token in chain.tokens.values()]
        reads.append(Read(chain.tokens["USDC"].address, encoded("noSuchFunction()")))
        answers = (await read_many(rpc_of(chain, http), reads, chain.contracts["multicall3"])).answers
        assert [int.from_bytes(answer) for answer in answers if answer is not None] == [
            token.decimals for token in chain.tokens.values()
        ]
        assert answers[-1] is None
