// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDiamond} from "../src/interfaces/IDiamond.sol";
import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {BridgeTerms, Fee, Kind, Operation, Order, SwapTerms} from "../src/Types.sol";
import {Setup} from "./support/Setup.sol";
import {CallbackToken, Token} from "./support/Tokens.sol";
import {Attacker} from "./support/Venues.sol";

/// @dev Somebody gets control in the middle of a swap and calls our contracts again.
contract ReentrancyTest is Setup {
    bytes internal constant LOCKED = abi.encodeWithSignature("ReentrancyGuardReentrantCall()");

    Attacker internal attacker;
    CallbackToken internal hooked;

    function setUp() public override {
        super.setUp();
        attacker = new Attacker();
        hooked = new CallbackToken();
        stock(hooked);
        tokenA.mint(address(attacker), 1000);
        vm.prank(address(attacker));
        tokenA.approve(address(diamond), ALL);
    }

    /// @dev All ways in.
    function entries() internal view returns (address[4] memory targets, bytes[4] memory data) {
        Order memory o = order(address(tokenA), address(tokenB), 10, 1);
        targets = [address(diamond), address(diamond), address(executor), address(executor)];
        data[0] = abi.encodeCall(diamond.swap, (o, noFees(), list(swapping(address(tokenA), address(tokenB), 10))));
        data[1] = abi.encodeCall(
            diamond.bridge, (transfer(address(tokenA), 10), noFees(), list(depositing(address(tokenA), 10)))
        );
        data[2] = theft();
        BridgeTerms memory terms = BridgeTerms(address(attacker), address(hooked), address(hooked), 0, 0);
        data[3] = abi.encodeCall(
            executor.executeBridge, (terms, sweepAll(), list(paying(address(hooked), address(attacker), ALL)))
        );
    }

    /// @dev Takes everything that the Executor has.
    function theft() internal view returns (bytes memory) {
        SwapTerms memory terms = SwapTerms(address(attacker), address(attacker), address(tokenA), address(tokenB), 0);
        return abi.encodeCall(executor.executeSwap, (terms, sweepAll(), new Operation[](0)));
    }

    function sweepAll() internal view returns (address[] memory all) {
        all = new address[](2);
        (all[0], all[1]) = (address(hooked), address(wrapped));
    }

    function swapHooked(address from, address to, address receiver_) internal returns (uint256) {
        Order memory o = order(from, to, 100, 190);
        o.receiver = receiver_;
        vm.prank(wallet);
        return diamond.swap(o, oneFee(service, 5), list(swapping(from, to, 95)));
    }

    function assertNothingStolen() internal view {
        equal(hooked.balanceOf(address(attacker)), 0, "hooked tokens");
        equal(tokenB.balanceOf(address(attacker)), 0, "output tokens");
        equal(tokenA.balanceOf(address(attacker)), 1000, "the attacker's own");
        assertEmpty(address(hooked));
        assertEmpty(address(tokenA));
        assertEmpty(address(tokenB));
    }

    function test_from_the_market_during_the_swap() public {
        (address[4] memory targets, bytes[4] memory data) = entries();
        hooked.listen(address(router), address(attacker));
        for (uint256 i; i < 4; ++i) {
            attacker.load(targets[i], data[i], true);
            equal(swapHooked(address(hooked), address(tokenB), receiver), 190, "output");
            check(!attacker.succeeded(), "locked");
            check(keccak256(attacker.reason()) == keccak256(LOCKED), "by the lock");
            attacker.load(targets[i], data[i], false);
            vm.expectPartialRevert(IExecutor.OperationFailed.selector);
            swapHooked(address(hooked), address(tokenB), receiver);
        }
        assertNothingStolen();
    }

    function test_from_a_hostile_target() public {
        (address[4] memory targets, bytes[4] memory data) = entries();
        Operation memory hostile = calling(address(attacker), NATIVE, 0, abi.encodeCall(Attacker.attack, ()));
        for (uint256 i; i < 4; ++i) {
            attacker.load(targets[i], data[i], true);
            vm.prank(wallet);
            diamond.swap(
                order(address(hooked), address(tokenB), 100, 200),
                noFees(),
                list(hostile, swapping(address(hooked), address(tokenB), 100))
            );
            check(!attacker.succeeded(), "locked");
            check(keccak256(attacker.reason()) == keccak256(LOCKED), "by the lock");
        }
        assertNothingStolen();
    }

    function test_from_the_receiver_of_the_output() public {
        (address[4] memory targets, bytes[4] memory data) = entries();
        hooked.listen(address(attacker), address(attacker));
        for (uint256 i; i < 4; ++i) {
            attacker.load(targets[i], data[i], true);
            swapHooked(address(tokenA), address(hooked), address(attacker));
            check(!attacker.succeeded(), "locked");
            Order memory o = order(address(tokenA), NATIVE, 100, 200);
            o.receiver = address(attacker);
            vm.prank(wallet);
            diamond.swap(o, noFees(), list(swapping(address(tokenA), NATIVE, 100)));
            check(!attacker.succeeded(), "locked for native");
        }
        equal(hooked.balanceOf(address(attacker)), 4 * 190, "only what it was paid");
        equal(address(attacker).balance, 4 * 200, "only what it was paid");
    }

    /// @dev The Executor is open at that moment, and empty: the input comes last.
    function test_from_the_recipient_of_a_fee() public {
        hooked.listen(service, address(attacker));
        (address[4] memory targets, bytes[4] memory data) = entries();
        for (uint256 i; i < 4; ++i) {
            attacker.load(targets[i], data[i], true);
            equal(swapHooked(address(hooked), address(tokenB), receiver), 190, "output");
            check(attacker.tried(), "tried");
            check(!attacker.succeeded() || i == 2, "locked, or nothing there");
        }
        attacker.load(address(diamond), data[0], false);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.FeeSkipped(ID, service, "service", address(hooked), 5);
        swapHooked(address(hooked), address(tokenB), receiver);
        assertNothingStolen();
    }

    function test_from_the_recipient_of_a_native_fee() public {
        (address[4] memory targets, bytes[4] memory data) = entries();
        for (uint256 i; i < 2; ++i) {
            attacker.load(targets[i], data[i], false);
            vm.expectEmit(true, true, true, true, address(diamond));
            emit IDiamond.FeeSkipped(ID, address(attacker), "service", NATIVE, 5);
            vm.prank(wallet);
            diamond.swap{value: 100}(
                order(NATIVE, address(tokenB), 100, 190),
                oneFee(address(attacker), 5),
                list(swapping(NATIVE, address(tokenB), 95))
            );
        }
        assertNothingStolen();
    }

    /// @dev Between the input's arrival and the execution the Executor is open. Whoever takes the input then gets
    /// nowhere: the Diamond measures that nothing arrived.
    function test_from_a_hook_between_arrival_and_execution() public {
        hooked.listen(address(executor), address(attacker));
        attacker.load(address(executor), theft(), true);
        vm.expectRevert(abi.encodeWithSelector(IDiamond.NothingReceived.selector, address(hooked)));
        swapHooked(address(hooked), address(tokenB), receiver);
        equal(hooked.balanceOf(wallet), 1000, "nothing was taken");
        assertNothingStolen();
    }

    function test_from_the_wallets_own_hook() public {
        (address[4] memory targets, bytes[4] memory data) = entries();
        hooked.listen(wallet, address(attacker));
        for (uint256 i; i < 2; ++i) {
            attacker.load(targets[i], data[i], true);
            equal(swapHooked(address(hooked), address(tokenB), receiver), 190, "output");
            check(!attacker.succeeded(), "locked");
        }
        assertNothingStolen();
    }

    function test_from_a_bridge() public {
        (address[4] memory targets, bytes[4] memory data) = entries();
        hooked.listen(address(bridge), address(attacker));
        for (uint256 i; i < 4; ++i) {
            attacker.load(targets[i], data[i], true);
            vm.prank(wallet);
            diamond.bridge(transfer(address(hooked), 100), noFees(), list(depositing(address(hooked), 100)));
            check(!attacker.succeeded(), "locked");
            check(keccak256(attacker.reason()) == keccak256(LOCKED), "by the lock");
        }
        assertNothingStolen();
    }

    /// @dev A hostile call cannot give the receiver some other payment and keep the output.
    function test_another_payment_to_the_receiver_is_no_output() public {
        tokenB.mint(address(attacker), 200);
        attacker.load(address(tokenB), abi.encodeCall(Token.transfer, (receiver, 200)), false);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 200, 0));
        vm.prank(wallet);
        diamond.swap(
            order(address(tokenA), address(tokenB), 100, 200),
            noFees(),
            list(calling(address(attacker), NATIVE, 0, abi.encodeCall(Attacker.attack, ())))
        );
    }

    /// @dev Nor can a hook of the forwarding transfer top up what the receiver gains.
    function test_a_hook_that_pays_the_receiver_is_no_output() public {
        hooked.mint(address(attacker), 1000);
        hooked.listen(address(executor), address(attacker));
        attacker.load(address(hooked), abi.encodeCall(Token.transfer, (receiver, 10)), false);
        Order memory o = order(address(tokenA), address(hooked), 100, 200);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 200, 190));
        vm.prank(wallet);
        diamond.swap(o, oneFee(service, 5), list(swapping(address(tokenA), address(hooked), 95)));
    }
}
