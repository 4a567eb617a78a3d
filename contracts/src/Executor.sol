// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Assets} from "./Assets.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {IWrappedNative} from "./interfaces/IPools.sol";
import {Pools} from "./Pools.sol";
import {Targets} from "./Targets.sol";
import {ALL, BridgeTerms, Kind, NATIVE, Operation, SwapTerms} from "./Types.sol";

/// @title Makes the calls that upstreams ask for
/// @dev Open to everybody and without storage. Between transactions it has no balance but donations, which the next
/// caller gets, and no allowance. It answers no callback but that of the pool which it is calling.
contract Executor is IExecutor, Pools, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice Native comes from unwrapping and from upstreams that pay it out, never unasked.
    /// @dev Transient storage is readable within the 2300 gas that wrapped native tokens give.
    receive() external payable {
        if (!_reentrancyGuardEntered()) revert UnexpectedNative();
    }

    /// @inheritdoc IExecutor
    /// @dev The Executor's own gain is checked as well as the receiver's: a hostile call could otherwise trigger some
    /// other payment to the receiver and keep the output. The gain of native starts after `msg.value`, so that nobody's
    /// native fee passes for output.
    function executeSwap(SwapTerms calldata terms, address[] calldata sweep, Operation[] calldata operations)
        external
        payable
        nonReentrant
        returns (uint256 outputAmount)
    {
        uint256 donated = address(this).balance - msg.value;
        uint256 before = Assets.balanceOf(terms.outputToken, address(this));
        for (uint256 i; i < operations.length; ++i) {
            _perform(i, operations[i]);
        }
        uint256 afterwards = Assets.balanceOf(terms.outputToken, address(this));
        uint256 gained = afterwards > before ? afterwards - before : 0;
        if (gained < terms.minOutput) revert OutputBelowMinimum(terms.minOutput, gained);
        outputAmount = Assets.deliver(terms.outputToken, terms.receiver, gained);
        if (outputAmount < terms.minOutput) revert OutputBelowMinimum(terms.minOutput, outputAmount);
        _sweep(terms.owner, terms.inputToken, terms.outputToken, sweep, donated);
    }

    /// @inheritdoc IExecutor
    function executeBridge(BridgeTerms calldata terms, address[] calldata sweep, Operation[] calldata operations)
        external
        payable
        nonReentrant
        returns (uint256 sentAmount)
    {
        uint256 donated = address(this).balance - msg.value;
        if (operations.length == 0) revert BridgeOperationMissing();
        uint256 last = operations.length - 1;
        if (operations[last].kind != Kind.Call && operations[last].kind != Kind.Pay) revert BridgeOperationMissing();
        for (uint256 i; i < last; ++i) {
            _perform(i, operations[i]);
        }
        sentAmount = _send(terms, last, operations[last]);
        _sweep(terms.owner, terms.inputToken, terms.sentToken, sweep, donated);
    }

    /// @dev Hands over to the bridge and answers what it took. With native, its fee leaves in the same payment and may
    /// come back in part, so only the bounds can be checked.
    function _send(BridgeTerms calldata terms, uint256 index, Operation calldata operation) private returns (uint256) {
        uint256 before = Assets.balanceOf(terms.sentToken, address(this));
        _perform(index, operation);
        uint256 afterwards = Assets.balanceOf(terms.sentToken, address(this));
        uint256 sent = before > afterwards ? before - afterwards : 0;
        uint256 most = terms.sentToken == NATIVE ? terms.sentAmount + terms.nativeFee : ALL;
        if (sent < terms.sentAmount || sent > most) revert SentAmountMismatch(terms.sentAmount, most, sent);
        return terms.sentToken == NATIVE ? terms.sentAmount : sent;
    }

    function _perform(uint256 index, Operation calldata operation) private {
        if (operation.kind == Kind.Call) _call(index, operation);
        else if (operation.kind == Kind.Wrap) _wrap(index, operation);
        else if (operation.kind == Kind.Unwrap) _unwrap(index, operation);
        else if (operation.kind == Kind.Pools) _pools(index, operation);
        else _pay(index, operation);
    }

    /// @dev The allowance lasts as long as the call. It is reset only where something is left of it, because some
    /// tokens revert on approving 0.
    function _call(uint256 index, Operation calldata operation) private {
        Targets.checkTarget(operation.target);
        if (operation.value > address(this).balance) {
            revert AmountUnavailable(index, NATIVE, operation.value, address(this).balance);
        }
        IERC20 token = IERC20(operation.token);
        if (address(token) == NATIVE) return _invoke(index, operation.target, operation.value, operation.data);

        address spender = operation.spender;
        Targets.checkSpender(spender, address(token));
        token.forceApprove(spender, _amount(index, address(token), operation.amount));
        _invoke(index, operation.target, operation.value, operation.data);
        if (token.allowance(address(this), spender) != 0) token.forceApprove(spender, 0);
    }

    function _wrap(uint256 index, Operation calldata operation) private {
        Targets.checkWrapped(operation.target);
        uint256 amount = _amount(index, NATIVE, operation.amount);
        uint256 before = Assets.balanceOf(operation.target, address(this));
        _invoke(index, operation.target, amount, abi.encodeCall(IWrappedNative.deposit, ()));
        uint256 afterwards = Assets.balanceOf(operation.target, address(this));
        if (afterwards != before + amount) revert WrapMismatch(operation.target, before + amount, afterwards);
    }

    function _unwrap(uint256 index, Operation calldata operation) private {
        Targets.checkWrapped(operation.target);
        uint256 amount = _amount(index, operation.target, operation.amount);
        uint256 before = address(this).balance;
        _invoke(index, operation.target, 0, abi.encodeCall(IWrappedNative.withdraw, (amount)));
        uint256 afterwards = address(this).balance;
        if (afterwards != before + amount) revert WrapMismatch(operation.target, before + amount, afterwards);
    }

    function _pools(uint256 index, Operation calldata operation) private {
        _trade(index, operation.token, _amount(index, operation.token, operation.amount), operation.data);
    }

    function _pay(uint256 index, Operation calldata operation) private {
        Targets.checkPayee(operation.target, operation.token);
        Assets.pay(operation.token, operation.target, _amount(index, operation.token, operation.amount));
    }

    /// @dev The amount of an operation, which must be there and must not be 0: routers read 0 as "everything".
    function _amount(uint256 index, address token, uint256 wanted) private view returns (uint256) {
        if (wanted == 0) revert OperationAmountZero(index);
        uint256 available = Assets.balanceOf(token, address(this));
        if (wanted == ALL && available != 0) return available;
        if (wanted > available) revert AmountUnavailable(index, token, wanted, available);
        return wanted;
    }

    /// @dev What a successful call returns is not copied: it could be made to cost the sender gas.
    function _invoke(uint256 index, address target, uint256 value, bytes memory data) private {
        bool success;
        assembly ("memory-safe") {
            success := call(gas(), target, value, add(data, 0x20), mload(data), 0, 0)
        }
        if (success) return;
        bytes memory reason;
        assembly ("memory-safe") {
            reason := mload(0x40)
            mstore(reason, returndatasize())
            returndatacopy(add(reason, 0x20), 0, returndatasize())
            mstore(0x40, and(add(add(reason, returndatasize()), 0x3f), not(0x1f)))
        }
        revert OperationFailed(index, reason);
    }

    /// @dev Everything that is left goes to the owner. An owner that takes no native is no reason to fail when all
    /// there is was donated: somebody else could stop him so.
    function _sweep(address owner, address inputToken, address lastToken, address[] calldata tokens, uint256 donated)
        private
    {
        _sweepToken(owner, inputToken);
        for (uint256 i; i < tokens.length; ++i) {
            _sweepToken(owner, tokens[i]);
        }
        _sweepToken(owner, lastToken);
        uint256 left = address(this).balance;
        if (left != 0 && !Assets.tryPayNative(owner, left) && left > donated) revert Assets.NativeRefused(owner);
    }

    function _sweepToken(address owner, address token) private {
        if (token != NATIVE) Assets.pay(token, owner, Assets.balanceOf(token, address(this)));
    }
}
