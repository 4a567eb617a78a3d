// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Arrivals} from "./support/Arrivals.sol";
import {Test} from "./support/Test.sol";
import {Token} from "./support/Tokens.sol";

/// @dev What holds of the Receiver after every one of at least 100 000 calls by depositors, relayers and strangers.
contract ReceiverInvariantsTest is Test {
    Arrivals internal arrivals;

    /// @dev The form in which forge wants to be told what to call.
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function setUp() public {
        arrivals = new Arrivals();
    }

    /// @dev Read by forge: whom the calls go to.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(arrivals);
    }

    /// @dev Read by forge: which functions.
    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](5);
        selectors[0] = Arrivals.fillHonestly.selector;
        selectors[1] = Arrivals.strike.selector;
        selectors[2] = Arrivals.strikeDirectly.selector;
        selectors[3] = Arrivals.setTrap.selector;
        selectors[4] = Arrivals.donate.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(arrivals), selectors);
    }

    /// @dev One function, because each invariant is a campaign of its own.
    function invariant_the_receiver_keeps_and_approves_nothing() public view {
        (address receiver, address executor, address spoke, address router) = arrivals.ours();
        address[4] memory spenders = [executor, spoke, router, address(arrivals.attacker())];
        address victim = arrivals.victim();
        equal(receiver.balance, 0, "native of the Receiver");
        for (uint256 i; i < arrivals.tokenCount(); ++i) {
            Token token = arrivals.tokens_(i);
            equal(token.balanceOf(receiver), arrivals.donated(address(token)), "tokens of the Receiver");
            check(token.balanceOf(victim) >= arrivals.HELD(), "the victim's tokens");
            for (uint256 k; k < spenders.length; ++k) {
                equal(token.allowance(receiver, spenders[k]), 0, "an allowance of the Receiver");
            }
        }
    }

    /// @dev A run in which nothing ever succeeds would prove nothing. (Short ones are replays of failures.)
    function afterInvariant() public view {
        uint256 fills = arrivals.completed() + arrivals.recovered();
        if (fills + arrivals.strikes() + arrivals.refusals() < 200) return;
        check(arrivals.completed() > 0, "swaps succeed");
        check(arrivals.recovered() > 0, "swaps fail");
        check(arrivals.strikes() > 0, "some hostile messages run to their end");
    }
}
