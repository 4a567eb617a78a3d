// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Assets} from "../src/Assets.sol";
import {IDiamond} from "../src/interfaces/IDiamond.sol";
import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {Kind, Operation, Order, SwapTerms} from "../src/Types.sol";
import {Swaps} from "./support/Swaps.sol";
import {Refuser, Router} from "./support/Venues.sol";

/// @dev Answers whatever it is told to, without doing anything.
contract LazyExecutor {
    uint256 private immutable answer;

    constructor(uint256 answer_) {
        answer = answer_;
    }

    function executeSwap(SwapTerms calldata, address[] calldata, Operation[] calldata)
        external
        payable
        returns (uint256)
    {
        return answer;
    }
}

/// @dev What the Diamond's swap refuses, each by its error, with nothing taken.
contract SwapRefusalsTest is Swaps {
    Operation[] internal none;

    function test_refuses_a_late_order() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 1);
        vm.warp(o.deadline);
        swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100)));
        vm.warp(o.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IDiamond.DeadlinePassed.selector, o.deadline, o.deadline + 1));
        swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100)));
    }

    function test_refuses_no_input() public {
        Order memory o = order(address(tokenA), address(tokenB), 0, 1);
        vm.expectRevert(IDiamond.InputAmountZero.selector);
        swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100)));
    }

    function test_refuses_no_minimum() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 0);
        vm.expectRevert(IDiamond.MinimumZero.selector);
        swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100)));
    }

    function test_refuses_no_operations() public {
        vm.expectRevert(IDiamond.OperationsMissing.selector);
        swap(order(address(tokenA), address(tokenB), 100, 1), 0, noFees(), none);
    }

    function test_refuses_one_token() public {
        vm.expectRevert(abi.encodeWithSelector(IDiamond.SameToken.selector, address(tokenA)));
        swap(order(address(tokenA), address(tokenA), 100, 1), 0, noFees(), list(wrapping(Kind.Wrap, 1)));
    }

    function test_refuses_receivers_that_cannot_pay_out() public {
        address[4] memory refused = [address(diamond), address(executor), address(tokenA), address(tokenB)];
        for (uint256 i; i < refused.length; ++i) {
            refuseReceiver(refused[i]);
        }
    }

    function test_refuses_receivers_that_are_nobody() public {
        address[] memory refused = nobodies();
        for (uint256 i; i < refused.length; ++i) {
            refuseReceiver(refused[i]);
        }
        Order memory o = order(address(tokenA), address(tokenB), 100, 1);
        o.receiver = address(0x10000);
        equal(swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100))), 200, "a long address");
    }

    function testFuzz_refuses_every_short_receiver(uint16 account) public {
        refuseReceiver(address(uint160(account)));
    }

    function refuseReceiver(address account) private {
        Order memory o = order(address(tokenA), address(tokenB), 100, 1);
        o.receiver = account;
        bytes32 word = bytes32(uint256(uint160(account)));
        vm.expectRevert(abi.encodeWithSelector(IDiamond.ReceiverRefused.selector, word));
        swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100)));
    }

    function test_wants_the_exact_value() public {
        Order memory o = order(NATIVE, address(tokenB), 100, 1);
        o.nativeFee = 7;
        Operation[] memory operations = list(swapping(NATIVE, address(tokenB), 100));
        for (uint256 value = 106; value <= 108; value += 2) {
            vm.expectRevert(abi.encodeWithSelector(IDiamond.ValueMismatch.selector, 107, value));
            swap(o, value, noFees(), operations);
        }
        equal(swap(o, 107, noFees(), operations), 200, "output");
        o = order(address(tokenA), address(tokenB), 100, 1);
        vm.expectRevert(abi.encodeWithSelector(IDiamond.ValueMismatch.selector, 0, 1));
        swap(o, 1, noFees(), list(swapping(address(tokenA), address(tokenB), 100)));
    }

    function test_refuses_an_input_that_is_no_token() public {
        address[2] memory bogus = [stranger, address(router)];
        for (uint256 i; i < bogus.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Assets.NotAToken.selector, bogus[i]));
            swap(order(bogus[i], address(tokenB), 100, 1), 0, oneFee(service, 5), list(wrapping(Kind.Wrap, 1)));
        }
    }

    function test_refuses_an_output_that_is_no_token() public {
        Order memory o = order(address(tokenA), stranger, 100, 1);
        vm.expectRevert(abi.encodeWithSelector(Assets.NotAToken.selector, stranger));
        swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100)));
    }

    function test_reverts_below_the_minimum() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 201);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 201, 200));
        swap(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100)));
        equal(tokenA.balanceOf(wallet), 1000, "nothing was taken");
    }

    /// @dev A call that sends the output elsewhere, or that makes the receiver rich otherwise, is not enough.
    function test_output_must_pass_through_the_executor() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 1);
        bytes memory data = abi.encodeCall(Router.swap, (address(tokenA), 100, address(tokenB), receiver));
        vm.expectRevert(abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 1, 0));
        swap(o, 0, noFees(), list(calling(address(router), address(tokenA), 100, data)));
    }

    function test_a_receiver_that_refuses_native_stops_the_swap() public {
        Order memory o = order(address(tokenA), NATIVE, 100, 200);
        o.receiver = address(new Refuser());
        vm.expectRevert(abi.encodeWithSelector(Assets.NativeRefused.selector, o.receiver));
        swap(o, 0, noFees(), list(swapping(address(tokenA), NATIVE, 100)));
    }

    /// @dev The Diamond does not take its Executor's word for less than the minimum.
    function test_the_diamond_checks_the_result() public {
        IDiamond lax = makeDiamond(address(new LazyExecutor(99)));
        vm.deal(wallet, 100);
        Order memory o = order(NATIVE, address(tokenB), 100, 100);
        vm.expectRevert(abi.encodeWithSelector(IDiamond.ResultBelowMinimum.selector, 100, 99));
        vm.prank(wallet);
        lax.swap{value: 100}(o, noFees(), list(wrapping(Kind.Wrap, 1)));
    }

    function test_needs_an_executor_with_code() public {
        vm.expectRevert(abi.encodeWithSelector(IDiamond.ExecutorMissing.selector, stranger));
        makeDiamond(stranger);
    }
}
