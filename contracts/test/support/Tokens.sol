// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev A plain token that anybody may mint; the hooks let the others misbehave.
contract Token {
    error Insufficient(uint256 available, uint256 wanted);

    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) internal allowances;
    uint256 public totalSupply;

    function mint(address to, uint256 amount) external {
        balances[to] += amount;
        totalSupply += amount;
    }

    function balanceOf(address account) public view virtual returns (uint256) {
        return balances[account];
    }

    function allowance(address owner, address spender) public view virtual returns (uint256) {
        return allowances[owner][spender];
    }

    function transfer(address to, uint256 amount) external virtual returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external virtual returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }

    function approve(address spender, uint256 amount) external virtual returns (bool) {
        allowances[msg.sender][spender] = amount;
        return true;
    }

    function _spend(address from, uint256 amount) internal {
        uint256 allowed = allowances[from][msg.sender];
        if (allowed < amount) revert Insufficient(allowed, amount);
        if (allowed != type(uint256).max) allowances[from][msg.sender] = allowed - amount;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        if (balances[from] < amount) revert Insufficient(balances[from], amount);
        balances[from] -= amount;
        balances[to] += amount;
    }
}

/// @dev Like USDT on Ethereum: returns nothing, wants an allowance reset before another, and takes no zero transfers.
contract SilentToken is Token {
    error ResetFirst();
    error NothingToMove();

    function transfer(address to, uint256 amount) external override returns (bool) {
        _move(msg.sender, to, amount);
        _returnNothing();
    }

    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        _returnNothing();
    }

    function approve(address spender, uint256 amount) external override returns (bool) {
        if (amount != 0 && allowances[msg.sender][spender] != 0) revert ResetFirst();
        allowances[msg.sender][spender] = amount;
        _returnNothing();
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (amount == 0) revert NothingToMove();
        super._move(from, to, amount);
    }

    function _returnNothing() private pure {
        assembly ("memory-safe") {
            return(0, 0)
        }
    }
}

/// @dev Like BNB on Ethereum: approving 0 reverts.
contract NoZeroApprovalToken is Token {
    error ZeroApproval();

    function approve(address spender, uint256 amount) external override returns (bool) {
        if (amount == 0) revert ZeroApproval();
        allowances[msg.sender][spender] = amount;
        return true;
    }
}

/// @dev Says no by returning false, and moves nothing.
contract FalseToken is Token {
    bool public refusing;

    function refuse(bool refusing_) external {
        refusing = refusing_;
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        if (refusing) return false;
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        if (refusing) return false;
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }
}

/// @dev Burns one percent of every transfer, rounded up.
contract TaxToken is Token {
    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        uint256 tax = (amount + 99) / 100;
        balances[to] -= tax;
        totalSupply -= tax;
    }
}

/// @dev Like USDC: an issuer can block addresses.
contract BlockingToken is Token {
    error Blocked(address account);

    mapping(address => bool) public blocked;

    function block_(address account) external {
        blocked[account] = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (blocked[from]) revert Blocked(from);
        if (blocked[to]) revert Blocked(to);
        super._move(from, to, amount);
    }
}

/// @dev Says the same balance to everybody, whatever happens.
contract LyingToken is Token {
    uint256 public lie;

    function tell(uint256 lie_) external {
        lie = lie_;
    }

    function balanceOf(address account) public view override returns (uint256) {
        return lie == 0 ? balances[account] : lie;
    }
}

/// @dev Tells a listener after every transfer, as ERC-777 tells senders and recipients.
contract CallbackToken is Token {
    mapping(address => address) public listeners;

    function listen(address account, address listener) external {
        listeners[account] = listener;
    }

    function _move(address from, address to, uint256 amount) internal override {
        _tell(listeners[from]);
        super._move(from, to, amount);
        _tell(listeners[to]);
    }

    function _tell(address listener) private {
        if (listener != address(0)) Listener(listener).onTransfer();
    }
}

interface Listener {
    function onTransfer() external;
}

/// @dev Wrapped native, with the 2300 gas that WETH9 gives.
contract Wrapped is Token {
    function deposit() external payable {
        balances[msg.sender] += msg.value;
        totalSupply += msg.value;
    }

    function withdraw(uint256 amount) external {
        if (balances[msg.sender] < amount) revert Insufficient(balances[msg.sender], amount);
        balances[msg.sender] -= amount;
        totalSupply -= amount;
        (bool paid,) = msg.sender.call{value: amount, gas: 2300}("");
        require(paid);
    }
}

/// @dev Takes a deposit and gives nothing for it, and the other way round.
contract HollowWrapped is Token {
    function deposit() external payable {}
    function withdraw(uint256) external {}
}
