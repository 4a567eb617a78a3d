// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title What the settlement contracts of the upstream emulators share.
/// @notice They take the input of their caller, trade it as the emulator planned, and pay whom the call names, or keep
/// it as a deposit that the emulator's solver honours on the other chain. The native asset is 0x0 or 0xEeee…EEeE.
library Settle {
    using SafeERC20 for IERC20;

    address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    error WrongValue(uint256 sent, uint256 needed);
    error TooLittle(uint256 got, uint256 minimum);
    error TooLate(uint256 deadline);
    error PaymentFailed(address receiver);

    /// @notice What a solver sees. `terms` is for the emulator alone: empty where it knows the order by `order`.
    event Deposited(bytes32 indexed order, address indexed depositor, address token, uint256 amount, bytes terms);

    function isNative(address token) internal pure returns (bool) {
        return token == address(0) || token == NATIVE;
    }

    function balance(address token, address owner) internal view returns (uint256) {
        return isNative(token) ? owner.balance : IERC20(token).balanceOf(owner);
    }

    function notAfter(uint256 deadline) internal view {
        if (block.timestamp > deadline) revert TooLate(deadline);
    }

    function atLeast(uint256 got, uint256 minimum) internal pure {
        if (got < minimum) revert TooLittle(got, minimum);
    }

    /// @notice Takes `amount` of the caller and returns what came (less, for a token that taxes transfers).
    /// The call's value is exactly the amount of a native input, and nothing otherwise.
    function pull(address token, uint256 amount) internal returns (uint256) {
        return pull(token, amount, 0);
    }

    /// @notice The same, with `fee` of the native asset on top of it.
    function pull(address token, uint256 amount, uint256 fee) internal returns (uint256) {
        uint256 needed = isNative(token) ? amount + fee : fee;
        if (msg.value != needed) revert WrongValue(msg.value, needed);
        return isNative(token) ? amount : take(token, msg.sender, amount);
    }

    /// @notice Takes an ERC-20 of its `owner`, who approved this contract, and returns what came.
    function take(address token, address owner, uint256 amount) internal returns (uint256) {
        uint256 before = balance(token, address(this));
        IERC20(token).safeTransferFrom(owner, address(this), amount);
        return balance(token, address(this)) - before;
    }

    function pay(address token, address receiver, uint256 amount) internal {
        if (isNative(token)) {
            (bool paid,) = receiver.call{value: amount}("");
            if (!paid) revert PaymentFailed(receiver);
        } else {
            IERC20(token).safeTransfer(receiver, amount);
        }
    }

    /// @notice Trades what this contract holds and returns what that brought here. `plan` is `abi.encode(address
    /// router, bytes call)`, which must pay this contract; an empty one trades nothing, for a token against itself.
    function trade(address tokenIn, uint256 amount, address tokenOut, bytes memory plan) internal returns (uint256) {
        if (plan.length == 0) return amount;
        (address router, bytes memory call) = abi.decode(plan, (address, bytes));
        uint256 before = balance(tokenOut, address(this));
        uint256 value = isNative(tokenIn) ? amount : 0;
        if (value == 0) IERC20(tokenIn).forceApprove(router, amount);
        (bool done, bytes memory answer) = router.call{value: value}(call);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        if (value == 0) IERC20(tokenIn).forceApprove(router, 0);
        return balance(tokenOut, address(this)) - before;
    }

    /// @notice Takes, trades, sees to the minimum and pays: what an exchange does. Returns what was paid.
    function swap(
        address tokenIn,
        uint256 amount,
        address tokenOut,
        uint256 minimum,
        address receiver,
        bytes memory plan
    ) internal returns (uint256 paid) {
        paid = trade(tokenIn, pull(tokenIn, amount), tokenOut, plan);
        atLeast(paid, minimum);
        pay(tokenOut, receiver, paid);
    }

    /// @notice Takes `amount` of the caller and keeps it for the solver to see.
    function deposit(bytes32 order, address depositor, address token, uint256 amount, bytes memory terms)
        internal
    {
        emit Deposited(order, depositor, token, pull(token, amount), terms);
    }
}
