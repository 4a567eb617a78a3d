// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

import {Settle} from "./Settle.sol";

struct RelayerFees {
    uint64 swapFee;
    uint64 redeemFee;
    uint64 refundFee;
}

struct Recepient {
    bytes32 mayanAddr;
    uint16 mayanChainId;
    bytes32 auctionAddr;
    bytes32 destAddr;
    uint16 destChainId;
    bytes32 referrer;
    bytes32 refundAddr;
}

struct Criteria {
    uint256 transferDeadline;
    uint64 swapDeadline;
    uint64 amountOutMin;
    bool unwrap;
    uint64 gasDrop;
    bytes customPayload;
}

/// @title What Mayan's first contract does with what goes through Solana; the token bridge's part is left out.
/// @notice Functions and refusals are those of the published source (swap-bridge, MayanSwap.sol). In storage: the price
/// of a message of Wormhole in slot 0; a swap publishes two.
contract MayanSwap {
    uint256 private _messageFee;
    uint256 private _nonce;

    function swap(
        RelayerFees memory fees,
        Recepient memory recipient,
        bytes32 tokenOutAddr,
        uint16 tokenOutChainId,
        Criteria memory criteria,
        address tokenIn,
        uint256 amountIn
    ) external payable {
        uint256 decimals = IERC20Metadata(tokenIn).decimals();
        uint256 amount = _checked(fees, criteria, amountIn, decimals);
        bytes memory terms = _terms(fees, recipient, tokenOutAddr, tokenOutChainId, criteria);
        emit Settle.Deposited(
            _name(), address(uint160(uint256(recipient.refundAddr))), tokenIn, Settle.pull(tokenIn, amount, 2 * _messageFee), terms
        );
    }

    function wrapAndSwapETH(
        RelayerFees memory fees,
        Recepient memory recipient,
        bytes32 tokenOutAddr,
        uint16 tokenOutChainId,
        Criteria memory criteria
    ) external payable {
        uint256 offered = msg.value - 2 * _messageFee;
        uint256 amount = _checked(fees, criteria, offered, 18);
        if (offered > amount) Settle.pay(address(0), msg.sender, offered - amount);
        bytes memory terms = _terms(fees, recipient, tokenOutAddr, tokenOutChainId, criteria);
        emit Settle.Deposited(
            _name(), address(uint160(uint256(recipient.refundAddr))), address(0), amount, terms
        );
    }

    function _checked(RelayerFees memory fees, Criteria memory criteria, uint256 amount, uint256 decimals)
        private
        view
        returns (uint256)
    {
        require(block.timestamp <= criteria.transferDeadline, "deadline passed");
        require(!criteria.unwrap || criteria.gasDrop == 0, "gas drop not allowed");
        uint256 unit = decimals > 8 ? 10 ** (decimals - 8) : 1;
        require(fees.swapFee + fees.refundFee < amount / unit, "fees exceed amount");
        require(fees.redeemFee < criteria.amountOutMin, "redeem fee exceeds min output");
        require(criteria.customPayload.length == 0, "invalid chain id with payload");
        return amount / unit * unit;
    }

    function _terms(
        RelayerFees memory fees,
        Recepient memory recipient,
        bytes32 tokenOutAddr,
        uint16 tokenOutChainId,
        Criteria memory criteria
    ) private pure returns (bytes memory) {
        return abi.encode(
            recipient.refundAddr,
            recipient.destAddr,
            recipient.destChainId,
            tokenOutAddr,
            tokenOutChainId,
            criteria.unwrap,
            criteria.amountOutMin,
            fees.redeemFee,
            recipient.mayanAddr,
            recipient.auctionAddr
        );
    }

    function _name() private returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), ++_nonce));
    }
}
