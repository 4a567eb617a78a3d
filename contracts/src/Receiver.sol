// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Assets} from "./Assets.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {IReceiver, Message} from "./interfaces/IReceiver.sol";
import {Nobody} from "./Nobody.sol";
import {Kind, Operation, SwapTerms} from "./Types.sol";

/// @title The destination side of a bridge transfer with a swap or a call after it
/// @dev Anybody can deposit to it with any message, so no message is trusted: what it may spend is what the bridge has
/// just paid in, as the pinned pool tells it. It approves nobody; what is spent goes to the Executor first. Its only
/// storage is its lock's.
contract Receiver is IReceiver, ReentrancyGuardTransient {
    /// @dev What passes between measuring the gas and the swap's first instruction.
    uint256 private constant CALL_GAS = 1_000;
    /// @dev Enough to ask the Executor whether it is busy.
    uint256 private constant ASK_GAS = 5_000;
    /// @dev How much of the reason for a failure is copied: it could be made to cost the relayer gas.
    uint256 private constant MOST_REASON = 1024;

    IExecutor private immutable _executor;
    address private immutable _spokePool;

    constructor(address executor_, address spokePool_) {
        if (executor_.code.length == 0) revert ContractMissing(executor_);
        if (spokePool_.code.length == 0) revert ContractMissing(spokePool_);
        _executor = IExecutor(executor_);
        _spokePool = spokePool_;
    }

    /// @inheritdoc IReceiver
    function executor() external view returns (address) {
        return address(_executor);
    }

    /// @inheritdoc IReceiver
    function spokePool() external view returns (address) {
        return _spokePool;
    }

    /// @inheritdoc IReceiver
    /// @dev A revert undoes the fill: the deposit stays open until somebody fills it properly, or is refunded on its
    /// chain. So whatever a relayer could bring about reverts, and only what the swap itself does ends in `Recovered`.
    function handleV3AcrossMessage(address tokenSent, uint256 amount, address, bytes calldata message)
        external
        nonReentrant
    {
        if (msg.sender != _spokePool) revert CallerRefused(msg.sender);
        uint256 held = Assets.balanceOf(tokenSent, address(this));
        if (amount == 0 || held < amount) revert AmountMissing(tokenSent, amount, held);
        Message memory wanted = abi.decode(message, (Message));
        _check(wanted, tokenSent);

        (bool success, bytes memory answer) =
            _attempt(wanted.swapGas, abi.encodeCall(IReceiver.complete, (tokenSent, amount, wanted)));
        if (success) {
            uint256 gained = abi.decode(answer, (uint256));
            emit DestinationCompleted(wanted.id, wanted.receiver, tokenSent, amount, wanted.outputToken, gained);
        } else {
            uint256 paid = Assets.deliver(tokenSent, wanted.receiver, amount);
            emit Recovered(wanted.id, wanted.receiver, tokenSent, paid, answer);
        }
    }

    /// @inheritdoc IReceiver
    /// @dev A call of its own, so that a failure undoes everything, the transfer to the Executor included.
    function complete(address tokenSent, uint256 amount, Message calldata message)
        external
        returns (uint256 outputAmount)
    {
        if (msg.sender != address(this)) revert CallerRefused(msg.sender);
        Assets.pay(tokenSent, address(_executor), amount);
        SwapTerms memory terms =
            SwapTerms(message.receiver, message.receiver, tokenSent, message.outputToken, message.minimum);
        return _executor.executeSwap(terms, new address[](0), message.calls);
    }

    function _check(Message memory message, address tokenSent) private view {
        address to = message.receiver;
        if (
            Nobody.has(to) || to == tokenSent || to == message.outputToken || to == address(this)
                || to == address(_executor) || to == _spokePool
        ) revert ReceiverRefused(to);
        if (message.minimum == 0 && !_endsInCall(message.calls)) revert MinimumMissing();
        if (message.minimum != 0 && message.outputToken == tokenSent) revert SameToken(tokenSent);
        // Outside its lock the Executor refuses every payment, so taking an empty one tells that it is locked.
        (bool busy,,) = Assets.ask(address(_executor), ASK_GAS, "");
        if (busy) revert ExecutorBusy();
    }

    /// @dev What such a message brings is its call's affair, and what the call leaves is the receiver's.
    function _endsInCall(Operation[] memory calls) private pure returns (bool) {
        return calls.length != 0 && calls[calls.length - 1].kind == Kind.Call;
    }

    /// @dev Runs the swap with exactly the gas that was ordered. A call gets at most 63 parts in 64 of what is left
    /// (EIP-150), silently; a relayer could starve the swap by that.
    function _attempt(uint256 swapGas, bytes memory data) private returns (bool success, bytes memory answer) {
        uint256 available = gasleft();
        available -= available / 64;
        if (available < CALL_GAS || available - CALL_GAS < swapGas) revert GasTooLow(swapGas, available);
        assembly ("memory-safe") {
            success := call(swapGas, address(), 0, add(data, 0x20), mload(data), 0, 0)
            let size := returndatasize()
            if gt(size, MOST_REASON) { size := MOST_REASON }
            answer := mload(0x40)
            mstore(answer, size)
            returndatacopy(add(answer, 0x20), 0, size)
            mstore(0x40, and(add(add(answer, size), 0x3f), not(0x1f)))
        }
    }
}
