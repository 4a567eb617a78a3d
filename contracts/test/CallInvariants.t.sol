// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CallHandler} from "./support/CallHandler.sol";
import {Test} from "./support/Test.sol";
import {Token} from "./support/Tokens.sol";

/// @dev What holds of calls on arrival after every one of the campaign's calls.
contract CallInvariantsTest is Test {
    CallHandler internal handler;

    /// @dev The form in which forge wants to be told what to call.
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function setUp() public {
        handler = new CallHandler();
    }

    /// @dev Read by forge: whom the calls go to.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev Read by forge: which functions.
    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](4);
        selectors[0] = CallHandler.callHonestly.selector;
        selectors[1] = CallHandler.strike.selector;
        selectors[2] = CallHandler.setTrap.selector;
        selectors[3] = CallHandler.callAfterSwap.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), selectors);
    }

    /// @dev A smaller sample than of the others: many of these burn all the gas that they get.
    /// forge-config: default.invariant.runs = 5
    /// forge-config: campaign.invariant.runs = 200
    function invariant_a_call_on_arrival_leaves_no_right_and_nobody_poorer() public view {
        (address receiver, address executor) = handler.ours();
        address[3] memory others = [address(handler.savings()), address(handler.attacker()), handler.burner()];
        address victim = handler.victim();
        for (uint256 i; i < 2; ++i) {
            Token token = handler.bridged(i);
            check(token.balanceOf(victim) >= handler.HELD(), "the victim's tokens");
            for (uint256 k; k < others.length; ++k) {
                equal(token.allowance(executor, others[k]), 0, "an allowance of the Executor");
                equal(token.allowance(receiver, others[k]), 0, "an allowance of the Receiver");
            }
        }
    }

    /// @dev A walk with numbers that are the same each time: a campaign in which nothing succeeds would prove nothing.
    function test_the_calls_reach_every_end() public {
        for (uint256 i; i < 60; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            handler.setTrap(seed, seed & 1 == 0);
            handler.callHonestly(seed, seed >> 8, seed >> 16, seed >> 24, seed >> 32);
            handler.callAfterSwap(seed, seed >> 8, seed >> 16, seed >> 24, seed >> 32);
            handler.strike(seed, seed >> 8);
        }
        check(handler.completed() > 0, "calls succeed");
        check(handler.swapped() > 0, "calls after a swap succeed");
        check(handler.recovered() > 0, "calls fail");
        check(handler.strikes() > 0, "some hostile messages run to their end");
        check(handler.refusals() > 0, "and some are refused");
    }
}
