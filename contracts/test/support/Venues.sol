// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @dev A market with two units out for each that it receives, out of its own stock. 0 is native.
contract Router {
    using SafeERC20 for IERC20;

    error TooLittle();

    receive() external payable {}

    function swap(address tokenIn, uint256 amountIn, address tokenOut, address to)
        external
        payable
        returns (uint256 amountOut)
    {
        return _swap(tokenIn, amountIn, tokenOut, to);
    }

    /// @dev Like a limit order: takes less than it is allowed to.
    function partialSwap(address tokenIn, uint256 amountIn, address tokenOut, address to) external payable {
        _swap(tokenIn, amountIn / 2, tokenOut, to);
    }

    /// @dev Takes everything that it is allowed to.
    function swapAllowance(address tokenIn, address tokenOut, address to) external {
        _swap(tokenIn, IERC20(tokenIn).allowance(msg.sender, address(this)), tokenOut, to);
    }

    function fail() external pure {
        revert TooLittle();
    }

    /// @dev Returns a megabyte.
    function shout() external pure {
        assembly ("memory-safe") {
            return(0, 1048576)
        }
    }

    function _swap(address tokenIn, uint256 amountIn, address tokenOut, address to)
        private
        returns (uint256 amountOut)
    {
        uint256 received = msg.value;
        if (tokenIn != address(0)) {
            uint256 before = IERC20(tokenIn).balanceOf(address(this));
            IERC20(tokenIn).safeTransferFrom(msg.sender, address(this), amountIn);
            received = IERC20(tokenIn).balanceOf(address(this)) - before;
        }
        amountOut = received * 2;
        if (tokenOut != address(0)) {
            IERC20(tokenOut).safeTransfer(to, amountOut);
        } else {
            (bool paid,) = to.call{value: amountOut}("");
            require(paid);
        }
    }
}

/// @dev A router whose allowances belong to another contract.
contract SplitRouter {
    Puller public immutable puller = new Puller();

    function swap(address tokenIn, uint256 amountIn, address tokenOut) external {
        puller.pull(tokenIn, msg.sender, amountIn);
        IERC20(tokenOut).transfer(msg.sender, amountIn * 2);
    }
}

contract Puller {
    function pull(address token, address from, uint256 amount) external {
        IERC20(token).transferFrom(from, msg.sender, amount);
    }
}

/// @dev A bridge that keeps what it gets. Native: `fee` of the value is kept, what is above `amount` and `fee` goes
/// back.
contract Bridge {
    using SafeERC20 for IERC20;

    uint256 public fee;

    function charge(uint256 fee_) external {
        fee = fee_;
    }

    function deposit(address token, uint256 amount) external payable {
        if (token != address(0)) IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        uint256 keep = fee + (token == address(0) ? amount : 0);
        (bool paid,) = msg.sender.call{value: msg.value - keep}("");
        require(paid);
    }
}

/// @dev Answers Permit2's allowance with three words.
contract PermitFork {
    function allowance(address, address, address) external pure returns (uint160, uint48, uint48) {
        return (0, 0, 0);
    }

    function approve(address, address, uint160, uint48) external {}
}

/// @dev Keeps a right for its caller, and tells of it by one view of two addresses.
contract RightsKeeper {
    error Unknown(bytes4 asked);

    mapping(address => mapping(address => bool)) public given;
    bytes4 public immutable view_;

    constructor(bytes4 view__) {
        view_ = view__;
    }

    function give(address to) external {
        given[msg.sender][to] = true;
    }

    fallback(bytes calldata question) external returns (bytes memory) {
        if (msg.sig != view_) revert Unknown(msg.sig);
        (address owner, address other) = abi.decode(question[4:], (address, address));
        return abi.encode(given[owner][other]);
    }
}

/// @dev Takes every call, and answers each with so many bytes.
contract Yes {
    uint256 public immutable size;

    constructor(uint256 size_) {
        size = size_;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        return new bytes(size);
    }
}

/// @dev Writes down every call, so that no question can be answered, and answers with a word.
contract Counter {
    uint256 public calls;

    fallback(bytes calldata) external returns (bytes memory) {
        ++calls;
        return abi.encode(calls);
    }
}

/// @dev Does, when told or paid, what it was loaded with, and remembers how that ended.
contract Attacker {
    address public target;
    bytes public data;
    bool public swallow;
    bool public tried;
    bool public succeeded;
    bytes public reason;

    function load(address target_, bytes calldata data_, bool swallow_) external {
        (target, data, swallow) = (target_, data_, swallow_);
    }

    function onTransfer() external {
        _attack();
    }

    function attack() external payable {
        _attack();
    }

    receive() external payable {
        _attack();
    }

    function _attack() private {
        if (target == address(0)) return;
        tried = true;
        (succeeded, reason) = target.call(data);
        if (!succeeded && !swallow) {
            bytes memory why = reason;
            assembly ("memory-safe") {
                revert(add(why, 0x20), mload(why))
            }
        }
    }
}

/// @dev Accepts no native.
contract Refuser {
    function act(address target, uint256 value, bytes calldata data) external payable {
        (bool success, bytes memory reason) = target.call{value: value}(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }
}

/// @dev Burns all the gas it gets.
contract Burner {
    function onTransfer() external pure {
        while (true) {}
    }

    receive() external payable {
        while (true) {}
    }
}

/// @dev Reverts with a megabyte.
contract Shouter {
    receive() external payable {
        assembly ("memory-safe") {
            revert(0, 1048576)
        }
    }
}
