// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {Listener, Token} from "./Tokens.sol";

/// @dev OpenZeppelin's token with permits. A listener, if there is one, is told in the middle of permits and transfers.
contract PermitToken is ERC20Permit {
    address public listener;

    constructor() ERC20("Permit Token", "PT") ERC20Permit("Permit Token") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function listen(address listener_) external {
        listener = listener_;
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        public
        override
    {
        super.permit(owner, spender, value, deadline, v, r, s);
        _tell();
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        _tell();
    }

    function _tell() private {
        if (listener != address(0)) Listener(listener).onTransfer();
    }
}

/// @dev Takes every function that it does not have for a success, like WETH9.
contract PhantomToken is Token {
    fallback() external {}
}

/// @dev DAI's form of permit: an allowance without end.
contract EndlessPermitToken is Token {
    function permit(address holder, address spender, uint256, uint256, bool allowed, uint8, bytes32, bytes32) external {
        allowances[holder][spender] = allowed ? type(uint256).max : 0;
    }
}
