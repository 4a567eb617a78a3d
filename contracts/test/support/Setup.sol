// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BridgeOrder, Fee, Kind, Operation, Order, SwapRecord, SwapTerms} from "../../src/Types.sol";
import {IShippedDiamond, IShippedExecutor, Shipped} from "./Shipped.sol";
import {Token, Wrapped} from "./Tokens.sol";
import {Bridge, Router} from "./Venues.sol";

/// @dev The contracts, a market, a bridge, and a wallet with 1000 units of everything.
abstract contract Setup is Shipped {
    address internal constant NATIVE = address(0);
    uint256 internal constant ALL = type(uint256).max;
    bytes32 internal constant ID = keccak256("an order");
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    IShippedExecutor internal executor;
    IShippedDiamond internal diamond;
    Router internal router;
    Bridge internal bridge;
    Token internal tokenA;
    Token internal tokenB;
    Wrapped internal wrapped;
    address internal wallet = address(uint160(uint256(keccak256("wallet"))));
    address internal receiver = address(uint160(uint256(keccak256("receiver"))));
    address internal service = address(uint160(uint256(keccak256("service"))));
    address internal integrator = address(uint160(uint256(keccak256("integrator"))));
    address internal stranger = address(uint160(uint256(keccak256("stranger"))));

    function setUp() public virtual {
        executor = makeExecutor();
        diamond = makeDiamond(address(executor));
        router = new Router();
        bridge = new Bridge();
        tokenA = new Token();
        tokenB = new Token();
        wrapped = new Wrapped();
        stock(tokenA);
        stock(tokenB);
        vm.deal(wallet, 1_000_000);
        vm.deal(address(this), 1e30);
        wrapped.deposit{value: 1e24}();
        wrapped.transfer(address(router), 1e23);
        wrapped.transfer(wallet, 1000);
        vm.deal(address(router), 1e24);
        vm.prank(wallet);
        wrapped.approve(address(diamond), ALL);
    }

    function stock(Token token) internal {
        token.mint(wallet, 1000);
        token.mint(address(router), 1e24);
        allow(token, wallet, address(diamond), ALL);
    }

    /// @dev Some tokens answer an approval with nothing.
    function allow(Token token, address owner, address spender, uint256 amount) internal {
        vm.prank(owner);
        (bool success,) = address(token).call(abi.encodeCall(Token.approve, (spender, amount)));
        check(success, "approval");
    }

    function order(address input, address output, uint256 amount, uint256 minimum)
        internal
        view
        returns (Order memory made)
    {
        made.id = ID;
        made.integrator = "acme";
        made.adapter = "ONCHAIN";
        made.receiver = receiver;
        made.inputToken = input;
        made.inputAmount = amount;
        made.outputToken = output;
        made.minOutput = minimum;
        made.deadline = block.timestamp + 10;
    }

    function transfer(address token, uint256 amount) internal view returns (BridgeOrder memory made) {
        made.id = ID;
        made.integrator = "acme";
        made.adapter = "ACROSS";
        made.receiver = bytes32(uint256(uint160(receiver)));
        made.destinationChainId = 10;
        made.inputToken = token;
        made.inputAmount = amount;
        made.sentToken = token;
        made.sentAmount = amount;
        made.expectedOutput = 99;
        made.minOutput = 98;
        made.refundTo = wallet;
        made.bridgeRef = "ref";
        made.deadline = block.timestamp + 10;
    }

    /// @dev What the event says of an order of which so much was measured.
    function swapRecord(Order memory o, uint256 gross, uint256 net, uint256 output)
        internal
        pure
        returns (SwapRecord memory)
    {
        return SwapRecord({
            receiver: o.receiver,
            inputToken: o.inputToken,
            orderedAmount: o.inputAmount,
            inputAmount: gross,
            netAmount: net,
            outputToken: o.outputToken,
            outputAmount: output,
            minOutput: o.minOutput,
            deadline: o.deadline,
            adapter: o.adapter
        });
    }

    function nobodies() internal pure returns (address[] memory made) {
        made = new address[](9);
        made[1] = address(1);
        made[2] = 0x000000000000000000000000000000000000dEaD;
        made[3] = address(0xffff);
        made[4] = 0xdEad000000000000000000000000000000000000;
        made[5] = 0xdEAD000000000000000042069420694206942069;
        made[6] = 0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD;
        made[7] = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
        made[8] = 0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF;
    }

    function noFees() internal pure returns (Fee[] memory) {
        return new Fee[](0);
    }

    function oneFee(address recipient, uint256 amount) internal pure returns (Fee[] memory fees) {
        fees = new Fee[](1);
        fees[0] = Fee(recipient, "service", amount);
    }

    function twoFees(uint256 serviceFee, uint256 integratorFee) internal view returns (Fee[] memory fees) {
        fees = new Fee[](2);
        fees[0] = Fee(service, "service", serviceFee);
        fees[1] = Fee(integrator, "integrator", integratorFee);
    }

    function list(Operation memory operation) internal pure returns (Operation[] memory operations) {
        operations = new Operation[](1);
        operations[0] = operation;
    }

    function list(Operation memory first, Operation memory second) internal pure returns (Operation[] memory made) {
        made = new Operation[](2);
        (made[0], made[1]) = (first, second);
    }

    function tokens(address token) internal pure returns (address[] memory made) {
        made = new address[](1);
        made[0] = token;
    }

    function calling(address target, address token, uint256 amount, bytes memory data)
        internal
        pure
        returns (Operation memory)
    {
        return Operation(Kind.Call, target, token == NATIVE ? NATIVE : target, token, amount, 0, data);
    }

    /// @dev A swap of fixed calldata through the market, output to the Executor.
    function swapping(address input, address output, uint256 amount) internal view returns (Operation memory made) {
        bytes memory data = abi.encodeCall(Router.swap, (input, amount, output, address(executor)));
        made = calling(address(router), input, amount, data);
        if (input == NATIVE) made.value = amount;
    }

    /// @dev A swap of whatever there is.
    function swappingAll(address input, address output) internal view returns (Operation memory) {
        bytes memory data = abi.encodeCall(Router.swapAllowance, (input, output, address(executor)));
        return calling(address(router), input, ALL, data);
    }

    function depositing(address token, uint256 amount) internal view returns (Operation memory made) {
        made = calling(address(bridge), token, amount, abi.encodeCall(Bridge.deposit, (token, amount)));
        if (token == NATIVE) made.value = amount;
    }

    function wrapping(Kind kind, uint256 amount) internal view returns (Operation memory) {
        return Operation(kind, address(wrapped), address(0), address(0), amount, 0, "");
    }

    function paying(address token, address to, uint256 amount) internal pure returns (Operation memory) {
        return Operation(Kind.Pay, to, address(0), token, amount, 0, "");
    }

    /// @dev Nothing may be left anywhere.
    function assertEmpty(address token) internal view {
        equal(balance(token, address(diamond)), 0, "balance of the Diamond");
        equal(balance(token, address(executor)), 0, "balance of the Executor");
        if (token == NATIVE) return;
        equal(Token(token).allowance(address(executor), address(router)), 0, "allowance of the market");
        equal(Token(token).allowance(address(executor), address(bridge)), 0, "allowance of the bridge");
        equal(Token(token).allowance(address(executor), address(diamond)), 0, "allowance of the Diamond");
        equal(Token(token).allowance(address(diamond), address(executor)), 0, "allowance of the Executor");
    }

    function balance(address token, address account) internal view returns (uint256) {
        return token == NATIVE ? account.balance : Token(token).balanceOf(account);
    }
}
