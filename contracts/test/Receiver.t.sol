// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {IReceiver, Message} from "../src/interfaces/IReceiver.sol";
import {Kind, Operation} from "../src/Types.sol";
import {Crossing} from "./support/Crossing.sol";
import {Vm} from "./support/Test.sol";
import {BlockingToken, SilentToken, TaxToken} from "./support/Tokens.sol";
import {Router} from "./support/Venues.sol";

/// @dev What the message asks for is done, or the receiver has the bridged tokens.
contract ReceiverTest is Crossing {
    function expectCompleted(address token, uint256 amount, address output, uint256 gained) internal {
        vm.expectEmit(true, true, true, true, address(arrival));
        emit IReceiver.DestinationCompleted(ID, receiver, token, amount, output, gained);
    }

    function expectRecovered(address token, uint256 amount, bytes memory reason) internal {
        vm.expectEmit(true, true, true, true, address(arrival));
        emit IReceiver.Recovered(ID, receiver, token, amount, reason);
    }

    function failed(bytes4 reason) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IExecutor.OperationFailed.selector, 0, abi.encodeWithSelector(reason));
    }

    function test_the_swap_pays_the_receiver() public {
        expectCompleted(address(tokenA), 100, address(tokenB), 200);
        fill(address(tokenA), 100, message(address(tokenB), 200, list(swapping(address(tokenA), address(tokenB), 100))));
        equal(tokenB.balanceOf(receiver), 200, "output");
        equal(tokenA.balanceOf(receiver), 0, "bridged");
        assertCleared(address(tokenA));
        assertCleared(address(tokenB));
    }

    function test_wrapped_native_arrives_as_native() public {
        expectCompleted(address(wrapped), 100, NATIVE, 100);
        fill(address(wrapped), 100, message(NATIVE, 100, list(wrapping(Kind.Unwrap, ALL))));
        equal(receiver.balance, 100, "native");
        assertCleared(address(wrapped));
        assertCleared(NATIVE);
    }

    function test_what_the_swap_leaves_goes_to_the_receiver() public {
        bytes memory data =
            abi.encodeCall(Router.partialSwap, (address(tokenA), 100, address(tokenB), address(executor)));
        expectCompleted(address(tokenA), 100, address(tokenB), 100);
        fill(
            address(tokenA),
            100,
            message(address(tokenB), 100, list(calling(address(router), address(tokenA), 100, data)))
        );
        equal(tokenA.balanceOf(receiver), 50, "the rest");
        assertCleared(address(tokenA));
    }

    function test_a_swap_that_reverts_leaves_the_bridged_tokens() public {
        Operation memory failing = calling(address(router), address(tokenA), 100, abi.encodeCall(Router.fail, ()));
        expectRecovered(address(tokenA), 100, failed(Router.TooLittle.selector));
        fill(address(tokenA), 100, message(address(tokenB), 1, list(failing)));
        equal(tokenA.balanceOf(receiver), 100, "bridged");
        assertCleared(address(tokenA));
    }

    function test_too_little_output_leaves_the_bridged_tokens() public {
        expectRecovered(address(tokenA), 100, abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 201, 200));
        fill(address(tokenA), 100, message(address(tokenB), 201, list(swapping(address(tokenA), address(tokenB), 100))));
        equal(tokenA.balanceOf(receiver), 100, "bridged");
        equal(tokenB.balanceOf(receiver), 0, "output");
        assertCleared(address(tokenA));
        assertCleared(address(tokenB));
    }

    function test_a_receiver_that_the_output_refuses_has_the_bridged_tokens() public {
        BlockingToken output = new BlockingToken();
        stock(output);
        output.block_(receiver);
        expectRecovered(address(tokenA), 100, abi.encodeWithSelector(BlockingToken.Blocked.selector, receiver));
        fill(address(tokenA), 100, message(address(output), 1, list(swapping(address(tokenA), address(output), 100))));
        equal(tokenA.balanceOf(receiver), 100, "bridged");
    }

    /// @dev Nobody fills it, and the deposit is refunded.
    function test_a_receiver_that_both_tokens_refuse_reverts() public {
        BlockingToken bridged = new BlockingToken();
        endow(bridged);
        bridged.block_(receiver);
        Operation memory failing = calling(address(router), address(bridged), 100, abi.encodeCall(Router.fail, ()));
        Message memory wanted = message(address(tokenB), 1, list(failing));
        vm.expectRevert(abi.encodeWithSelector(BlockingToken.Blocked.selector, receiver));
        fill(address(bridged), 100, wanted);
    }

    function test_a_bridged_token_that_returns_nothing() public {
        SilentToken bridged = new SilentToken();
        endow(bridged);
        expectCompleted(address(bridged), 100, address(tokenB), 200);
        fill(address(bridged), 100, message(address(tokenB), 200, list(swappingAll(address(bridged), address(tokenB)))));
        expectRecovered(address(bridged), 100, abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 201, 200));
        fill(address(bridged), 100, message(address(tokenB), 201, list(swappingAll(address(bridged), address(tokenB)))));
        equal(bridged.balanceOf(receiver), 100, "bridged");
        assertCleared(address(bridged));
    }

    /// @dev The taxed output counts as what arrives.
    function test_an_output_that_is_taxed() public {
        TaxToken output = new TaxToken();
        stock(output);
        Operation[] memory calls = list(swapping(address(tokenA), address(output), 1000));
        // 2000, less 1 % on the way to the Executor, less 1 % on the way to the receiver.
        expectCompleted(address(tokenA), 1000, address(output), 1960);
        fill(address(tokenA), 1000, message(address(output), 1960, calls));
        expectRecovered(
            address(tokenA), 1000, abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 1961, 1960)
        );
        fill(address(tokenA), 1000, message(address(output), 1961, calls));
    }

    /// @dev The bridge tells of more than arrives.
    function test_a_bridged_token_that_is_taxed_reverts() public {
        TaxToken bridged = new TaxToken();
        endow(bridged);
        Message memory wanted = message(address(tokenB), 1, list(swappingAll(address(bridged), address(tokenB))));
        vm.expectRevert(abi.encodeWithSelector(IReceiver.AmountMissing.selector, bridged, 100, 99));
        fill(address(bridged), 100, wanted);
    }

    /// @dev Ten operations, each with a reason a kilobyte long, cannot make the log grow.
    function test_the_reason_is_bounded() public {
        Operation memory loud =
            calling(address(new LoudRouter()), address(tokenA), 100, abi.encodeCall(Router.fail, ()));
        vm.recordLogs();
        fill(address(tokenA), 100, message(address(tokenB), 1, list(loud)));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        (,, bytes memory reason) = abi.decode(logs[logs.length - 1].data, (address, uint256, bytes));
        equal(reason.length, 1024, "length of the reason");
    }

    /// @dev What a message spends is what came with it: a gift from before stays untouched, whatever it says.
    function testFuzz_no_message_spends_more_than_came(uint256 seed, uint256 gift, uint256 amount, uint256 asked)
        public
    {
        gift = bounded(gift, 0, 1e20);
        amount = bounded(amount, 1, 1e20);
        asked = bounded(asked, 1, 2e20);
        tokenA.mint(address(arrival), gift);
        Operation memory call = seed % 3 == 0
            ? swappingAll(address(tokenA), address(tokenB))
            : seed % 3 == 1 ? swapping(address(tokenA), address(tokenB), asked) : paying(address(tokenA), stranger, ALL);
        fill(address(tokenA), amount, message(address(tokenB), asked, list(call)));
        equal(tokenA.balanceOf(address(arrival)), gift, "the gift");
        equal(tokenA.balanceOf(address(executor)), 0, "of the Executor");
        equal(tokenA.balanceOf(stranger), 0, "of the stranger");
        uint256 gained = tokenB.balanceOf(receiver);
        check(gained >= asked || tokenA.balanceOf(receiver) == amount, "the minimum, or everything that was bridged");
    }

    function testFuzz_the_minimum_or_the_bridged_tokens(uint256 amount, uint256 minimum) public {
        amount = bounded(amount, 1, 1e20);
        minimum = bounded(minimum, 1, 4e20);
        Operation[] memory calls = list(swapping(address(tokenA), address(tokenB), amount));
        fill(address(tokenA), amount, message(address(tokenB), minimum, calls));
        bool enough = amount * 2 >= minimum;
        equal(tokenB.balanceOf(receiver), enough ? amount * 2 : 0, "output");
        equal(tokenA.balanceOf(receiver), enough ? 0 : amount, "bridged");
        assertCleared(address(tokenA));
        assertCleared(address(tokenB));
    }
}

/// @dev Reverts with ten kilobytes.
contract LoudRouter {
    fallback() external {
        assembly ("memory-safe") {
            revert(0, 10240)
        }
    }
}
