// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {IPoolManager} from "../../src/interfaces/IPools.sol";
import {Operation, SwapTerms} from "../../src/Types.sol";
import {Token} from "./Tokens.sol";

/// @dev Pays by x·y = k less 0.3 %, and checks it as Uniswap's pair does. `asked` makes it a Solidly pair.
contract TestPair {
    Token public immutable first;
    Token public immutable second;

    constructor(Token a, Token b) {
        (first, second) = address(a) < address(b) ? (a, b) : (b, a);
    }

    uint256 private _reserve0;
    uint256 private _reserve1;

    function sync() public {
        (_reserve0, _reserve1) = (first.balanceOf(address(this)), second.balanceOf(address(this)));
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (uint112(_reserve0), uint112(_reserve1), 0);
    }

    function getAmountOut(uint256 amount, address sold) external view returns (uint256) {
        (uint256 x, uint256 y) = sold == address(first) ? (_reserve0, _reserve1) : (_reserve1, _reserve0);
        return amount * 997 * y / (x * 1000 + amount * 997);
    }

    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        uint256 k = _reserve0 * _reserve1;
        uint256 in0 = first.balanceOf(address(this)) - _reserve0;
        uint256 in1 = second.balanceOf(address(this)) - _reserve1;
        if (out0 != 0) first.transfer(to, out0);
        if (out1 != 0) second.transfer(to, out1);
        sync();
        require((_reserve0 * 1000 - in0 * 3) * (_reserve1 * 1000 - in1 * 3) >= k * 1_000_000, "K");
    }
}

enum Trick {
    None,
    AskTwice,
    AskMore,
    AskBoth,
    AskNothing,
    AskByFriend,
    Nest,
    PayNothing,
    Alter
}

/// @dev Gives two for one, and asks for its payment by a callback of any name.
contract TestConcentrated {
    Token public immutable first;
    Token public immutable second;
    bytes4 private immutable _name;
    Trick public trick;
    TestConcentrated public friend;

    constructor(Token a, Token b, string memory name) {
        (first, second) = address(a) < address(b) ? (a, b) : (b, a);
        _name = bytes4(keccak256(bytes(name)));
    }

    function play(Trick trick_, TestConcentrated friend_) external {
        (trick, friend) = (trick_, friend_);
    }

    function swap(address to, bool sellsFirst, int256 amount, uint160, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1)
    {
        if (trick != Trick.PayNothing) (sellsFirst ? second : first).transfer(to, 2 * uint256(amount));
        (amount0, amount1) = sellsFirst ? (amount, -2 * amount) : (-2 * amount, amount);
        if (trick == Trick.AskNothing) return (amount0, amount1);
        if (trick == Trick.AskByFriend) {
            friend.ask(msg.sender, amount0, amount1, data);
            return (amount0, amount1);
        }
        if (trick == Trick.Nest) _nest(msg.sender);
        if (trick == Trick.AskMore) sellsFirst ? ++amount0 : ++amount1;
        if (trick == Trick.AskBoth) (amount0, amount1) = (amount, amount);
        ask(msg.sender, amount0, amount1, data);
        if (trick == Trick.AskTwice) ask(msg.sender, amount0, amount1, data);
    }

    function ask(address who, int256 amount0, int256 amount1, bytes calldata data) public {
        _relay(who, abi.encodeWithSelector(_name, amount0, amount1, data));
    }

    function _nest(address executor) private {
        SwapTerms memory terms = SwapTerms(address(this), address(this), address(first), address(second), 0);
        _relay(executor, abi.encodeCall(IExecutor.executeSwap, (terms, new address[](0), new Operation[](0))));
    }

    function _relay(address to, bytes memory data) private {
        (bool success, bytes memory reason) = to.call(data);
        if (success) return;
        assembly {
            revert(add(reason, 0x20), mload(reason))
        }
    }
}

interface IUnlockCallback {
    function unlockCallback(bytes calldata data) external returns (bytes memory);
}

/// @dev V4's manager as far as the Executor uses it: one for one less the fee in millionths, paid when it is unlocked.
contract TestManager {
    Trick public trick;
    bool private _unlocked;
    int256 private _owed;
    address private _synced;
    uint256 private _before;
    mapping(address => int256) private _deltas;
    uint256 private _open;

    function play(Trick trick_) external {
        trick = trick_;
    }

    function unlock(bytes memory data) external returns (bytes memory answer) {
        require(!_unlocked, "AlreadyUnlocked");
        if (trick == Trick.AskNothing) return "";
        _unlocked = true;
        if (trick == Trick.Alter) data[data.length - 33] = bytes1(uint8(data[data.length - 33]) ^ 1);
        answer = IUnlockCallback(msg.sender).unlockCallback(data);
        if (trick == Trick.AskTwice) IUnlockCallback(msg.sender).unlockCallback(data);
        require(_open == 0, "CurrencyNotSettled");
        _unlocked = false;
    }

    function swap(IPoolManager.PoolKey calldata key, IPoolManager.SwapParams calldata params, bytes calldata)
        external
        returns (int256)
    {
        require(_unlocked && key.currency0 < key.currency1 && params.amountSpecified < 0, "swap");
        int256 sold = params.amountSpecified;
        if (trick == Trick.AskMore) --sold;
        int256 bought = -params.amountSpecified * int256(uint256(1_000_000 - key.fee)) / 1_000_000;
        _account(params.zeroForOne ? key.currency0 : key.currency1, sold);
        _account(params.zeroForOne ? key.currency1 : key.currency0, bought);
        (int256 d0, int256 d1) = params.zeroForOne ? (sold, bought) : (bought, sold);
        return (d0 << 128) | int256(uint256(uint128(int128(d1))));
    }

    function sync(address currency) external {
        (_synced, _before) = (currency, Token(currency).balanceOf(address(this)));
    }

    function settle() external payable returns (uint256 paid) {
        address currency = _synced;
        paid = msg.value;
        if (currency != address(0)) paid = Token(currency).balanceOf(address(this)) - _before;
        _synced = address(0);
        _account(currency, int256(paid));
    }

    function take(address currency, address to, uint256 amount) external {
        _account(currency, -int256(amount));
        if (currency == address(0)) payable(to).transfer(amount);
        else Token(currency).transfer(to, amount);
    }

    function _account(address currency, int256 change) private {
        int256 before = _deltas[currency];
        _deltas[currency] = before + change;
        if (before == 0 && change != 0) ++_open;
        if (before != 0 && before + change == 0) --_open;
    }

    receive() external payable {}
}

/// @dev One for one, by either of Curve's two ways to number its coins; leaves half of its allowance when it is greedy the other way.
contract TestExchange {
    Token public immutable sold;
    Token public immutable bought;
    Trick public trick;

    constructor(Token sold_, Token bought_) {
        (sold, bought) = (sold_, bought_);
    }

    function play(Trick trick_) external {
        trick = trick_;
    }

    /// @dev As the oldest pools do, it returns nothing.
    function exchange(int128 i, int128 j, uint256 dx, uint256) external {
        require(i == 1 && j == 0, "coins");
        _exchange(dx);
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256) external returns (uint256) {
        require(i == 1 && j == 0, "coins");
        return _exchange(dx);
    }

    function _exchange(uint256 dx) private returns (uint256) {
        if (trick == Trick.AskMore) ++dx;
        if (trick == Trick.PayNothing) dx /= 2;
        sold.transferFrom(msg.sender, address(this), dx);
        bought.transfer(msg.sender, dx);
        return dx;
    }
}

/// @dev An ERC-4626 vault whose share is worth two.
contract TestVault is Token {
    Token public immutable asset;

    constructor(Token asset_) {
        asset = asset_;
    }

    function deposit(uint256 assets, address to) external returns (uint256) {
        asset.transferFrom(msg.sender, address(this), assets);
        _credit(to, assets / 2);
        return assets / 2;
    }

    function redeem(uint256 shares, address to, address owner) external returns (uint256) {
        require(owner == msg.sender, "owner");
        _move(owner, address(this), shares);
        asset.transfer(to, 2 * shares);
        return 2 * shares;
    }

    function _credit(address to, uint256 shares) private {
        this.mint(to, shares);
    }
}

/// @dev A wrapped stake, worth four units each; takes half of its allowance when it is greedy the other way.
contract TestStake is Token {
    Token public immutable stake;
    Trick public trick;

    constructor(Token stake_) {
        stake = stake_;
    }

    function play(Trick trick_) external {
        trick = trick_;
    }

    function wrap(uint256 amount) external returns (uint256) {
        if (trick == Trick.PayNothing) amount /= 2;
        stake.transferFrom(msg.sender, address(this), amount);
        this.mint(msg.sender, amount / 4);
        return amount / 4;
    }

    function unwrap(uint256 amount) external returns (uint256) {
        _move(msg.sender, address(this), amount);
        stake.transfer(msg.sender, 4 * amount);
        return 4 * amount;
    }
}
