// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Assets} from "../src/Assets.sol";
import {IDiamond} from "../src/interfaces/IDiamond.sol";
import {Fee, Kind, Operation, Order, SwapRecord} from "../src/Types.sol";
import {Setup} from "./support/Setup.sol";
import {BlockingToken, CallbackToken, FalseToken, Token} from "./support/Tokens.sol";
import {Burner, Refuser, Shouter} from "./support/Venues.sol";

contract FeesTest is Setup {
    function test_more_than_a_fifth_is_refused() public {
        Order memory o = order(address(tokenA), address(tokenB), 104, 1);
        vm.expectRevert(abi.encodeWithSelector(IDiamond.FeesTooHigh.selector, 20));
        vm.prank(wallet);
        diamond.swap(o, twoFees(20, 1), list(swapping(address(tokenA), address(tokenB), 83)));
        vm.prank(wallet);
        diamond.swap(o, twoFees(19, 1), list(swapping(address(tokenA), address(tokenB), 84)));
        equal(tokenA.balanceOf(wallet), 896, "input left");
    }

    function testFuzz_sums_that_overflow_are_refused(uint256 first, uint256 second) public {
        vm.assume(first > 20 || second > 20 - first);
        vm.expectRevert(abi.encodeWithSelector(IDiamond.FeesTooHigh.selector, 20));
        vm.prank(wallet);
        diamond.swap(
            order(address(tokenA), address(tokenB), 100, 1), twoFees(first, second), list(wrapping(Kind.Wrap, 1))
        );
    }

    function test_recipients_that_cannot_pay_out_are_refused() public {
        address[4] memory refused = [address(diamond), address(executor), address(tokenA), address(tokenB)];
        for (uint256 i; i < refused.length; ++i) {
            refuseRecipient(refused[i]);
        }
        address[] memory nobody = nobodies();
        for (uint256 i; i < nobody.length; ++i) {
            refuseRecipient(nobody[i]);
        }
    }

    function testFuzz_every_short_recipient_is_refused(uint16 account) public {
        refuseRecipient(address(uint160(account)));
    }

    function refuseRecipient(address account) private {
        vm.expectRevert(abi.encodeWithSelector(IDiamond.FeeRecipientRefused.selector, account));
        vm.prank(wallet);
        diamond.swap(order(address(tokenA), address(tokenB), 100, 1), oneFee(account, 0), list(wrapping(Kind.Wrap, 1)));
    }

    function test_a_fee_of_zero_is_neither_paid_nor_reported() public {
        vm.recordLogs();
        vm.prank(wallet);
        diamond.swap(
            order(address(tokenA), address(tokenB), 100, 1),
            twoFees(0, 0),
            list(swapping(address(tokenA), address(tokenB), 100))
        );
        equal(vm.getRecordedLogs().length, 1, "only Swapped");
    }

    function test_the_receivers_gain_does_not_count_its_fee() public {
        Order memory o = order(NATIVE, address(tokenB), 1000, 1800);
        vm.prank(wallet);
        uint256 output =
            diamond.swap{value: 1000}(o, oneFee(receiver, 100), list(swapping(NATIVE, address(tokenB), 900)));
        equal(output, 1800, "output");
        equal(receiver.balance, 100, "fee");
    }

    function test_a_blocked_recipient_leaves_the_fee_with_the_wallet() public {
        BlockingToken token = new BlockingToken();
        stock(token);
        token.block_(service);
        skipped(token);
    }

    function test_a_hook_that_burns_gas_is_cut_off() public {
        CallbackToken token = new CallbackToken();
        stock(token);
        token.listen(service, address(new Burner()));
        uint256 before = gasleft();
        skipped(token);
        check(before - gasleft() < 1_000_000, "gas of a burnt fee");
    }

    /// @dev Pays 5 to the service, which fails, and 5 to the integrator, which does not.
    function skipped(Token token) private {
        Order memory o = order(address(token), address(tokenB), 100, 180);
        SwapRecord memory record = swapRecord(o, 95, 90, 180);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.FeeSkipped(ID, service, "service", address(token), 5);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.FeePaid(ID, integrator, "integrator", address(token), 5);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.Swapped(ID, wallet, "acme", record);
        vm.prank(wallet);
        diamond.swap(o, twoFees(5, 5), list(swapping(address(token), address(tokenB), 90)));
        equal(token.balanceOf(wallet), 905, "the fee stayed");
        equal(token.balanceOf(service), 0, "no fee");
        assertEmpty(address(token));
    }

    function test_a_token_that_says_no_skips_the_fee() public {
        FalseToken token = new FalseToken();
        stock(token);
        token.refuse(true);
        vm.expectEmit(true, true, true, true, address(diamond));
        emit IDiamond.FeeSkipped(ID, service, "service", address(token), 5);
        vm.expectRevert(abi.encodeWithSignature("SafeERC20FailedOperation(address)", address(token)));
        vm.prank(wallet);
        diamond.swap(order(address(token), address(tokenB), 100, 1), oneFee(service, 5), list(wrapping(Kind.Wrap, 1)));
    }

    function test_native_recipients_that_refuse_leave_the_fee_with_the_wallet() public {
        address[3] memory hostile = [address(new Refuser()), address(new Burner()), address(new Shouter())];
        for (uint256 i; i < hostile.length; ++i) {
            vm.deal(wallet, 1000);
            Order memory o = order(NATIVE, address(tokenB), 1000, 1800);
            SwapRecord memory record = swapRecord(o, 900, 900, 1800);
            vm.expectEmit(true, true, true, true, address(diamond));
            emit IDiamond.FeeSkipped(ID, hostile[i], "service", NATIVE, 100);
            vm.expectEmit(true, true, true, true, address(diamond));
            emit IDiamond.Swapped(ID, wallet, "acme", record);
            uint256 before = gasleft();
            vm.prank(wallet);
            diamond.swap{value: 1000}(o, oneFee(hostile[i], 100), list(swapping(NATIVE, address(tokenB), 900)));
            check(before - gasleft() < 400_000, "gas of a hostile recipient");
            equal(wallet.balance, 100, "the fee came back");
            assertEmpty(NATIVE);
        }
    }

    function test_a_wallet_that_takes_no_native_reverts_when_a_native_fee_is_skipped() public {
        Refuser refuser = new Refuser();
        Order memory o = order(NATIVE, address(tokenB), 1000, 1);
        bytes memory data = abi.encodeCall(
            diamond.swap, (o, oneFee(address(refuser), 100), list(swapping(NATIVE, address(tokenB), 900)))
        );
        vm.deal(address(this), 1000);
        vm.expectRevert(abi.encodeWithSelector(Assets.NativeRefused.selector, address(refuser)));
        refuser.act{value: 1000}(address(diamond), 1000, data);
    }

    /// @dev Whatever gas limit the wallet gives, the fee is paid or the swap reverts: a low limit does not skip it.
    function testFuzz_a_low_gas_limit_skips_no_fee(uint256 seed) public {
        uint256 limit = bounded(seed, 30_000, 500_000);
        Order memory o = order(address(tokenA), address(tokenB), 100, 1);
        Operation[] memory operations = list(swapping(address(tokenA), address(tokenB), 95));
        vm.prank(wallet);
        try diamond.swap{gas: limit}(o, oneFee(service, 5), operations) {
            equal(tokenA.balanceOf(service), 5, "fee");
        } catch {
            equal(tokenA.balanceOf(wallet), 1000, "nothing was taken");
        }
    }
}
