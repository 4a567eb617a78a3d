// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Assets} from "../src/Assets.sol";
import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {IReceiver, Message} from "../src/interfaces/IReceiver.sol";
import {Kind, Operation, SwapTerms} from "../src/Types.sol";
import {Crossing, Spoke} from "./support/Crossing.sol";
import {Savings} from "./support/Savings.sol";
import {Token} from "./support/Tokens.sol";
import {Attacker} from "./support/Venues.sol";

/// @dev Native, a swap into another token than was bridged, and a call with that: in this order, under one end. The
/// message's minimum is the swap's, or the call's amount is; the payment of native fails unless so much was bought.
contract ArrivalSwapsTest is Crossing {
    Savings internal savings;

    function setUp() public override {
        super.setUp();
        savings = new Savings();
    }

    /// @dev 110 are bridged: 10 buy 20 native, of which `gas` are paid, and 100 buy 200 of the other token.
    function wanted(uint256 gas, uint256 minimum) internal view returns (Message memory) {
        Operation[] memory calls = new Operation[](3);
        calls[0] = swapping(address(tokenA), NATIVE, 10);
        calls[1] = paying(NATIVE, receiver, gas);
        calls[2] = swapping(address(tokenA), address(tokenB), 100);
        return message(address(tokenB), minimum, calls);
    }

    /// @dev The same with a call, which has 150 of the 200.
    function wantedCall(address target, bytes memory data) internal view returns (Message memory made) {
        made = wanted(19, 0);
        Operation[] memory calls = new Operation[](4);
        for (uint256 i; i < 3; ++i) {
            calls[i] = made.calls[i];
        }
        calls[3] = calling(target, address(tokenB), 150, data);
        made.calls = calls;
    }

    function saving() internal view returns (bytes memory) {
        return abi.encodeCall(Savings.depositAll, (address(tokenB), receiver));
    }

    function cleared() internal view {
        assertCleared(address(tokenA));
        assertCleared(address(tokenB));
        equal(tokenB.allowance(address(executor), address(savings)), 0, "allowance of the target");
        equal(address(executor).balance, 0, "native");
    }

    function completed(Message memory told, uint256 gained) internal {
        vm.expectEmit(true, true, true, true, address(arrival));
        emit IReceiver.DestinationCompleted(ID, told.receiver, address(tokenA), 110, address(tokenB), gained);
        fill(address(tokenA), 110, told);
        cleared();
    }

    function recovered(Message memory told, bytes memory why) internal {
        uint256 had = tokenA.balanceOf(told.receiver);
        vm.expectEmit(true, true, why.length != 0, why.length != 0, address(arrival));
        emit IReceiver.Recovered(ID, told.receiver, address(tokenA), 110, why);
        fill(address(tokenA), 110, told);
        equal(tokenA.balanceOf(told.receiver) - had, 110, "all that was bridged");
        equal(told.receiver.balance, 0, "no native");
        equal(tokenB.balanceOf(told.receiver), 0, "nothing was swapped");
        equal(savings.saved(address(tokenB), receiver), 0, "nor saved");
        cleared();
    }

    function test_gas_and_a_swap() public {
        completed(wanted(19, 200), 200);
        equal(receiver.balance, 20, "what was paid, and what was bought beyond");
        equal(tokenB.balanceOf(receiver), 200, "the output");
    }

    function test_either_minimum_is_held() public {
        recovered(wanted(21, 200), abi.encodeWithSelector(IExecutor.AmountUnavailable.selector, 1, NATIVE, 21, 20));
        recovered(wanted(19, 201), abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 201, 200));
    }

    function test_gas_out_of_wrapped_native() public {
        Operation[] memory calls = new Operation[](3);
        calls[0] = wrapping(Kind.Unwrap, 10);
        calls[1] = paying(NATIVE, receiver, 10);
        calls[2] = swapping(address(wrapped), address(tokenB), 100);
        fill(address(wrapped), 110, message(address(tokenB), 200, calls));
        equal(receiver.balance, 10, "native");
        equal(tokenB.balanceOf(receiver), 200, "the output");
        cleared();
    }

    function test_gas_a_swap_and_a_call() public {
        completed(wantedCall(address(savings), saving()), 50);
        equal(receiver.balance, 20, "native");
        equal(savings.saved(address(tokenB), receiver), 150, "saved");
        equal(tokenB.balanceOf(receiver), 50, "more than was counted on");
    }

    function test_a_call_that_fails_after_the_swap_undoes_it() public {
        savings.close(true);
        recovered(wantedCall(address(savings), saving()), "");
        savings.close(false);
        Message memory more = wantedCall(address(savings), saving());
        more.calls[3].amount = 201;
        recovered(more, abi.encodeWithSelector(IExecutor.AmountUnavailable.selector, 3, tokenB, 201, 200));
    }

    function test_a_receiver_that_takes_no_native() public {
        Message memory told = wanted(19, 200);
        // The savings' contract has no `receive`.
        told.receiver = told.calls[1].target = address(savings);
        recovered(told, abi.encodeWithSelector(Assets.NativeRefused.selector, address(savings)));
    }

    /// @dev What a stranger would like to do while the Executor has the tokens.
    function tricks() internal view returns (address[4] memory targets, bytes[4] memory data) {
        SwapTerms memory terms = SwapTerms(stranger, stranger, address(tokenB), address(tokenB), 0);
        targets = [address(executor), address(spoke), address(tokenB), address(arrival)];
        data[0] = abi.encodeCall(IExecutor.executeSwap, (terms, new address[](0), new Operation[](0)));
        bytes memory told = abi.encode(wanted(19, 200));
        data[1] = abi.encodeCall(Spoke.tell, (address(tokenA), 110, address(arrival), told));
        // One more than a call is approved for.
        data[2] = abi.encodeCall(Token.transferFrom, (address(executor), stranger, 151));
        data[3] = abi.encodeCall(IReceiver.complete, (address(tokenA), 1, wanted(19, 200)));
    }

    /// @dev A target that comes back after the swap: it has what it was approved for, which it leaves, and no more.
    function test_a_call_that_comes_back() public {
        Attacker attacker = new Attacker();
        (address[4] memory targets, bytes[4] memory data) = tricks();
        Message memory told = wantedCall(address(attacker), abi.encodeCall(Attacker.attack, ()));
        for (uint256 i; i < targets.length; ++i) {
            attacker.load(targets[i], data[i], false);
            recovered(told, "");
        }
        for (uint256 i; i < targets.length; ++i) {
            attacker.load(targets[i], data[i], true);
            uint256 had = tokenB.balanceOf(receiver);
            completed(told, 200);
            check(attacker.tried() && !attacker.succeeded(), "nothing that it tried");
            equal(tokenB.balanceOf(receiver) - had, 200, "all of the output");
        }
        equal(tokenB.balanceOf(stranger) + tokenA.balanceOf(stranger), 0, "the stranger's");
    }

    /// @dev A receiver that comes back when it is paid the native, before the swap.
    function test_a_receiver_that_comes_back_when_it_is_paid() public {
        (address[4] memory targets, bytes[4] memory data) = tricks();
        for (uint256 i; i < targets.length; ++i) {
            Attacker attacker = new Attacker();
            Message memory told = wanted(19, 200);
            told.receiver = told.calls[1].target = address(attacker);
            attacker.load(targets[i], data[i], false);
            recovered(told, abi.encodeWithSelector(Assets.NativeRefused.selector, address(attacker)));
            attacker.load(targets[i], data[i], true);
            completed(told, 200);
            check(attacker.tried() && !attacker.succeeded(), "nothing that it tried");
            equal(address(attacker).balance, 20, "its native");
        }
    }

    function testFuzz_all_of_it_or_what_was_bridged(uint256 part, uint256 rest, uint256 gas, uint256 approved) public {
        part = bounded(part, 1, 1e18);
        rest = bounded(rest, 1, 1e18);
        gas = bounded(gas, 1, part * 3);
        approved = bounded(approved, 1, rest * 3);
        vm.deal(address(router), 1e36);
        Message memory told = wantedCall(address(savings), saving());
        told.calls[0] = swapping(address(tokenA), NATIVE, part);
        told.calls[1].amount = gas;
        told.calls[2] = swapping(address(tokenA), address(tokenB), rest);
        told.calls[3].amount = approved;
        fill(address(tokenA), part + rest, told);
        bool works = gas <= part * 2 && approved <= rest * 2;
        equal(receiver.balance, works ? part * 2 : 0, "native");
        equal(savings.saved(address(tokenB), receiver), works ? approved : 0, "saved");
        equal(tokenB.balanceOf(receiver), works ? rest * 2 - approved : 0, "left of the output");
        equal(tokenA.balanceOf(receiver), works ? 0 : part + rest, "bridged");
        cleared();
    }
}
