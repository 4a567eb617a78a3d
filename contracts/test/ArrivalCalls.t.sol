// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {IReceiver, Message} from "../src/interfaces/IReceiver.sol";
import {Kind, Operation, SwapTerms} from "../src/Types.sol";
import {Crossing, Spoke} from "./support/Crossing.sol";
import {Savings} from "./support/Savings.sol";
import {Token} from "./support/Tokens.sol";
import {Attacker, Burner, RightsKeeper} from "./support/Venues.sol";

/// @dev A call of some other contract with what was bridged, and a little native beside what was bridged.
contract ArrivalCallsTest is Crossing {
    Savings internal savings;

    function setUp() public override {
        super.setUp();
        savings = new Savings();
    }

    /// @dev Approves 100 of the bridged token, of which the call takes `amount`.
    function saving(uint256 amount) internal view returns (Operation memory) {
        bytes memory data = abi.encodeCall(Savings.deposit, (address(tokenA), amount, receiver));
        return calling(address(savings), address(tokenA), 100, data);
    }

    function calls(Operation memory operation) internal view returns (Message memory) {
        return message(address(tokenA), 0, list(operation));
    }

    function cleared() internal view {
        assertCleared(address(tokenA));
        assertCleared(address(tokenB));
        equal(tokenA.allowance(address(executor), address(savings)), 0, "allowance of the target");
        equal(address(executor).balance, 0, "native");
    }

    function recovered(Operation memory operation) internal {
        uint256 had = tokenA.balanceOf(receiver);
        vm.expectEmit(true, true, false, false, address(arrival));
        emit IReceiver.Recovered(ID, receiver, address(tokenA), 100, "");
        fill(address(tokenA), 100, calls(operation));
        equal(tokenA.balanceOf(receiver) - had, 100, "all that was bridged");
        equal(savings.saved(address(tokenA), receiver), 0, "saved");
        cleared();
    }

    function test_the_call_has_the_tokens_and_what_it_leaves_is_the_receivers() public {
        vm.expectEmit(true, true, true, true, address(arrival));
        emit IReceiver.DestinationCompleted(ID, receiver, address(tokenA), 100, address(tokenA), 0);
        fill(address(tokenA), 100, calls(saving(70)));
        equal(savings.saved(address(tokenA), receiver), 70, "saved");
        equal(tokenA.balanceOf(receiver), 30, "the rest");
        cleared();
    }

    function test_a_swap_and_then_the_call() public {
        bytes memory data = abi.encodeCall(Savings.depositAll, (address(tokenB), receiver));
        Operation[] memory both = list(
            swapping(address(tokenA), address(tokenB), 100), calling(address(savings), address(tokenB), 150, data)
        );
        fill(address(tokenA), 100, message(address(tokenB), 0, both));
        equal(savings.saved(address(tokenB), receiver), 150, "saved");
        equal(tokenB.balanceOf(receiver), 50, "more than was counted on");
        both[1].amount = 201;
        fill(address(tokenA), 100, message(address(tokenB), 0, both));
        equal(tokenA.balanceOf(receiver), 100, "less than was counted on: all that was bridged");
        cleared();
    }

    function test_native_travels_with_the_call() public {
        Operation memory paid = calling(address(savings), NATIVE, 0, abi.encodeCall(Savings.depositNative, (receiver)));
        paid.value = 60;
        fill(address(wrapped), 100, message(NATIVE, 0, list(wrapping(Kind.Unwrap, ALL), paid)));
        equal(savings.saved(NATIVE, receiver), 60, "saved");
        equal(receiver.balance, 40, "the rest");
        cleared();
    }

    function test_gas_beside_the_bridged_token() public {
        Operation memory part = swapping(address(tokenA), NATIVE, 10);
        vm.expectEmit(true, true, true, true, address(arrival));
        emit IReceiver.DestinationCompleted(ID, receiver, address(tokenA), 100, NATIVE, 20);
        fill(address(tokenA), 100, message(NATIVE, 20, list(part)));
        equal(receiver.balance, 20, "native");
        equal(tokenA.balanceOf(receiver), 90, "the rest of what was bridged");
        fill(address(tokenA), 100, message(NATIVE, 21, list(part)));
        equal(receiver.balance, 20, "too little of it: none");
        equal(tokenA.balanceOf(receiver), 190, "all that was bridged");
        cleared();
    }

    function test_gas_and_a_call() public {
        fill(address(tokenA), 110, message(NATIVE, 20, list(swapping(address(tokenA), NATIVE, 10), saving(100))));
        equal(receiver.balance, 20, "native");
        equal(savings.saved(address(tokenA), receiver), 100, "saved");
        cleared();
    }

    function test_a_call_that_fails_leaves_the_bridged_tokens() public {
        savings.close(true);
        recovered(saving(100));
        savings.close(false);
        // More than it is approved for.
        recovered(saving(101));
    }

    function test_a_call_that_burns_all_gas() public {
        Operation memory burning =
            calling(address(new Burner()), address(tokenA), 100, abi.encodeCall(Burner.onTransfer, ()));
        recovered(burning);
    }

    function test_targets_that_are_refused() public {
        Operation memory wanted = saving(100);
        address[9] memory refused = [
            address(tokenA),
            address(tokenB),
            PERMIT2,
            address(executor),
            address(arrival),
            stranger,
            address(1),
            address(0xff),
            address(new RightsKeeper(bytes4(keccak256("isOperator(address,address)"))))
        ];
        for (uint256 i; i < refused.length; ++i) {
            wanted.target = wanted.spender = refused[i];
            bytes memory why = abi.encodeWithSelector(IExecutor.TargetRefused.selector, refused[i]);
            vm.expectEmit(true, true, true, true, address(arrival));
            emit IReceiver.Recovered(ID, receiver, address(tokenA), 100, why);
            fill(address(tokenA), 100, calls(wanted));
        }
    }

    /// @dev Our own entries and the bridge's find themselves locked, or have nothing to spend.
    function test_a_call_that_comes_back() public {
        SwapTerms memory terms = SwapTerms(stranger, stranger, address(tokenA), address(tokenA), 0);
        bytes memory again = abi.encodeCall(IExecutor.executeSwap, (terms, new address[](0), new Operation[](0)));
        bytes memory told = abi.encode(calls(saving(100)));
        bytes memory filling = abi.encodeCall(Spoke.tell, (address(tokenA), 100, address(arrival), told));
        Attacker attacker = new Attacker();
        bytes memory data = abi.encodeCall(Attacker.attack, ());
        attacker.load(address(executor), again, false);
        recovered(calling(address(attacker), address(tokenA), 100, data));
        attacker.load(address(spoke), filling, false);
        recovered(calling(address(attacker), address(tokenA), 100, data));
        recovered(calling(address(spoke), address(tokenA), 100, filling));
        attacker.load(address(tokenA), abi.encodeCall(Token.transferFrom, (address(arrival), stranger, 1)), false);
        recovered(calling(address(attacker), address(tokenA), 100, data));
    }

    /// @dev Anybody may call any target in the Executor's name: what a target lets its caller do is everybody's.
    function test_the_caller_is_the_executor_for_everybody() public {
        CallerBook book = new CallerBook();
        fill(address(tokenA), 100, calls(calling(address(book), NATIVE, 0, abi.encodeCall(CallerBook.sign, ()))));
        check(book.last() == address(executor), "the caller");
        Operation memory signing = calling(address(book), NATIVE, 0, abi.encodeCall(CallerBook.sign, ()));
        vm.prank(stranger);
        executor.executeSwap(SwapTerms(stranger, stranger, NATIVE, NATIVE, 0), new address[](0), list(signing));
        check(book.last() == address(executor), "a stranger's is the same");
    }

    function testFuzz_saved_and_left_are_what_was_bridged(uint256 amount, uint256 approved, uint256 taken) public {
        amount = bounded(amount, 1, 1e20);
        approved = bounded(approved, 1, 2e20);
        taken = bounded(taken, 0, 2e20);
        Operation memory wanted = saving(taken);
        wanted.amount = approved;
        fill(address(tokenA), amount, calls(wanted));
        bool works = approved <= amount && taken <= approved;
        equal(savings.saved(address(tokenA), receiver), works ? taken : 0, "saved");
        equal(tokenA.balanceOf(receiver), works ? amount - taken : amount, "left");
        cleared();
    }
}

/// @dev Knows who came last.
contract CallerBook {
    address public last;

    function sign() external {
        last = msg.sender;
    }
}
