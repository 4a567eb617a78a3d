// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {HopKind, Kind, Operation, SwapTerms} from "../src/Types.sol";
import {Plans} from "./support/Plans.sol";
import {Trick} from "./support/TradingPools.sol";

/// @dev Plans that are none, pools that lie, and bytes at random.
contract PlanRefusalsTest is Plans {
    function refused(Trick trick, bytes4 error_) internal {
        pool.play(trick, onward);
        bytes memory plan = abi.encodePacked(tokens(address(tokenA), address(tokenB)), concentrated(pool, 0, 0, 1));
        trade(address(tokenA), address(tokenB), 100, plan, abi.encodePacked(error_));
    }

    function test_an_exchange_takes_no_more_than_its_hop() public {
        exchange.play(Trick.AskMore);
        bytes memory plan = abi.encodePacked(
            tokens(address(tokenA), address(tokenB)),
            hop(HopKind.Exchange, HALF, 0, 1, abi.encodePacked(address(exchange), uint8(1), uint8(0)))
        );
        tokenA.mint(address(executor), 1000);
        (bool success,) = address(this).call(abi.encodeCall(this.attemptFor, (address(tokenB), 1000, plan)));
        check(!success, "took more");
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
        plan = abi.encodePacked(tokens(address(tokenA), address(tokenB)), concentrated(pool, 0, 0, 1));
        check(trade(address(tokenA), address(tokenB), 100, plan, "") == 200, "output");
        tokenA.mint(address(executor), 100);
        for (int256 side = -1; side < 2; side += 2) {
            vm.expectRevert(abi.encodeWithSelector(IExecutor.CallbackRefused.selector, address(pool)));
            pool.ask(address(executor), side, -side, "");
        }
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

    function none(bytes memory plan) private {
        trade(address(tokenA), address(tokenB), 10, plan, abi.encodePacked(IExecutor.PlanRefused.selector));
    }

    function test_plans_that_are_none() public {
        bytes memory both = tokens(address(tokenA), address(tokenB));
        none("");
        none(abi.encodePacked(uint8(0)));
        none(abi.encodePacked(uint8(1), address(tokenA)));
        none(abi.encodePacked(uint8(2), address(tokenA)));
        none(tokens(address(tokenB), address(tokenA)));
        none(abi.encodePacked(both, uint8(12), new bytes(60)));
        bytes memory whole = abi.encodePacked(both, concentrated(pool, 0, 0, 1));
        for (uint256 missing = 1; missing < 27; ++missing) {
            bytes memory part = new bytes(whole.length - missing);
            for (uint256 i; i < part.length; ++i) {
                part[i] = whole[i];
            }
            none(part);
        }
        bytes memory plan = abi.encodePacked(both, concentrated(pool, 1, 0, 1));
        trade(address(tokenA), address(tokenB), 10, plan, abi.encodePacked(IExecutor.OperationAmountZero.selector));
    }

    function test_hops_that_buy_the_input_sell_the_output_or_name_no_token() public {
        bytes memory all = tokens(address(tokenA), address(tokenC), address(tokenB));
        none(abi.encodePacked(all, concentrated(pool, 0, 0, 0)));
        none(abi.encodePacked(all, concentrated(pool, HALF, 0, 2), concentrated(onward, 0, 2, 1)));
        none(abi.encodePacked(all, concentrated(pool, 0, 0, 3)));
        none(abi.encodePacked(all, concentrated(pool, 0, 3, 2)));
        // What was never bought is not the plan's.
        tokenC.mint(address(executor), 1000);
        bytes memory plan = abi.encodePacked(all, concentrated(onward, 0, 1, 2));
        trade(address(tokenA), address(tokenB), 10, plan, abi.encodePacked(IExecutor.OperationAmountZero.selector));
    }

    /// @dev However often a plan names a token, it has what it bought of it but once.
    function test_a_token_by_two_names_is_had_once() public {
        tokenB.mint(address(executor), 1000);
        bytes memory plan = abi.encodePacked(
            uint8(4),
            address(tokenA),
            address(tokenB),
            address(tokenB),
            address(tokenC),
            concentrated(pool, HALF, 0, 1),
            concentrated(pool, 0, 0, 2),
            concentrated(onward, 0, 1, 3)
        );
        check(trade(address(tokenA), address(tokenC), 100, plan, "") == 400, "output");
        bytes memory more = abi.encodePacked(plan, concentrated(onward, 0, 2, 3));
        tokenB.mint(address(executor), 1000);
        tokenA.mint(address(executor), 100);
        (bool success, bytes memory reason) =
            address(this).call(abi.encodeCall(this.attemptFor, (address(tokenC), 100, more)));
        bytes memory underflow = abi.encodeWithSignature("Panic(uint256)", 0x11);
        check(!success && keccak256(reason) == keccak256(underflow), "what was there before was sold");
    }

    function attemptFor(address output, uint256 amount, bytes memory plan) external {
        trade(address(tokenA), output, amount, amount, plan, "");
    }

    /// @dev Whatever bytes a plan has, it trades with no more than its operation's amount, and leaves no allowance.
    function testFuzz_no_bytes_move_more_than_the_amount(uint8[24] memory choice, uint32[8] memory shares) public {
        address[4] memory named = [address(tokenA), address(vault), NATIVE, address(tokenB)];
        bytes memory plan = abi.encodePacked(uint8(4), named[0], named[1], named[2], named[3]);
        for (uint256 i; i < 1 + choice[23] % 4; ++i) {
            plan =
                bytes.concat(plan, anyHop(choice[3 * i] % 13, shares[i], choice[3 * i + 1] % 4, choice[3 * i + 2] % 4));
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
        if (kind == 12) return abi.encodePacked(kind, share);
        bytes memory place = "";
        if (kind == 0) place = abi.encodePacked(address(pair), uint16(9970));
        if (kind == 1) place = abi.encodePacked(address(pair));
        if (kind == 2) place = abi.encodePacked(address(pool));
        if (kind == 4 || kind == 11) place = abi.encodePacked(address(exchange), uint8(1), uint8(0));
        return hop(HopKind(kind), share, sold, bought, place);
    }
}
