// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IReceiver, Message} from "../../src/interfaces/IReceiver.sol";
import {Operation} from "../../src/Types.sol";
import {Setup} from "./Setup.sol";
import {Token} from "./Tokens.sol";

/// @dev What a SpokePool does on the destination (across-protocol/contracts, SpokePool.sol, `_fillRelayV3`, read
/// 2026-11): it pays the recipient and calls a recipient that has code with the message. It lacks the real one's lock,
/// so that the Receiver's own is what holds.
contract Spoke {
    function fillRelay(address token, uint256 amount, address to, bytes calldata message) external {
        (bool success,) = token.call(abi.encodeCall(Token.transferFrom, (msg.sender, to, amount)));
        require(success, "not paid");
        tell(token, amount, to, message);
    }

    function tell(address token, uint256 amount, address to, bytes calldata message) public {
        IReceiver(to).handleV3AcrossMessage(token, amount, msg.sender, message);
    }
}

/// @dev A relayer that fills deposits to the Receiver.
abstract contract Crossing is Setup {
    uint256 internal constant SWAP_GAS = 1_000_000;

    Spoke internal spoke;
    IReceiver internal arrival;
    address internal relayer = address(uint160(uint256(keccak256("relayer"))));

    function setUp() public virtual override {
        super.setUp();
        spoke = new Spoke();
        arrival = makeReceiver(address(executor), address(spoke));
        endow(tokenA);
        endow(tokenB);
        wrapped.transfer(relayer, 1e20);
        allow(wrapped, relayer, address(spoke), ALL);
    }

    function endow(Token token) internal {
        token.mint(relayer, 1e24);
        allow(token, relayer, address(spoke), ALL);
    }

    function message(address output, uint256 minimum, Operation[] memory calls) internal view returns (Message memory) {
        return Message(ID, receiver, output, minimum, SWAP_GAS, calls);
    }

    function fill(address token, uint256 amount, Message memory wanted) internal {
        vm.prank(relayer);
        spoke.fillRelay(token, amount, address(arrival), abi.encode(wanted));
    }

    /// @dev Nothing may be left anywhere, nor may anybody stay approved.
    function assertCleared(address token) internal view {
        assertEmpty(token);
        equal(balance(token, address(arrival)), 0, "balance of the Receiver");
        if (token == NATIVE) return;
        equal(Token(token).allowance(address(arrival), address(executor)), 0, "allowance of the Executor");
        equal(Token(token).allowance(address(arrival), address(spoke)), 0, "allowance of the pool");
        equal(Token(token).allowance(address(arrival), address(router)), 0, "allowance of the market");
    }
}
