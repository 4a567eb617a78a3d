"""What one exact V3 quote costs at 10 crossed ticks, against @uniswap/v3-sdk and against asking QuoterV2 by `eth_call`.

The three take turns, in one run on one machine; all must give the same outputs. The npm package is fetched once.
"""

import asyncio
import json
import os
import shutil
import statistics
import time
from pathlib import Path

from bench.rows import Row
from bench.v3_market import CACHE, Market, markets
from rhumbline.gateways.evm.abi import decode_args
from rhumbline.gateways.nodes.evm.rpc import hex_bytes
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.v3 import V3State, v3_curve

SDK = "@uniswap/v3-sdk@3.31.5"
CROSSED = 10
AMOUNTS = 200
TURNS = 7
SDK_TIMES, CALL_TIMES = 200, 400


async def run() -> list[Row]:
    """Measure in turns, compare medians."""
    place = await _sdk()
    async with markets() as chains:
        market = chains[0]
        pool, live = max(market.pools, key=lambda each: len(each[1].state.ticks))
        curve = live.curve(True)
        step = curve.crossed.index(CROSSED)
        low, high = curve.inputs[step], curve.inputs[curve.crossed.index(CROSSED + 1)]
        amounts = [low + (high - low) * number // (AMOUNTS + 1) for number in range(1, AMOUNTS + 1)]
        assert all(curve.swap(amount).crossed == CROSSED for amount in amounts)
        async with asyncio.timeout(300):
            return await _race(market, pool, live.state, amounts, place)


async def _race(market: Market, pool: Pool, state: V3State, amounts: list[int], place: Path) -> list[Row]:
    node = await asyncio.create_subprocess_exec(
        "node", Path(__file__).with_name("v3_sdk.cjs"), place,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 24,
    )  # fmt: skip
    assert node.stdin is not None
    assert node.stdout is not None
    ticks = [
        {"index": tick, "liquidityNet": str(net), "liquidityGross": str(abs(net))}
        for tick, net in sorted(state.ticks.items())
    ]
    plan = {
        "chainId": 1, "tokens": [pool.token0, pool.token1], "fee": pool.fee, "sqrtPrice": str(state.sqrt_price),
        "liquidity": str(state.liquidity), "tick": state.tick, "ticks": ticks, "zeroForOne": True,
    }  # fmt: skip
    node.stdin.write(json.dumps(plan).encode() + b"\n")
    ours, theirs, calls_us = [], [], []
    for _ in range(TURNS):
        curve = v3_curve(state, True)
        start = time.perf_counter()
        outputs = [curve.output(amount) for amount in amounts]
        ours.append((time.perf_counter() - start) * 1e6 / len(amounts))

        node.stdin.write(json.dumps([str(amount) for amount in amounts]).encode() + b"\n")
        answer = json.loads(await node.stdout.readline())
        assert [int(output) for output in answer["outputs"]] == outputs
        theirs.append(answer["each"])

        for amount, output in zip(amounts, outputs, strict=True):
            method, params = market.question(pool, True, amount)
            start = time.perf_counter()
            data = await market.rpc.call(method, params)
            calls_us.append((time.perf_counter() - start) * 1e6)
            assert decode_args(["uint256"], hex_bytes(data)) == (output,)
    node.stdin.close()
    await node.wait()
    us, sdk, rpc = (statistics.median(each) for each in (ours, theirs, calls_us))
    return [
        Row(
            name="v3-speed (v3-sdk)",
            value=f"{us:.2f} us, {sdk:.0f} us: 1/{sdk / us:.0f}",
            goal=f"≤ 1/{SDK_TIMES}",
            met=us * SDK_TIMES <= sdk,
        ),
        Row(
            name="v3-speed (eth_call)",
            value=f"{us:.2f} us, {rpc:.0f} us: 1/{rpc / us:.0f}",
            goal=f"≤ 1/{CALL_TIMES}",
            met=us * CALL_TIMES <= rpc,
        ),
    ]


async def _sdk() -> Path:
    """Fetch the package unless it is there; its install scripts do not run."""
    place = CACHE / "bench" / SDK.replace("/", "+")
    if (place / "node_modules" / "@uniswap" / "v3-sdk").is_dir():
        return place
    fresh = place.with_name(f"{place.name}.{os.getpid()}")
    fresh.mkdir(parents=True)
    npm = await asyncio.create_subprocess_exec(
        "npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", fresh, SDK
    )
    if await npm.wait() != 0:
        shutil.rmtree(fresh)
        raise SystemExit(f"v3-speed: npm cannot fetch {SDK}; it needs the network once")
    fresh.rename(place)
    return place
