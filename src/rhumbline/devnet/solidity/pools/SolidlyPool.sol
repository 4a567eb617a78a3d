// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SolidlyFactory} from "./SolidlyFactory.sol";

/// @dev A pair of the public shape of Velodrome V2 and Aerodrome: x·y or x³·y + y³·x with their roundings. Liquidity is
/// whatever lies here when `sync` is called, and stays; fees go to the factory.
contract SolidlyPool {
    using SafeERC20 for IERC20Metadata;

    IERC20Metadata public immutable token0;
    IERC20Metadata public immutable token1;
    bool public immutable stable;
    SolidlyFactory public immutable factory;
    uint256 private immutable _unit0;
    uint256 private immutable _unit1;
    uint256 public reserve0;
    uint256 public reserve1;
    uint256 public blockTimestampLast;

    event Sync(uint256 reserve0, uint256 reserve1);
    event Swap(
        address indexed sender,
        address indexed to,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out
    );

    constructor(address first, address second, bool stable_) {
        (token0, token1, stable) = (IERC20Metadata(first), IERC20Metadata(second), stable_);
        factory = SolidlyFactory(msg.sender);
        (_unit0, _unit1) = (10 ** token0.decimals(), 10 ** token1.decimals());
    }

    function metadata() external view returns (uint256, uint256, uint256, uint256, bool, address, address) {
        return (_unit0, _unit1, reserve0, reserve1, stable, address(token0), address(token1));
    }

    function getReserves() external view returns (uint256, uint256, uint256) {
        return (reserve0, reserve1, blockTimestampLast);
    }

    function sync() public {
        (reserve0, reserve1) = (token0.balanceOf(address(this)), token1.balanceOf(address(this)));
        blockTimestampLast = block.timestamp;
        emit Sync(reserve0, reserve1);
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external {
        require(!factory.isPaused(), "paused");
        require(amount0Out != 0 || amount1Out != 0, "output");
        require(amount0Out < reserve0 && amount1Out < reserve1, "liquidity");
        if (amount0Out != 0) token0.safeTransfer(to, amount0Out);
        if (amount1Out != 0) token1.safeTransfer(to, amount1Out);
        uint256 before = _invariant(reserve0, reserve1);
        uint256 amount0In = token0.balanceOf(address(this)) - (reserve0 - amount0Out);
        uint256 amount1In = token1.balanceOf(address(this)) - (reserve1 - amount1Out);
        require(amount0In != 0 || amount1In != 0, "input");
        _takeFee(token0, amount0In);
        _takeFee(token1, amount1In);
        sync();
        require(_invariant(reserve0, reserve1) >= before, "K");
        emit Swap(msg.sender, to, amount0In, amount1In, amount0Out, amount1Out);
    }

    function getAmountOut(uint256 amount, address sold) external view returns (uint256) {
        amount -= _fee(amount);
        bool first = sold == address(token0);
        (uint256 x, uint256 y) = first ? (reserve0, reserve1) : (reserve1, reserve0);
        if (!stable) return amount * y / (x + amount);
        (uint256 unitIn, uint256 unitOut) = first ? (_unit0, _unit1) : (_unit1, _unit0);
        y = y * 1e18 / unitOut;
        x = x * 1e18 / unitIn + amount * 1e18 / unitIn;
        return (y - _other(x, _invariant(reserve0, reserve1), y)) * unitOut / 1e18;
    }

    function _takeFee(IERC20Metadata token, uint256 amount) private {
        if (_fee(amount) != 0) token.safeTransfer(address(factory), _fee(amount));
    }

    function _fee(uint256 amount) private view returns (uint256) {
        return amount * factory.getFee(address(this), stable) / 10_000;
    }

    function _invariant(uint256 x, uint256 y) private view returns (uint256) {
        return stable ? _curve(x * 1e18 / _unit0, y * 1e18 / _unit1) : x * y;
    }

    /// @dev The other reserve, by Newton's method from `y`: the least with which the curve is not below `k`.
    function _other(uint256 x, uint256 k, uint256 y) private pure returns (uint256) {
        for (uint256 i; i < 255; ++i) {
            uint256 at = _curve(x, y);
            bool below = at < k;
            uint256 step = (below ? k - at : at - k) * 1e18 / _slope(x, y);
            if (step == 0) {
                if (below && _curve(x, y + 1) > k) return y + 1;
                if (!below && (at == k || _curve(x, y - 1) < k)) return y;
                step = 1;
            }
            y = below ? y + step : y - step;
        }
        revert("!y");
    }

    function _curve(uint256 x, uint256 y) private pure returns (uint256) {
        return (x * y / 1e18) * (x * x / 1e18 + y * y / 1e18) / 1e18;
    }

    function _slope(uint256 x, uint256 y) private pure returns (uint256) {
        return 3 * x * (y * y / 1e18) / 1e18 + x * x / 1e18 * x / 1e18;
    }
}
