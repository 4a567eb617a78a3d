// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IDiamond} from "./interfaces/IDiamond.sol";
import {IDiamondLoupe} from "./interfaces/IDiamondLoupe.sol";

/// @title The read-only part of EIP-2535
/// @notice Every function is immutable, so the Diamond itself is the one facet and there is no cut.
abstract contract DiamondLoupe is IDiamondLoupe, IERC165 {
    /// @inheritdoc IDiamondLoupe
    function facets() external view returns (Facet[] memory facets_) {
        facets_ = new Facet[](1);
        facets_[0] = Facet({facetAddress: address(this), functionSelectors: _selectors()});
    }

    /// @inheritdoc IDiamondLoupe
    function facetFunctionSelectors(address facet) external view returns (bytes4[] memory selectors) {
        if (facet == address(this)) selectors = _selectors();
    }

    /// @inheritdoc IDiamondLoupe
    function facetAddresses() external view returns (address[] memory addresses) {
        addresses = new address[](1);
        addresses[0] = address(this);
    }

    /// @inheritdoc IDiamondLoupe
    function facetAddress(bytes4 selector) external view returns (address facet) {
        bytes4[] memory selectors = _selectors();
        for (uint256 i; i < selectors.length; ++i) {
            if (selectors[i] == selector) return address(this);
        }
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IDiamondLoupe).interfaceId;
    }

    function _selectors() private pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](10);
        selectors[0] = IDiamond.swap.selector;
        selectors[1] = IDiamond.bridge.selector;
        selectors[2] = IDiamond.executor.selector;
        selectors[3] = IDiamondLoupe.facets.selector;
        selectors[4] = IDiamondLoupe.facetFunctionSelectors.selector;
        selectors[5] = IDiamondLoupe.facetAddresses.selector;
        selectors[6] = IDiamondLoupe.facetAddress.selector;
        selectors[7] = IERC165.supportsInterface.selector;
        selectors[8] = IDiamond.swapWithPermit.selector;
        selectors[9] = IDiamond.bridgeWithPermit.selector;
    }
}
