// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {Kind, Operation, Order, SwapTerms} from "../src/Types.sol";
import {Setup} from "./support/Setup.sol";
import {HollowWrapped, NoZeroApprovalToken, SilentToken, Token, Wrapped} from "./support/Tokens.sol";
import {Attacker, PermitFork, Router, SplitRouter} from "./support/Venues.sol";

/// @dev Works, but burns all the gas of a question that it does not know, as contracts of early compilers do.
contract OldVenue {
    bool public called;

    function work() external {
        called = true;
    }

    fallback() external {
        assembly {
            invalid()
        }
    }
}

contract ExecutorTest is Setup {
    address internal constant ERC1820 = 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24;

    /// @dev Runs as somebody who calls the Executor himself. The output is a token that the test mints on the way.
    function run(Operation[] memory operations) internal {
        SwapTerms memory terms = SwapTerms(stranger, stranger, address(tokenA), address(tokenB), 0);
        vm.prank(stranger);
        executor.executeSwap(terms, new address[](0), operations);
    }

    function refuseTarget(address target, bytes memory data) internal {
        vm.expectRevert(abi.encodeWithSelector(IExecutor.TargetRefused.selector, target));
        run(list(calling(target, NATIVE, 0, data)));
    }

    function refuseSpender(address spender) internal {
        Operation memory operation = swapping(address(tokenA), address(tokenB), 10);
        operation.spender = spender;
        vm.expectRevert(abi.encodeWithSelector(IExecutor.SpenderRefused.selector, spender));
        run(list(operation));
    }

    function test_no_call_to_an_account_without_code() public {
        refuseTarget(receiver, "");
        refuseTarget(address(0), "");
    }

    function test_no_call_to_precompiles_and_system_contracts() public {
        address[5] memory reserved = [address(1), address(0x0a), address(0x100), address(0x0808), address(0xffff)];
        for (uint256 i; i < reserved.length; ++i) {
            if (uint160(reserved[i]) > 0x11) vm.etch(reserved[i], address(router).code);
            refuseTarget(reserved[i], abi.encodeWithSignature("work()"));
        }
        vm.etch(address(0x10000), address(router).code);
        vm.expectPartialRevert(IExecutor.OperationFailed.selector);
        run(list(calling(address(0x10000), NATIVE, 0, abi.encodeCall(Router.fail, ()))));
    }

    function test_no_call_to_tokens() public {
        bytes memory plant = abi.encodeCall(Token.approve, (stranger, ALL));
        refuseTarget(address(tokenA), plant);
        refuseTarget(address(wrapped), plant);
        refuseTarget(address(new SilentToken()), plant);
        equal(tokenA.allowance(address(executor), stranger), 0, "allowance");
    }

    function test_no_call_to_permit2_or_its_forks() public {
        PermitFork fork = new PermitFork();
        bytes memory plant = abi.encodeCall(PermitFork.approve, (address(tokenA), stranger, type(uint160).max, 0));
        refuseTarget(address(fork), plant);
        vm.etch(PERMIT2, address(router).code);
        refuseTarget(PERMIT2, plant);
    }

    function test_no_call_to_the_registry_of_transfer_hooks() public {
        vm.etch(ERC1820, address(router).code);
        refuseTarget(
            ERC1820,
            abi.encodeWithSignature(
                "setInterfaceImplementer(address,bytes32,address)",
                address(executor),
                keccak256("ERC777TokensRecipient"),
                stranger
            )
        );
    }

    function test_no_call_to_ourselves() public {
        refuseTarget(address(executor), "");
        vm.expectRevert(abi.encodeWithSelector(IExecutor.TargetRefused.selector, address(diamond)));
        vm.prank(wallet);
        diamond.swap(
            order(address(tokenA), address(tokenB), 100, 1), noFees(), list(calling(address(diamond), NATIVE, 0, ""))
        );
    }

    function test_a_venue_that_burns_gas_when_asked_can_be_called() public {
        OldVenue venue = new OldVenue();
        uint256 before = gasleft();
        run(list(calling(address(venue), NATIVE, 0, abi.encodeCall(OldVenue.work, ()))));
        check(venue.called(), "called");
        check(before - gasleft() < 600_000, "gas of the questions");
    }

    function test_no_allowance_to_those_who_could_keep_it() public {
        tokenA.mint(address(executor), 100);
        refuseSpender(address(0));
        refuseSpender(receiver);
        refuseSpender(address(tokenA));
        refuseSpender(address(executor));
        refuseSpender(stranger);
        refuseSpender(address(new PermitFork()));
        vm.etch(PERMIT2, address(router).code);
        refuseSpender(PERMIT2);
        vm.etch(address(0x0808), address(router).code);
        refuseSpender(address(0x0808));
    }

    function test_no_allowance_to_the_diamond() public {
        Operation memory operation = swapping(address(tokenA), address(tokenB), 10);
        operation.spender = address(diamond);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.SpenderRefused.selector, address(diamond)));
        vm.prank(wallet);
        diamond.swap(order(address(tokenA), address(tokenB), 100, 1), noFees(), list(operation));
    }

    function test_wrapping_is_no_way_around_the_rules() public {
        address[4] memory refused = [receiver, address(executor), stranger, address(2)];
        Kind[2] memory kinds = [Kind.Wrap, Kind.Unwrap];
        for (uint256 i; i < refused.length; ++i) {
            for (uint256 k; k < kinds.length; ++k) {
                Operation memory operation = wrapping(kinds[k], 1);
                operation.target = refused[i];
                vm.expectRevert(abi.encodeWithSelector(IExecutor.TargetRefused.selector, refused[i]));
                run(list(operation));
            }
        }
    }

    function test_no_payment_to_those_who_could_not_pay_out() public {
        tokenA.mint(address(executor), 100);
        address[4] memory refused = [address(0), address(tokenA), address(executor), stranger];
        for (uint256 i; i < refused.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IExecutor.TargetRefused.selector, refused[i]));
            run(list(paying(address(tokenA), refused[i], 1)));
        }
    }

    function test_no_operation_with_nothing() public {
        tokenA.mint(address(executor), 100);
        Operation[4] memory operations = [
            swapping(address(tokenA), address(tokenB), 0),
            wrapping(Kind.Wrap, 0),
            wrapping(Kind.Unwrap, 0),
            paying(address(tokenA), receiver, 0)
        ];
        for (uint256 i; i < operations.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IExecutor.OperationAmountZero.selector, 0));
            run(list(operations[i]));
        }
    }

    function test_what_is_needed_must_be_there() public {
        tokenA.mint(address(executor), 9);
        unavailable(swapping(address(tokenA), address(tokenB), 10), address(tokenA), 10, 9);
        unavailable(paying(address(tokenA), receiver, 10), address(tokenA), 10, 9);
        unavailable(swapping(NATIVE, address(tokenB), 10), NATIVE, 10, 0);
        unavailable(wrapping(Kind.Wrap, 10), NATIVE, 10, 0);
        unavailable(wrapping(Kind.Unwrap, 10), address(wrapped), 10, 0);
    }

    /// @dev Routers read an amount of 0 as "everything", so "everything" must not become 0.
    function test_all_of_nothing_is_refused() public {
        unavailable(swappingAll(address(tokenA), address(tokenB)), address(tokenA), ALL, 0);
        unavailable(paying(NATIVE, receiver, ALL), NATIVE, ALL, 0);
        unavailable(wrapping(Kind.Wrap, ALL), NATIVE, ALL, 0);
        unavailable(wrapping(Kind.Unwrap, ALL), address(wrapped), ALL, 0);
    }

    function unavailable(Operation memory operation, address token, uint256 required, uint256 available) internal {
        vm.expectRevert(abi.encodeWithSelector(IExecutor.AmountUnavailable.selector, 0, token, required, available));
        run(list(operation));
    }

    function test_a_failed_call_says_which_and_why() public {
        Operation memory failing = calling(address(router), NATIVE, 0, abi.encodeCall(Router.fail, ()));
        Operation memory passing = calling(address(router), NATIVE, 0, "");
        vm.expectRevert(
            abi.encodeWithSelector(
                IExecutor.OperationFailed.selector, 1, abi.encodeWithSelector(Router.TooLittle.selector)
            )
        );
        run(list(passing, failing));
    }

    function test_what_a_call_returns_is_not_copied() public {
        uint256 before = gasleft();
        run(list(calling(address(router), NATIVE, 0, abi.encodeCall(Router.shout, ()))));
        // A megabyte of memory costs 2.2 million once; copying it would cost as much again.
        check(before - gasleft() < 3_300_000, "gas");
    }

    function test_wrapping_is_one_to_one() public {
        HollowWrapped hollow = new HollowWrapped();
        vm.deal(address(executor), 10);
        Operation memory operation = wrapping(Kind.Wrap, 10);
        operation.target = address(hollow);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.WrapMismatch.selector, address(hollow), 10, 0));
        run(list(operation));
        hollow.mint(address(executor), 10);
        operation.kind = Kind.Unwrap;
        vm.expectRevert(abi.encodeWithSelector(IExecutor.WrapMismatch.selector, address(hollow), 20, 10));
        run(list(operation));
    }

    function test_native_is_not_taken_unasked() public {
        vm.deal(wallet, 1);
        vm.prank(wallet);
        (bool success, bytes memory reason) = address(executor).call{value: 1}("");
        check(!success, "refused");
        check(bytes4(reason) == IExecutor.UnexpectedNative.selector, "reason");
        vm.prank(wallet);
        (success,) = address(diamond).call{value: 1}("");
        check(!success, "the Diamond takes none either");
    }

    function test_another_spender_than_the_target() public {
        SplitRouter split = new SplitRouter();
        tokenB.mint(address(split), 1000);
        Operation memory operation = calling(
            address(split),
            address(tokenA),
            100,
            abi.encodeCall(SplitRouter.swap, (address(tokenA), 100, address(tokenB)))
        );
        operation.spender = address(split.puller());
        vm.prank(wallet);
        equal(diamond.swap(order(address(tokenA), address(tokenB), 100, 200), noFees(), list(operation)), 200, "output");
        equal(tokenA.allowance(address(executor), operation.spender), 0, "allowance");
    }

    function test_the_rest_of_an_allowance_is_withdrawn() public {
        tokenA.mint(address(executor), 100);
        bytes memory data = abi.encodeCall(Router.partialSwap, (address(tokenA), 100, address(tokenB), receiver));
        run(list(calling(address(router), address(tokenA), 100, data)));
        equal(tokenA.allowance(address(executor), address(router)), 0, "allowance");
    }

    /// @dev Approving 0 is avoided where nothing is left; where something is, an allowance that stays is worse.
    function test_a_token_that_refuses_to_approve_zero() public {
        NoZeroApprovalToken token = new NoZeroApprovalToken();
        stock(token);
        Order memory o = order(address(token), address(tokenB), 100, 1);
        bytes memory data =
            abi.encodeCall(Router.partialSwap, (address(token), 100, address(tokenB), address(executor)));
        vm.expectRevert(NoZeroApprovalToken.ZeroApproval.selector);
        vm.prank(wallet);
        diamond.swap(o, noFees(), list(calling(address(router), address(token), 100, data)));
        vm.prank(wallet);
        diamond.swap(o, noFees(), list(swapping(address(token), address(tokenB), 100)));
        equal(token.allowance(address(executor), address(router)), 0, "allowance");
    }

    /// @dev Being the caller of the Executor gives no power over what others approved to the Diamond.
    function test_through_the_executor_nobody_spends_what_a_wallet_approved() public {
        Order memory o = order(address(tokenA), address(tokenB), 100, 1);
        o.receiver = stranger;
        bytes memory data =
            abi.encodeCall(diamond.swap, (o, noFees(), list(swapping(address(tokenA), address(tokenB), 100))));
        vm.expectPartialRevert(IExecutor.OperationFailed.selector);
        run(list(calling(address(diamond), NATIVE, 0, data)));
        equal(tokenA.balanceOf(wallet), 1000, "balance");
    }

    function testFuzz_the_balance_is_what_all_means(uint96 donated, uint96 amount) public {
        tokenA.mint(address(executor), donated);
        tokenA.mint(wallet, uint256(amount) + 1);
        uint256 input = uint256(amount) + 1;
        tokenB.mint(address(router), type(uint128).max);
        vm.prank(wallet);
        uint256 output = diamond.swap(
            order(address(tokenA), address(tokenB), input, 2 * input),
            noFees(),
            list(swappingAll(address(tokenA), address(tokenB)))
        );
        equal(output, 2 * (input + donated), "output");
        assertEmpty(address(tokenA));
    }
}
