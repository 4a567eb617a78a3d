// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title A token that everybody has plenty of, and that says it moved when nothing did, or says nothing.
contract FalseToken {
    uint256 public silent;

    event Transfer(address indexed from, address indexed to, uint256 value);

    fallback() external payable {
        if (silent == 0) {
            (address from, address to, uint256 value) = _told();
            emit Transfer(from, to, value);
        }
        assembly {
            mstore(0, shl(128, 1))
            return(0, 32)
        }
    }

    /// @dev `transfer` and `transferFrom` say truly what was asked for; anything else is told as a payment too.
    function _told() private view returns (address, address, uint256) {
        if (msg.sig == 0xa9059cbb) {
            (address to, uint256 value) = abi.decode(msg.data[4:], (address, uint256));
            return (msg.sender, to, value);
        }
        if (msg.sig == 0x23b872dd) return abi.decode(msg.data[4:], (address, address, uint256));
        return (address(this), msg.sender, 1e30);
    }
}
