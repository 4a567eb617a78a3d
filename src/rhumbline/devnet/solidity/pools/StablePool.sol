// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

interface IRates {
    function rateOf(address coin) external view returns (uint256);
}

/// @title A stable pool of 2 to 8 coins with the public shape and the whole numbers of Curve's stableswap-NG.
/// @notice For local chains only: who calls `seed` gets nothing for it. Swaps, fees and what is reverted are as there;
/// shares of the pool, its owner's rights and its price oracles are left out, but what computing their prices reverts.
contract StablePool {
    using SafeERC20 for IERC20;

    uint256 private constant PRECISION = 1e18;
    uint256 private constant FEE_UNITS = 1e10;
    uint256 private constant A_UNITS = 100;
    uint256 private constant DAO_SHARE = 5e9;
    uint256 private constant MOST_STEPS = 255;

    uint256 public immutable A_precise;
    uint256 public immutable fee;
    uint256 public immutable offpeg_fee_multiplier;
    IRates private immutable RATES;

    address[] public coins;
    uint256[] private _multipliers;
    uint256[] private _stored;
    uint256[] public admin_balances;

    event TokenExchange(address indexed buyer, int128 sold_id, uint256 sold, int128 bought_id, uint256 bought);

    /// @param multipliers 1e36 over a whole coin, for each coin.
    /// @param rates Where a coin's rate, in 1e18, is asked for; nobody where all are worth one.
    constructor(
        address[] memory coins_,
        uint256[] memory multipliers,
        uint256 amplification,
        uint256 fee_,
        uint256 offPeg,
        IRates rates
    ) {
        require(coins_.length > 1 && coins_.length <= 8 && coins_.length == multipliers.length, "coins");
        (coins, _multipliers, A_precise) = (coins_, multipliers, amplification);
        (fee, offpeg_fee_multiplier, RATES) = (fee_, offPeg, rates);
        (_stored, admin_balances) = (new uint256[](coins_.length), new uint256[](coins_.length));
    }

    function N_COINS() external view returns (uint256) {
        return coins.length;
    }

    function seed(uint256[] calldata amounts) external {
        for (uint256 k; k < amounts.length; ++k) {
            IERC20(coins[k]).safeTransferFrom(msg.sender, address(this), amounts[k]);
            _stored[k] += amounts[k];
        }
    }

    function stored_rates() public view returns (uint256[] memory rates) {
        rates = _multipliers;
        if (address(RATES) == address(0)) return rates;
        for (uint256 k; k < rates.length; ++k) {
            rates[k] = rates[k] * RATES.rateOf(coins[k]) / PRECISION;
        }
    }

    function get_balances() public view returns (uint256[] memory balances) {
        balances = _stored;
        for (uint256 k; k < balances.length; ++k) {
            balances[k] -= admin_balances[k];
        }
    }

    function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256 dy) {
        uint256[] memory rates = stored_rates();
        (dy,,,) = _swapped(rates, uint256(uint128(i)), uint256(uint128(j)), dx, A_precise / A_UNITS * A_UNITS);
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 least) external returns (uint256 dy) {
        require(i >= 0 && j >= 0 && i != j && dx > 0, "coins");
        (uint256 sold, uint256 bought) = (uint256(uint128(i)), uint256(uint128(j)));
        uint256[] memory rates = stored_rates();
        uint256 before = IERC20(coins[sold]).balanceOf(address(this));
        IERC20(coins[sold]).safeTransferFrom(msg.sender, address(this), dx);
        dx = IERC20(coins[sold]).balanceOf(address(this)) - before;
        uint256 feeTaken;
        uint256[] memory xp;
        uint256 total;
        (dy, feeTaken, xp, total) = _swapped(rates, sold, bought, dx, A_precise);
        _checkPrices(xp, total);
        require(dy >= least, "Exchange resulted in fewer coins than expected");
        admin_balances[bought] += feeTaken * DAO_SHARE / FEE_UNITS * PRECISION / rates[bought];
        _stored[sold] += dx;
        _stored[bought] -= dy;
        IERC20(coins[bought]).safeTransfer(msg.sender, dy);
        emit TokenExchange(msg.sender, i, dx, j, dy);
    }

    /// @dev Answers raw units out, the fee in 1e18ths of a value, the scaled balances afterwards, and the invariant.
    function _swapped(uint256[] memory rates, uint256 sold, uint256 bought, uint256 dx, uint256 amplification)
        private
        view
        returns (uint256 dy, uint256 feeTaken, uint256[] memory xp, uint256 total)
    {
        xp = get_balances();
        for (uint256 k; k < xp.length; ++k) {
            xp[k] = rates[k] * xp[k] / PRECISION;
        }
        total = _invariant(xp, amplification);
        uint256 x = xp[sold] + dx * rates[sold] / PRECISION;
        uint256 y = _left(xp, sold, bought, x, amplification, total);
        dy = xp[bought] - y - 1;
        feeTaken = dy * _dynamicFee((xp[sold] + x) / 2, (xp[bought] + y) / 2) / FEE_UNITS;
        dy = (dy - feeTaken) * PRECISION / rates[bought];
        (xp[sold], xp[bought]) = (x, y);
    }

    function _dynamicFee(uint256 sold, uint256 bought) private view returns (uint256) {
        if (offpeg_fee_multiplier <= FEE_UNITS) return fee;
        uint256 weight = (offpeg_fee_multiplier - FEE_UNITS) * 4 * sold * bought / (sold + bought) ** 2;
        return offpeg_fee_multiplier * fee / (weight + FEE_UNITS);
    }

    function _invariant(uint256[] memory xp, uint256 amplification) private pure returns (uint256 total) {
        (uint256 count, uint256 sum) = (xp.length, 0);
        for (uint256 k; k < count; ++k) {
            sum += xp[k];
        }
        uint256 factor = amplification * count;
        total = sum;
        for (uint256 step; step < MOST_STEPS; ++step) {
            uint256 product = total;
            for (uint256 k; k < count; ++k) {
                product = product * total / xp[k];
            }
            product /= count ** count;
            uint256 before = total;
            total = (factor * sum / A_UNITS + product * count) * total
                / ((factor - A_UNITS) * total / A_UNITS + (count + 1) * product);
            if (_near(total, before)) return total;
        }
        revert("invariant");
    }

    function _left(uint256[] memory xp, uint256 sold, uint256 bought, uint256 x, uint256 amplification, uint256 total)
        private
        pure
        returns (uint256 y)
    {
        (uint256 count, uint256 sum, uint256 c) = (xp.length, 0, total);
        for (uint256 k; k < count; ++k) {
            if (k == bought) continue;
            uint256 each = k == sold ? x : xp[k];
            sum += each;
            c = c * total / (each * count);
        }
        uint256 factor = amplification * count;
        c = c * total * A_UNITS / (factor * count);
        uint256 b = sum + total * A_UNITS / factor;
        y = total;
        for (uint256 step; step < MOST_STEPS; ++step) {
            uint256 before = y;
            y = (y * y + c) / (2 * y + b - total);
            if (_near(y, before)) return y;
        }
        revert("balance");
    }

    /// @dev What the price oracles would be told. Where that leaves 256 bits, or the total 128, the swap reverts.
    function _checkPrices(uint256[] memory xp, uint256 total) private view {
        uint256 rest = total / xp.length ** xp.length;
        for (uint256 k; k < xp.length; ++k) {
            rest = rest * total / xp[k];
        }
        uint256 base = A_precise * xp.length * xp[0] / A_UNITS;
        for (uint256 k = 1; k < xp.length; ++k) {
            require(PRECISION * (base + rest * xp[0] / xp[k]) / (base + rest) < type(uint256).max, "price");
        }
        require(total <= type(uint128).max, "total");
    }

    function _near(uint256 a, uint256 b) private pure returns (bool) {
        return a > b ? a - b <= 1 : b - a <= 1;
    }
}
