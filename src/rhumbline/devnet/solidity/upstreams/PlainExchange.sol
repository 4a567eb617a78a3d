// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Settle} from "./Settle.sol";

/// @title An exchange's router with nothing of its own, for emulators whose upstream needs no settlement contract.
contract PlainExchange {
    function trade(
        address sold,
        address bought,
        uint256 amount,
        uint256 minimum,
        address recipient,
        bytes calldata route
    ) external payable returns (uint256) {
        return Settle.swap(sold, amount, bought, minimum, recipient, route);
    }

    receive() external payable {}
}
