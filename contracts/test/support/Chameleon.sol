// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDiamond} from "../../src/interfaces/IDiamond.sol";
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
} from "../../src/interfaces/IPools.sol";
import {Fee, Operation, Order, SwapTerms} from "../../src/Types.sol";
import {IShippedExecutor} from "./Shipped.sol";
import {Token} from "./Tokens.sol";

/// @dev Stands for any pool, manager, token, vault or wrapper: it answers whatever it is asked, and whenever it is
/// called it may first call back, go in again, take what it was allowed, or pay. It writes down how the Executor calls.
contract Chameleon {
    address private constant NATIVE = address(0);
    uint256 private constant DEEPEST = 4;

    IShippedExecutor private immutable _executor;
    IDiamond private immutable _diamond;
    Token[] private _tokens;
    Chameleon public friend;

    uint256 private _seed;
    uint256 private _depth;
    uint256 private _balance;
    bytes private _unlocking;
    address private _wanted;
    bool private _awaited;

    /// @dev As a token it is honest about allowances, or says 0 always.
    bool public lies;
    mapping(address => mapping(address => uint256)) public allowed;
    /// @dev Whom it saw approved last, by the Executor.
    address public approved;
    /// @dev Whether the Executor called it as no hop does, or for somebody else, or paid who was not called.
    bool public surprised;
    uint256 public calls;
    uint256 public answered;
    uint256 public unpaid;
    uint256 public taken;

    constructor(IShippedExecutor executor, IDiamond diamond, Token[] memory tokens) {
        (_executor, _diamond, _tokens) = (executor, diamond, tokens);
    }

    function befriend(Chameleon friend_) external {
        friend = friend_;
    }

    /// @dev `wanted` is what is to be bought of it, which it mostly pays.
    function teach(uint256 seed, address wanted) external {
        (_seed, lies, approved, _depth, _wanted) = (seed, seed >> 250 == 1, address(0), 0, wanted);
        _balance = seed >> 200 & 0xff;
    }

    /// @dev As a token: whoever asks has more of it from now on.
    function swell(uint256 amount) external {
        _balance += amount;
    }

    receive() external payable {
        _act();
    }

    fallback(bytes calldata data) external payable returns (bytes memory) {
        if (data.length < 4) return "";
        bytes4 name = msg.sig;
        if (_isView(name)) return _told(name, data);
        if (msg.sender == address(_executor)) _note(name, data);
        if (name == Token.approve.selector) {
            (address spender, uint256 amount) = abi.decode(data[4:], (address, uint256));
            (allowed[msg.sender][spender], approved) = (amount, spender);
        }
        bool before = _awaited;
        _awaited = before || (msg.sender == address(_executor) && name == IConcentratedPool.swap.selector);
        if (msg.sender == address(_executor) && _seed & 7 != 0) _play(name, data);
        if (_seed & 8 == 0) _act();
        _awaited = before;
        if (name == IPoolManager.swap.selector) return abi.encode(_delta(data));
        if (name == IPoolManager.unlock.selector) return abi.encode(bytes(""));
        return abi.encode(1, _seed & 0xffff, 0);
    }

    /// @dev Takes what it is allowed, and one more where it can; asked by the tests when nothing runs, too.
    function harvest() public {
        for (uint256 i; i < _tokens.length; ++i) {
            uint256 most = _tokens[i].allowance(address(_executor), address(this));
            uint256 before = _tokens[i].balanceOf(address(this));
            _take(_tokens[i], most + 1);
            if (most != 0) _take(_tokens[i], most);
            taken += _tokens[i].balanceOf(address(this)) - before;
        }
    }

    function _take(Token token, uint256 amount) private {
        try token.transferFrom(address(_executor), address(this), amount) {} catch {}
    }

    /// @dev Calls back, as every fork of V3 does.
    function ask(uint256 dice) public returns (bool) {
        int256[4] memory amounts = [int256(1 + (dice >> 8) % 2000), -1, type(int256).max, int256((dice >> 24) % 100)];
        bytes4 name = dice & 1 == 0
            ? bytes4(keccak256("uniswapV3SwapCallback(int256,int256,bytes)"))
            : bytes4(keccak256("pancakeV3SwapCallback(int256,int256,bytes)"));
        bytes memory data = abi.encodeWithSelector(name, amounts[(dice >> 2) % 4], amounts[(dice >> 4) % 4], "");
        return _asked(data);
    }

    function askFor(int256 amount0, int256 amount1) public {
        bytes4 name = bytes4(keccak256("algebraSwapCallback(int256,int256,bytes)"));
        _asked(abi.encodeWithSelector(name, amount0, amount1, new bytes(_seed % 70)));
    }

    function _asked(bytes memory data) private returns (bool paid) {
        paid = _swallow(address(_executor), data);
        if (paid) ++answered;
        if (paid && !_awaited) surprised = true;
    }

    function _swallow(address target, bytes memory data) private returns (bool success) {
        (success,) = target.call(data);
    }

    /// @dev Does what the part that it stands for does, or nearly.
    function _play(bytes4 name, bytes calldata data) private {
        if (name == IConcentratedPool.swap.selector) {
            (, bool sellsFirst, int256 amount) = abi.decode(data[4:], (address, bool, int256));
            if (_seed & 0x30 == 0) ++amount;
            (int256 amount0, int256 amount1) = sellsFirst ? (amount, int256(-1)) : (int256(-1), amount);
            if (_seed & 0x300 == 0) friend.askFor(amount0, amount1);
            askFor(amount0, amount1);
            if (_seed & 0xc0 == 0) askFor(amount0, amount1);
        } else if (name == IPoolManager.unlock.selector) {
            _unlocking = abi.decode(data[4:], (bytes));
            _unlock(_seed >> 8);
            if (_seed & 0xc0 == 0) _unlock(1);
        } else if (name != IPoolManager.sync.selector && name != IPoolManager.settle.selector) {
            harvest();
        }
        if (_wanted == NATIVE) _give(_seed >> 96 & 0xfff);
        else _swallow(_wanted, abi.encodeCall(Token.transfer, (address(_executor), _seed >> 96 & 0xfff)));
        if (_wanted == address(friend)) friend.swell(_seed >> 96 & 0xfff);
        if (_wanted == address(this)) _balance += _seed >> 96 & 0xfff;
    }

    function _act() private {
        ++calls;
        if (_depth == DEEPEST) return;
        ++_depth;
        for (uint256 i; i < 1 + _seed % 3; ++i) {
            _seed = uint256(keccak256(abi.encode(_seed)));
            _move(_seed % 10, _seed >> 16);
        }
        --_depth;
    }

    function _move(uint256 which, uint256 dice) private {
        Token token = _tokens[dice % _tokens.length];
        if (which < 2) ask(dice);
        else if (which == 2) _unlock(dice);
        else if (which == 3) _try(address(_executor), _sweeping(token));
        else if (which == 4) _try(address(_diamond), _theft(token));
        else if (which == 5) harvest();
        else if (which < 8) _try(address(token), abi.encodeCall(Token.transfer, (address(_executor), dice % 3000)));
        else if (which == 8) _balance += dice % 2000;
        else if (dice & 1 == 0) friend.ask(dice);
        else _give(dice % 3);
    }

    function _unlock(uint256 dice) private {
        bytes memory data = _unlocking;
        if (dice & 7 == 0 && data.length != 0) data[dice % data.length] ^= 0x01;
        if (_swallow(address(_executor), abi.encodeCall(_executor.unlockCallback, (data)))) ++answered;
    }

    function _give(uint256 amount) private {
        (bool success,) = address(_executor).call{value: amount}("");
        if (!success) ++unpaid;
    }

    function _sweeping(Token token) private view returns (bytes memory) {
        SwapTerms memory terms = SwapTerms(address(this), address(this), address(token), NATIVE, 0);
        return abi.encodeCall(_executor.executeSwap, (terms, new address[](0), new Operation[](0)));
    }

    function _theft(Token token) private view returns (bytes memory) {
        Order memory order;
        (order.receiver, order.inputToken, order.inputAmount) = (address(this), address(token), 1);
        (order.outputToken, order.minOutput, order.deadline) = (NATIVE, 1, block.timestamp);
        return abi.encodeCall(_diamond.swap, (order, new Fee[](0), new Operation[](1)));
    }

    /// @dev Bubbles some failures and swallows the others.
    function _try(address target, bytes memory data) private {
        (bool success, bytes memory reason) = target.call(data);
        if (success || _seed & 0x1f00 != 0) return;
        assembly ("memory-safe") {
            revert(add(reason, 0x20), mload(reason))
        }
    }

    function _isView(bytes4 name) private pure returns (bool) {
        return name == Token.balanceOf.selector || name == Token.allowance.selector
            || name == IPair.getReserves.selector || name == IStablePair.getAmountOut.selector
            || name == bytes4(keccak256("allowance(address,address,address)"));
    }

    function _told(bytes4 name, bytes calldata data) private view returns (bytes memory) {
        if (name == Token.allowance.selector) {
            (address owner, address spender) = abi.decode(data[4:], (address, address));
            return abi.encode(lies ? 0 : allowed[owner][spender]);
        }
        if (name == Token.balanceOf.selector) return abi.encode(_balance);
        if (name == IStablePair.getAmountOut.selector) return abi.encode(_balance % 1000);
        if (name == IPair.getReserves.selector) return abi.encode(_seed % 300, _seed >> 128, 0);
        // A Permit2's answer, by which it is refused as a spender.
        return _seed >> 252 == 1 ? abi.encode(0, 0, 0) : bytes("");
    }

    /// @dev A V4 swap that takes all, less, or more than what is sold.
    function _delta(bytes calldata data) private view returns (int256) {
        (, IPoolManager.SwapParams memory params,) =
            abi.decode(data[4:], (IPoolManager.PoolKey, IPoolManager.SwapParams, bytes));
        int256 sold = _seed & 3 == 0 ? params.amountSpecified - 1 : params.amountSpecified / int256(1 + _seed % 2);
        int256 bought = int256(_seed >> 64 & 0xfff) - (_seed & 0x1c == 0 ? int256(5) : int256(0));
        (int256 d0, int256 d1) = params.zeroForOne ? (sold, bought) : (bought, sold);
        return (d0 << 128) | int256(uint256(uint128(int128(d1))));
    }

    /// @dev Every call that a hop makes of anything, and whom it names.
    function _note(bytes4 name, bytes calldata data) private {
        address who = address(_executor);
        if (name == IConcentratedPool.swap.selector) who = abi.decode(data[4:], (address));
        else if (name == IPair.swap.selector) (,, who) = abi.decode(data[4:], (uint256, uint256, address));
        else if (name == IVault.deposit.selector) (, who) = abi.decode(data[4:], (uint256, address));
        else if (name == IVault.redeem.selector) who = _redeemer(data);
        else if (name == IPoolManager.take.selector) (, who) = abi.decode(data[4:], (address, address));
        else if (!_isHops(name)) who = address(0);
        if (who != address(_executor)) surprised = true;
    }

    function _redeemer(bytes calldata data) private pure returns (address to) {
        address owner;
        (, to, owner) = abi.decode(data[4:], (uint256, address, address));
        if (owner != to) return address(0);
    }

    function _isHops(bytes4 name) private pure returns (bool) {
        return name == Token.transfer.selector || name == Token.approve.selector
            || name == IExchangePool.exchange.selector || name == ICryptoExchangePool.exchange.selector
            || name == IWrappedNative.deposit.selector || name == IWrappedNative.withdraw.selector
            || name == IWrappedStake.wrap.selector || name == IWrappedStake.unwrap.selector
            || name == IPoolManager.unlock.selector || name == IPoolManager.swap.selector
            || name == IPoolManager.sync.selector || name == IPoolManager.settle.selector
            || name == Chameleon.onTransfer.selector;
    }

    /// @dev A token's hook, on the way.
    function onTransfer() external {
        _act();
    }
}
