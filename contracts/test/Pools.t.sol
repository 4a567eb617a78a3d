// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {HopKind} from "../src/Types.sol";
import {Plans} from "./support/Plans.sol";
import {TaxToken} from "./support/Tokens.sol";
import {TestConcentrated, TestPair, Trick} from "./support/TradingPools.sol";

/// @dev Hops with pools that pay as their kinds do.
contract PoolsTest is Plans {
    function test_a_pair_pays_by_its_reserves() public {
        bytes memory place = abi.encodePacked(address(pair), uint16(9970));
        bytes memory plan =
            abi.encodePacked(tokens(address(tokenA), address(tokenB)), hop(HopKind.Pair, 0, 0, 1, place));
        check(trade(address(tokenA), address(tokenB), 1e9, plan, "") == pairs(1e9, 1e12, 1e12), "output");
        plan = abi.encodePacked(tokens(address(tokenB), address(tokenA)), hop(HopKind.Pair, 0, 0, 1, place));
        uint256 left = 1e12 - pairs(1e9, 1e12, 1e12);
        check(trade(address(tokenB), address(tokenA), 1e6, plan, "") == pairs(1e6, left, 1e12 + 1e9), "back");
    }

    function test_a_pair_that_tells_what_it_pays() public {
        bytes memory place = abi.encodePacked(address(pair));
        bytes memory plan =
            abi.encodePacked(tokens(address(tokenA), address(tokenB)), hop(HopKind.StablePair, 0, 0, 1, place));
        check(trade(address(tokenA), address(tokenB), 1e9, plan, "") == pairs(1e9, 1e12, 1e12), "output");
    }

    function test_of_a_token_that_taxes_what_arrives_at_the_pair_counts() public {
        TaxToken taxed = new TaxToken();
        TestPair taxedPair = new TestPair(taxed, tokenB);
        taxed.mint(address(taxedPair), 1e12);
        tokenB.mint(address(taxedPair), 1e12);
        taxedPair.sync();
        bytes memory place = abi.encodePacked(address(taxedPair), uint16(9970));
        bytes memory plan = abi.encodePacked(tokens(address(taxed), address(tokenB)), hop(HopKind.Pair, 0, 0, 1, place));
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
            hop(HopKind.Pair, 0, 0, 1, abi.encodePacked(address(pair), uint16(9970)))
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

    function test_callbacks_of_any_name() public {
        string[6] memory names = [
            "uniswapV3SwapCallback(int256,int256,bytes)",
            "pancakeV3SwapCallback(int256,int256,bytes)",
            "algebraSwapCallback(int256,int256,bytes)",
            "ramsesV2SwapCallback(int256,int256,bytes)",
            "solidlyV3SwapCallback(int256,int256,bytes)",
            "swapCallback(int256,int256,bytes)"
        ];
        for (uint256 i; i < names.length; ++i) {
            TestConcentrated fork = new TestConcentrated(tokenA, tokenB, names[i]);
            tokenA.mint(address(fork), 1000);
            tokenB.mint(address(fork), 1000);
            bytes memory plan = abi.encodePacked(tokens(address(tokenA), address(tokenB)), concentrated(fork, 0, 0, 1));
            check(trade(address(tokenA), address(tokenB), 100, plan, "") == 200, "there");
            plan = abi.encodePacked(tokens(address(tokenB), address(tokenA)), concentrated(fork, 0, 0, 1));
            check(trade(address(tokenB), address(tokenA), 100, plan, "") == 200, "and back");
        }
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

    /// @dev Half of the wrapped goes through a pool of its own, the rest is unwrapped for one of V4.
    function test_v4_with_native_within_a_plan() public {
        TestConcentrated both = new TestConcentrated(wrapped, tokenB, "uniswapV3SwapCallback(int256,int256,bytes)");
        wrapped.transfer(address(both), 1e9);
        tokenB.mint(address(both), 1e9);
        wrapped.transfer(address(executor), 2_000_000);
        bytes memory plan = abi.encodePacked(
            tokens(address(wrapped), NATIVE, address(tokenB)),
            hop(HopKind.Unwrap, HALF, 0, 1, ""),
            v4(0, 1, 2),
            concentrated(both, 0, 0, 2)
        );
        check(trade(address(wrapped), address(tokenB), 0, 2_000_000, plan, "") == 997_000 + 2_000_000, "sold");
        plan = abi.encodePacked(
            tokens(address(tokenB), NATIVE, address(wrapped)),
            concentrated(both, HALF, 0, 2),
            v4(0, 0, 1),
            hop(HopKind.Wrap, 0, 1, 2, "")
        );
        check(trade(address(tokenB), address(wrapped), 2_000_000, plan, "") == 2_000_000 + 997_000, "bought");
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
            hop(HopKind.Exchange, 0, 0, 1, abi.encodePacked(address(exchange), uint8(1), uint8(0))),
            hop(HopKind.Deposit, 0, 1, 2, "")
        );
        check(trade(address(tokenA), address(vault), 1000, plan, "") == 250, "shares");
        check(tokenA.allowance(address(executor), address(exchange)) == 0, "exchange");
        check(tokenB.allowance(address(executor), address(vault)) == 0, "vault");
        plan = abi.encodePacked(tokens(address(vault), address(tokenB)), hop(HopKind.Redeem, 0, 0, 1, ""));
        vm.prank(receiver);
        vault.transfer(address(executor), 250);
        check(trade(address(vault), address(tokenB), 250, 250, plan, "") == 500, "assets");
    }

    function test_an_exchange_with_the_other_kind_of_indices() public {
        bytes memory place = abi.encodePacked(address(exchange), uint8(1), uint8(0));
        bytes memory plan =
            abi.encodePacked(tokens(address(tokenA), address(tokenB)), hop(HopKind.CryptoExchange, 0, 0, 1, place));
        check(trade(address(tokenA), address(tokenB), 1000, plan, "") == 1000, "output");
        check(tokenA.allowance(address(executor), address(exchange)) == 0, "allowance");
    }

    function test_stakes_are_wrapped_and_unwrapped() public {
        bytes memory plan =
            abi.encodePacked(tokens(address(tokenB), address(stake)), hop(HopKind.WrapStaked, 0, 0, 1, ""));
        check(trade(address(tokenB), address(stake), 1003, plan, "") == 250, "wrapped");
        check(tokenB.allowance(address(executor), address(stake)) == 0, "allowance");
        plan = abi.encodePacked(tokens(address(stake), address(tokenB)), hop(HopKind.UnwrapStaked, 0, 0, 1, ""));
        vm.prank(receiver);
        stake.transfer(address(executor), 250);
        check(trade(address(stake), address(tokenB), 250, 250, plan, "") == 1000, "unwrapped");
    }

    /// @dev What the wrapper leaves of its allowance is taken back, and what it leaves of the stake is the owner's.
    function test_a_wrapper_that_takes_half() public {
        stake.play(Trick.PayNothing);
        bytes memory plan =
            abi.encodePacked(tokens(address(tokenB), address(stake)), hop(HopKind.WrapStaked, 0, 0, 1, ""));
        uint256 before = tokenB.balanceOf(stranger);
        check(trade(address(tokenB), address(stake), 1000, plan, "") == 125, "wrapped");
        check(tokenB.allowance(address(executor), address(stake)) == 0, "allowance");
        check(tokenB.balanceOf(stranger) == before + 500, "left");
    }

    function test_wrapping_within_a_plan() public {
        bytes memory plan = abi.encodePacked(tokens(NATIVE, address(wrapped)), hop(HopKind.Wrap, 0, 0, 1, ""));
        check(trade(NATIVE, address(wrapped), 70, plan, "") == 70, "wrapped");
        plan = abi.encodePacked(tokens(address(wrapped), NATIVE), hop(HopKind.Unwrap, 0, 0, 1, ""));
        vm.prank(receiver);
        wrapped.transfer(address(executor), 70);
        check(trade(address(wrapped), NATIVE, 70, 70, plan, "") == 70, "unwrapped");
        // Else a plan with tokens could spend native that is not its own.
        plan = abi.encodePacked(tokens(address(tokenA), address(wrapped)), hop(HopKind.Wrap, 0, 0, 1, ""));
        trade(address(tokenA), address(wrapped), 70, plan, abi.encodePacked(IExecutor.PlanRefused.selector));
    }
}
