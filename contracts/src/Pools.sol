// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Assets} from "./Assets.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {
    IConcentratedPool,
    ICryptoExchangePool,
    IExchangePool,
    IPair,
    IPoolManager,
    IStablePair,
    IVault,
    IWrappedNative,
    IWrappedStake
} from "./interfaces/IPools.sol";
import {Targets} from "./Targets.sol";
import {HopKind, NATIVE} from "./Types.sol";

/// @title Trades with pools directly, by a packed plan
/// @dev A plan is: the number of tokens (1 byte), their addresses (20 bytes each, 0 for native: the input first, the
/// output last), then hops until its end. A hop is: kind (1), share (4), index of the token sold (1), index of the token
/// bought (1), and its place, which `HopKind` tells. It sells `share` / 2^32, rounded down, of what the plan has of its
/// token at that moment; share 0 is all of it. No hop buys the input or sells the output. What the caller had of the
/// tokens between before the plan first bought them is not the plan's.
///
/// Nothing that a pool says in a callback is believed: it must be the pool that is being called, it is paid once, in the
/// token that is sold, and no more than the hop's amount. What a hostile pool can take is what the plan gives it; the
/// caller's minimum then fails.
abstract contract Pools {
    using SafeERC20 for IERC20;

    /// @dev What a plan has: `left` of its input, and of each token between what is above `others`: what there was before
    /// the plan first bought it, and one more; 0 until then.
    struct Purse {
        uint256 left;
        uint256[] others;
    }

    /// @dev A hop of which the tokens and the amount are known.
    /// @param head Its first 32 bytes.
    struct Sale {
        address sold;
        address bought;
        uint256 amount;
        uint256 head;
    }

    uint160 private constant _LOWEST_PRICE = 4295128740;
    uint160 private constant _HIGHEST_PRICE = 1461446703485210103287273052203988822378723970341;
    uint256 private constant _HEAD = 7;
    uint256 private constant _SELLS_FIRST = 1 << 160;

    /// @dev Who may call back now, and for what: a pool's address, and `_SELLS_FIRST` where its first token is sold;
    /// nobody when it is 0. Of V4's manager the hash of what it was given.
    uint256 private transient _armed;
    address private transient _sold;
    uint256 private transient _most;
    bytes32 private transient _unlocking;

    /// @notice A pool's callback, by whatever name: `(int256 amount0, int256 amount1, …)` as every fork of V3 has it.
    fallback() external {
        uint256 armed = _armed;
        if (msg.sender != address(uint160(armed))) revert IExecutor.CallbackRefused(msg.sender);
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:68], (int256, int256));
        (int256 owed, int256 bought) = armed & _SELLS_FIRST != 0 ? (amount0, amount1) : (amount1, amount0);
        if (owed <= 0 || bought > 0 || uint256(owed) > _most) revert IExecutor.CallbackRefused(msg.sender);
        _armed = 0;
        IERC20(_sold).safeTransfer(msg.sender, uint256(owed));
    }

    /// @notice V4's manager, with the very swap that it was given.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        bytes32 awaited = _unlocking;
        if (awaited == 0 || keccak256(abi.encode(msg.sender, data)) != awaited) {
            revert IExecutor.CallbackRefused(msg.sender);
        }
        _unlocking = 0;
        (IPoolManager.PoolKey memory key, bool sellsFirst, uint256 amount) =
            abi.decode(data, (IPoolManager.PoolKey, bool, uint256));
        _swapV4(IPoolManager(msg.sender), key, sellsFirst, amount);
        return "";
    }

    /// @dev Runs a plan with `amount` of `input`, which the caller has.
    function _trade(uint256 index, address input, uint256 amount, bytes calldata plan) internal {
        uint256 count = plan.length == 0 ? 0 : uint8(plan[0]);
        uint256 place = 1 + 20 * count;
        if (count < 2 || place > plan.length || _token(plan, 0) != input) revert IExecutor.PlanRefused(index);
        Purse memory purse = Purse(amount, new uint256[](count));
        while (place < plan.length) {
            uint256 head = uint256(bytes32(plan[place:]));
            uint256 end = place + _size(index, head >> 248);
            if (end > plan.length) revert IExecutor.PlanRefused(index);
            Sale memory sale = _sale(index, plan, purse, head);
            if (head >> 248 == uint256(HopKind.V4)) _unlock(sale, plan[place + _HEAD + 20:end]);
            else _hop(index, sale);
            place = end;
        }
    }

    /// @dev Takes what a hop sells out of the purse, and notes what it buys.
    function _sale(uint256 index, bytes calldata plan, Purse memory purse, uint256 head)
        private
        view
        returns (Sale memory sale)
    {
        uint256 sold = uint8(head >> 208);
        uint256 bought = uint8(head >> 200);
        uint256 last = purse.others.length - 1;
        if (bought == 0 || bought > last || sold >= last) revert IExecutor.PlanRefused(index);
        sale.head = head;
        sale.sold = _token(plan, sold);
        sale.bought = _token(plan, bought);
        sale.amount = _take(purse, sold, sale.sold, uint32(head >> 216));
        // Some pools read 0 as "everything", others as an error.
        if (sale.amount == 0) revert IExecutor.OperationAmountZero(index);
        if (bought != last && purse.others[bought] == 0) {
            purse.others[bought] = Assets.balanceOf(sale.bought, address(this)) + 1;
        }
    }

    /// @dev Measured at each sale of a token between, so that it is never more than the plan's, however it is named.
    function _take(Purse memory purse, uint256 sold, address token, uint256 share)
        private
        view
        returns (uint256 amount)
    {
        uint256 others = purse.others[sold];
        if (sold != 0 && others != 0) amount = Assets.balanceOf(token, address(this)) + 1 - others;
        else if (sold == 0) amount = purse.left;
        if (share != 0) amount = amount * share >> 32;
        if (sold == 0) purse.left -= amount;
    }

    function _hop(uint256 index, Sale memory sale) private {
        uint256 kind = sale.head >> 248;
        if (kind == uint256(HopKind.Concentrated)) _swapConcentrated(sale);
        else if (kind == uint256(HopKind.Pair)) _swapPair(sale, uint16(sale.head >> 24));
        else if (kind == uint256(HopKind.StablePair)) _swapPair(sale, 0);
        else if (kind == uint256(HopKind.Exchange) || kind == uint256(HopKind.CryptoExchange)) _exchange(sale, kind);
        else if (kind == uint256(HopKind.Wrap)) _wrap(index, sale);
        else if (kind == uint256(HopKind.Unwrap)) _unwrap(index, sale);
        else if (kind == uint256(HopKind.Deposit)) _deposit(sale);
        else if (kind == uint256(HopKind.Redeem)) IVault(sale.sold).redeem(sale.amount, address(this), address(this));
        else if (kind == uint256(HopKind.WrapStaked)) _wrapStaked(sale);
        else IWrappedStake(sale.sold).unwrap(sale.amount);
    }

    /// @dev Arms, calls, and disarms a pool that has not asked for its payment.
    function _swapConcentrated(Sale memory sale) private {
        address pool = _pool(sale);
        bool sellsFirst = sale.sold < sale.bought;
        int256 exact = SafeCast.toInt256(sale.amount);
        (_armed, _sold, _most) = (uint160(pool) | (sellsFirst ? _SELLS_FIRST : 0), sale.sold, sale.amount);
        IConcentratedPool(pool).swap(address(this), sellsFirst, exact, sellsFirst ? _LOWEST_PRICE : _HIGHEST_PRICE, "");
        _armed = 0;
    }

    /// @dev `kept` 0 is a pair that is asked what it pays. What has arrived counts, not what was sent: some tokens tax.
    function _swapPair(Sale memory sale, uint256 kept) private {
        address pool = _pool(sale);
        bool sellsFirst = sale.sold < sale.bought;
        (uint256 reserve0, uint256 reserve1,) = IPair(pool).getReserves();
        (uint256 reserveSold, uint256 reserveBought) = sellsFirst ? (reserve0, reserve1) : (reserve1, reserve0);
        IERC20(sale.sold).safeTransfer(pool, sale.amount);
        uint256 arrived = Assets.balanceOf(sale.sold, pool) - reserveSold;
        uint256 output = kept == 0
            ? IStablePair(pool).getAmountOut(arrived, sale.sold)
            : arrived * kept * reserveBought / (reserveSold * 10_000 + arrived * kept);
        IPair(pool).swap(sellsFirst ? 0 : output, sellsFirst ? output : 0, address(this), "");
    }

    function _exchange(Sale memory sale, uint256 kind) private {
        address pool = _pool(sale);
        (uint8 i, uint8 j) = (uint8(sale.head >> 32), uint8(sale.head >> 24));
        _approve(sale.sold, pool, sale.amount);
        if (kind == uint256(HopKind.CryptoExchange)) ICryptoExchangePool(pool).exchange(i, j, sale.amount, 0);
        else IExchangePool(pool).exchange(int128(uint128(i)), int128(uint128(j)), sale.amount, 0);
        _disallow(sale.sold, pool);
    }

    function _deposit(Sale memory sale) private {
        _approve(sale.sold, sale.bought, sale.amount);
        IVault(sale.bought).deposit(sale.amount, address(this));
        _disallow(sale.sold, sale.bought);
    }

    function _wrapStaked(Sale memory sale) private {
        _approve(sale.sold, sale.bought, sale.amount);
        IWrappedStake(sale.bought).wrap(sale.amount);
        _disallow(sale.sold, sale.bought);
    }

    function _wrap(uint256 index, Sale memory sale) private {
        if (sale.sold != NATIVE) revert IExecutor.PlanRefused(index);
        Targets.checkWrapped(sale.bought);
        IWrappedNative(sale.bought).deposit{value: sale.amount}();
    }

    function _unwrap(uint256 index, Sale memory sale) private {
        if (sale.bought != NATIVE) revert IExecutor.PlanRefused(index);
        Targets.checkWrapped(sale.sold);
        IWrappedNative(sale.sold).withdraw(sale.amount);
    }

    function _approve(address token, address spender, uint256 amount) private {
        Targets.checkSpender(spender, token);
        IERC20(token).forceApprove(spender, amount);
    }

    /// @dev Only where something is left of the allowance, because some tokens revert on approving 0.
    function _disallow(address token, address spender) private {
        if (IERC20(token).allowance(address(this), spender) != 0) IERC20(token).forceApprove(spender, 0);
    }

    /// @dev Hands a swap to a manager, which must call back with it. `terms`: fee, tick spacing, hooks.
    function _unlock(Sale memory sale, bytes calldata terms) private {
        bool sellsFirst = sale.sold < sale.bought;
        IPoolManager.PoolKey memory key = IPoolManager.PoolKey({
            currency0: sellsFirst ? sale.sold : sale.bought,
            currency1: sellsFirst ? sale.bought : sale.sold,
            fee: uint24(bytes3(terms)),
            tickSpacing: int24(uint24(bytes3(terms[3:]))),
            hooks: address(bytes20(terms[6:]))
        });
        address manager = _pool(sale);
        bytes memory data = abi.encode(key, sellsFirst, sale.amount);
        _unlocking = keccak256(abi.encode(manager, data));
        IPoolManager(manager).unlock(data);
        _unlocking = 0;
    }

    function _swapV4(IPoolManager manager, IPoolManager.PoolKey memory key, bool sellsFirst, uint256 amount) private {
        (address sold, address bought) = sellsFirst ? (key.currency0, key.currency1) : (key.currency1, key.currency0);
        IPoolManager.SwapParams memory terms = IPoolManager.SwapParams({
            zeroForOne: sellsFirst,
            amountSpecified: -SafeCast.toInt256(amount),
            sqrtPriceLimitX96: sellsFirst ? _LOWEST_PRICE : _HIGHEST_PRICE
        });
        int256 delta = manager.swap(key, terms, "");
        (int128 paid, int128 got) =
            sellsFirst ? (int128(delta >> 128), int128(delta)) : (int128(delta), int128(delta >> 128));
        uint256 owed = SafeCast.toUint256(-int256(paid));
        if (owed > amount) revert IExecutor.CallbackRefused(msg.sender);
        if (sold == NATIVE) {
            manager.settle{value: owed}();
        } else {
            manager.sync(sold);
            IERC20(sold).safeTransfer(address(manager), owed);
            manager.settle();
        }
        manager.take(bought, address(this), SafeCast.toUint256(int256(got)));
    }

    /// @dev The first 20 bytes of a hop's place.
    function _pool(Sale memory sale) private pure returns (address) {
        return address(uint160(sale.head >> 40));
    }

    function _token(bytes calldata plan, uint256 number) private pure returns (address) {
        return address(bytes20(plan[1 + 20 * number:]));
    }

    function _size(uint256 index, uint256 kind) private pure returns (uint256) {
        if (kind > uint256(type(HopKind).max)) revert IExecutor.PlanRefused(index);
        if (kind == uint256(HopKind.V4)) return _HEAD + 46;
        if (kind == uint256(HopKind.StablePair) || kind == uint256(HopKind.Concentrated)) return _HEAD + 20;
        bool named = kind >= uint256(HopKind.Wrap) && kind != uint256(HopKind.CryptoExchange);
        return named ? _HEAD : _HEAD + 22;
    }
}
