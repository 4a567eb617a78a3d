// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title A stake whose balances grow: kept in shares, sent in whole shares, as Lido's stETH.
/// @notice Whoever wants mints shares, and sets what is staked; a part of it may be outside, at the same rate.
contract Stake {
    string public constant name = "Sandbox stake";
    string public constant symbol = "STK";
    uint8 public constant decimals = 18;

    uint256 private _ether = 1;
    uint256 private _shares = 1;
    uint256 public getExternalShares;
    mapping(address owner => uint256) public sharesOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);

    function mint(address to, uint256 amount) external {
        uint256 shares = getSharesByPooledEth(amount);
        (_ether, _shares) = (_ether + amount, _shares + shares);
        sharesOf[to] += shares;
        emit Transfer(address(0), to, amount);
    }

    function reward(uint256 amount) external {
        _ether += amount;
    }

    function setOutside(uint256 shares) external {
        getExternalShares = shares;
    }

    function getExternalEther() public view returns (uint256) {
        return getExternalShares * _ether / _shares;
    }

    function getTotalShares() external view returns (uint256) {
        return _shares + getExternalShares;
    }

    function getTotalPooledEther() public view returns (uint256) {
        return _ether + getExternalEther();
    }

    function totalSupply() external view returns (uint256) {
        return getTotalPooledEther();
    }

    function balanceOf(address owner) external view returns (uint256) {
        return getPooledEthByShares(sharesOf[owner]);
    }

    function getSharesByPooledEth(uint256 amount) public view returns (uint256) {
        require(amount < type(uint128).max, "ETH_TOO_LARGE");
        return amount * _shares / _ether;
    }

    function getPooledEthByShares(uint256 shares) public view returns (uint256) {
        require(shares < type(uint128).max, "SHARES_TOO_LARGE");
        return shares * _ether / _shares;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        uint256 shares = getSharesByPooledEth(amount);
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        emit Transfer(from, to, amount);
        return true;
    }
}
