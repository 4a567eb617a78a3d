// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Assets} from "./Assets.sol";
import {DiamondLoupe} from "./DiamondLoupe.sol";
import {IDiamond} from "./interfaces/IDiamond.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {Nobody} from "./Nobody.sol";
import {
    BridgeOrder,
    BridgeRecord,
    BridgeTerms,
    Fee,
    Kind,
    NATIVE,
    Operation,
    Order,
    SwapRecord,
    SwapTerms
} from "./Types.sol";

/// @title The entry point: takes fees and input from the sender, lets the Executor work, checks, records
/// @dev Calls only the input token, native fee recipients and the Executor. A wallet's approval is safe here because
/// `transferFrom` is given `msg.sender` and nothing else as the owner.
contract Diamond is IDiamond, DiamondLoupe, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @dev The fees together may take one part in this many of the input amount: a fifth.
    uint256 private constant FEE_DIVISOR = 5;

    IExecutor private immutable _executor;

    /// @dev What was taken from the sender.
    /// @param gross Fees paid and amount handed to the Executor.
    /// @param net What the Executor received, measured.
    /// @param value Native that goes to the Executor.
    /// @param skipped Native of fees that nobody accepted.
    struct Intake {
        uint256 gross;
        uint256 net;
        uint256 value;
        uint256 skipped;
    }

    constructor(address executor_) {
        if (executor_.code.length == 0) revert ExecutorMissing(executor_);
        _executor = IExecutor(executor_);
    }

    /// @inheritdoc IDiamond
    function executor() external view returns (address) {
        return address(_executor);
    }

    /// @inheritdoc IDiamond
    function swap(Order calldata order, Fee[] calldata fees, Operation[] calldata operations)
        external
        payable
        nonReentrant
        returns (uint256 outputAmount)
    {
        _checkOrder(order.deadline, order.inputAmount, order.minOutput, operations.length);
        if (order.inputToken == order.outputToken) revert SameToken(order.inputToken);
        if (_isRefused(order.receiver, order.inputToken, order.outputToken)) {
            revert ReceiverRefused(bytes32(uint256(uint160(order.receiver))));
        }
        _checkValue(order.inputToken, order.inputAmount, order.nativeFee);

        Intake memory intake = _take(order.id, order.inputToken, order.inputAmount, order.outputToken, fees);
        SwapTerms memory terms =
            SwapTerms(msg.sender, order.receiver, order.inputToken, order.outputToken, order.minOutput);
        outputAmount = _executor.executeSwap{value: intake.value + order.nativeFee}(terms, order.sweep, operations);
        if (outputAmount < order.minOutput) revert ResultBelowMinimum(order.minOutput, outputAmount);
        Assets.pay(NATIVE, msg.sender, intake.skipped);
        emit Swapped(order.id, msg.sender, order.integrator, _swapRecord(order, intake, outputAmount));
    }

    /// @inheritdoc IDiamond
    function bridge(BridgeOrder calldata order, Fee[] calldata fees, Operation[] calldata operations)
        external
        payable
        nonReentrant
    {
        _checkOrder(order.deadline, order.inputAmount, order.minOutput, operations.length);
        _checkBridge(order);
        _checkValue(order.inputToken, order.inputAmount, order.nativeFee);

        Intake memory intake = _take(order.id, order.inputToken, order.inputAmount, order.sentToken, fees);
        BridgeTerms memory terms =
            BridgeTerms(msg.sender, order.inputToken, order.sentToken, order.sentAmount, order.nativeFee);
        uint256 sentAmount =
            _executor.executeBridge{value: intake.value + order.nativeFee}(terms, order.sweep, operations);
        if (sentAmount < order.sentAmount) revert ResultBelowMinimum(order.sentAmount, sentAmount);
        Assets.pay(NATIVE, msg.sender, intake.skipped);
        BridgeRecord memory record = _bridgeRecord(order, intake.gross, sentAmount, _swaps(operations));
        emit BridgeStarted(order.id, msg.sender, order.integrator, record);
    }

    function _checkOrder(uint256 deadline, uint256 inputAmount, uint256 minOutput, uint256 operations) private view {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline, block.timestamp);
        if (inputAmount == 0) revert InputAmountZero();
        if (minOutput == 0) revert MinimumZero();
        if (operations == 0) revert OperationsMissing();
    }

    function _checkBridge(BridgeOrder calldata order) private view {
        if (order.sentAmount == 0) revert MinimumZero();
        if (order.destinationChainId == 0 || order.destinationChainId == block.chainid) {
            revert DestinationRefused(order.destinationChainId);
        }
        // Our contracts have the same addresses on every chain, so they are never the receiver on the destination
        // either. A word that is wider than an EVM address is another kind of chain's.
        address receiver = address(uint160(uint256(order.receiver)));
        bool isEvm = bytes32(uint256(uint160(receiver))) == order.receiver;
        if (isEvm && (Nobody.has(receiver) || _isOurs(receiver))) revert ReceiverRefused(order.receiver);
        if (_isRefused(order.refundTo, order.inputToken, order.sentToken)) {
            revert RefundAddressRefused(order.refundTo);
        }
    }

    function _checkValue(address inputToken, uint256 inputAmount, uint256 nativeFee) private view {
        uint256 expected = (inputToken == NATIVE ? inputAmount : 0) + nativeFee;
        if (msg.value != expected) revert ValueMismatch(expected, msg.value);
    }

    /// @dev Pays the fees and hands the rest of the input to the Executor: a token at once, native with the execution.
    function _take(bytes32 id, address token, uint256 amount, address otherToken, Fee[] calldata fees)
        private
        returns (Intake memory intake)
    {
        (uint256 planned, uint256 paid) = _payFees(id, token, amount, otherToken, fees);
        uint256 rest = amount - planned;
        intake.gross = paid + rest;
        if (token == NATIVE) {
            intake.net = rest;
            intake.value = rest;
            intake.skipped = planned - paid;
            return intake;
        }
        uint256 before = Assets.balanceOf(token, address(_executor));
        IERC20(token).safeTransferFrom(msg.sender, address(_executor), rest);
        uint256 afterwards = Assets.balanceOf(token, address(_executor));
        if (afterwards <= before) revert NothingReceived(token);
        intake.net = afterwards - before;
    }

    /// @dev A fee that cannot be paid stays with the sender and never stops the order; a fee that is wrong does.
    function _payFees(bytes32 id, address token, uint256 amount, address otherToken, Fee[] calldata fees)
        private
        returns (uint256 planned, uint256 paid)
    {
        uint256 limit = amount / FEE_DIVISOR;
        for (uint256 i; i < fees.length; ++i) {
            Fee calldata fee = fees[i];
            if (fee.amount > limit - planned) revert FeesTooHigh(limit);
            if (_isRefused(fee.recipient, token, otherToken)) revert FeeRecipientRefused(fee.recipient);
            if (fee.amount == 0) continue;
            planned += fee.amount;
            if (Assets.tryFee(token, msg.sender, fee.recipient, fee.amount)) {
                paid += fee.amount;
                emit FeePaid(id, fee.recipient, fee.kind, token, fee.amount);
            } else {
                emit FeeSkipped(id, fee.recipient, fee.kind, token, fee.amount);
            }
        }
    }

    /// @dev Nobody can ever take out what is paid to these.
    function _isRefused(address account, address token, address otherToken) private view returns (bool) {
        return account == token || account == otherToken || _isOurs(account) || Nobody.has(account);
    }

    function _isOurs(address account) private view returns (bool) {
        return account == address(this) || account == address(_executor);
    }

    /// @dev Whether something is traded before the bridge is called.
    function _swaps(Operation[] calldata operations) private pure returns (bool) {
        for (uint256 i; i + 1 < operations.length; ++i) {
            if (operations[i].kind == Kind.Call || operations[i].kind == Kind.Pools) return true;
        }
        return false;
    }

    function _swapRecord(Order calldata order, Intake memory intake, uint256 outputAmount)
        private
        pure
        returns (SwapRecord memory)
    {
        return SwapRecord({
            receiver: order.receiver,
            inputToken: order.inputToken,
            orderedAmount: order.inputAmount,
            inputAmount: intake.gross,
            netAmount: intake.net,
            outputToken: order.outputToken,
            outputAmount: outputAmount,
            minOutput: order.minOutput,
            deadline: order.deadline,
            adapter: order.adapter
        });
    }

    function _bridgeRecord(BridgeOrder calldata order, uint256 gross, uint256 sentAmount, bool swapped)
        private
        pure
        returns (BridgeRecord memory)
    {
        return BridgeRecord({
            adapter: order.adapter,
            receiver: order.receiver,
            destinationChainId: order.destinationChainId,
            inputToken: order.inputToken,
            orderedAmount: order.inputAmount,
            inputAmount: gross,
            sentToken: order.sentToken,
            sentAmount: sentAmount,
            outputToken: order.outputToken,
            expectedOutput: order.expectedOutput,
            minOutput: order.minOutput,
            deadline: order.deadline,
            refundTo: order.refundTo,
            swapped: swapped,
            hasDestCall: order.hasDestCall,
            bridgeRef: order.bridgeRef
        });
    }
}
