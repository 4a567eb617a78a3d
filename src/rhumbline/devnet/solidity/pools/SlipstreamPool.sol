// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @dev What V3 keeps of a tick.
struct Tick {
    uint128 liquidityGross;
    int128 liquidityNet;
    uint256 feeGrowthOutside0;
    uint256 feeGrowthOutside1;
    int56 tickCumulativeOutside;
    uint160 secondsPerLiquidityOutside;
    uint32 secondsOutside;
    bool initialized;
}

/// @dev What Slipstream keeps of a tick.
struct StakedTick {
    uint128 liquidityGross;
    int128 liquidityNet;
    int128 stakedLiquidityNet;
    uint256 feeGrowthOutside0;
    uint256 feeGrowthOutside1;
    uint256 rewardGrowthOutside;
    int56 tickCumulativeOutside;
    uint160 secondsPerLiquidityOutside;
    uint32 secondsOutside;
    bool initialized;
}

/// @dev What is asked of a pool of Uniswap V3.
interface ISwaps {
    function initialize(uint160 sqrtPriceX96) external;
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
    function token0() external view returns (address);
    function token1() external view returns (address);
    function tickSpacing() external view returns (int24);
    function fee() external view returns (uint24);
    function liquidity() external view returns (uint128);
    function tickBitmap(int16 word) external view returns (uint256);
    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool);
    function ticks(int24 tick) external view returns (Tick memory);
}

interface ISwapCallback {
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}

/// @dev A pool of Slipstream's public shape: V3's swaps, made by a pool of V3 behind it; `slot0` with six words, `ticks`
/// with the words of staked liquidity and of rewards. Positions are opened in the pool behind it.
contract SlipstreamPool is ISwapCallback {
    using SafeERC20 for IERC20;

    ISwaps public immutable inner;
    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    int24 public immutable tickSpacing;

    constructor(ISwaps inner_) {
        (inner, factory) = (inner_, msg.sender);
        (token0, token1, tickSpacing) = (inner_.token0(), inner_.token1(), inner_.tickSpacing());
    }

    function swap(address recipient, bool zeroForOne, int256 amount, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256, int256)
    {
        return inner.swap(recipient, zeroForOne, amount, sqrtPriceLimitX96, abi.encode(msg.sender, data));
    }

    /// @dev Has the caller pay here, and passes it on.
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        require(msg.sender == address(inner), "callback");
        (address payer, bytes memory theirs) = abi.decode(data, (address, bytes));
        (address owed, int256 amount) = amount0 > 0 ? (token0, amount0) : (token1, amount1);
        uint256 before = IERC20(owed).balanceOf(address(this));
        ISwapCallback(payer).uniswapV3SwapCallback(amount0, amount1, theirs);
        require(IERC20(owed).balanceOf(address(this)) >= before + uint256(amount), "IIA");
        IERC20(owed).safeTransfer(msg.sender, uint256(amount));
    }

    function fee() external view returns (uint24) {
        return inner.fee();
    }

    function liquidity() external view returns (uint128) {
        return inner.liquidity();
    }

    function tickBitmap(int16 word) external view returns (uint256) {
        return inner.tickBitmap(word);
    }

    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, bool) {
        (uint160 price, int24 tick, uint16 index, uint16 count, uint16 next,, bool unlocked) = inner.slot0();
        return (price, tick, index, count, next, unlocked);
    }

    function ticks(int24 tick) external view returns (StakedTick memory) {
        Tick memory its = inner.ticks(tick);
        return StakedTick({
            liquidityGross: its.liquidityGross,
            liquidityNet: its.liquidityNet,
            stakedLiquidityNet: 0,
            feeGrowthOutside0: its.feeGrowthOutside0,
            feeGrowthOutside1: its.feeGrowthOutside1,
            rewardGrowthOutside: 0,
            tickCumulativeOutside: its.tickCumulativeOutside,
            secondsPerLiquidityOutside: its.secondsPerLiquidityOutside,
            secondsOutside: its.secondsOutside,
            initialized: its.initialized
        });
    }
}
