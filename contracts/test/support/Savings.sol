// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IPayer {
    function transferFrom(address from, address to, uint256 amount) external;
    function allowance(address owner, address spender) external view returns (uint256);
}

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
        IPayer(token).transferFrom(msg.sender, address(this), amount);
        saved[token][owner] += amount;
    }

    /// @dev Takes whatever it may.
    function depositAll(address token, address owner) external {
        deposit(token, IPayer(token).allowance(msg.sender, address(this)), owner);
    }

    function depositNative(address owner) external payable {
        if (closed) revert Closed();
        saved[address(0)][owner] += msg.value;
    }
}
