// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Permits} from "../src/Permits.sol";
import {Fee, Operation, Order, PermitKind} from "../src/Types.sol";
import {EndlessPermitToken, PermitToken, PhantomToken} from "./support/PermitTokens.sol";
import {Permitting} from "./support/Permitting.sol";
import {TaxToken, Token} from "./support/Tokens.sol";
import {Attacker} from "./support/Venues.sol";

/// @dev Tokens that have no permit, claim to have one, or call back.
contract PermitTokensTest is Permitting {
    function test_a_token_without_permits() public {
        (Order memory o, Operation[] memory operations) = swapOf(new Token());
        vm.expectRevert(abi.encodeWithSelector(Permits.PermitRefused.selector, o.inputToken));
        swapPermitted(o, noFees(), operations, PermitKind.Token, new bytes(65));
    }

    /// @dev A call that succeeds has not permitted anything yet, and what others have approved is no concern of it.
    function test_a_phantom_permit_moves_nothing() public {
        PhantomToken token = new PhantomToken();
        (Order memory o, Operation[] memory operations) = swapOf(token);
        token.mint(stranger, 1000);
        vm.prank(stranger);
        token.approve(address(diamond), ALL);
        vm.expectRevert(abi.encodeWithSelector(Token.Insufficient.selector, 0, 100));
        swapPermitted(o, noFees(), operations, PermitKind.Token, new bytes(65));
        equal(token.balanceOf(stranger), 1000, "a stranger's");
    }

    function test_the_endless_form_of_permit_is_never_asked_for() public {
        EndlessPermitToken token = new EndlessPermitToken();
        (Order memory o, Operation[] memory operations) = swapOf(token);
        vm.expectRevert(abi.encodeWithSelector(Permits.PermitRefused.selector, address(token)));
        swapPermitted(o, noFees(), operations, PermitKind.Token, new bytes(65));
        equal(token.allowance(wallet, address(diamond)), 0, "allowance");
    }

    function test_an_allowance_that_suffices_needs_no_permit() public {
        Token token = new Token();
        (Order memory o, Operation[] memory operations) = swapOf(token);
        allow(token, wallet, address(diamond), 100);
        equal(swapPermitted(o, noFees(), operations, PermitKind.Token, new bytes(65)), 200, "output");
    }

    function test_a_taxed_token_is_not_taken_by_permit2() public {
        TaxToken token = new TaxToken();
        (Order memory o, Operation[] memory operations) = swapOf(token);
        bytes memory signature = orderPermit(KEY, o, noFees(), operations);
        vm.expectRevert(abi.encodeWithSelector(Permits.TransferTaxed.selector, 100, 99));
        swapPermitted(o, noFees(), operations, PermitKind.Permit2, signature);
        equal(token.balanceOf(wallet), 1000, "nothing was taken");
    }

    /// @dev What was given to the Diamond before is neither part of the amount nor handed out.
    function test_a_donation_to_the_diamond_stays_there() public {
        Token token = new Token();
        (Order memory o, Operation[] memory operations) = swapOf(token);
        token.mint(address(diamond), 7);
        bytes memory signature = orderPermit(KEY, o, noFees(), operations);
        equal(swapPermitted(o, noFees(), operations, PermitKind.Permit2, signature), 200, "output");
        equal(token.balanceOf(address(diamond)), 7, "the donation");
        equal(token.balanceOf(wallet), 900, "taken");
    }

    /// @dev In the middle of the permit, and of each transfer, a stranger comes in again by every entry.
    function test_a_token_that_calls_back() public {
        Attacker attacker = new Attacker();
        permitted.listen(address(attacker));
        bytes32 locked = keccak256(abi.encodeWithSignature("ReentrancyGuardReentrantCall()"));
        for (uint256 i; i < 4; ++i) {
            Order memory o = order(address(permitted), address(tokenB), 100, 190);
            o.id = bytes32(i + 1);
            (Fee[] memory fees, Operation[] memory operations) =
                (oneFee(service, 5), list(swapping(address(permitted), address(tokenB), 95)));
            bytes memory signature =
                i < 2 ? tokenPermit(KEY, permitted, 100, o.deadline) : orderPermit(KEY, o, fees, operations);
            PermitKind kind = PermitKind(i / 2);
            attacker.load(address(diamond), stolen(i % 2 == 0, o, fees, operations, kind, signature), true);
            equal(swapPermitted(o, fees, operations, kind, signature), 190, "output");
            check(attacker.tried() && !attacker.succeeded(), "tried, and failed");
            check(keccak256(attacker.reason()) == locked, "by the lock");
        }
        equal(permitted.balanceOf(wallet), 600, "taken");
        equal(permitted.balanceOf(address(attacker)), 0, "stolen");
        assertEmpty(address(permitted));
    }

    function stolen(
        bool again,
        Order memory o,
        Fee[] memory fees,
        Operation[] memory operations,
        PermitKind kind,
        bytes memory signature
    ) internal view returns (bytes memory) {
        if (again) {
            return abi.encodeCall(diamond.swapWithPermit, (o, fees, operations, kind, signature));
        }
        return abi.encodeCall(
            diamond.bridgeWithPermit,
            (transfer(o.inputToken, 100), noFees(), list(depositing(o.inputToken, 100)), kind, signature)
        );
    }

    function swapOf(Token token) internal returns (Order memory, Operation[] memory) {
        token.mint(wallet, 1000);
        approvePermit2(address(token), wallet);
        return (order(address(token), address(tokenB), 100, 190), list(swapping(address(token), address(tokenB), 100)));
    }
}
