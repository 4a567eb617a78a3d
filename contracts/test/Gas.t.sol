// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Kind, Operation, Order, PermitKind} from "../src/Types.sol";
import {Permitting} from "./support/Permitting.sol";
import {Router} from "./support/Venues.sol";

/// @dev What going through the contracts costs above calling the market directly, each call a transaction of its own.
/// The figures are written to snapshots/gas.json. The receiver and the recipients of fees hold some of everything
/// already.
/// forge-config: default.isolate = true
contract GasTest is Permitting {
    function setUp() public override {
        super.setUp();
        tokenA.mint(service, 1);
        tokenA.mint(integrator, 1);
        tokenB.mint(receiver, 1);
        vm.deal(receiver, 1);
        vm.deal(service, 1);
        allow(tokenA, wallet, address(router), 1000);
        allow(tokenA, wallet, address(diamond), ALL);
        wrapped.transfer(wallet, 1000);
        permitted.mint(service, 1);
    }

    function direct(address input, address output, uint256 value, string memory name) internal returns (uint256) {
        vm.prank(wallet);
        router.swap{value: value}(input, 100, output, receiver);
        return vm.snapshotGasLastCall("gas", string.concat(name, ", direct"));
    }

    function through(Order memory o, uint256 value, Operation[] memory operations, string memory name)
        internal
        returns (uint256)
    {
        vm.prank(wallet);
        diamond.swap{value: value}(o, noFees(), operations);
        return vm.snapshotGasLastCall("gas", name);
    }

    function test_token_to_token() public {
        uint256 least = direct(address(tokenA), address(tokenB), 0, "token to token");
        Order memory o = order(address(tokenA), address(tokenB), 100, 200);
        uint256 most = through(o, 0, list(swapping(address(tokenA), address(tokenB), 100)), "token to token");
        check(most - least < 110_000, "overhead");
    }

    function test_token_to_token_with_two_fees() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 180);
        vm.prank(wallet);
        diamond.swap(o, twoFees(5, 5), list(swapping(address(tokenA), address(tokenB), 90)));
        check(vm.snapshotGasLastCall("gas", "token to token with two fees") < 230_000, "gas");
    }

    function test_native_to_token() public {
        uint256 least = direct(NATIVE, address(tokenB), 100, "native to token");
        Order memory o = order(NATIVE, address(tokenB), 100, 200);
        uint256 most = through(o, 100, list(swapping(NATIVE, address(tokenB), 100)), "native to token");
        check(most - least < 90_000, "overhead");
    }

    function test_token_to_native() public {
        uint256 least = direct(address(tokenA), NATIVE, 0, "token to native");
        Order memory o = order(address(tokenA), NATIVE, 100, 200);
        uint256 most = through(o, 0, list(swapping(address(tokenA), NATIVE, 100)), "token to native");
        check(most - least < 110_000, "overhead");
    }

    function test_bridging_a_token() public {
        vm.prank(wallet);
        diamond.bridge(transfer(address(tokenA), 100), noFees(), list(depositing(address(tokenA), 100)));
        check(vm.snapshotGasLastCall("gas", "bridging a token") < 200_000, "gas");
    }

    /// @dev An approval costs the same wallet a transaction of its own, of 46,000 gas and more.
    function test_a_permit_of_the_token() public {
        Order memory o = order(address(permitted), address(tokenB), 100, 200);
        bytes memory signature = tokenPermit(KEY, permitted, 100, o.deadline);
        Operation[] memory operations = list(swapping(address(permitted), address(tokenB), 100));
        swapPermitted(o, noFees(), operations, PermitKind.Token, signature);
        check(vm.snapshotGasLastCall("gas", "token to token, permit of the token") < 260_000, "gas");
    }

    function test_a_permit2_signature() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 200);
        Operation[] memory operations = list(swapping(address(tokenA), address(tokenB), 100));
        bytes memory signature = orderPermit(KEY, o, noFees(), operations);
        swapPermitted(o, noFees(), operations, PermitKind.Permit2, signature);
        check(vm.snapshotGasLastCall("gas", "token to token, Permit2") < 260_000, "gas");
    }
}
