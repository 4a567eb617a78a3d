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
import {Permits} from "./Permits.sol";
import {Records} from "./Records.sol";
import {
    BridgeOrder,
    BridgeRecord,
    BridgeTerms,
    Fee,
    NATIVE,
    Operation,
    Order,
    PermitKind,
    SwapRecord,
    SwapTerms
} from "./Types.sol";

/// @title The entry point: takes fees and input from the sender, lets the Executor work, checks, records
/// @dev Calls only the input token, Permit2, native fee recipients and the Executor. A wallet's approval or signature is
/// safe here because `transferFrom`, `permit` and Permit2 are given `msg.sender` and nothing else as the owner.
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
        _checkSwap(order, operations.length);
        return _swap(order, fees, operations, msg.sender);
    }

    /// @inheritdoc IDiamond
    function swapWithPermit(
        Order calldata order,
        Fee[] calldata fees,
        Operation[] calldata operations,
        PermitKind kind,
        bytes calldata signature
    ) external payable nonReentrant returns (uint256 outputAmount) {
        _checkSwap(order, operations.length);
        if (kind == PermitKind.Token) {
            Permits.allow(order.inputToken, order.inputAmount, order.deadline, signature);
            return _swap(order, fees, operations, msg.sender);
        }
        bytes32 witness = Permits.witnessOf(
            _word(order.receiver),
            block.chainid,
            _word(order.outputToken),
            order.minOutput,
            keccak256(abi.encode(order, fees, operations))
        );
        Permits.take(order.inputToken, order.inputAmount, uint256(order.id), order.deadline, witness, signature);
        return _swap(order, fees, operations, address(this));
    }

    /// @inheritdoc IDiamond
    function bridge(BridgeOrder calldata order, Fee[] calldata fees, Operation[] calldata operations)
        external
        payable
        nonReentrant
    {
        _checkBridge(order, operations.length);
        _bridge(order, fees, operations, msg.sender);
    }

    /// @inheritdoc IDiamond
    function bridgeWithPermit(
        BridgeOrder calldata order,
        Fee[] calldata fees,
        Operation[] calldata operations,
        PermitKind kind,
        bytes calldata signature
    ) external payable nonReentrant {
        _checkBridge(order, operations.length);
        if (kind == PermitKind.Token) {
            Permits.allow(order.inputToken, order.inputAmount, order.deadline, signature);
            return _bridge(order, fees, operations, msg.sender);
        }
        bytes32 witness = Permits.witnessOf(
            order.receiver,
            order.destinationChainId,
            order.outputToken,
            order.minOutput,
            keccak256(abi.encode(order, fees, operations))
        );
        Permits.take(order.inputToken, order.inputAmount, uint256(order.id), order.deadline, witness, signature);
        _bridge(order, fees, operations, address(this));
    }

    /// @dev `payer` has the input: the sender, or this contract where Permit2 has brought it here.
    function _swap(Order calldata order, Fee[] calldata fees, Operation[] calldata operations, address payer)
        private
        returns (uint256 outputAmount)
    {
        Intake memory intake = _take(order.id, order.inputToken, order.inputAmount, order.outputToken, fees, payer);
        SwapTerms memory terms =
            SwapTerms(msg.sender, order.receiver, order.inputToken, order.outputToken, order.minOutput);
        outputAmount = _executor.executeSwap{value: intake.value + order.nativeFee}(terms, order.sweep, operations);
        if (outputAmount < order.minOutput) revert ResultBelowMinimum(order.minOutput, outputAmount);
        Assets.pay(NATIVE, msg.sender, intake.skipped);
        SwapRecord memory record = Records.swapRecord(order, intake.gross, intake.net, outputAmount);
        emit Swapped(order.id, msg.sender, order.integrator, record);
    }

    function _bridge(BridgeOrder calldata order, Fee[] calldata fees, Operation[] calldata operations, address payer)
        private
    {
        Intake memory intake = _take(order.id, order.inputToken, order.inputAmount, order.sentToken, fees, payer);
        BridgeTerms memory terms =
            BridgeTerms(msg.sender, order.inputToken, order.sentToken, order.sentAmount, order.nativeFee);
        uint256 sentAmount =
            _executor.executeBridge{value: intake.value + order.nativeFee}(terms, order.sweep, operations);
        if (sentAmount < order.sentAmount) revert ResultBelowMinimum(order.sentAmount, sentAmount);
        Assets.pay(NATIVE, msg.sender, intake.skipped);
        BridgeRecord memory record = Records.bridgeRecord(order, intake.gross, sentAmount, operations);
        emit BridgeStarted(order.id, msg.sender, order.integrator, record);
    }

    function _checkSwap(Order calldata order, uint256 operations) private view {
        _checkOrder(order.deadline, order.inputAmount, order.minOutput, operations);
        if (order.inputToken == order.outputToken) revert SameToken(order.inputToken);
        if (_isRefused(order.receiver, order.inputToken, order.outputToken)) {
            revert ReceiverRefused(_word(order.receiver));
        }
        _checkValue(order.inputToken, order.inputAmount, order.nativeFee);
    }

    function _checkOrder(uint256 deadline, uint256 inputAmount, uint256 minOutput, uint256 operations) private view {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline, block.timestamp);
        if (inputAmount == 0) revert InputAmountZero();
        if (minOutput == 0) revert MinimumZero();
        if (operations == 0) revert OperationsMissing();
    }

    function _checkBridge(BridgeOrder calldata order, uint256 operations) private view {
        _checkOrder(order.deadline, order.inputAmount, order.minOutput, operations);
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
        _checkValue(order.inputToken, order.inputAmount, order.nativeFee);
    }

    function _checkValue(address inputToken, uint256 inputAmount, uint256 nativeFee) private view {
        uint256 expected = (inputToken == NATIVE ? inputAmount : 0) + nativeFee;
        if (msg.value != expected) revert ValueMismatch(expected, msg.value);
    }

    /// @dev Pays the fees and hands the rest of the input to the Executor: a token at once, native with the execution.
    function _take(bytes32 id, address token, uint256 amount, address otherToken, Fee[] calldata fees, address payer)
        private
        returns (Intake memory intake)
    {
        (uint256 planned, uint256 paid) = _payFees(id, token, amount, otherToken, fees, payer);
        uint256 rest = amount - planned;
        intake.gross = paid + rest;
        if (token == NATIVE) {
            intake.net = rest;
            intake.value = rest;
            intake.skipped = planned - paid;
            return intake;
        }
        uint256 before = Assets.balanceOf(token, address(_executor));
        if (payer == address(this)) {
            IERC20(token).safeTransfer(address(_executor), rest);
            Assets.pay(token, msg.sender, planned - paid);
        } else {
            IERC20(token).safeTransferFrom(msg.sender, address(_executor), rest);
        }
        uint256 afterwards = Assets.balanceOf(token, address(_executor));
        if (afterwards <= before) revert NothingReceived(token);
        intake.net = afterwards - before;
    }

    /// @dev A fee that cannot be paid stays with the sender and never stops the order; a fee that is wrong does.
    function _payFees(bytes32 id, address token, uint256 amount, address otherToken, Fee[] calldata fees, address payer)
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
            if (Assets.tryFee(token, payer, fee.recipient, fee.amount)) {
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

    function _word(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function _isOurs(address account) private view returns (bool) {
        return account == address(this) || account == address(_executor);
    }
}
