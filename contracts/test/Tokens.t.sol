// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDiamond} from "../src/interfaces/IDiamond.sol";
import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {Order, SwapRecord} from "../src/Types.sol";
import {Setup} from "./support/Setup.sol";
import {BlockingToken, FalseToken, LyingToken, SilentToken, TaxToken, Token} from "./support/Tokens.sol";
import {Router} from "./support/Venues.sol";

/// @dev Tokens that do not behave like the standard, as input and as output.
contract TokensTest is Setup {
    function swap(Order memory o, bool everything) internal returns (uint256) {
        vm.prank(wallet);
        return diamond.swap(
            o,
            twoFees(5, 5),
            list(
                everything
                    ? swappingAll(o.inputToken, o.outputToken)
                    : swapping(o.inputToken, o.outputToken, o.inputAmount - 10)
            )
        );
    }

    function test_a_token_that_returns_nothing() public {
        SilentToken silent = new SilentToken();
        stock(silent);
        equal(swap(order(address(silent), address(tokenB), 100, 180), false), 180, "as input");
        equal(silent.balanceOf(service), 5, "fee");
        equal(swap(order(address(tokenA), address(silent), 100, 180), false), 180, "as output");
        assertEmpty(address(silent));
    }

    /// @dev An allowance that somebody left behind is no obstacle to a token that wants a reset first.
    function test_a_token_that_wants_an_allowance_reset() public {
        SilentToken silent = new SilentToken();
        stock(silent);
        allow(silent, address(executor), address(router), 7);
        bytes memory data =
            abi.encodeCall(Router.partialSwap, (address(silent), 90, address(tokenB), address(executor)));
        vm.prank(wallet);
        diamond.swap(
            order(address(silent), address(tokenB), 90, 90),
            noFees(),
            list(calling(address(router), address(silent), 90, data))
        );
        assertEmpty(address(silent));
    }

    function test_a_token_that_returns_false_on_the_way_in() public {
        FalseToken token = new FalseToken();
        stock(token);
        token.refuse(true);
        vm.expectRevert(abi.encodeWithSignature("SafeERC20FailedOperation(address)", address(token)));
        swap(order(address(token), address(tokenB), 100, 1), false);
    }

    function test_a_token_that_returns_false_on_the_way_out() public {
        FalseToken token = new FalseToken();
        stock(token);
        Order memory o = order(address(tokenA), address(token), 100, 1);
        token.mint(address(executor), 10);
        token.refuse(true);
        vm.expectPartialRevert(IExecutor.OperationFailed.selector);
        swap(o, false);
    }

    function test_a_taxed_input_is_measured() public {
        TaxToken tax = new TaxToken();
        stock(tax);
        // 490 arrive less 5 tax; the market gets 485 less 5 and pays twice that.
        Order memory o = order(address(tax), address(tokenB), 500, 960);
        SwapRecord memory record = swapRecord(o, 500, 485, 960);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.Swapped(ID, wallet, "acme", record);
        swap(o, true);
        equal(tax.balanceOf(wallet), 500, "input left");
        assertEmpty(address(tax));
    }

    function test_a_taxed_input_does_not_suffice_for_fixed_calldata() public {
        TaxToken tax = new TaxToken();
        stock(tax);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.AmountUnavailable.selector, 0, address(tax), 490, 485));
        swap(order(address(tax), address(tokenB), 500, 1), false);
    }

    /// @dev The minimum holds for what arrives at the receiver, after the tax of the last transfer.
    function test_a_taxed_output_is_measured_at_the_receiver() public {
        TaxToken tax = new TaxToken();
        stock(tax);
        // 180 leave the market, 178 reach the Executor, 176 the receiver.
        vm.expectRevert(abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 177, 176));
        swap(order(address(tokenA), address(tax), 100, 177), false);
        equal(swap(order(address(tokenA), address(tax), 100, 176), false), 176, "output");
        equal(tax.balanceOf(receiver), 176, "received");
        assertEmpty(address(tax));
    }

    function test_a_blocked_receiver_stops_the_swap() public {
        BlockingToken token = new BlockingToken();
        stock(token);
        token.block_(receiver);
        vm.expectRevert(abi.encodeWithSelector(BlockingToken.Blocked.selector, receiver));
        swap(order(address(tokenA), address(token), 100, 1), false);
        equal(tokenA.balanceOf(wallet), 1000, "nothing was taken");
    }

    function test_a_blocked_executor_stops_the_swap() public {
        BlockingToken token = new BlockingToken();
        stock(token);
        token.block_(address(executor));
        vm.expectRevert(abi.encodeWithSelector(BlockingToken.Blocked.selector, address(executor)));
        swap(order(address(token), address(tokenB), 100, 1), false);
    }

    function test_a_token_that_lies_about_the_input() public {
        LyingToken liar = new LyingToken();
        stock(liar);
        liar.tell(1e18);
        vm.expectRevert(abi.encodeWithSelector(IDiamond.NothingReceived.selector, address(liar)));
        swap(order(address(liar), address(tokenB), 100, 1), false);
    }

    function test_a_token_that_lies_about_the_output() public {
        LyingToken liar = new LyingToken();
        stock(liar);
        liar.tell(1e18);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.OutputBelowMinimum.selector, 1, 0));
        swap(order(address(tokenA), address(liar), 100, 1), false);
    }

    function testFuzz_a_taxed_token_never_breaks_the_minimum(uint96 amount, uint96 minimum, bool in_) public {
        TaxToken tax = new TaxToken();
        stock(tax);
        uint256 input = bounded(amount, 100, 1e21);
        tax.mint(wallet, input);
        tokenA.mint(wallet, input);
        (address from, address to) = in_ ? (address(tax), address(tokenB)) : (address(tokenA), address(tax));
        uint256 least = bounded(minimum, 1, 3 * input);
        vm.prank(wallet);
        try diamond.swap(order(from, to, input, least), noFees(), list(swappingAll(from, to))) returns (
            uint256 output
        ) {
            check(output >= least, "at least the minimum");
            equal(Token(to).balanceOf(receiver), output, "received");
        } catch {
            equal(Token(from).balanceOf(wallet), 1000 + input, "nothing was taken");
        }
        assertEmpty(address(tax));
    }
}
