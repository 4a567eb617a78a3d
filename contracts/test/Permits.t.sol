// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDiamond} from "../src/interfaces/IDiamond.sol";
import {Permits} from "../src/Permits.sol";
import {BridgeOrder, Fee, Operation, Order, PermitKind, SwapRecord} from "../src/Types.sol";
import {Permitting} from "./support/Permitting.sol";
import {BlockingToken, Token} from "./support/Tokens.sol";

/// @dev One signature and one transaction, without any allowance for the Diamond.
contract PermitsTest is Permitting {
    function test_a_swap_by_the_tokens_permit() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        bytes memory signature = tokenPermit(KEY, permitted, 100, o.deadline);
        SwapRecord memory record = swapRecord(o, 100, 90, 180);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.Swapped(ID, wallet, "acme", record);
        equal(swapPermitted(o, fees, operations, PermitKind.Token, signature), 180, "output");
        assertPaid(permitted.balanceOf(wallet), permitted.balanceOf(service), permitted.balanceOf(integrator));
        equal(permitted.allowance(wallet, address(diamond)), 0, "allowance");
        assertEmpty(address(permitted));
    }

    function test_a_swap_by_permit2() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(tokenA));
        vm.prank(wallet);
        tokenA.approve(address(diamond), 0);
        SwapRecord memory record = swapRecord(o, 100, 90, 180);
        bytes memory signature = orderPermit(KEY, o, fees, operations);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.Swapped(ID, wallet, "acme", record);
        equal(swapPermitted(o, fees, operations, PermitKind.Permit2, signature), 180, "output");
        assertPaid(tokenA.balanceOf(wallet), tokenA.balanceOf(service), tokenA.balanceOf(integrator));
        assertEmpty(address(tokenA));
    }

    function test_a_transfer_by_either() public {
        BridgeOrder memory o = transfer(address(permitted), 100);
        Operation[] memory operations = list(depositing(address(permitted), 100));
        bytes memory signature = tokenPermit(KEY, permitted, 100, o.deadline);
        vm.prank(wallet);
        diamond.bridgeWithPermit(o, noFees(), operations, PermitKind.Token, signature);
        signature = orderPermit(KEY, o, noFees(), operations);
        vm.prank(wallet);
        diamond.bridgeWithPermit(o, noFees(), operations, PermitKind.Permit2, signature);
        equal(permitted.balanceOf(address(bridge)), 200, "sent");
        equal(permitted.balanceOf(wallet), 800, "taken");
        assertEmpty(address(permitted));
    }

    /// @dev With Permit2 the Diamond has the fee in its hands when nobody accepts it.
    function test_a_skipped_fee_stays_with_the_wallet() public {
        BlockingToken token = new BlockingToken();
        token.mint(wallet, 1000);
        token.mint(address(router), 1000);
        token.block_(service);
        approvePermit2(address(token), wallet);
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(token));
        bytes memory signature = orderPermit(KEY, o, fees, operations);
        SwapRecord memory record = swapRecord(o, 96, 90, 180);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.FeeSkipped(ID, service, "service", address(token), 4);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.FeePaid(ID, integrator, "integrator", address(token), 6);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.Swapped(ID, wallet, "acme", record);
        swapPermitted(o, fees, operations, PermitKind.Permit2, signature);
        equal(token.balanceOf(wallet), 904, "the fee came back");
        assertEmpty(address(token));
    }

    /// @dev Somebody has seen the signature in the mempool and submits it himself: nothing changes.
    function test_a_permit_that_was_submitted_before() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        bytes memory signature = tokenPermit(KEY, permitted, 100, o.deadline);
        (uint8 v, bytes32 r, bytes32 s) = split(signature);
        vm.prank(stranger);
        permitted.permit(wallet, address(diamond), 100, o.deadline, v, r, s);
        equal(swapPermitted(o, fees, operations, PermitKind.Token, signature), 180, "output");
        equal(permitted.allowance(wallet, address(diamond)), 0, "allowance");
    }

    /// @dev A stranger has a signature of the wallet's, and the allowance that it gives.
    function test_a_phished_permit_gains_nothing() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        o.receiver = stranger;
        bytes memory signature = tokenPermit(KEY, permitted, 100, o.deadline);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Permits.PermitRefused.selector, address(permitted)));
        diamond.swapWithPermit(o, fees, operations, PermitKind.Token, signature);
        (uint8 v, bytes32 r, bytes32 s) = split(signature);
        permitted.permit(wallet, address(diamond), 100, o.deadline, v, r, s);
        vm.prank(stranger);
        vm.expectPartialRevert(bytes4(keccak256("ERC20InsufficientAllowance(address,uint256,uint256)")));
        diamond.swap(o, fees, operations);
        bytes memory over = orderPermit(KEY, o, fees, operations);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSignature("InvalidSigner()"));
        diamond.swapWithPermit(o, fees, operations, PermitKind.Permit2, over);
        equal(permitted.balanceOf(wallet), 1000, "the wallet's");
    }

    function test_no_permit_is_good_twice() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        bytes memory first = tokenPermit(KEY, permitted, 100, o.deadline);
        swapPermitted(o, fees, operations, PermitKind.Token, first);
        vm.expectRevert(abi.encodeWithSelector(Permits.PermitRefused.selector, address(permitted)));
        swapPermitted(o, fees, operations, PermitKind.Token, first);
        bytes memory second = orderPermit(KEY, o, fees, operations);
        swapPermitted(o, fees, operations, PermitKind.Permit2, second);
        vm.expectRevert(abi.encodeWithSignature("InvalidNonce()"));
        swapPermitted(o, fees, operations, PermitKind.Permit2, second);
        equal(permitted.balanceOf(wallet), 800, "taken twice, by two signatures");
    }

    function test_a_permit_for_another_chain() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        bytes memory first = tokenPermit(KEY, permitted, 100, o.deadline);
        bytes memory second = orderPermit(KEY, o, fees, operations);
        vm.chainId(4242);
        refusedAsToken(o, fees, operations, first);
        refusedAsPermit2(o, fees, operations, second, "InvalidSigner()");
    }

    function test_an_expired_permit() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        bytes memory signature = tokenPermit(KEY, permitted, 100, o.deadline);
        vm.warp(o.deadline + 1);
        bytes memory late = abi.encodeWithSelector(IDiamond.DeadlinePassed.selector, o.deadline, o.deadline + 1);
        vm.expectRevert(late);
        swapPermitted(o, fees, operations, PermitKind.Token, signature);
        vm.expectRevert(late);
        swapPermitted(o, fees, operations, PermitKind.Permit2, signature);
        // A later deadline is another order, for which the same signature is none.
        bytes memory over = orderPermit(KEY, o, fees, operations);
        o.deadline += 100;
        refusedAsToken(o, fees, operations, signature);
        refusedAsPermit2(o, fees, operations, over, "InvalidSigner()");
    }

    function test_a_permit_of_another_wallet() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        permitted.mint(vm.addr(OTHER_KEY), 1000);
        approvePermit2(address(permitted), vm.addr(OTHER_KEY));
        refusedAsToken(o, fees, operations, tokenPermit(OTHER_KEY, permitted, 100, o.deadline));
        refusedAsPermit2(o, fees, operations, orderPermit(OTHER_KEY, o, fees, operations), "InvalidSigner()");
    }

    function test_never_more_than_was_signed() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        bytes memory first = tokenPermit(KEY, permitted, 100, o.deadline);
        bytes memory second = orderPermit(KEY, o, fees, operations);
        o.inputAmount = 101;
        refusedAsToken(o, fees, operations, first);
        refusedAsPermit2(o, fees, operations, second, "InvalidSigner()");
    }

    /// @dev A Permit2 signature is for all that the order says, and for what it does.
    function testFuzz_a_permit_for_another_order(uint8 which, uint256 seed) public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        bytes memory signature = orderPermit(KEY, o, fees, operations);
        which = which % 12;
        if (which == 0) o.id = keccak256(abi.encode(seed));
        if (which == 1) o.integrator = "another";
        if (which == 2) o.adapter = "ANOTHER";
        if (which == 3) o.receiver = stranger;
        if (which == 4) o.outputToken = address(wrapped);
        if (which == 5) o.minOutput = bounded(seed, 1, 179);
        if (which == 6) o.deadline += bounded(seed, 1, 1e9);
        if (which == 7) o.sweep = tokens(address(wrapped));
        if (which == 8) fees[0].recipient = stranger;
        if (which == 9) fees[1].amount = bounded(seed, 0, 5);
        if (which == 10) operations[0].target = address(bridge);
        if (which == 11) operations[0].data = abi.encode(seed);
        refusedAsPermit2(o, fees, operations, signature, "InvalidSigner()");
    }

    function test_what_is_no_permit() public {
        (Order memory o, Fee[] memory fees, Operation[] memory operations) = swapOf(address(permitted));
        vm.expectRevert(abi.encodeWithSelector(Permits.SignatureLengthRefused.selector, 64));
        swapPermitted(o, fees, operations, PermitKind.Token, new bytes(64));
        vm.expectRevert(abi.encodeWithSignature("InvalidSignatureLength()"));
        swapPermitted(o, fees, operations, PermitKind.Permit2, new bytes(63));
        refusedAsToken(o, fees, operations, new bytes(65));
        o.inputToken = NATIVE;
        vm.deal(wallet, 1000);
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(Permits.NativePermitRefused.selector);
            vm.prank(wallet);
            diamond.swapWithPermit{value: 100}(o, fees, operations, PermitKind(i), new bytes(65));
        }
    }

    function swapOf(address token)
        internal
        view
        returns (Order memory o, Fee[] memory fees, Operation[] memory operations)
    {
        o = order(token, address(tokenB), 100, 180);
        return (o, twoFees(4, 6), list(swapping(token, address(tokenB), 90)));
    }

    function refusedAsToken(Order memory o, Fee[] memory fees, Operation[] memory operations, bytes memory signature)
        internal
    {
        vm.expectRevert(abi.encodeWithSelector(Permits.PermitRefused.selector, o.inputToken));
        swapPermitted(o, fees, operations, PermitKind.Token, signature);
    }

    function refusedAsPermit2(
        Order memory o,
        Fee[] memory fees,
        Operation[] memory operations,
        bytes memory signature,
        string memory reason
    ) internal {
        uint256 before = Token(o.inputToken).balanceOf(wallet);
        vm.expectRevert(abi.encodeWithSignature(reason));
        swapPermitted(o, fees, operations, PermitKind.Permit2, signature);
        equal(Token(o.inputToken).balanceOf(wallet), before, "nothing was taken");
    }

    function assertPaid(uint256 left, uint256 serviceFee, uint256 integratorFee) internal view {
        equal(left, 1000 - 100, "input left");
        equal(serviceFee, 4, "service fee");
        equal(integratorFee, 6, "integrator fee");
        equal(tokenB.balanceOf(receiver), 180, "received");
    }
}
