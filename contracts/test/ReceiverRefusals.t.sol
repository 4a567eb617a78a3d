// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IReceiver, Message} from "../src/interfaces/IReceiver.sol";
import {Kind, Operation, SwapTerms} from "../src/Types.sol";
import {Crossing, Spoke} from "./support/Crossing.sol";
import {CallbackToken, Token} from "./support/Tokens.sol";
import {Attacker, Burner} from "./support/Venues.sol";

/// @dev What the Receiver refuses is no fill, so that the deposit stays open.
contract ReceiverRefusalsTest is Crossing {
    bytes internal constant LOCKED = abi.encodeWithSignature("ReentrancyGuardReentrantCall()");

    function honest() internal view returns (Message memory) {
        return message(address(tokenB), 200, list(swapping(address(tokenA), address(tokenB), 100)));
    }

    function refused(Message memory wanted, bytes memory reason) internal {
        uint256 before = tokenA.balanceOf(relayer);
        vm.expectRevert(reason);
        fill(address(tokenA), 100, wanted);
        equal(tokenA.balanceOf(relayer), before, "nothing was paid");
    }

    function test_only_the_pool_brings_messages() public {
        tokenA.mint(address(arrival), 100);
        vm.expectRevert(abi.encodeWithSelector(IReceiver.CallerRefused.selector, stranger));
        vm.prank(stranger);
        arrival.handleV3AcrossMessage(address(tokenA), 100, stranger, abi.encode(honest()));
    }

    function test_only_the_receiver_itself_completes() public {
        tokenA.mint(address(arrival), 100);
        address[2] memory others = [stranger, address(spoke)];
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IReceiver.CallerRefused.selector, others[i]));
            vm.prank(others[i]);
            arrival.complete(address(tokenA), 100, honest());
        }
    }

    function test_a_message_without_a_minimum() public {
        Message memory wanted = honest();
        wanted.minimum = 0;
        wanted.calls = new Operation[](0);
        refused(wanted, abi.encodeWithSelector(IReceiver.MinimumMissing.selector));
        wanted.calls = list(swapping(address(tokenA), address(tokenB), 100), paying(address(tokenA), stranger, ALL));
        refused(wanted, abi.encodeWithSelector(IReceiver.MinimumMissing.selector));
    }

    function test_receivers_that_cannot_be() public {
        address[5] memory ours = [address(arrival), address(executor), address(spoke), address(tokenA), address(tokenB)];
        Message memory wanted = honest();
        for (uint256 i; i < ours.length; ++i) {
            wanted.receiver = ours[i];
            refused(wanted, abi.encodeWithSelector(IReceiver.ReceiverRefused.selector, ours[i]));
        }
        address[] memory nobody = nobodies();
        for (uint256 i; i < nobody.length; ++i) {
            wanted.receiver = nobody[i];
            refused(wanted, abi.encodeWithSelector(IReceiver.ReceiverRefused.selector, nobody[i]));
        }
    }

    function test_an_output_that_is_what_was_bridged() public {
        Message memory wanted = honest();
        wanted.outputToken = address(tokenA);
        refused(wanted, abi.encodeWithSelector(IReceiver.SameToken.selector, tokenA));
    }

    function test_a_message_that_is_none() public {
        vm.expectRevert(bytes(""));
        vm.prank(relayer);
        spoke.fillRelay(address(tokenA), 100, address(arrival), hex"1234");
    }

    function test_a_pool_that_tells_of_what_is_not_there() public {
        bytes memory told = abi.encode(honest());
        vm.expectRevert(abi.encodeWithSelector(IReceiver.AmountMissing.selector, tokenA, 100, 0));
        spoke.tell(address(tokenA), 100, address(arrival), told);
        vm.expectRevert(abi.encodeWithSelector(IReceiver.AmountMissing.selector, tokenA, 0, 0));
        spoke.tell(address(tokenA), 0, address(arrival), told);
    }

    function test_it_is_not_made_without_its_contracts() public {
        vm.expectRevert(abi.encodeWithSelector(IReceiver.ContractMissing.selector, stranger));
        makeReceiver(stranger, address(spoke));
        vm.expectRevert(abi.encodeWithSelector(IReceiver.ContractMissing.selector, stranger));
        makeReceiver(address(executor), stranger);
    }

    function test_it_takes_no_native() public {
        vm.deal(stranger, 1);
        vm.prank(stranger);
        (bool success,) = address(arrival).call{value: 1}("");
        check(!success, "refused");
    }

    /// @dev However little gas a relayer gives, the swap is made or nothing is filled: it is never starved.
    function testFuzz_a_relayer_cannot_starve_the_swap(uint256 gasLimit) public {
        gasLimit = bounded(gasLimit, 60_000, 1_400_000);
        bytes memory call =
            abi.encodeCall(Spoke.fillRelay, (address(tokenA), 100, address(arrival), abi.encode(honest())));
        vm.prank(relayer);
        (bool success,) = address(spoke).call{gas: gasLimit}(call);
        equal(tokenB.balanceOf(receiver), success ? 200 : 0, "output");
        equal(tokenA.balanceOf(receiver), 0, "bridged");
    }

    function test_too_little_gas_is_told() public {
        Message memory wanted = honest();
        bytes memory call =
            abi.encodeCall(Spoke.fillRelay, (address(tokenA), 100, address(arrival), abi.encode(wanted)));
        vm.expectPartialRevert(IReceiver.GasTooLow.selector);
        vm.prank(relayer);
        spokeWith(900_000, call);
        wanted.swapGas = ALL;
        vm.expectPartialRevert(IReceiver.GasTooLow.selector);
        fill(address(tokenA), 100, wanted);
    }

    /// @dev The swap gets what was ordered and no more: one that burns all of it is recovered.
    function test_a_swap_that_burns_all_its_gas_is_recovered() public {
        bytes memory data = abi.encodeCall(Burner.onTransfer, ());
        Operation memory burning = calling(address(new Burner()), address(tokenA), 100, data);
        fill(address(tokenA), 100, message(address(tokenB), 1, list(burning)));
        equal(tokenA.balanceOf(receiver), 100, "bridged");
    }

    /// @dev In the middle of an execution the swap could only fail: a relayer could bring that about for nothing.
    function test_a_fill_from_within_the_executor() public {
        Operation memory filling = calling(
            address(spoke),
            address(tokenA),
            100,
            abi.encodeCall(Spoke.fillRelay, (address(tokenA), 100, address(arrival), abi.encode(honest())))
        );
        tokenA.mint(address(executor), 100);
        bytes memory busy = abi.encodeWithSelector(IReceiver.ExecutorBusy.selector);
        SwapTerms memory terms = SwapTerms(stranger, stranger, address(tokenA), address(tokenB), 0);
        vm.expectRevert(abi.encodeWithSignature("OperationFailed(uint256,bytes)", 0, busy));
        executor.executeSwap(terms, new address[](0), list(filling));
    }

    /// @dev Whoever gets control during the swap finds all entries locked.
    function test_from_within_the_swap() public {
        CallbackToken bridged = new CallbackToken();
        endow(bridged);
        Attacker attacker = new Attacker();
        bridged.listen(address(router), address(attacker));
        tokenA.mint(address(attacker), 100);
        allow(tokenA, address(attacker), address(spoke), ALL);
        bytes[2] memory data = [
            abi.encodeCall(Spoke.fillRelay, (address(tokenA), 100, address(arrival), abi.encode(honest()))),
            abi.encodeCall(Spoke.tell, (address(bridged), 1, address(arrival), abi.encode(honest())))
        ];
        for (uint256 i; i < 2; ++i) {
            attacker.load(address(spoke), data[i], true);
            fill(
                address(bridged),
                100,
                message(address(tokenB), 200, list(swappingAll(address(bridged), address(tokenB))))
            );
            check(attacker.tried() && !attacker.succeeded(), "locked");
            check(keccak256(attacker.reason()) == keccak256(LOCKED), "by the lock");
        }
        equal(tokenB.balanceOf(receiver), 400, "output");
        assertCleared(address(bridged));
    }

    /// @dev Nothing that a message makes the Executor do reaches the Receiver or its pool's other money.
    function test_messages_cannot_turn_on_the_receiver() public {
        tokenA.mint(address(arrival), 500);
        Operation[3] memory hostile = [
            calling(address(arrival), NATIVE, 0, abi.encodeCall(IReceiver.complete, (address(tokenA), 500, honest()))),
            calling(address(tokenA), NATIVE, 0, abi.encodeCall(Token.transferFrom, (address(arrival), stranger, 500))),
            Operation(Kind.Pay, address(arrival), address(0), address(tokenA), ALL, 0, "")
        ];
        for (uint256 i; i < hostile.length; ++i) {
            fill(address(tokenA), 100, message(address(tokenB), 1, list(hostile[i])));
            equal(tokenA.balanceOf(address(arrival)), 500, "gift");
            equal(tokenA.balanceOf(receiver), 100 * (i + 1), "recovered");
        }
    }

    function spokeWith(uint256 gasLimit, bytes memory call) private {
        (bool success, bytes memory reason) = address(spoke).call{gas: gasLimit}(call);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }
}
