// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Stake} from "./Stake.sol";

/// @title Shares of a stake as a token whose balances stay, as Lido's wstETH.
contract WrappedStake is ERC20 {
    Stake public immutable stETH;

    constructor(Stake stake) ERC20("Wrapped sandbox stake", "WSTK") {
        stETH = stake;
    }

    function wrap(uint256 amount) external returns (uint256 shares) {
        require(amount > 0, "zero");
        shares = stETH.getSharesByPooledEth(amount);
        _mint(msg.sender, shares);
        stETH.transferFrom(msg.sender, address(this), amount);
    }

    function unwrap(uint256 shares) external returns (uint256 amount) {
        require(shares > 0, "zero");
        amount = stETH.getPooledEthByShares(shares);
        _burn(msg.sender, shares);
        stETH.transfer(msg.sender, amount);
    }
}
