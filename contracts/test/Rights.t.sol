// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {Operation, Order, SwapTerms} from "../src/Types.sol";
import {Setup} from "./support/Setup.sol";
import {Token} from "./support/Tokens.sol";
import {Counter, RightsKeeper, Yes} from "./support/Venues.sol";

/// @dev What a stranger could plant in the Executor's name that is no allowance of a token.
contract RightsTest is Setup {
    bytes4[] internal views;

    function setUp() public override {
        super.setUp();
        views.push(bytes4(keccak256("isApprovedForAll(address,address)")));
        views.push(bytes4(keccak256("isOperator(address,address)")));
        views.push(bytes4(keccak256("isOperatorFor(address,address)")));
        views.push(bytes4(keccak256("borrowAllowance(address,address)")));
        views.push(bytes4(keccak256("isAuthorized(address,address)")));
        views.push(bytes4(keccak256("hasApprovedRelayer(address,address)")));
        views.push(bytes4(keccak256("can(address,address)")));
        views.push(bytes4(keccak256("allowance(address,address)")));
    }

    function run(Operation memory operation) internal {
        SwapTerms memory terms = SwapTerms(stranger, stranger, address(tokenA), address(tokenB), 0);
        vm.prank(stranger);
        executor.executeSwap(terms, new address[](0), list(operation));
    }

    function giving(address target) internal view returns (Operation memory) {
        return calling(target, NATIVE, 0, abi.encodeCall(RightsKeeper.give, (stranger)));
    }

    function test_no_call_to_whoever_tells_of_rights() public {
        for (uint256 i; i < views.length; ++i) {
            RightsKeeper keeper = new RightsKeeper(views[i]);
            vm.expectRevert(abi.encodeWithSelector(IExecutor.TargetRefused.selector, address(keeper)));
            run(giving(address(keeper)));
            check(!keeper.given(address(executor), stranger), "no right");
        }
    }

    function test_the_views_are_those_of_the_standards() public view {
        // As published beside each standard, and by the contracts that the sources name.
        bytes4[8] memory published =
            [bytes4(0xe985e9c5), 0xb6363cf2, 0xd95b6371, 0x6bd76d24, 0x65e4ad9e, 0xfec90d72, 0x4538c4eb, 0xdd62ed3e];
        for (uint256 i; i < views.length; ++i) {
            check(views[i] == published[i], "selector");
        }
    }

    /// @dev Any other view is no reason: a venue may have what it likes.
    function testFuzz_other_views_refuse_nobody(bytes4 view_) public {
        for (uint256 i; i < views.length; ++i) {
            vm.assume(view_ != views[i]);
        }
        RightsKeeper keeper = new RightsKeeper(view_);
        run(giving(address(keeper)));
        check(keeper.given(address(executor), stranger), "called");
    }

    /// @dev A contract that answers everything answers these too.
    function testFuzz_a_fallback_that_answers_everything(uint8 size) public {
        Yes yes = new Yes(size);
        if (size >= 32) vm.expectRevert(abi.encodeWithSelector(IExecutor.TargetRefused.selector, address(yes)));
        run(giving(address(yes)));
    }

    function test_a_fallback_that_writes_is_no_view() public {
        Counter counter = new Counter();
        uint256 before = gasleft();
        run(giving(address(counter)));
        equal(counter.calls(), 1, "called once, and asked in vain");
        check(before - gasleft() < 600_000, "gas of the questions");
    }

    /// @dev What the page says of what no view tells of: a debt stops those who would be paid in that lender's own
    /// token, and takes nothing from anybody.
    function test_a_planted_debt_costs_no_more_than_a_revert() public {
        Lender lender = new Lender();
        DepositToken claims = new DepositToken(lender);
        stock(claims);
        run(calling(address(lender), NATIVE, 0, abi.encodeCall(Lender.borrow, (1))));
        equal(lender.debts(address(executor)), 1, "planted");
        Order memory o = order(address(tokenA), address(claims), 100, 200);
        vm.expectRevert(abi.encodeWithSelector(DepositToken.Unhealthy.selector, address(executor)));
        vm.prank(wallet);
        diamond.swap(o, noFees(), list(swapping(address(tokenA), address(claims), 100)));
        equal(tokenA.balanceOf(wallet), 1000, "nothing was taken");
        o = order(address(tokenA), address(tokenB), 100, 200);
        vm.prank(wallet);
        equal(diamond.swap(o, noFees(), list(swapping(address(tokenA), address(tokenB), 100))), 200, "other tokens");
    }
}

/// @dev Lends to its caller; no view of two addresses tells of it.
contract Lender {
    mapping(address => uint256) public debts;

    function borrow(uint256 amount) external {
        debts[msg.sender] += amount;
    }
}

/// @dev What a lender gives for a deposit: whoever owes cannot send it away.
contract DepositToken is Token {
    error Unhealthy(address account);

    Lender private immutable lender;

    constructor(Lender lender_) {
        lender = lender_;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (lender.debts(from) != 0) revert Unhealthy(from);
        super._move(from, to, amount);
    }
}
