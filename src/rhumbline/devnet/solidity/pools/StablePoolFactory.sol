// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IRates, StablePool} from "./StablePool.sol";

/// @title A factory of stable pools that answers what Curve's stableswap-NG factory answers about them.
contract StablePoolFactory {
    mapping(uint256 pair => address[]) private _markets;
    mapping(address pool => address[]) private _coins;
    mapping(address pool => uint8[]) private _types;
    mapping(address pool => address) public get_implementation_address;

    /// @param implementation What the pool is said to be run by.
    /// @param types 0 for a plain coin, 1 for one with a rate, 2 for one that rebases.
    function make(
        address implementation,
        address[] memory coins,
        uint8[] memory types,
        uint256[] memory multipliers,
        uint256 amplification,
        uint256 fee,
        uint256 offPeg,
        IRates rates
    ) external returns (address pool) {
        pool = address(new StablePool(coins, multipliers, amplification, fee, offPeg, rates));
        (_coins[pool], _types[pool], get_implementation_address[pool]) = (coins, types, implementation);
        for (uint256 i; i < coins.length; ++i) {
            for (uint256 j = i + 1; j < coins.length; ++j) {
                _markets[_pair(coins[i], coins[j])].push(pool);
            }
        }
    }

    function find_pool_for_coins(address from, address to, uint256 i) external view returns (address) {
        address[] storage pools = _markets[_pair(from, to)];
        return i < pools.length ? pools[i] : address(0);
    }

    function get_coins(address pool) external view returns (address[] memory) {
        return _coins[pool];
    }

    function get_pool_asset_types(address pool) external view returns (uint8[] memory) {
        return _types[pool];
    }

    function _pair(address a, address b) private pure returns (uint256) {
        return uint256(uint160(a) ^ uint160(b));
    }
}
