// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDiamond} from "../src/interfaces/IDiamond.sol";
import {IDiamondLoupe} from "../src/interfaces/IDiamondLoupe.sol";
import {Setup} from "./support/Setup.sol";

contract LoupeTest is Setup {
    function test_one_facet_which_is_the_diamond() public view {
        IDiamondLoupe.Facet[] memory facets = diamond.facets();
        equal(facets.length, 1, "facets");
        check(facets[0].facetAddress == address(diamond), "facet");
        address[] memory addresses = diamond.facetAddresses();
        equal(addresses.length, 1, "addresses");
        check(addresses[0] == address(diamond), "address");
    }

    function test_every_selector_belongs_to_it() public view {
        bytes4[] memory selectors = diamond.facetFunctionSelectors(address(diamond));
        equal(selectors.length, 10, "selectors");
        bytes4[] memory listed = diamond.facets()[0].functionSelectors;
        for (uint256 i; i < selectors.length; ++i) {
            check(listed[i] == selectors[i], "same in both lists");
            check(diamond.facetAddress(selectors[i]) == address(diamond), "facet of the selector");
            for (uint256 k; k < i; ++k) {
                check(selectors[k] != selectors[i], "once");
            }
        }
        check(diamond.facetAddress(IDiamond.swap.selector) == address(diamond), "swap");
        check(diamond.facetAddress(IDiamond.bridge.selector) == address(diamond), "bridge");
        check(diamond.facetAddress(IDiamond.swapWithPermit.selector) == address(diamond), "swap with a permit");
        check(diamond.facetAddress(IDiamond.bridgeWithPermit.selector) == address(diamond), "bridge with a permit");
    }

    function test_unknown_is_answered_with_nothing() public view {
        equal(diamond.facetFunctionSelectors(stranger).length, 0, "selectors");
        // diamondCut: there is none.
        check(diamond.facetAddress(0x1f931c1c) == address(0), "facet");
    }

    function test_interfaces() public view {
        check(diamond.supportsInterface(0x01ffc9a7), "ERC-165");
        check(diamond.supportsInterface(0x48e2b093), "the loupe");
        check(!diamond.supportsInterface(0x1f931c1c), "the cut");
        check(!diamond.supportsInterface(0xffffffff), "as ERC-165 says");
    }

    function test_the_executor_is_known() public view {
        check(diamond.executor() == address(executor), "executor");
    }
}
