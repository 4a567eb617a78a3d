// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The loupe of EIP-2535 (https://eips.ethereum.org/EIPS/eip-2535)
/// @notice The interface id is 0x48e2b093.
interface IDiamondLoupe {
    struct Facet {
        address facetAddress;
        bytes4[] functionSelectors;
    }

    /// @notice All facets and their selectors.
    function facets() external view returns (Facet[] memory facets_);

    /// @notice The selectors of a facet; none for an unknown facet.
    function facetFunctionSelectors(address facet) external view returns (bytes4[] memory selectors);

    /// @notice The addresses of all facets.
    function facetAddresses() external view returns (address[] memory addresses);

    /// @notice The facet of a selector, 0 for an unknown one.
    function facetAddress(bytes4 selector) external view returns (address facet);
}
