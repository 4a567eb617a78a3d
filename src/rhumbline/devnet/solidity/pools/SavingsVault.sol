// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title A vault whose rate is told in 1e27ths, as sDAI's and sUSDS's, and may take a fee, which they do not.
/// @notice Whoever wants sets both; it pays from what it has.
contract SavingsVault is ERC20 {
    using SafeERC20 for IERC20;

    uint256 private constant RAY = 1e27;
    IERC20 public immutable asset;
    uint256 public chi = RAY;
    uint256 public exitFee;

    constructor(IERC20 asset_) ERC20("Savings", "SAV") {
        asset = asset_;
    }

    function set(uint256 chi_, uint256 exitFee_) external {
        (chi, exitFee) = (chi_, exitFee_);
    }

    function totalAssets() external view returns (uint256) {
        return convertToAssets(totalSupply());
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return shares * chi / RAY;
    }

    function maxDeposit(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function previewDeposit(uint256 assets) public view returns (uint256) {
        return assets * RAY / chi;
    }

    function previewRedeem(uint256 shares) public view returns (uint256) {
        uint256 assets = convertToAssets(shares);
        return assets - assets * exitFee / 10_000;
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = previewDeposit(assets);
        asset.safeTransferFrom(msg.sender, address(this), assets);
        _mint(receiver, shares);
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        if (owner != msg.sender) _spendAllowance(owner, msg.sender, shares);
        assets = previewRedeem(shares);
        _burn(owner, shares);
        asset.safeTransfer(receiver, assets);
    }
}
