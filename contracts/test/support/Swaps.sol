// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Fee, Operation, Order} from "../../src/Types.sol";
import {Setup} from "./Setup.sol";

/// @dev A wallet that swaps.
abstract contract Swaps is Setup {
    function swap(Order memory o, uint256 value, Fee[] memory fees, Operation[] memory operations)
        internal
        returns (uint256)
    {
        vm.prank(wallet);
        return diamond.swap{value: value}(o, fees, operations);
    }
}
