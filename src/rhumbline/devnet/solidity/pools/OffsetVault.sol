// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title OpenZeppelin's vault as it is, with an offset of its shares' decimals. Whoever sends it assets raises its rate.
contract OffsetVault is ERC4626 {
    uint8 private immutable OFFSET;
    uint256 public most = type(uint256).max;

    constructor(IERC20 asset_, uint8 offset) ERC20("Vault", "VLT") ERC4626(asset_) {
        OFFSET = offset;
    }

    function setMost(uint256 most_) external {
        most = most_;
    }

    function maxDeposit(address) public view override returns (uint256) {
        return most;
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return OFFSET;
    }
}
