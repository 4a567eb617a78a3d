// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BridgeOrder, BridgeRecord, Fee, Operation, Order, PermitKind, SwapRecord} from "../Types.sol";

/// @title The one contract that a wallet calls and approves
/// @notice It takes tokens from `msg.sender` only, keeps none of them, has no owner and cannot be changed.
interface IDiamond {
    /// @notice A swap was done: the receiver gained `record.outputAmount`.
    event Swapped(bytes32 indexed id, address indexed sender, bytes32 indexed integrator, SwapRecord record);
    /// @notice A bridge took `record.sentAmount`; the delivery happens elsewhere.
    event BridgeStarted(bytes32 indexed id, address indexed sender, bytes32 indexed integrator, BridgeRecord record);
    /// @notice `amount` of `token` (0: native) was taken from the sender for the recipient.
    event FeePaid(bytes32 indexed id, address indexed recipient, bytes32 indexed kind, address token, uint256 amount);
    /// @notice The fee could not be paid and stays with the sender.
    event FeeSkipped(
        bytes32 indexed id, address indexed recipient, bytes32 indexed kind, address token, uint256 amount
    );

    /// @notice The constructor was given an address without code.
    error ExecutorMissing(address executor);
    /// @notice The order's deadline has passed.
    error DeadlinePassed(uint256 deadline, uint256 time);
    /// @notice The input amount is 0.
    error InputAmountZero();
    /// @notice The minimum output (or the amount sent to a bridge) is 0.
    error MinimumZero();
    /// @notice There is no operation.
    error OperationsMissing();
    /// @notice Input and output are one token.
    error SameToken(address token);
    /// @notice `msg.value` is not the native input plus the native fee.
    error ValueMismatch(uint256 expected, uint256 actual);
    /// @notice The receiver is nobody's address, one of our contracts, or a token of the order.
    error ReceiverRefused(bytes32 receiver);
    /// @notice The refund address of a bridge transfer is nobody's, one of our contracts, or a token of the order.
    error RefundAddressRefused(address refundTo);
    /// @notice The destination of a bridge transfer is this chain, or 0.
    error DestinationRefused(uint256 destinationChainId);
    /// @notice A fee recipient is nobody's address, one of our contracts, or a token of the order.
    error FeeRecipientRefused(address recipient);
    /// @notice The fees are together more than `limit`, a fifth of the input amount.
    error FeesTooHigh(uint256 limit);
    /// @notice The Executor received nothing of the input token.
    error NothingReceived(address token);
    /// @notice The Executor reports less than the minimum.
    error ResultBelowMinimum(uint256 minimum, uint256 actual);

    /// @notice Swaps on this chain.
    /// @dev The sender must have approved the Diamond for the input token, and send `msg.value` exactly: the input
    /// amount if the input is native, plus `order.nativeFee`.
    /// @return outputAmount What the receiver gained, in raw units of the output token, at least `order.minOutput`.
    function swap(Order calldata order, Fee[] calldata fees, Operation[] calldata operations)
        external
        payable
        returns (uint256 outputAmount);

    /// @notice Hands tokens to a bridge, after a swap if operations come before the last. Payment as with `swap`.
    function bridge(BridgeOrder calldata order, Fee[] calldata fees, Operation[] calldata operations) external payable;

    /// @notice Swaps as `swap` does, by a signature in place of the approval.
    /// @dev With `PermitKind.Token` the signature (65 bytes) is the sender's EIP-2612 permit for the Diamond, the order's
    /// input amount and deadline. If the token refuses it, an allowance that suffices is used. With
    /// `PermitKind.Permit2` it is a `PermitWitnessTransferFrom` for the same, its nonce the order's id, its witness the
    /// order's terms; docs/permits.md has the type.
    function swapWithPermit(
        Order calldata order,
        Fee[] calldata fees,
        Operation[] calldata operations,
        PermitKind kind,
        bytes calldata signature
    ) external payable returns (uint256 outputAmount);

    /// @notice Hands tokens to a bridge as `bridge` does, by a signature as with `swapWithPermit`.
    function bridgeWithPermit(
        BridgeOrder calldata order,
        Fee[] calldata fees,
        Operation[] calldata operations,
        PermitKind kind,
        bytes calldata signature
    ) external payable;

    /// @notice The contract that makes the calls; fixed for ever.
    function executor() external view returns (address);
}
