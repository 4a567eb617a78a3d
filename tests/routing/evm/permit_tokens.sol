// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev Stands in for a token of the sandbox at its address: balances and allowances are where OpenZeppelin's are.
contract Plain {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    mapping(address => uint256) public nonces;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function decimals() external pure returns (uint8) {
        return 6;
    }

    function name() external pure returns (string memory) {
        return "USD Coin";
    }

    function version() external pure virtual returns (string memory) {
        return "2";
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return _move(from, to, value);
    }

    function _approve(address owner, address spender, uint256 value) internal {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function _move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// @dev Circle's older form: no `eip712Domain`, version 2.
contract OldForm is Plain {
    bytes32 constant TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    function DOMAIN_SEPARATOR() public view virtual returns (bytes32) {
        return keccak256(abi.encode(TYPE, keccak256("USD Coin"), keccak256("2"), block.chainid, address(this)));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        virtual
    {
        bytes32 hash = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), hash));
        require(block.timestamp <= deadline && ecrecover(digest, v, r, s) == owner, "no");
        _approve(owner, spender, value);
    }
}

/// @dev A copy on a forked chain, which has kept the separator of the first.
contract StaleDomain is OldForm {
    function DOMAIN_SEPARATOR() public view override returns (bytes32) {
        return keccak256(abi.encode(TYPE, keccak256("USD Coin"), keccak256("2"), uint256(1), address(this)));
    }
}

/// @dev Takes every permit, and does nothing.
contract Hollow is OldForm {
    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) external override {}
}

/// @dev Permits more than was signed.
contract Generous is OldForm {
    function permit(address owner, address spender, uint256, uint256, uint8, bytes32, bytes32) external override {
        _approve(owner, spender, type(uint256).max);
    }
}

/// @dev DAI's form: the domain is the same, the function and what is signed are not.
contract EndlessForm is Plain {
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("USD Coin"),
                keccak256("2"),
                block.chainid,
                address(this)
            )
        );
    }

    function permit(address holder, address spender, uint256, uint256, bool allowed, uint8, bytes32, bytes32) external {
        _approve(holder, spender, allowed ? type(uint256).max : 0);
    }
}
