// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev What the Executor calls of pools and vaults. Each is the least that all of a kind have.

/// @dev Uniswap V2 and its forks, Solidly and its forks (whose reserves are wider).
interface IPair {
    function getReserves() external view returns (uint256 reserve0, uint256 reserve1, uint256 time);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

/// @dev Solidly and its forks tell themselves what they pay, volatile or stable.
interface IStablePair {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
}

/// @dev Uniswap V3 and its forks.
interface IConcentratedPool {
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1);
}

/// @dev Uniswap V4.
interface IPoolManager {
    struct PoolKey {
        address currency0;
        address currency1;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
    }

    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata hookData)
        external
        returns (int256 delta);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
}

/// @dev Curve's stableswap. The oldest pools return nothing, the others what they pay.
interface IExchangePool {
    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) external;
}

/// @dev Curve's cryptoswap.
interface ICryptoExchangePool {
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external;
}

/// @dev ERC-4626.
interface IVault {
    function deposit(uint256 assets, address receiver) external returns (uint256 shares);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets);
}

/// @dev What every wrapped native token has.
interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// @dev What stakes are wrapped with whose balances grow by themselves: wstETH.
interface IWrappedStake {
    function wrap(uint256 amount) external returns (uint256);
    function unwrap(uint256 amount) external returns (uint256);
}
