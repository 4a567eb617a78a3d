// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Operation} from "../Types.sol";

/// @notice What travels with a deposit, as `abi.encode(message)`: what to do with the tokens where they arrive.
/// @param id The order's, as in the Diamond's `BridgeStarted`.
/// @param receiver Who gets the output or, when the calls fail, the bridged tokens; also what the calls leave.
/// @param outputToken What the calls buy; 0 is native. Where the last one is to use up what was bridged, that.
/// @param minimum The least that the receiver must gain of it; 0 where the calls end in a call of some other contract.
/// @param swapGas How much gas the calls get, no more and no less.
/// @param calls What the Executor does with the bridged tokens.
struct Message {
    bytes32 id;
    address receiver;
    address outputToken;
    uint256 minimum;
    uint256 swapGas;
    Operation[] calls;
}

/// @title What a bridge calls after it has paid: the destination side of a transfer that ends with a swap
/// @notice Nobody else has to call, approve or pay it. It keeps nothing and has no owner.
interface IReceiver {
    /// @notice The swap was made: the receiver gained `outputAmount`, measured.
    event DestinationCompleted(
        bytes32 indexed id,
        address indexed receiver,
        address sentToken,
        uint256 sentAmount,
        address outputToken,
        uint256 outputAmount
    );
    /// @notice The swap failed: the receiver has the bridged tokens instead, `amount` measured.
    /// @param reason What the swap reverted with, at most 1024 bytes of it.
    event Recovered(bytes32 indexed id, address indexed receiver, address token, uint256 amount, bytes reason);

    /// @notice The constructor was given an address without code.
    error ContractMissing(address account);
    /// @notice Somebody else than the bridge, or than this contract itself, calls.
    error CallerRefused(address caller);
    /// @notice The bridge tells of more tokens than there are, or of none.
    error AmountMissing(address token, uint256 told, uint256 held);
    /// @notice The message's receiver is nobody, one of the tokens, the bridge or one of our contracts.
    error ReceiverRefused(address receiver);
    /// @notice The message has no minimum, and does not end in a call.
    error MinimumMissing();
    /// @notice The message wants to buy what was bridged.
    error SameToken(address token);
    /// @notice The Executor is in the middle of something else: the swap would fail through the relayer's doing.
    error ExecutorBusy();
    /// @notice The swap would get less gas than the message asks for: the relayer must give more.
    error GasTooLow(uint256 required, uint256 available);

    /// @notice What Across calls after it has transferred `amount` of `tokenSent` here.
    /// @param relayer Not read.
    /// @param message `abi.encode(Message)`.
    function handleV3AcrossMessage(address tokenSent, uint256 amount, address relayer, bytes calldata message) external;

    /// @notice The swap; only this contract itself may call it.
    /// @return outputAmount What the receiver gained.
    function complete(address tokenSent, uint256 amount, Message calldata message)
        external
        returns (uint256 outputAmount);

    /// @notice Who makes the calls.
    function executor() external view returns (address);

    /// @notice Whose messages are read.
    function spokePool() external view returns (address);
}
