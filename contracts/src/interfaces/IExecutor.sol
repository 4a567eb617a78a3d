// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BridgeTerms, Operation, SwapTerms} from "../Types.sol";

/// @title What the Diamond asks of the Executor
/// @notice Anybody may call it; it holds nothing between transactions, and nobody must approve it or send it tokens.
interface IExecutor {
    /// @notice The target may not be called (or wrapped with, or paid): see the contract's page for the list.
    error TargetRefused(address target);
    /// @notice The spender may not be approved.
    error SpenderRefused(address spender);
    /// @notice An operation with an amount of 0.
    error OperationAmountZero(uint256 index);
    /// @notice The operation needs more of `token` (0: native) than the Executor has.
    error AmountUnavailable(uint256 index, address token, uint256 required, uint256 available);
    /// @notice The call of operation `index` reverted; `reason` is what it returned.
    error OperationFailed(uint256 index, bytes reason);
    /// @notice Wrapping or unwrapping through `wrapped` did not yield the amount one to one.
    error WrapMismatch(address wrapped, uint256 expected, uint256 actual);
    /// @notice The Executor's or the receiver's gain of the output token is below the minimum.
    error OutputBelowMinimum(uint256 minimum, uint256 actual);
    /// @notice The last operation of a bridge transfer is neither a call nor a payment.
    error BridgeOperationMissing();
    /// @notice The bridge took less than `least` or more than `most` of the sent token.
    error SentAmountMismatch(uint256 least, uint256 most, uint256 actual);
    /// @notice The plan of operation `index` has a hop of no kind, or begins with another token than the operation's.
    error PlanRefused(uint256 index);
    /// @notice Nobody is awaited, or somebody else, or for less.
    error CallbackRefused(address caller);
    /// @notice Native arrived while nothing was being executed.
    error UnexpectedNative();

    /// @notice Runs the operations with what the Executor holds, pays the receiver, returns leftovers to the owner.
    /// @param sweep Further tokens whose whole balance goes to the owner at the end.
    /// @return outputAmount What the receiver gained, at least `terms.minOutput`.
    function executeSwap(SwapTerms calldata terms, address[] calldata sweep, Operation[] calldata operations)
        external
        payable
        returns (uint256 outputAmount);

    /// @notice Runs the operations, the last of which hands the tokens to a bridge, and returns leftovers to the owner.
    /// @return sentAmount What the bridge took, at least `terms.sentAmount`.
    function executeBridge(BridgeTerms calldata terms, address[] calldata sweep, Operation[] calldata operations)
        external
        payable
        returns (uint256 sentAmount);
}
