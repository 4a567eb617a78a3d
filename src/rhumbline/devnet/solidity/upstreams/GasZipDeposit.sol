// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Settle} from "./Settle.sol";

/// @title What Gas.zip's deposit contract (GasZipV2) does with a deposit. What its owner may do is left out.
/// @notice Functions and event are those of the verified source: `chains` holds short IDs of two bytes each, and an EVM
/// recipient stands at the left of `to`. What the solver sees is told besides, under a number of its own.
contract GasZipDeposit {
    uint256 private count;

    event Deposit(address from, uint256 chains, uint256 amount, bytes32 to);

    function deposit(uint256 chains, bytes32 to) public payable {
        require(msg.value != 0, "No Value");
        emit Deposit(msg.sender, chains, msg.value, to);
        bytes32 number = keccak256(abi.encode(address(this), block.chainid, ++count));
        emit Settle.Deposited(number, msg.sender, address(0), msg.value, abi.encode(chains, to));
    }

    function deposit(uint256 chains, address to) external payable {
        deposit(chains, bytes32(bytes20(to)));
    }
}
