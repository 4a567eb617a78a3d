// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

struct Call3Value {
    address target;
    bool allowFailure;
    uint256 value;
    bytes callData;
}

struct Result {
    bool success;
    bytes returnData;
}

/// @title What Relay's router v3 does for whoever calls it, as far as fungible assets go.
/// @notice Functions, events and errors are those of the verified source (relay-periphery). An amount of 0 is all that
/// there is. Left out: what receives NFTs, and the lock.
contract RelayRouter {
    using SafeERC20 for IERC20;

    error ArrayLengthsMismatch();
    error CallFailed();
    error NativeTransferFailed();

    event SolverCallExecuted(address to, bytes data, uint256 amount);
    event SolverNativeTransfer(address to, uint256 amount);
    event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

    receive() external payable {
        emit SolverNativeTransfer(address(this), msg.value);
    }

    function multicall(Call3Value[] calldata calls, address refundTo, address, bytes calldata metadata)
        external
        payable
        returns (Result[] memory returnData)
    {
        if (msg.value > 0) emit FundsMovement(msg.sender, address(this), address(0), msg.value, metadata);
        returnData = new Result[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            Call3Value calldata each = calls[i];
            (bool done, bytes memory answer) = each.target.call{value: each.value}(each.callData);
            if (done) {
                emit SolverCallExecuted(each.target, each.callData, each.value);
            } else if (!each.allowFailure) {
                assembly ("memory-safe") {
                    revert(add(answer, 32), mload(answer))
                }
            }
            returnData[i] = Result(done, answer);
        }
        cleanupNative(0, refundTo, metadata);
    }

    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) external {
        if (tokens.length != amounts.length || amounts.length != recipients.length) revert ArrayLengthsMismatch();
        for (uint256 i; i < tokens.length; ++i) {
            uint256 amount = amounts[i] == 0 ? IERC20(tokens[i]).balanceOf(address(this)) : amounts[i];
            if (amount == 0) continue;
            IERC20(tokens[i]).safeTransfer(recipients[i], amount);
            emit FundsMovement(address(this), recipients[i], tokens[i], amount, metadata);
        }
    }

    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external {
        if (tokens.length != amounts.length || amounts.length != tos.length || tos.length != datas.length) {
            revert ArrayLengthsMismatch();
        }
        for (uint256 i; i < tokens.length; ++i) {
            uint256 amount = amounts[i] == 0 ? IERC20(tokens[i]).balanceOf(address(this)) : amounts[i];
            if (amount == 0) continue;
            IERC20(tokens[i]).forceApprove(tos[i], amount);
            (bool done,) = tos[i].call(datas[i]);
            if (!done) revert CallFailed();
        }
    }

    function cleanupNative(uint256 amount, address recipient, bytes calldata metadata) public {
        address to = recipient == address(0) ? msg.sender : recipient;
        uint256 sent = amount == 0 ? address(this).balance : amount;
        if (sent == 0) return;
        (bool done,) = to.call{value: sent}("");
        if (!done) revert NativeTransferFailed();
        emit SolverNativeTransfer(to, sent);
        emit FundsMovement(address(this), to, address(0), sent, metadata);
    }

    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external {
        uint256 sent = amount == 0 ? address(this).balance : amount;
        if (sent == 0) return;
        (bool done,) = to.call{value: sent}(data);
        if (!done) revert CallFailed();
    }
}
