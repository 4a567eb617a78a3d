// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IDiamond} from "../../src/interfaces/IDiamond.sol";
import {IDiamondLoupe} from "../../src/interfaces/IDiamondLoupe.sol";
import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {IReceiver} from "../../src/interfaces/IReceiver.sol";
import {Test} from "./Test.sol";

/// @dev All that the Diamond has.
interface IShippedDiamond is IDiamond, IDiamondLoupe, IERC165 {}

/// @dev All that the Executor has.
interface IShippedExecutor is IExecutor {
    function unlockCallback(bytes calldata data) external returns (bytes memory);
}

/// @dev Makes the contracts from their compiled code. Tests that imported them would have to be compiled as they are.
abstract contract Shipped is Test {
    function makeExecutor() internal returns (IShippedExecutor) {
        return IShippedExecutor(create("Executor.sol:Executor", ""));
    }

    function makeDiamond(address executor) internal returns (IShippedDiamond) {
        return IShippedDiamond(create("Diamond.sol:Diamond", abi.encode(executor)));
    }

    function makeReceiver(address executor, address spokePool) internal returns (IReceiver) {
        return IReceiver(create("Receiver.sol:Receiver", abi.encode(executor, spokePool)));
    }

    function create(string memory name, bytes memory arguments) private returns (address made) {
        bytes memory code = bytes.concat(vm.getCode(name), arguments);
        assembly ("memory-safe") {
            made := create(0, add(code, 0x20), mload(code))
        }
        require(made != address(0));
    }
}
