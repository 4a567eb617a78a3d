// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Asks a contract wallet whether it has signed a digest (ERC-1271), also one that is not deployed yet (ERC-6492)
/// @notice It is never deployed: a node runs the constructor in an `eth_call`, which leaves nothing on the chain, and
/// answers with the verdict, one word. It reverts where a wrapped signature cannot be read.
/// @dev https://eips.ethereum.org/EIPS/eip-1271 and https://eips.ethereum.org/EIPS/eip-6492, read 2026-11-27. Stricter
/// than the latter's example in two things: a factory is called only where the wallet has no code, and the wallet's word
/// counts only where the rest of it is zero, because a contract that echoes its calldata begins with the same bytes.
contract SignatureCheck {
    uint256 private constant REFUSED = 0;
    uint256 private constant ACCEPTED = 1;
    uint256 private constant NO_CONTRACT = 2;
    uint256 private constant DELEGATED = 3;
    bytes32 private constant WRAPPED = 0x6492649264926492649264926492649264926492649264926492649264926492;
    bytes4 private constant IS_VALID_SIGNATURE = 0x1626ba7e;

    constructor(address wallet, bytes32 digest, bytes memory signature) {
        uint256 verdict = _verdict(wallet, digest, signature);
        assembly ("memory-safe") {
            mstore(0, verdict)
            return(0, 0x20)
        }
    }

    function _verdict(address wallet, bytes32 digest, bytes memory signature) private returns (uint256) {
        if (_isWrapped(signature)) {
            address factory;
            bytes memory creation;
            (factory, creation, signature) = abi.decode(_unwrapped(signature), (address, bytes, bytes));
            if (wallet.code.length == 0) _call(factory, creation);
        }
        if (wallet.code.length == 0) return NO_CONTRACT;
        if (_isDelegated(wallet)) return DELEGATED;
        return _accepts(wallet, abi.encodeWithSelector(IS_VALID_SIGNATURE, digest, signature)) ? ACCEPTED : REFUSED;
    }

    function _isWrapped(bytes memory signature) private pure returns (bool) {
        uint256 length = signature.length;
        bytes32 last;
        assembly ("memory-safe") {
            last := mload(add(signature, length))
        }
        return length > 32 && last == WRAPPED;
    }

    /// @dev Shortens it in place.
    function _unwrapped(bytes memory signature) private pure returns (bytes memory) {
        assembly ("memory-safe") {
            mstore(signature, sub(mload(signature), 0x20))
        }
        return signature;
    }

    /// @dev An account whose key has delegated it (EIP-7702): its key signs.
    function _isDelegated(address wallet) private view returns (bool) {
        return wallet.code.length == 23 && bytes3(wallet.code) == 0xef0100;
    }

    /// @dev What is answered is not copied, however long it is.
    function _call(address target, bytes memory data) private {
        assembly ("memory-safe") {
            pop(call(gas(), target, 0, add(data, 0x20), mload(data), 0, 0))
        }
    }

    function _accepts(address wallet, bytes memory data) private view returns (bool accepted) {
        bytes32 magic = IS_VALID_SIGNATURE;
        assembly ("memory-safe") {
            let done := staticcall(gas(), wallet, add(data, 0x20), mload(data), 0, 0x20)
            accepted := and(and(done, gt(returndatasize(), 0x1f)), eq(mload(0), magic))
        }
    }
}
