// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {HopKind, Kind, Operation, SwapTerms} from "../../src/Types.sol";
import {Setup} from "./Setup.sol";
import {Token} from "./Tokens.sol";
import {TestConcentrated, TestExchange, TestManager, TestPair, TestStake, TestVault} from "./TradingPools.sol";

/// @dev Pools of every kind, and plans of hops through them.
abstract contract Plans is Setup {
    uint256 internal constant HALF = 1 << 31;
    Token internal tokenC;
    TestPair internal pair;
    TestConcentrated internal pool;
    TestConcentrated internal onward;
    TestManager internal manager;
    TestExchange internal exchange;
    TestVault internal vault;
    TestStake internal stake;

    function setUp() public override {
        super.setUp();
        tokenC = new Token();
        pair = new TestPair(tokenA, tokenB);
        pool = new TestConcentrated(tokenA, tokenB, "uniswapV3SwapCallback(int256,int256,bytes)");
        onward = new TestConcentrated(tokenB, tokenC, "pancakeV3SwapCallback(int256,int256,bytes)");
        manager = new TestManager();
        exchange = new TestExchange(tokenA, tokenB);
        vault = new TestVault(tokenB);
        stake = new TestStake(tokenB);
        address[7] memory rich = [
            address(pair),
            address(pool),
            address(onward),
            address(manager),
            address(exchange),
            address(vault),
            address(stake)
        ];
        for (uint256 i; i < rich.length; ++i) {
            tokenA.mint(rich[i], 1e12);
            tokenB.mint(rich[i], 1e12);
            tokenC.mint(rich[i], 1e12);
        }
        pair.sync();
        vm.deal(address(manager), 1e12);
    }

    function tokens(address a, address b) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(2), a, b);
    }

    function tokens(address a, address b, address c) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(3), a, b, c);
    }

    function hop(HopKind kind, uint256 share, uint8 sold, uint8 bought, bytes memory place)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(uint8(kind), uint32(share), sold, bought, place);
    }

    function v4(uint256 share, uint8 sold, uint8 bought) internal view returns (bytes memory) {
        bytes memory place = abi.encodePacked(address(manager), uint24(3000), int24(60), address(0));
        return hop(HopKind.V4, share, sold, bought, place);
    }

    function concentrated(TestConcentrated where, uint256 share, uint8 sold, uint8 bought)
        internal
        pure
        returns (bytes memory)
    {
        return hop(HopKind.Concentrated, share, sold, bought, abi.encodePacked(address(where)));
    }

    /// @dev Runs a plan as a stranger who has sent `amount` of the input before.
    function trade(address input, address output, uint256 amount, bytes memory plan, bytes memory error_)
        internal
        returns (uint256)
    {
        if (input == NATIVE) vm.deal(stranger, amount);
        else Token(input).mint(address(executor), amount);
        return trade(input, output, amount, amount, plan, error_);
    }

    function trade(address input, address output, uint256 sent, uint256 amount, bytes memory plan, bytes memory error_)
        internal
        returns (uint256)
    {
        Operation memory operation = Operation(Kind.Pools, address(0), address(0), input, amount, 0, plan);
        SwapTerms memory terms = SwapTerms(stranger, receiver, input, output, 1);
        if (error_.length == 4) vm.expectPartialRevert(bytes4(error_));
        else if (error_.length != 0) vm.expectRevert(error_);
        vm.prank(stranger);
        return executor.executeSwap{value: input == NATIVE ? sent : 0}(terms, new address[](0), list(operation));
    }

    function pairs(uint256 amount, uint256 x, uint256 y) internal pure returns (uint256) {
        return amount * 997 * y / (x * 1000 + amount * 997);
    }
}
