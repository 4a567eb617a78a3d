// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PlanHandler} from "./support/PlanHandler.sol";
import {Test} from "./support/Test.sol";
import {Token} from "./support/Tokens.sol";

/// @dev What holds after every plan, whoever runs it and whatever stands for its pools. A million calls by `make
/// campaign`.
/// forge-config: default.invariant.runs = 10
/// forge-config: campaign.invariant.runs = 2000
contract PlanInvariantsTest is Test {
    PlanHandler internal handler;

    /// @dev The form in which forge wants to be told what to call.
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function setUp() public {
        handler = new PlanHandler();
    }

    /// @dev Read by forge: whom the calls go to.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev Read by forge: which functions. Plans of strangers are most.
    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](3);
        selectors[0] = PlanHandler.strike.selector;
        selectors[1] = PlanHandler.swap.selector;
        selectors[2] = PlanHandler.knock.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), selectors);
    }

    /// @dev What moved, and what was approved, is checked in the calls themselves.
    function invariant_nothing_is_planted_and_nobody_is_robbed() public view {
        (address diamond, address executor) = handler.contracts();
        address victim = handler.victim();
        (uint256 tokens, uint256 places) = handler.counts();
        check(!handler.chameleon().surprised() && !handler.friend().surprised(), "a call that no hop makes");
        for (uint256 i; i < tokens; ++i) {
            Token token = handler.honest(i);
            check(token.balanceOf(victim) >= handler.HELD(), "the victim's tokens");
            equal(token.balanceOf(diamond), 0, "balance of the Diamond");
            equal(token.allowance(victim, diamond), type(uint256).max, "the victim's allowance");
            for (uint256 k; k < places; ++k) {
                equal(token.allowance(executor, handler.places(k)), 0, "an allowance of the Executor");
                equal(token.allowance(diamond, handler.places(k)), 0, "an allowance of the Diamond");
            }
        }
    }

    /// @dev A campaign in which nothing ever succeeds would prove nothing.
    function test_the_plans_of_the_campaign_reach_every_end() public {
        for (uint256 i; i < 500; ++i) {
            handler.strike(i, i, i);
            handler.swap(i, i);
        }
        check(handler.trades() > 100, "strangers' plans run to their end");
        check(handler.refusals() > 100, "and are refused");
        check(handler.swaps() > 50, "wallets swap");
        check(handler.chameleon().answered() > 5, "hostile pools are paid");
        check(handler.chameleon().taken() > 0, "and take what they are allowed");
        invariant_nothing_is_planted_and_nobody_is_robbed();
    }
}
