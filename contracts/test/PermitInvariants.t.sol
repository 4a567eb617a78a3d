// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PermitHandler} from "./support/PermitHandler.sol";
import {Test} from "./support/Test.sol";
import {Token} from "./support/Tokens.sol";

/// @dev What holds while a stranger has every signature. A million calls by `make campaign`, 2,000 runs of 500 each.
/// forge-config: default.invariant.runs = 4
/// forge-config: default.invariant.dictionary-weight = 0
/// forge-config: default.invariant.include-storage = false
/// forge-config: campaign.invariant.runs = 2000
/// forge-config: campaign.invariant.dictionary-weight = 0
/// forge-config: campaign.invariant.include-storage = false
contract PermitInvariantsTest is Test {
    PermitHandler internal handler;

    /// @dev The form in which forge wants to be told what to call.
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function setUp() public {
        handler = new PermitHandler();
    }

    /// @dev Read by forge: whom the calls go to.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev Read by forge: which functions. The stranger's are most.
    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](5);
        selectors[0] = PermitHandler.swapPermitted.selector;
        selectors[1] = PermitHandler.bridgePermitted.selector;
        selectors[2] = PermitHandler.phish.selector;
        selectors[3] = PermitHandler.strike.selector;
        selectors[4] = PermitHandler.strike.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), selectors);
    }

    /// @dev One function, because each invariant is a campaign of its own.
    function invariant_a_signature_is_of_use_to_its_owner_alone() public view {
        Token token = Token(handler.token());
        (address diamond, address executor) = handler.places();
        (address wallet, uint256 held) = handler.start();
        equal(token.balanceOf(handler.victim()), handler.HELD(), "the victim's tokens");
        equal(token.balanceOf(wallet), held - handler.spent(), "the wallet has paid what it sent");
        equal(token.balanceOf(diamond), 0, "balance of the Diamond");
        equal(token.balanceOf(executor), 0, "balance of the Executor");
        equal(token.allowance(wallet, handler.thief()), 0, "the wallet's allowance for a stranger");
        equal(token.allowance(handler.victim(), handler.thief()), 0, "the victim's allowance for a stranger");
        equal(token.allowance(diamond, executor), 0, "an allowance of the Diamond");
    }

    /// @dev A campaign in which nothing ever succeeds would prove nothing.
    function test_the_calls_of_the_permit_campaign_reach_every_end() public {
        for (uint256 i; i < 60; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            handler.swapPermitted(seed, seed >> 8, seed & 1 == 0, seed & 2 == 0);
            handler.bridgePermitted(seed, seed & 4 == 0);
            handler.phish(seed, seed >> 8, seed & 8 == 0, seed & 16 == 0);
            handler.strike(seed, i, seed >> 32);
        }
        equal(handler.permittedSwaps(), 60, "swaps succeed");
        equal(handler.permittedTransfers(), 60, "bridge transfers succeed");
        check(handler.frontRun() > 5, "some permits are submitted before");
        equal(handler.attempts(), 60, "every strike has something to try");
        invariant_a_signature_is_of_use_to_its_owner_alone();
    }
}
