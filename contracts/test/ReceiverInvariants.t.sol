// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FillHandler} from "./support/FillHandler.sol";
import {Test} from "./support/Test.sol";
import {Token} from "./support/Tokens.sol";

/// @dev What holds of the Receiver after every one of at least 100 000 calls by depositors, relayers and strangers.
contract ReceiverInvariantsTest is Test {
    FillHandler internal handler;

    /// @dev The form in which forge wants to be told what to call.
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function setUp() public {
        handler = new FillHandler();
    }

    /// @dev Read by forge: whom the calls go to.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev Read by forge: which functions.
    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](5);
        selectors[0] = FillHandler.fillHonestly.selector;
        selectors[1] = FillHandler.strike.selector;
        selectors[2] = FillHandler.strikeDirectly.selector;
        selectors[3] = FillHandler.setTrap.selector;
        selectors[4] = FillHandler.donate.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), selectors);
    }

    /// @dev One function, because each invariant is a campaign of its own.
    function invariant_the_receiver_keeps_and_approves_nothing() public view {
        (address receiver, address executor, address spoke, address router) = handler.ours();
        address[4] memory spenders = [executor, spoke, router, address(handler.attacker())];
        address victim = handler.victim();
        equal(receiver.balance, 0, "native of the Receiver");
        for (uint256 i; i < handler.tokenCount(); ++i) {
            Token token = handler.tokens_(i);
            equal(token.balanceOf(receiver), handler.donated(address(token)), "tokens of the Receiver");
            check(token.balanceOf(victim) >= handler.HELD(), "the victim's tokens");
            for (uint256 k; k < spenders.length; ++k) {
                equal(token.allowance(receiver, spenders[k]), 0, "an allowance of the Receiver");
            }
        }
    }

    /// @dev A campaign in which nothing ever succeeds would prove nothing. Asked of a walk of its own, with numbers that
    /// are the same each time: what forge draws may leave one of these out of any single run.
    function test_the_calls_of_the_campaign_reach_every_end() public {
        for (uint256 i; i < 60; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            handler.setTrap(seed, seed >> 8, seed & 1 == 0);
            handler.fillHonestly(seed, seed >> 8, seed >> 16, seed >> 24, seed >> 32);
            handler.strike(seed, seed >> 8);
            handler.strikeDirectly(seed, seed >> 8);
        }
        check(handler.completed() > 0, "swaps succeed");
        check(handler.recovered() > 0, "swaps fail");
        check(handler.strikes() > 0, "some hostile messages run to their end");
        check(handler.refusals() > 0, "and some are refused");
        invariant_the_receiver_keeps_and_approves_nothing();
    }
}
