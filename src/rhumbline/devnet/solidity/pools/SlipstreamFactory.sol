// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ISwaps, SlipstreamPool} from "./SlipstreamPool.sol";

/// @dev Pools of the public shape of Slipstream, each around a pool of Uniswap V3 that this factory creates.
contract SlipstreamFactory {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    /// @dev A contract whose code is what creates V3's pools.
    address private immutable _creation;
    /// @notice What a pool of V3 asks of its creator.
    Parameters public parameters;
    mapping(int24 => uint24) public tickSpacingToFee;
    mapping(address => mapping(address => mapping(int24 => address))) public getPool;
    int24[] private _tickSpacings;

    constructor(address creation) {
        _creation = creation;
        _enable(1, 100);
        _enable(50, 450);
        _enable(100, 500);
        _enable(200, 3000);
        _enable(2000, 10_000);
    }

    /// @dev V3's pool lies where its position manager expects it for the fee: so no two spacings may have the same.
    function createPool(address a, address b, int24 tickSpacing, uint160 sqrtPriceX96) external returns (address pool) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        uint24 fee = tickSpacingToFee[tickSpacing];
        require(a != b && fee != 0 && getPool[token0][token1][tickSpacing] == address(0), "pool");
        parameters = Parameters(address(this), token0, token1, fee, tickSpacing);
        bytes memory code = _creation.code;
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        address inner;
        assembly ("memory-safe") {
            inner := create2(0, add(code, 0x20), mload(code), salt)
        }
        require(inner != address(0), "V3");
        ISwaps(inner).initialize(sqrtPriceX96);
        pool = address(new SlipstreamPool(ISwaps(inner)));
        getPool[token0][token1][tickSpacing] = getPool[token1][token0][tickSpacing] = pool;
    }

    function tickSpacings() external view returns (int24[] memory) {
        return _tickSpacings;
    }

    function _enable(int24 tickSpacing, uint24 fee) private {
        tickSpacingToFee[tickSpacing] = fee;
        _tickSpacings.push(tickSpacing);
    }
}
