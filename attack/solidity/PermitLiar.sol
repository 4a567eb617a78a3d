// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Stands in for a token of the sandbox at its address, and lies about its permits.
/// @notice Its storage is laid out as OpenZeppelin's ERC20Permit is, so that all balances stay; what it is to do lies
/// behind that, from slot 1000, in the order of the variables.
contract PermitLiar {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    string public name;
    string public symbol;
    string[2] private _fallbacks;
    mapping(address => uint256) private _nonces;
    uint256[992] private _gap;
    /// As in attack/permits/claims.py.
    uint256 public mode;
    uint256 public decimals;
    address public victim;
    address public thief;
    uint256 public switched;

    bytes32 private constant TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function version() external view returns (string memory) {
        return mode == 4 ? "9" : "1";
    }

    function eip712Domain()
        external
        view
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        require(mode != 4, "no");
        bytes1 flags = mode == 5 ? bytes1(0x1f) : bytes1(0x0f);
        string memory told = mode == 3 ? "Another Coin" : name;
        return (flags, told, "1", block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        uint256 chain = mode == 1 || (mode == 6 && switched != 0) ? 1 : block.chainid;
        address place = mode == 2 ? thief : address(this);
        bytes32 number = mode == 4 ? keccak256("8") : keccak256("1");
        return keccak256(abi.encode(TYPE, keccak256(bytes(name)), number, chain, place));
    }

    function nonces(address owner) external view returns (uint256) {
        require(mode != 13, "no");
        if (mode == 12) return type(uint256).max;
        bool lies = mode == 10 || (mode == 11 && owner == victim) || (mode == 14 && switched == 0);
        return _nonces[owner] + (lies ? 1 : 0);
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        if (mode == 20 || (mode == 21 && owner == victim)) return;
        require(mode != 22 || owner != victim, "no");
        bytes32 hash = keccak256(abi.encode(PERMIT, owner, spender, value, _nonces[owner], deadline));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), hash));
        require(block.timestamp <= deadline && ecrecover(digest, v, r, s) == owner, "no");
        ++_nonces[owner];
        if (mode == 23 || (mode == 24 && owner == victim)) value = type(uint256).max;
        if (mode == 25) spender = thief;
        _approve(owner, spender, value);
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        totalSupply += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "no");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        bool taxes = (mode == 26 && msg.sender == PERMIT2) || (mode == 27 && from == victim);
        _move(from, to, value, taxes ? value - value / 100 : value);
        return true;
    }

    function _approve(address owner, address spender, uint256 value) private {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function _move(address from, address to, uint256 value, uint256 arriving) private {
        require(balanceOf[from] >= value, "no");
        balanceOf[from] -= value;
        balanceOf[to] += arriving;
        if (arriving < value) balanceOf[thief] += value - arriving;
        emit Transfer(from, to, arriving);
    }
}
