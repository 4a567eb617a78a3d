// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title What PancakeSwap's V3 factory asks to create its pools, which their npm package leaves out
/// @dev `code` is a contract whose code is the pools' creation code.
contract PancakePoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    Parameters public parameters;
    address private immutable _code;

    constructor(address code) {
        _code = code;
    }

    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
        external
        returns (address pool)
    {
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes memory code = _code.code;
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        assembly ("memory-safe") {
            pool := create2(0, add(code, 0x20), mload(code), salt)
        }
        require(pool != address(0), "the pool was not created");
    }
}
