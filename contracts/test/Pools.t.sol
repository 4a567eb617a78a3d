// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pools} from "../src/Pools.sol";
import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {Kind, Operation, SwapTerms} from "../src/Types.sol";
import {Setup} from "./support/Setup.sol";
import {TaxToken, Token} from "./support/Tokens.sol";
import {TestConcentrated, TestExchange, TestManager, TestPair, TestVault, Trick} from "./support/TradingPools.sol";

/// @dev Plans of hops with pools that pay as their kinds do, and with pools that lie.
contract PoolsTest is Setup {
    uint256 internal constant HALF = 1 << 31;
    Token internal tokenC;
    TestPair internal pair;
    TestConcentrated internal pool;
    TestConcentrated internal onward;
    TestManager internal manager;
    TestExchange internal exchange;
    TestVault internal vault;

    function setUp() public override {
        super.setUp();
        tokenC = new Token();
        pair = new TestPair(tokenA, tokenB);
        pool = new TestConcentrated(tokenA, tokenB, "uniswapV3SwapCallback(int256,int256,bytes)");
        onward = new TestConcentrated(tokenB, tokenC, "pancakeV3SwapCallback(int256,int256,bytes)");
        manager = new TestManager();
        exchange = new TestExchange(tokenA, tokenB);
        vault = new TestVault(tokenB);
        address[6] memory rich =
            [address(pair), address(pool), address(onward), address(manager), address(exchange), address(vault)];
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

    function hop(Pools.Hop kind, uint256 share, uint8 sold, uint8 bought, bytes memory place)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(uint8(kind), uint32(share), sold, bought, place);
    }

    function v4(uint256 share, uint8 sold, uint8 bought) internal view returns (bytes memory) {
        bytes memory place = abi.encodePacked(address(manager), uint24(3000), int24(60), address(0));
        return hop(Pools.Hop.V4, share, sold, bought, place);
    }

    function concentrated(TestConcentrated where, uint256 share, uint8 sold, uint8 bought)
        internal
        pure
        returns (bytes memory)
    {
        return hop(Pools.Hop.Concentrated, share, sold, bought, abi.encodePacked(address(where)));
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

    function refused(Trick trick, bytes4 error_) internal {
        pool.play(trick, onward);
        bytes memory plan = abi.encodePacked(tokens(address(tokenA), address(tokenB)), concentrated(pool, 0, 0, 1));
        trade(address(tokenA), address(tokenB), 100, plan, abi.encodePacked(error_));
    }

    function test_a_pair_pays_by_its_reserves() public {
        bytes memory place = abi.encodePacked(address(pair), uint16(9970));
        bytes memory plan =
            abi.encodePacked(tokens(address(tokenA), address(tokenB)), hop(Pools.Hop.Pair, 0, 0, 1, place));
        check(trade(address(tokenA), address(tokenB), 1e9, plan, "") == pairs(1e9, 1e12, 1e12), "output");
        plan = abi.encodePacked(tokens(address(tokenB), address(tokenA)), hop(Pools.Hop.Pair, 0, 0, 1, place));
        uint256 left = 1e12 - pairs(1e9, 1e12, 1e12);
        check(trade(address(tokenB), address(tokenA), 1e6, plan, "") == pairs(1e6, left, 1e12 + 1e9), "back");
    }

    function test_a_pair_that_tells_what_it_pays() public {
        bytes memory place = abi.encodePacked(address(pair));
        bytes memory plan =
            abi.encodePacked(tokens(address(tokenA), address(tokenB)), hop(Pools.Hop.StablePair, 0, 0, 1, place));
        check(trade(address(tokenA), address(tokenB), 1e9, plan, "") == pairs(1e9, 1e12, 1e12), "output");
    }

    function test_of_a_token_that_taxes_what_arrives_at_the_pair_counts() public {
        TaxToken taxed = new TaxToken();
        TestPair taxedPair = new TestPair(taxed, tokenB);
        taxed.mint(address(taxedPair), 1e12);
        tokenB.mint(address(taxedPair), 1e12);
        taxedPair.sync();
        bytes memory place = abi.encodePacked(address(taxedPair), uint16(9970));
        bytes memory plan =
            abi.encodePacked(tokens(address(taxed), address(tokenB)), hop(Pools.Hop.Pair, 0, 0, 1, place));
        taxed.mint(address(this), 10_000);
        uint256 before = taxed.balanceOf(address(this));
        taxed.transfer(stranger, 10_000);
        uint256 kept = taxed.balanceOf(stranger);
        check(before - taxed.balanceOf(address(this)) == 10_000 && kept < 10_000, "taxed");
        check(trade(address(taxed), address(tokenB), 10_000, plan, "") == pairs(kept, 1e12, 1e12), "output");
    }

    function test_shares_are_rounded_down_and_the_last_takes_the_rest() public {
        bytes memory plan = abi.encodePacked(
            tokens(address(tokenA), address(tokenB)),
            concentrated(pool, HALF, 0, 1),
            hop(Pools.Hop.Pair, 0, 0, 1, abi.encodePacked(address(pair), uint16(9970)))
        );
        check(trade(address(tokenA), address(tokenB), 1001, plan, "") == 1000 + pairs(501, 1e12, 1e12), "output");
    }

    function test_hops_in_a_row_of_any_fork() public {
        bytes memory plan = abi.encodePacked(
            tokens(address(tokenA), address(tokenB), address(tokenC)),
            concentrated(pool, 0, 0, 1),
            concentrated(onward, 0, 1, 2)
        );
        check(trade(address(tokenA), address(tokenC), 100, plan, "") == 400, "output");
    }

    function test_v4_alone_in_a_row_and_beside() public {
        bytes memory plan = abi.encodePacked(
            tokens(address(tokenA), address(tokenB), address(tokenC)), v4(HALF, 0, 1), v4(0, 1, 2), v4(0, 0, 2)
        );
        check(trade(address(tokenA), address(tokenC), 2_000_000, plan, "") == 994_009 + 997_000, "output");
    }

    function test_v4_with_native_in_and_out() public {
        bytes memory plan = abi.encodePacked(tokens(NATIVE, address(tokenB)), v4(0, 0, 1));
        check(trade(NATIVE, address(tokenB), 1_000_000, plan, "") == 997_000, "in");
        plan = abi.encodePacked(tokens(address(tokenB), NATIVE), v4(0, 0, 1));
        check(trade(address(tokenB), NATIVE, 1_000_000, plan, "") == 997_000 && receiver.balance == 997_000, "out");
    }

    function test_native_that_is_not_the_plans_stays() public {
        bytes memory plan = abi.encodePacked(tokens(NATIVE, address(tokenB)), v4(0, 0, 1));
        vm.deal(stranger, 1_500_000);
        check(trade(NATIVE, address(tokenB), 1_500_000, 1_000_000, plan, "") == 997_000, "in");
        check(stranger.balance == 500_000, "left");
    }

    function test_an_exchange_and_a_vault_leave_no_allowance() public {
        exchange.play(Trick.PayNothing);
        bytes memory plan = abi.encodePacked(
            tokens(address(tokenA), address(tokenB), address(vault)),
            hop(Pools.Hop.Exchange, 0, 0, 1, abi.encodePacked(address(exchange), uint8(1), uint8(0))),
            hop(Pools.Hop.Deposit, 0, 1, 2, "")
        );
        check(trade(address(tokenA), address(vault), 1000, plan, "") == 250, "shares");
        check(tokenA.allowance(address(executor), address(exchange)) == 0, "exchange");
        check(tokenB.allowance(address(executor), address(vault)) == 0, "vault");
        plan = abi.encodePacked(tokens(address(vault), address(tokenB)), hop(Pools.Hop.Redeem, 0, 0, 1, ""));
        vm.prank(receiver);
        vault.transfer(address(executor), 250);
        check(trade(address(vault), address(tokenB), 250, 250, plan, "") == 500, "assets");
    }

    function test_an_exchange_takes_no_more_than_its_hop() public {
        exchange.play(Trick.AskMore);
        bytes memory plan = abi.encodePacked(
            tokens(address(tokenA), address(tokenB)),
            hop(Pools.Hop.Exchange, HALF, 0, 1, abi.encodePacked(address(exchange), uint8(1), uint8(0)))
        );
        tokenA.mint(address(executor), 1000);
        (bool success,) = address(this).call(abi.encodeCall(this.attempt, (plan)));
        check(!success, "took more");
    }

    function attempt(bytes memory plan) external {
        trade(address(tokenA), address(tokenB), 1000, 1000, plan, "");
    }

    function test_wrapping_within_a_plan() public {
        bytes memory plan = abi.encodePacked(tokens(NATIVE, address(wrapped)), hop(Pools.Hop.Wrap, 0, 0, 1, ""));
        check(trade(NATIVE, address(wrapped), 70, plan, "") == 70, "wrapped");
        plan = abi.encodePacked(tokens(address(wrapped), NATIVE), hop(Pools.Hop.Unwrap, 0, 0, 1, ""));
        vm.prank(receiver);
        wrapped.transfer(address(executor), 70);
        check(trade(address(wrapped), NATIVE, 70, 70, plan, "") == 70, "unwrapped");
        // Else a plan with tokens could spend native that is not its own.
        plan = abi.encodePacked(tokens(address(tokenA), address(wrapped)), hop(Pools.Hop.Wrap, 0, 0, 1, ""));
        trade(address(tokenA), address(wrapped), 70, plan, abi.encodePacked(IExecutor.PlanRefused.selector));
    }

    function test_pools_that_lie_in_their_callback() public {
        refused(Trick.AskTwice, IExecutor.CallbackRefused.selector);
        refused(Trick.AskMore, IExecutor.CallbackRefused.selector);
        refused(Trick.AskBoth, IExecutor.CallbackRefused.selector);
        refused(Trick.AskByFriend, IExecutor.CallbackRefused.selector);
        refused(Trick.Nest, bytes4(keccak256("ReentrancyGuardReentrantCall()")));
        refused(Trick.PayNothing, IExecutor.OutputBelowMinimum.selector);
    }

    function test_a_pool_that_asks_for_nothing_is_awaited_no_longer() public {
        pool.play(Trick.AskNothing, onward);
        bytes memory plan = abi.encodePacked(
            tokens(address(tokenA), address(tokenB), address(tokenC)),
            concentrated(pool, HALF, 0, 1),
            concentrated(onward, 0, 1, 2)
        );
        check(trade(address(tokenA), address(tokenC), 100, plan, "") == 200, "output");
        check(tokenA.balanceOf(stranger) == 100, "left");
        vm.expectRevert(abi.encodeWithSelector(IExecutor.CallbackRefused.selector, address(pool)));
        pool.ask(address(executor), 1, -1, "");
    }

    function test_managers_that_lie() public {
        Trick[3] memory tricks = [Trick.Alter, Trick.AskTwice, Trick.AskMore];
        bytes memory plan = abi.encodePacked(tokens(address(tokenA), address(tokenB)), v4(0, 0, 1));
        for (uint256 i; i < tricks.length; ++i) {
            manager.play(tricks[i]);
            trade(address(tokenA), address(tokenB), 100, plan, abi.encodePacked(IExecutor.CallbackRefused.selector));
        }
        manager.play(Trick.AskNothing);
        trade(address(tokenA), address(tokenB), 100, plan, abi.encodePacked(IExecutor.OutputBelowMinimum.selector));
    }

    function test_a_stranger_is_no_pool() public {
        vm.expectRevert(abi.encodeWithSelector(IExecutor.CallbackRefused.selector, address(this)));
        executor.unlockCallback("");
        (bool success,) =
            address(executor).call(abi.encodeWithSignature("uniswapV3SwapCallback(int256,int256,bytes)", 1, -1, ""));
        check(!success, "callback");
        (success,) = address(executor).call(hex"12345678");
        check(!success, "anything");
    }

    function test_plans_that_are_none() public {
        bytes memory none = abi.encodePacked(IExecutor.PlanRefused.selector);
        trade(address(tokenA), address(tokenB), 10, abi.encodePacked(uint8(0)), none);
        trade(address(tokenA), address(tokenB), 10, tokens(address(tokenB), address(tokenA)), none);
        bytes memory plan = abi.encodePacked(tokens(address(tokenA), address(tokenB)), uint8(9), new bytes(60));
        trade(address(tokenA), address(tokenB), 10, plan, none);
        plan = abi.encodePacked(tokens(address(tokenA), address(tokenB)), concentrated(pool, 1, 0, 1));
        trade(address(tokenA), address(tokenB), 10, plan, abi.encodePacked(IExecutor.OperationAmountZero.selector));
    }

    /// @dev Whatever bytes a plan has, it trades with no more than its operation's amount, and leaves no allowance.
    function testFuzz_no_bytes_move_more_than_the_amount(uint8[24] memory choice, uint32[8] memory shares) public {
        address[4] memory named = [address(tokenA), address(tokenB), address(vault), NATIVE];
        bytes memory plan = abi.encodePacked(uint8(4), named[0], named[1], named[2], named[3]);
        for (uint256 i; i < 1 + choice[23] % 4; ++i) {
            plan =
                bytes.concat(plan, anyHop(choice[3 * i] % 10, shares[i], choice[3 * i + 1] % 4, choice[3 * i + 2] % 4));
        }
        tokenA.mint(address(executor), 1000);
        vm.deal(address(executor), 500);
        Operation memory operation = Operation(Kind.Pools, address(0), address(0), address(tokenA), 400, 0, plan);
        SwapTerms memory terms = SwapTerms(stranger, stranger, address(tokenA), address(tokenB), 0);
        vm.prank(stranger);
        try executor.executeSwap(terms, new address[](0), list(operation)) {
            check(tokenA.balanceOf(stranger) >= 600 && stranger.balance >= 500, "more than the amount");
        } catch {}
        address[5] memory spenders = [address(pair), address(pool), address(manager), address(exchange), address(vault)];
        for (uint256 i; i < spenders.length; ++i) {
            check(tokenA.allowance(address(executor), spenders[i]) == 0, "allowance of A");
            check(tokenB.allowance(address(executor), spenders[i]) == 0, "allowance of B");
            check(vault.allowance(address(executor), spenders[i]) == 0, "allowance of shares");
        }
    }

    function anyHop(uint8 kind, uint32 share, uint8 sold, uint8 bought) internal view returns (bytes memory) {
        if (kind == 3) return v4(share, sold, bought);
        if (kind == 9) return abi.encodePacked(kind, share);
        bytes memory place = "";
        if (kind == 0) place = abi.encodePacked(address(pair), uint16(9970));
        if (kind == 1) place = abi.encodePacked(address(pair));
        if (kind == 2) place = abi.encodePacked(address(pool));
        if (kind == 4) place = abi.encodePacked(address(exchange), uint8(1), uint8(0));
        return hop(Pools.Hop(kind), share, sold, bought, place);
    }
}
