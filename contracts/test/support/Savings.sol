// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "./Tokens.sol";

/// @dev What a call on arrival is for: it keeps tokens for whom the caller names, and nothing for the caller.
contract Savings {
    error Closed();

    mapping(address token => mapping(address owner => uint256)) public saved;
    bool public closed;

    function close(bool closed_) external {
        closed = closed_;
    }

    function deposit(address token, uint256 amount, address owner) public {
        if (closed) revert Closed();
        (bool paid,) = token.call(abi.encodeCall(Token.transferFrom, (msg.sender, address(this), amount)));
        require(paid, "not paid");
        saved[token][owner] += amount;
    }

    /// @dev Takes whatever it may.
    function depositAll(address token, address owner) external {
        deposit(token, Token(token).allowance(msg.sender, address(this)), owner);
    }

    function depositNative(address owner) external payable {
        if (closed) revert Closed();
        saved[address(0)][owner] += msg.value;
    }
}
