// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SolidlyPool} from "./SolidlyPool.sol";

/// @dev Pools of the public shape of Velodrome V2 and Aerodrome; anybody may set what their managers set there.
contract SolidlyFactory {
    uint256 private constant _NO_FEE = 420;
    bool public isPaused;
    mapping(address => mapping(address => mapping(bool => address))) public getPool;
    mapping(address => uint256) public customFee;

    function createPool(address a, address b, bool stable) external returns (address pool) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        require(a != b && getPool[token0][token1][stable] == address(0), "pool");
        pool = address(new SolidlyPool(token0, token1, stable));
        getPool[token0][token1][stable] = getPool[token1][token0][stable] = pool;
    }

    /// @notice In 1/10,000.
    function getFee(address pool, bool stable) external view returns (uint256) {
        uint256 fee = customFee[pool];
        if (fee != 0) return fee == _NO_FEE ? 0 : fee;
        return stable ? 5 : 30;
    }

    function setCustomFee(address pool, uint256 fee) external {
        customFee[pool] = fee;
    }

    function setPauseState(bool state) external {
        isPaused = state;
    }
}
