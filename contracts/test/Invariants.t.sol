// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Handler} from "./support/Handler.sol";
import {Test} from "./support/Test.sol";
import {Token} from "./support/Tokens.sol";

/// @dev What holds after every one of at least 100 000 calls by wallets, donors and strangers.
contract InvariantsTest is Test {
    Handler internal handler;

    /// @dev The form in which forge wants to be told what to call.
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function setUp() public {
        handler = new Handler();
    }

    /// @dev Read by forge: whom the calls go to.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev Read by forge: which functions.
    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](6);
        selectors[0] = Handler.swapHonestly.selector;
        selectors[1] = Handler.bridgeHonestly.selector;
        selectors[2] = Handler.donate.selector;
        selectors[3] = Handler.setTrap.selector;
        selectors[4] = Handler.strikeExecutor.selector;
        selectors[5] = Handler.strikeDiamond.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), selectors);
    }

    /// @dev One function, because each invariant is a campaign of its own.
    function invariant_nothing_stays_and_nobody_is_robbed() public view {
        (address diamond, address executor) = handler.contracts();
        address[10] memory spenders = handler.spenders();
        uint256 held = handler.HELD();
        address victim = handler.victim();
        holdsNoMoreThanDonated(address(0), diamond, executor);
        check(victim.balance >= held, "the victim's native");
        check(!handler.keeper().given(executor, handler.thief()), "a right in the Executor's name");
        for (uint256 i; i < handler.tokenCount(); ++i) {
            Token token = handler.tokens_(i);
            holdsNoMoreThanDonated(address(token), diamond, executor);
            check(token.balanceOf(victim) >= held, "the victim's tokens");
            equal(token.allowance(victim, diamond), type(uint256).max, "the victim's allowance");
            for (uint256 k; k < spenders.length; ++k) {
                equal(token.allowance(executor, spenders[k]), 0, "an allowance of the Executor");
                equal(token.allowance(diamond, spenders[k]), 0, "an allowance of the Diamond");
            }
        }
    }

    /// @dev A campaign in which nothing ever succeeds would prove nothing. Asked of a walk of its own, with numbers that
    /// are the same each time: what forge draws may leave one of these out of any single run.
    function test_the_calls_of_the_campaign_reach_every_end() public {
        for (uint256 i; i < 60; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            handler.setTrap(seed, seed >> 8, seed & 1 == 0);
            handler.swapHonestly(seed, seed >> 8, seed >> 16, seed >> 24, seed >> 32);
            handler.bridgeHonestly(seed, seed >> 8, seed >> 16);
            handler.strikeExecutor(seed, seed >> 8);
            handler.strikeDiamond(seed, seed >> 8);
        }
        check(handler.swaps() > 0, "swaps succeed");
        check(handler.bridged() > 0, "bridge transfers succeed");
        check(handler.strikes() > 0, "some hostile calls run to their end");
        check(handler.refusals() > 0, "and some are refused");
        invariant_nothing_stays_and_nobody_is_robbed();
    }

    function holdsNoMoreThanDonated(address token, address diamond, address executor) private view {
        uint256 inDiamond = token == address(0) ? diamond.balance : Token(token).balanceOf(diamond);
        uint256 inExecutor = token == address(0) ? executor.balance : Token(token).balanceOf(executor);
        check(inDiamond <= handler.donated(token, diamond), "balance of the Diamond");
        check(inExecutor <= handler.donated(token, executor), "balance of the Executor");
    }
}
