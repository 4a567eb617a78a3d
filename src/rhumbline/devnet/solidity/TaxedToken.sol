// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title An ERC-20 that burns 1 % of every transfer, rounded down, so that less arrives than was sent.
contract TaxedToken is ERC20 {
    uint256 public constant TAX_BPS = 100;

    constructor(string memory name_, string memory symbol_) ERC20(name_, symbol_) {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        bool taxed = from != address(0) && to != address(0);
        uint256 tax = taxed ? value * TAX_BPS / 10_000 : 0;
        super._update(from, to, value - tax);
        if (tax > 0) super._update(from, address(0), tax);
    }
}
