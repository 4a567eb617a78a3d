// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Settle} from "./Settle.sol";

/// @title The settlement contract of the tests' own upstream.
contract SampleUpstream {
    receive() external payable {}

    function swap(
        address tokenIn,
        uint256 amount,
        address tokenOut,
        uint256 minimum,
        address receiver,
        uint256 deadline,
        bytes calldata plan
    ) external payable {
        Settle.notAfter(deadline);
        Settle.swap(tokenIn, amount, tokenOut, minimum, receiver, plan);
    }

    function cross(bytes32 order, address token, uint256 amount, bytes calldata terms) external payable {
        Settle.deposit(order, msg.sender, token, amount, terms);
    }
}
