// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Assets} from "../src/Assets.sol";
import {IDiamond} from "../src/interfaces/IDiamond.sol";
import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {Kind, Operation, Order, SwapRecord} from "../src/Types.sol";
import {Swaps} from "./support/Swaps.sol";
import {Token} from "./support/Tokens.sol";
import {Refuser, Router} from "./support/Venues.sol";

contract SwapTest is Swaps {
    Order internal made;

    function test_token_to_token() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 180);
        SwapRecord memory record = swapRecord(o, 100, 90, 180);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.FeePaid(ID, service, "service", address(tokenA), 4);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.FeePaid(ID, integrator, "integrator", address(tokenA), 6);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.Swapped(ID, wallet, "acme", record);
        uint256 output = swap(o, 0, twoFees(4, 6), list(swapping(address(tokenA), address(tokenB), 90)));

        equal(output, 180, "output");
        equal(tokenB.balanceOf(receiver), 180, "received");
        equal(tokenA.balanceOf(wallet), 900, "input left");
        equal(tokenA.balanceOf(service), 4, "service fee");
        equal(tokenA.balanceOf(integrator), 6, "integrator fee");
        assertEmpty(address(tokenA));
        assertEmpty(address(tokenB));
    }

    function test_native_to_token() public {
        Order memory o = order(NATIVE, address(tokenB), 1000, 1800);
        uint256 before = wallet.balance;
        uint256 output = swap(o, 1000, twoFees(40, 60), list(swapping(NATIVE, address(tokenB), 900)));
        equal(output, 1800, "output");
        equal(before - wallet.balance, 1000, "spent");
        equal(service.balance, 40, "service fee");
        equal(integrator.balance, 60, "integrator fee");
        assertEmpty(NATIVE);
    }

    function test_token_to_native() public {
        Order memory o = order(address(tokenA), NATIVE, 100, 200);
        equal(swap(o, 0, noFees(), list(swapping(address(tokenA), NATIVE, 100))), 200, "output");
        equal(receiver.balance, 200, "received");
        assertEmpty(NATIVE);
    }

    function test_wrapping_alone() public {
        Order memory o = order(NATIVE, address(wrapped), 100, 100);
        equal(swap(o, 100, noFees(), list(wrapping(Kind.Wrap, ALL))), 100, "output");
        equal(wrapped.balanceOf(receiver), 100, "received");
    }

    function test_unwrapping_alone() public {
        Order memory o = order(address(wrapped), NATIVE, 100, 100);
        equal(swap(o, 0, noFees(), list(wrapping(Kind.Unwrap, 100))), 100, "output");
        equal(receiver.balance, 100, "received");
        assertEmpty(address(wrapped));
    }

    function test_wrap_and_swap() public {
        Order memory o = order(NATIVE, address(tokenB), 100, 200);
        o.sweep = tokens(address(wrapped));
        Operation[] memory operations = list(wrapping(Kind.Wrap, 100), swappingAll(address(wrapped), address(tokenB)));
        equal(swap(o, 100, noFees(), operations), 200, "output");
        assertEmpty(address(wrapped));
    }

    function test_swap_and_unwrap() public {
        Order memory o = order(address(tokenA), NATIVE, 100, 200);
        Operation[] memory operations =
            list(swapping(address(tokenA), address(wrapped), 100), wrapping(Kind.Unwrap, ALL));
        equal(swap(o, 0, noFees(), operations), 200, "output");
        equal(receiver.balance, 200, "received");
    }

    function test_leftovers_go_to_the_wallet() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 100);
        o.sweep = tokens(address(wrapped));
        bytes memory data =
            abi.encodeCall(Router.partialSwap, (address(tokenA), 100, address(tokenB), address(executor)));
        Operation[] memory operations =
            list(calling(address(router), address(tokenA), 100, data), swapping(address(tokenA), address(wrapped), 10));
        swap(o, 0, noFees(), operations);
        equal(tokenA.balanceOf(wallet), 940, "input came back");
        equal(wrapped.balanceOf(wallet), 1020, "intermediate came back");
        equal(tokenB.balanceOf(receiver), 100, "received");
        assertEmpty(address(tokenA));
        assertEmpty(address(wrapped));
    }

    function test_the_native_fee_travels_and_its_rest_comes_back() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 220);
        o.nativeFee = 50;
        Operation memory operation = calling(
            address(router),
            address(tokenA),
            100,
            abi.encodeCall(Router.swap, (address(tokenA), 100, address(tokenB), address(executor)))
        );
        Operation memory tip = swapping(NATIVE, address(tokenB), 10);
        uint256 before = wallet.balance;
        equal(swap(o, 50, noFees(), list(operation, tip)), 220, "output");
        equal(before - wallet.balance, 10, "native spent");
    }

    /// @dev A native fee that is not spent is no output.
    function test_the_native_fee_does_not_pass_for_output() public {
        Order memory o = order(address(tokenA), NATIVE, 100, 201);
        o.nativeFee = 500;
        vm.expectRevert(abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 201, 200));
        swap(o, 500, noFees(), list(swapping(address(tokenA), NATIVE, 100)));
        o.minOutput = 200;
        uint256 before = wallet.balance;
        equal(swap(o, 500, noFees(), list(swapping(address(tokenA), NATIVE, 100))), 200, "output");
        equal(wallet.balance, before, "native fee came back");
    }

    function test_donations_are_no_output_and_go_to_the_next() public {
        tokenB.mint(address(executor), 1000);
        Order memory o = order(address(tokenA), address(tokenB), 100, 201);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 201, 200));
        swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100)));
        o.minOutput = 200;
        equal(swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100))), 200, "output");
        equal(tokenB.balanceOf(receiver), 200, "received");
        equal(tokenB.balanceOf(wallet), 2000, "donation");
    }

    /// @dev A wallet that takes no native cannot be stopped by a donation to the Executor, but is not robbed either.
    function test_donated_native_does_not_stop_a_wallet_that_takes_none() public {
        Refuser refuser = new Refuser();
        tokenA.mint(address(refuser), 200);
        refuser.act(address(tokenA), 0, abi.encodeCall(Token.approve, (address(diamond), ALL)));
        Order memory o = order(address(tokenA), address(tokenB), 100, 200);
        Operation[] memory operations = list(swapping(address(tokenA), address(tokenB), 100));
        vm.deal(address(executor), 1);
        refuser.act(address(diamond), 0, abi.encodeCall(diamond.swap, (o, noFees(), operations)));
        equal(tokenB.balanceOf(receiver), 200, "received");
        o.nativeFee = 5;
        vm.deal(address(this), 5);
        vm.expectRevert(abi.encodeWithSelector(Assets.NativeRefused.selector, address(refuser)));
        refuser.act{value: 5}(address(diamond), 5, abi.encodeCall(diamond.swap, (o, noFees(), operations)));
    }

    function testFuzz_nothing_is_lost(uint96 amount, uint96 serviceFee, uint96 integratorFee, uint96 minimum) public {
        uint256 input = bounded(amount, 5, 1e21);
        uint256 first = bounded(serviceFee, 0, input / 5);
        uint256 second = bounded(integratorFee, 0, input / 5 - first);
        uint256 net = input - first - second;
        tokenA.mint(wallet, input);
        Order memory o = order(address(tokenA), address(tokenB), input, bounded(minimum, 1, 2 * net));
        uint256 output = swap(o, 0, twoFees(first, second), list(swapping(address(tokenA), address(tokenB), net)));
        equal(output, 2 * net, "output");
        equal(tokenB.balanceOf(receiver), output, "received");
        equal(tokenA.balanceOf(wallet), 1000, "the input left the wallet");
        equal(tokenA.balanceOf(service), first, "service fee");
        equal(tokenA.balanceOf(integrator), second, "integrator fee");
        assertEmpty(address(tokenA));
        assertEmpty(address(tokenB));
    }

    function testFuzz_the_minimum_or_nothing(uint96 amount, uint128 minimum) public {
        uint256 input = bounded(amount, 1, 1e21);
        uint256 least = bounded(minimum, 1, 4e21);
        tokenA.mint(wallet, input);
        Order memory o = order(address(tokenA), address(tokenB), input, least);
        vm.prank(wallet);
        try diamond.swap(o, noFees(), list(swapping(address(tokenA), address(tokenB), input))) {
            check(tokenB.balanceOf(receiver) >= least, "at least the minimum");
        } catch {
            check(2 * input < least, "reverts only below the minimum");
            equal(tokenA.balanceOf(wallet), 1000 + input, "nothing was taken");
            equal(tokenB.balanceOf(receiver), 0, "nothing was paid");
        }
    }
}
