// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Assets} from "./Assets.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {
    IConcentratedPool,
    IExchangePool,
    IPair,
    IPoolManager,
    IStablePair,
    IVault,
    IWrappedNative
} from "./interfaces/IPools.sol";
import {Targets} from "./Targets.sol";
import {NATIVE} from "./Types.sol";

/// @title Trades with pools directly, by a packed plan
/// @dev A plan is: the number of tokens (1 byte), their addresses (20 bytes each, the input first, 0 for native), then
/// hops until its end. A hop is: kind (1), share (4), index of the token sold (1), index of the token bought (1), and
/// what `Hop` tells of its kind. It sells `share` / 2^32, rounded down, of what the plan has of its token at that moment;
/// share 0 is all of it. What the caller had of these tokens before the plan began is not the plan's.
///
/// Nothing that a pool says in a callback is believed: it must be the pool that is being called, it is paid once, in the
/// token that is sold, and no more than the hop's amount. What a hostile pool can take is what the plan gives it; the
/// caller's minimum then fails.
abstract contract Pools {
    using SafeERC20 for IERC20;

    /// @dev Pair: pool (20), what the pool keeps none of, in 1/10,000 (2): 9970 for a fee of 0.3 %. StablePair: pool
    /// (20), which is asked what it pays. Concentrated: pool (20). V4: manager (20), fee (3), tick spacing (3), hooks
    /// (20). Exchange: pool (20), its indices of both tokens (1, 1). Wrap, Unwrap, Deposit and Redeem: nothing; the
    /// wrapped token or the vault is the token bought or sold.
    enum Hop {
        Pair,
        StablePair,
        Concentrated,
        V4,
        Exchange,
        Wrap,
        Unwrap,
        Deposit,
        Redeem
    }

    /// @dev Tokens by index, and how much of each is not the plan's.
    struct Holdings {
        address[] tokens;
        uint256[] before;
    }

    uint160 private constant _LOWEST_PRICE = 4295128740;
    uint160 private constant _HIGHEST_PRICE = 1461446703485210103287273052203988822378723970341;
    uint256 private constant _HEAD = 7;
    uint256 private constant _V4_HOP = _HEAD + 46;

    /// @dev Who may call back now, and for what; nobody when it is 0.
    address private transient _armed;
    address private transient _sold;
    uint256 private transient _most;
    bool private transient _sellsFirst;
    bytes32 private transient _unlocking;

    /// @notice A pool's callback, by whatever name: `(int256 amount0, int256 amount1, …)` as every fork of V3 has it.
    fallback() external {
        if (msg.sender != _armed || _unlocking != 0) revert IExecutor.CallbackRefused(msg.sender);
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:68], (int256, int256));
        (int256 owed, int256 bought) = _sellsFirst ? (amount0, amount1) : (amount1, amount0);
        if (owed <= 0 || bought > 0 || uint256(owed) > _most) revert IExecutor.CallbackRefused(msg.sender);
        _armed = address(0);
        IERC20(_sold).safeTransfer(msg.sender, uint256(owed));
    }

    /// @notice V4's manager, with the very hops that it was given.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != _armed || _unlocking == 0 || keccak256(data) != _unlocking) {
            revert IExecutor.CallbackRefused(msg.sender);
        }
        (_armed, _unlocking) = (address(0), 0);
        (Holdings memory holdings, bytes memory hops, uint256 index) = abi.decode(data, (Holdings, bytes, uint256));
        for (uint256 place; place < hops.length; place += _V4_HOP) {
            _swapV4(index, holdings, hops, place);
        }
        return "";
    }

    /// @dev Runs a plan with `amount` of `input`.
    function _trade(uint256 index, address input, uint256 amount, bytes calldata plan) internal {
        uint256 place = 1 + 20 * uint256(uint8(plan[0]));
        Holdings memory holdings = _holdings(plan[1:place]);
        if (holdings.tokens.length == 0 || holdings.tokens[0] != input) revert IExecutor.PlanRefused(index);
        holdings.before[0] -= amount;
        while (place < plan.length) {
            uint256 size = _size(index, uint8(plan[place]));
            bytes calldata hop = plan[place:place + size];
            place += size;
            if (Hop(uint8(hop[0])) == Hop.V4) {
                uint256 begin = place - size;
                while (place < plan.length && _goesOn(plan, place, hop)) {
                    place += size;
                }
                _unlock(index, holdings, plan[begin:place]);
            } else {
                _hop(index, holdings, hop);
            }
        }
    }

    function _hop(uint256 index, Holdings memory holdings, bytes calldata hop) private {
        address sold = holdings.tokens[uint8(hop[5])];
        address bought = holdings.tokens[uint8(hop[6])];
        uint256 amount = _amountOf(index, holdings, uint8(hop[5]), uint32(bytes4(hop[1:5])));
        Hop kind = Hop(uint8(hop[0]));
        if (kind == Hop.Wrap) return _wrap(index, sold, bought, amount);
        if (kind == Hop.Unwrap) return _unwrap(index, sold, bought, amount);
        if (kind == Hop.Deposit) return _deposit(sold, bought, amount);
        if (kind == Hop.Redeem) {
            IVault(sold).redeem(amount, address(this), address(this));
            return;
        }
        address pool = address(bytes20(hop[_HEAD:_HEAD + 20]));
        if (kind == Hop.Concentrated) return _swapConcentrated(pool, sold, bought, amount);
        if (kind == Hop.Exchange) return _exchange(pool, sold, amount, hop);
        _swapPair(pool, sold, bought, amount, kind == Hop.Pair ? uint16(bytes2(hop[27:29])) : 0);
    }

    /// @dev Arms, calls, and disarms a pool that has not asked for its payment.
    function _swapConcentrated(address pool, address sold, address bought, uint256 amount) private {
        bool sellsFirst = sold < bought;
        int256 exact = SafeCast.toInt256(amount);
        (_armed, _sold, _most, _sellsFirst) = (pool, sold, amount, sellsFirst);
        IConcentratedPool(pool).swap(address(this), sellsFirst, exact, sellsFirst ? _LOWEST_PRICE : _HIGHEST_PRICE, "");
        _armed = address(0);
    }

    /// @dev `kept` 0 is a pair that is asked what it pays. What has arrived counts, not what was sent: some tokens tax.
    function _swapPair(address pool, address sold, address bought, uint256 amount, uint256 kept) private {
        bool sellsFirst = sold < bought;
        (uint256 reserve0, uint256 reserve1,) = IPair(pool).getReserves();
        (uint256 reserveSold, uint256 reserveBought) = sellsFirst ? (reserve0, reserve1) : (reserve1, reserve0);
        IERC20(sold).safeTransfer(pool, amount);
        uint256 arrived = IERC20(sold).balanceOf(pool) - reserveSold;
        uint256 output = kept == 0
            ? IStablePair(pool).getAmountOut(arrived, sold)
            : arrived * kept * reserveBought / (reserveSold * 10_000 + arrived * kept);
        IPair(pool).swap(sellsFirst ? 0 : output, sellsFirst ? output : 0, address(this), "");
    }

    function _exchange(address pool, address sold, uint256 amount, bytes calldata hop) private {
        _approve(sold, pool, amount);
        IExchangePool(pool).exchange(int128(uint128(uint8(hop[27]))), int128(uint128(uint8(hop[28]))), amount, 0);
        _disallow(sold, pool);
    }

    function _deposit(address sold, address vault, uint256 amount) private {
        _approve(sold, vault, amount);
        IVault(vault).deposit(amount, address(this));
        _disallow(sold, vault);
    }

    function _wrap(uint256 index, address native, address wrapped, uint256 amount) private {
        if (native != NATIVE) revert IExecutor.PlanRefused(index);
        Targets.checkWrapped(wrapped);
        IWrappedNative(wrapped).deposit{value: amount}();
    }

    function _unwrap(uint256 index, address wrapped, address native, uint256 amount) private {
        if (native != NATIVE) revert IExecutor.PlanRefused(index);
        Targets.checkWrapped(wrapped);
        IWrappedNative(wrapped).withdraw(amount);
    }

    function _approve(address token, address spender, uint256 amount) private {
        Targets.checkSpender(spender, token);
        IERC20(token).forceApprove(spender, amount);
    }

    /// @dev Only where something is left of the allowance, because some tokens revert on approving 0.
    function _disallow(address token, address spender) private {
        if (IERC20(token).allowance(address(this), spender) != 0) IERC20(token).forceApprove(spender, 0);
    }

    /// @dev Hands a run of hops to one manager, which must call back with them.
    function _unlock(uint256 index, Holdings memory holdings, bytes calldata hops) private {
        bytes memory data = abi.encode(holdings, hops, index);
        address manager = address(bytes20(hops[_HEAD:_HEAD + 20]));
        (_armed, _unlocking) = (manager, keccak256(data));
        IPoolManager(manager).unlock(data);
        (_armed, _unlocking) = (address(0), 0);
    }

    function _swapV4(uint256 index, Holdings memory holdings, bytes memory hops, uint256 place) private {
        IPoolManager manager = IPoolManager(msg.sender);
        address sold = holdings.tokens[uint8(hops[place + 5])];
        address bought = holdings.tokens[uint8(hops[place + 6])];
        uint256 amount = _amountOf(index, holdings, uint8(hops[place + 5]), uint256(_word(hops, place + 1)) >> 224);
        bytes32 rest = _word(hops, place + _HEAD + 20);
        (address first, address second) = sold < bought ? (sold, bought) : (bought, sold);
        IPoolManager.PoolKey memory key = IPoolManager.PoolKey({
            currency0: first,
            currency1: second,
            fee: uint24(uint256(rest) >> 232),
            tickSpacing: int24(uint24(uint256(rest) >> 208)),
            hooks: address(uint160(uint256(rest) >> 48))
        });
        IPoolManager.SwapParams memory terms = IPoolManager.SwapParams({
            zeroForOne: sold == first,
            amountSpecified: -SafeCast.toInt256(amount),
            sqrtPriceLimitX96: sold == first ? _LOWEST_PRICE : _HIGHEST_PRICE
        });
        int256 delta = manager.swap(key, terms, "");
        (int128 paid, int128 got) =
            sold == first ? (int128(delta >> 128), int128(delta)) : (int128(delta), int128(delta >> 128));
        uint256 owed = SafeCast.toUint256(-int256(paid));
        if (owed > amount) revert IExecutor.CallbackRefused(msg.sender);
        if (sold == NATIVE) {
            manager.settle{value: owed}();
        } else {
            manager.sync(sold);
            IERC20(sold).safeTransfer(msg.sender, owed);
            manager.settle();
        }
        manager.take(bought, address(this), SafeCast.toUint256(int256(got)));
    }

    function _holdings(bytes calldata addresses) private view returns (Holdings memory holdings) {
        uint256 count = addresses.length / 20;
        holdings = Holdings(new address[](count), new uint256[](count));
        for (uint256 i; i < count; ++i) {
            holdings.tokens[i] = address(bytes20(addresses[20 * i:20 * i + 20]));
            holdings.before[i] = Assets.balanceOf(holdings.tokens[i], address(this));
        }
    }

    /// @dev What a hop sells; 0 would be sold as "everything" by some pools, and as an error by others.
    function _amountOf(uint256 index, Holdings memory holdings, uint256 token, uint256 share)
        private
        view
        returns (uint256 amount)
    {
        amount = Assets.balanceOf(holdings.tokens[token], address(this)) - holdings.before[token];
        if (share != 0) amount = amount * share >> 32;
        if (amount == 0) revert IExecutor.OperationAmountZero(index);
    }

    function _size(uint256 index, uint8 kind) private pure returns (uint256) {
        if (kind > uint8(type(Hop).max)) revert IExecutor.PlanRefused(index);
        if (kind >= uint8(Hop.Wrap)) return _HEAD;
        if (kind == uint8(Hop.V4)) return _V4_HOP;
        return kind == uint8(Hop.Pair) || kind == uint8(Hop.Exchange) ? _HEAD + 22 : _HEAD + 20;
    }

    /// @dev Whether the next hop is V4's as well, by the same manager.
    function _goesOn(bytes calldata plan, uint256 place, bytes calldata hop) private pure returns (bool) {
        return plan.length >= place + _V4_HOP && uint8(plan[place]) == uint8(Hop.V4)
            && bytes20(plan[place + _HEAD:place + _HEAD + 20]) == bytes20(hop[_HEAD:_HEAD + 20]);
    }

    function _word(bytes memory data, uint256 place) private pure returns (bytes32 word) {
        assembly ("memory-safe") {
            word := mload(add(add(data, 0x20), place))
        }
    }
}
