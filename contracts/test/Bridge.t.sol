// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDiamond} from "../src/interfaces/IDiamond.sol";
import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {BridgeOrder, BridgeRecord, BridgeTerms, Fee, HopKind, Kind, Operation} from "../src/Types.sol";
import {Setup} from "./support/Setup.sol";
import {Token} from "./support/Tokens.sol";
import {TestStake} from "./support/TradingPools.sol";
import {Bridge, Router} from "./support/Venues.sol";

/// @dev Says that it sent something, without doing anything.
contract LazyBridgeExecutor {
    function executeBridge(BridgeTerms calldata, address[] calldata, Operation[] calldata)
        external
        payable
        returns (uint256)
    {
        return 99;
    }
}

contract BridgeTest is Setup {
    function send(BridgeOrder memory o, uint256 value, Fee[] memory fees, Operation[] memory operations) internal {
        vm.prank(wallet);
        diamond.bridge{value: value}(o, fees, operations);
    }

    function record(BridgeOrder memory o, uint256 gross, uint256 sent, bool swapped)
        internal
        pure
        returns (BridgeRecord memory)
    {
        return BridgeRecord(
            o.adapter,
            o.receiver,
            o.destinationChainId,
            o.inputToken,
            o.inputAmount,
            gross,
            o.sentToken,
            sent,
            o.outputToken,
            o.expectedOutput,
            o.minOutput,
            o.deadline,
            o.refundTo,
            swapped,
            o.hasDestCall,
            o.bridgeRef
        );
    }

    function expectStarted(BridgeOrder memory o, uint256 gross, uint256 sent, bool swapped) internal {
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.BridgeStarted(ID, wallet, "acme", record(o, gross, sent, swapped));
    }

    function test_a_token() public {
        BridgeOrder memory o = transfer(address(tokenA), 100);
        o.sentAmount = 90;
        o.hasDestCall = true;
        expectStarted(o, 100, 90, false);
        send(o, 0, twoFees(4, 6), list(depositing(address(tokenA), 90)));
        equal(tokenA.balanceOf(address(bridge)), 90, "sent");
        equal(tokenA.balanceOf(service), 4, "fee");
        assertEmpty(address(tokenA));
    }

    function test_native_with_the_bridges_fee() public {
        bridge.charge(3);
        BridgeOrder memory o = transfer(NATIVE, 100);
        o.nativeFee = 10;
        Operation memory operation = depositing(NATIVE, 100);
        operation.value = 110;
        uint256 before = wallet.balance;
        expectStarted(o, 100, 100, false);
        send(o, 110, noFees(), list(operation));
        equal(before - wallet.balance, 103, "what the bridge gave back is the wallet's");
        assertEmpty(NATIVE);
    }

    function test_a_token_with_the_bridges_native_fee() public {
        bridge.charge(3);
        BridgeOrder memory o = transfer(address(tokenA), 100);
        o.nativeFee = 10;
        Operation memory operation = depositing(address(tokenA), 100);
        operation.value = 10;
        uint256 before = wallet.balance;
        expectStarted(o, 100, 100, false);
        send(o, 10, noFees(), list(operation));
        equal(before - wallet.balance, 3, "native spent");
    }

    function test_a_plan_of_pools_is_a_swap_before_it() public {
        TestStake stake = new TestStake(tokenA);
        BridgeOrder memory o = transfer(address(tokenA), 100);
        (o.sentToken, o.sentAmount) = (address(stake), 20);
        bytes memory plan = abi.encodePacked(
            uint8(2), address(tokenA), address(stake), uint8(HopKind.WrapStaked), uint32(0), uint8(0), uint8(1)
        );
        Operation memory trade = Operation(Kind.Pools, NATIVE, NATIVE, address(tokenA), 100, 0, plan);
        expectStarted(o, 100, 20, true);
        send(o, 0, noFees(), list(trade, depositing(address(stake), 20)));
        equal(stake.balanceOf(address(bridge)), 20, "sent");
        equal(stake.balanceOf(wallet), 5, "excess");
        assertEmpty(address(stake));
    }

    function test_after_a_swap_the_excess_goes_to_the_wallet() public {
        BridgeOrder memory o = transfer(address(tokenA), 100);
        o.sentToken = address(tokenB);
        o.sentAmount = 150;
        expectStarted(o, 100, 150, true);
        send(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100), depositing(address(tokenB), 150)));
        equal(tokenB.balanceOf(address(bridge)), 150, "sent");
        equal(tokenB.balanceOf(wallet), 1050, "excess");
        assertEmpty(address(tokenB));
    }

    function test_wrapping_before_is_no_swap() public {
        BridgeOrder memory o = transfer(NATIVE, 100);
        o.sentToken = address(wrapped);
        expectStarted(o, 100, 100, false);
        send(o, 100, noFees(), list(wrapping(Kind.Wrap, 100), depositing(address(wrapped), 100)));
        equal(wrapped.balanceOf(address(bridge)), 100, "sent");
    }

    function test_a_payment_to_a_deposit_address() public {
        BridgeOrder memory o = transfer(address(tokenA), 100);
        expectStarted(o, 100, 100, false);
        send(o, 0, noFees(), list(paying(address(tokenA), stranger, 100)));
        equal(tokenA.balanceOf(stranger), 100, "paid");
    }

    function test_a_swap_that_yields_too_little_reverts() public {
        BridgeOrder memory o = transfer(address(tokenA), 100);
        (o.sentToken, o.sentAmount) = (address(tokenB), 201);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.AmountUnavailable.selector, 1, address(tokenB), 201, 200));
        send(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), 100), depositing(address(tokenB), 201)));
    }

    function test_a_bridge_that_takes_too_little_reverts() public {
        BridgeOrder memory o = transfer(address(tokenA), 100);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.SentAmountMismatch.selector, 100, ALL, 99));
        send(o, 0, noFees(), list(depositing(address(tokenA), 99)));
        Operation memory idle = calling(address(bridge), NATIVE, 0, abi.encodeWithSignature("fee()"));
        vm.expectRevert(abi.encodeWithSelector(IExecutor.SentAmountMismatch.selector, 100, ALL, 0));
        send(o, 0, noFees(), list(idle));
    }

    function test_a_bridge_that_takes_too_much_native_reverts() public {
        BridgeOrder memory o = transfer(NATIVE, 100);
        (o.sentAmount, o.nativeFee) = (80, 10);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.SentAmountMismatch.selector, 80, 90, 91));
        send(o, 110, noFees(), list(depositing(NATIVE, 91)));
    }

    function test_the_last_operation_is_the_bridges() public {
        Kind[2] memory kinds = [Kind.Wrap, Kind.Unwrap];
        for (uint256 i; i < kinds.length; ++i) {
            vm.expectRevert(IExecutor.BridgeOperationMissing.selector);
            send(transfer(NATIVE, 100), 100, noFees(), list(wrapping(kinds[i], 100)));
        }
        BridgeTerms memory terms;
        vm.expectRevert(IExecutor.BridgeOperationMissing.selector);
        executor.executeBridge(terms, new address[](0), new Operation[](0));
    }

    function test_refuses_what_a_swap_refuses() public {
        Operation[] memory operations = list(depositing(address(tokenA), 100));
        BridgeOrder memory o = transfer(address(tokenA), 100);
        o.deadline = block.timestamp - 1;
        vm.expectRevert(abi.encodeWithSelector(IDiamond.DeadlinePassed.selector, block.timestamp - 1, block.timestamp));
        send(o, 0, noFees(), operations);
        vm.expectRevert(IDiamond.InputAmountZero.selector);
        send(transfer(address(tokenA), 0), 0, noFees(), operations);
        vm.expectRevert(IDiamond.OperationsMissing.selector);
        send(transfer(address(tokenA), 100), 0, noFees(), new Operation[](0));
        vm.expectRevert(abi.encodeWithSelector(IDiamond.ValueMismatch.selector, 0, 1));
        send(transfer(address(tokenA), 100), 1, noFees(), operations);
        vm.expectRevert(abi.encodeWithSelector(IDiamond.FeesTooHigh.selector, 20));
        send(transfer(address(tokenA), 100), 0, twoFees(20, 1), operations);
        o = transfer(address(tokenA), 100);
        o.sentToken = address(tokenB);
        vm.expectRevert(abi.encodeWithSelector(IDiamond.FeeRecipientRefused.selector, address(tokenB)));
        send(o, 0, oneFee(address(tokenB), 1), operations);
    }

    function test_refuses_no_minimum() public {
        BridgeOrder memory o = transfer(address(tokenA), 100);
        o.minOutput = 0;
        vm.expectRevert(IDiamond.MinimumZero.selector);
        send(o, 0, noFees(), list(depositing(address(tokenA), 100)));
        o.minOutput = 1;
        o.sentAmount = 0;
        vm.expectRevert(IDiamond.MinimumZero.selector);
        send(o, 0, noFees(), list(depositing(address(tokenA), 100)));
    }

    function test_refuses_this_chain_as_destination() public {
        BridgeOrder memory o = transfer(address(tokenA), 100);
        uint256[2] memory refused = [uint256(0), block.chainid];
        for (uint256 i; i < refused.length; ++i) {
            o.destinationChainId = refused[i];
            vm.expectRevert(abi.encodeWithSelector(IDiamond.DestinationRefused.selector, refused[i]));
            send(o, 0, noFees(), list(depositing(address(tokenA), 100)));
        }
    }

    function test_refuses_our_contracts_as_receiver() public {
        BridgeOrder memory o = transfer(address(tokenA), 100);
        address[2] memory refused = [address(diamond), address(executor)];
        for (uint256 i; i < refused.length; ++i) {
            o.receiver = bytes32(uint256(uint160(refused[i])));
            refuse(o, abi.encodeWithSelector(IDiamond.ReceiverRefused.selector, o.receiver));
        }
        // 32 bytes of another kind of chain that only end like our address are somebody else's.
        o.receiver = bytes32(uint256(uint160(address(diamond))) | (1 << 255));
        expectStarted(o, 100, 100, false);
        send(o, 0, noFees(), list(depositing(address(tokenA), 100)));
    }

    function test_refuses_refunds_to_our_contracts() public {
        BridgeOrder memory o = transfer(address(tokenA), 100);
        address[3] memory refused = [address(diamond), address(executor), address(tokenA)];
        for (uint256 i; i < refused.length; ++i) {
            o.refundTo = refused[i];
            refuse(o, abi.encodeWithSelector(IDiamond.RefundAddressRefused.selector, refused[i]));
        }
    }

    function test_refuses_receivers_and_refunds_that_are_nobodys() public {
        address[] memory refused = nobodies();
        for (uint256 i; i < refused.length; ++i) {
            BridgeOrder memory o = transfer(address(tokenA), 100);
            o.refundTo = refused[i];
            refuse(o, abi.encodeWithSelector(IDiamond.RefundAddressRefused.selector, refused[i]));
            o = transfer(address(tokenA), 100);
            o.receiver = bytes32(uint256(uint160(refused[i])));
            refuse(o, abi.encodeWithSelector(IDiamond.ReceiverRefused.selector, o.receiver));
        }
    }

    /// @dev A key of Solana may have any bytes; only a word that is an EVM address is judged as one.
    function testFuzz_a_wider_receiver_is_somebody(uint96 above, uint160 account, uint8 which) public {
        address[] memory refused = nobodies();
        uint256 low = which < refused.length ? uint160(refused[which]) : account;
        BridgeOrder memory o = transfer(address(tokenA), 100);
        o.receiver = bytes32(uint256(above == 0 ? 1 : above) << 160 | low);
        expectStarted(o, 100, 100, false);
        send(o, 0, noFees(), list(depositing(address(tokenA), 100)));
    }

    function refuse(BridgeOrder memory o, bytes memory why) private {
        vm.expectRevert(why);
        send(o, 0, noFees(), list(depositing(address(tokenA), 100)));
    }

    function test_the_diamond_checks_the_result() public {
        IDiamond lax = makeDiamond(address(new LazyBridgeExecutor()));
        vm.expectRevert(abi.encodeWithSelector(IDiamond.ResultBelowMinimum.selector, 100, 99));
        vm.prank(wallet);
        lax.bridge{value: 100}(transfer(NATIVE, 100), noFees(), list(depositing(NATIVE, 100)));
    }

    function testFuzz_exactly_the_amount_is_sent(uint96 amount, uint96 part) public {
        uint256 input = bounded(amount, 1, 1e21);
        uint256 sent = bounded(part, 1, 2 * input);
        tokenA.mint(wallet, input);
        BridgeOrder memory o = transfer(address(tokenA), input);
        (o.sentToken, o.sentAmount) = (address(tokenB), sent);
        send(o, 0, noFees(), list(swapping(address(tokenA), address(tokenB), input), depositing(address(tokenB), sent)));
        equal(tokenB.balanceOf(address(bridge)), sent, "sent");
        equal(tokenB.balanceOf(wallet), 1000 + 2 * input - sent, "excess");
        assertEmpty(address(tokenA));
        assertEmpty(address(tokenB));
    }
}
