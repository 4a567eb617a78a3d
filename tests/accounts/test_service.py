"""Integrators and keys against the real store: who a key belongs to, when it ends, and what is never kept."""

import asyncio
import os
from collections.abc import Awaitable
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts import key_changes
from rhumbline.accounts.key_changes import LONGEST_OVERLAP_S
from rhumbline.accounts.keys import digest, key_name_faults, new_key
from rhumbline.accounts.service import Accounts
from rhumbline.domain.account import ApiClient, Integrator
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import InvalidRequest, NotFound, StoreUnavailable
from rhumbline.domain.fee import FeeRule
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.installation import NEWEST, installation, packages
from tests.accounts.conftest import NOW
from tests.clocks import Seconds

EVM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
OTHER_EVM = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
SVM = "So11111111111111111111111111111111111111112"


async def faults(accounts: Accounts, name: str, evm: str | None = None, svm: str | None = None) -> tuple[str, ...]:
    with pytest.raises(InvalidRequest) as caught:
        await accounts.create_integrator(name, evm, svm)
    return caught.value.faults


async def test_a_key_leads_to_its_integrator(accounts: Accounts, elsewhere: Accounts) -> None:
    acme = await accounts.create_integrator("Acme", EVM.lower(), SVM)
    assert acme == Integrator("Acme", EVM, SVM, NOW)
    key, written = await accounts.create_key("aCME")
    assert (key.integrator, key.prefix, key.created_at, key.revoked_at) == ("Acme", written[:12], NOW, None)
    assert await accounts.caller(written) == await elsewhere.caller(written) == ApiClient(acme, key.id)


async def test_no_key_is_nobody_and_a_bad_one_is_marked(accounts: Accounts) -> None:
    assert await accounts.caller(None) == ApiClient()
    for bad in ("", "x", new_key(), "rl_live_" + "\x00" * 32, "\ud800", "'; DROP TABLE api_keys; --"):
        assert await accounts.caller(bad) == ApiClient(key_invalid=True)


async def test_one_character_off_is_another_key(accounts: Accounts) -> None:
    await accounts.create_integrator("acme", None, None)
    _, written = await accounts.create_key("acme")
    for spelled in (written[:-1] + ("a" if written[-1] != "a" else "b"), written.swapcase(), written + " "):
        assert (await accounts.caller(spelled)).key_invalid


async def test_names_are_one_in_every_case(accounts: Accounts) -> None:
    acme = await accounts.create_integrator("Acme", EVM, None)
    assert await accounts.integrator("ACME") == await accounts.integrator("acme") == acme
    assert await faults(accounts, "aCmE") == ("integrator: aCmE is taken; choose another name",)
    for unknown in ("acm", "", "a" * 40, "\x00", "acme\n", "%", "\ud800"):
        assert await accounts.integrator(unknown) is None


async def test_of_many_who_want_a_name_one_gets_it(accounts: Accounts, elsewhere: Accounts) -> None:
    wanted = [
        each.create_integrator(name, None, None) for each in (accounts, elsewhere) for name in ("acme", "ACME", "Acme")
    ]
    outcome = await asyncio.gather(*wanted, return_exceptions=True)
    assert sum(isinstance(each, Integrator) for each in outcome) == 1
    assert sum(isinstance(each, InvalidRequest) for each in outcome) == 5


async def test_all_faults_are_told_at_once(accounts: Accounts) -> None:
    told = await faults(accounts, "no good", EVM[:-1], EVM)
    assert [fault.partition(":")[0] for fault in told] == ["integrator", "evm_wallet", "svm_wallet"]
    assert await accounts.list_integrators() == ()


async def test_wallets_are_set_and_removed(accounts: Accounts, elsewhere: Accounts) -> None:
    await accounts.create_integrator("acme", EVM, None)
    assert (await accounts.set_wallet("ACME", ChainType.EVM, OTHER_EVM.lower())).evm_wallet == OTHER_EVM
    assert (await accounts.set_wallet("acme", ChainType.SVM, SVM)).wallet(ChainType.SVM) == SVM
    assert (await accounts.set_wallet("acme", ChainType.EVM, None)) == Integrator("acme", None, SVM, NOW)
    assert await elsewhere.integrator("acme") == Integrator("acme", None, SVM, NOW)
    with pytest.raises(NotFound, match="'nobody'"):
        await accounts.set_wallet("nobody", ChainType.EVM, EVM)
    with pytest.raises(InvalidRequest):
        await accounts.set_wallet("acme", ChainType.EVM, SVM)


async def test_own_changes_are_seen_at_once(accounts: Accounts) -> None:
    assert await accounts.integrator("acme") is None
    await accounts.create_integrator("acme", None, None)
    assert await accounts.integrator("acme") is not None
    key, written = await accounts.create_key("acme")
    assert (await accounts.caller(written)).key_id == key.id
    await accounts.set_wallet("acme", ChainType.EVM, EVM)
    caller = await accounts.caller(written)
    assert caller.integrator is not None
    assert caller.integrator.evm_wallet == EVM
    await accounts.revoke_key(key.id)
    assert (await accounts.caller(written)).key_invalid


async def test_ensuring_is_idempotent_and_leaves_what_is_not_named(accounts: Accounts) -> None:
    first = await accounts.ensure_integrator("acme", EVM, None)
    assert await accounts.ensure_integrator("ACME", None, SVM) == Integrator("acme", EVM, SVM, NOW)
    assert await accounts.ensure_integrator("acme", OTHER_EVM, None) == Integrator("acme", OTHER_EVM, SVM, NOW)
    assert first == Integrator("acme", EVM, None, NOW)
    assert [each.name for each in await accounts.list_integrators()] == ["acme"]


async def test_a_fee_rule_goes_with_the_key(accounts: Accounts) -> None:
    await accounts.create_integrator("acme", None, None)
    key, written = await accounts.create_key("acme")
    rule = FeeRule(Fraction(25, 10_000), Fraction(12_345_678, 10**9))
    await accounts.set_rule("ACME", rule)
    assert await accounts.caller(written) == ApiClient(await accounts.integrator("acme"), key.id, rule=rule)
    with pytest.raises(InvalidRequest):
        await accounts.set_rule("acme", FeeRule(Fraction(1, 3)))
    await accounts.set_rule("acme", None)
    assert (await accounts.caller(written)).rule is None
    with pytest.raises(NotFound):
        await accounts.set_rule("nobody", None)


async def test_a_revoked_key_is_refused_everywhere_within_a_second(
    accounts: Accounts, elsewhere: Accounts, seconds: Seconds
) -> None:
    await accounts.create_integrator("acme", None, None)
    key, written = await accounts.create_key("acme")
    _, kept = await accounts.create_key("acme")
    assert (await elsewhere.caller(written)).key_id == key.id
    ended = await accounts.revoke_key(key.id)
    assert ended.revoked_at is not None
    assert not (await elsewhere.caller(written)).key_invalid
    seconds.now += 0.999
    assert (await elsewhere.caller(written)).key_invalid
    assert (await accounts.revoke_key(key.id)).revoked_at == ended.revoked_at
    assert not (await elsewhere.caller(kept)).key_invalid


async def test_a_new_key_is_known_everywhere_within_a_second(
    accounts: Accounts, elsewhere: Accounts, seconds: Seconds
) -> None:
    assert await elsewhere.integrator("acme") is None
    await accounts.create_integrator("acme", None, None)
    assert await elsewhere.integrator("acme") is None
    seconds.now += 0.999
    assert await elsewhere.integrator("acme") is not None


async def test_a_keys_own_rule_wins_over_its_integrators_and_outlives_a_rotation(accounts: Accounts) -> None:
    await accounts.create_integrator("acme", None, None)
    (one, text), (_, other) = await accounts.create_key("acme"), await accounts.create_key("acme")
    common, own = FeeRule(Fraction(1, 1000), Fraction(1, 100)), FeeRule(Fraction(0), Fraction(5, 100))
    await accounts.set_rule("acme", common)
    assert (await accounts.set_key_rule(one.id, own)).rule == own
    assert ((await accounts.caller(text)).rule, (await accounts.caller(other)).rule) == (own, common)
    assert await accounts.key_rule(one.id) == own
    new, rotated = await accounts.rotate_key(one.id, 0)
    assert (new.rule, (await accounts.caller(rotated)).rule) == (own, own)
    await accounts.set_key_rule(new.id, None)
    assert ((await accounts.caller(rotated)).rule, await accounts.key_rule(new.id)) == (common, common)
    await accounts.set_rule("acme", None)
    assert ((await accounts.caller(rotated)).rule, await accounts.key_rule(new.id)) == (None, None)
    with pytest.raises(InvalidRequest):
        await accounts.set_key_rule(new.id, FeeRule(Fraction(0), Fraction(1, 5)))
    for change in (accounts.set_key_rule(10**6, own), accounts.key_rule(10**30)):
        with pytest.raises(NotFound, match="key: there is no key with the number"):
            await change


async def test_rotation_overlaps(accounts: Accounts) -> None:
    await accounts.create_integrator("acme", None, None)
    old, old_text = await accounts.create_key("acme")
    new, new_text = await accounts.rotate_key(old.id, 2)
    assert (await accounts.caller(old_text)).key_id == old.id
    assert (await accounts.caller(new_text)).key_id == new.id
    assert new.integrator == "acme"
    await asyncio.sleep(2.6)
    assert (await accounts.caller(old_text)).key_invalid
    assert not (await accounts.caller(new_text)).key_invalid


async def test_rotation_without_overlap_ends_the_old_one_at_once(accounts: Accounts) -> None:
    await accounts.create_integrator("acme", None, None)
    old, old_text = await accounts.create_key("acme")
    await accounts.rotate_key(old.id, 0)
    assert (await accounts.caller(old_text)).key_invalid


async def test_a_key_in_rotation_can_be_revoked_but_not_rotated(accounts: Accounts) -> None:
    await accounts.create_integrator("acme", None, None)
    old, old_text = await accounts.create_key("acme")
    await accounts.rotate_key(old.id, 3600)
    with pytest.raises(InvalidRequest) as caught:
        await accounts.rotate_key(old.id, 3600)
    assert caught.value.faults[0].startswith(f"key: {old.id} is already revoked or replaced")
    await accounts.revoke_key(old.id)
    assert (await accounts.caller(old_text)).key_invalid
    assert len(await accounts.list_keys("acme")) == 2


async def test_two_rotations_at_once_make_one_key(accounts: Accounts, elsewhere: Accounts) -> None:
    await accounts.create_integrator("acme", None, None)
    old, _ = await accounts.create_key("acme")
    outcome = await asyncio.gather(
        *[each.rotate_key(old.id, 60) for each in (accounts, elsewhere) for _ in range(3)], return_exceptions=True
    )
    assert sum(isinstance(each, InvalidRequest) for each in outcome) == 5
    assert len(await accounts.list_keys()) == 2


@pytest.mark.parametrize("overlap", [-1, LONGEST_OVERLAP_S + 1, 10**30])
async def test_a_senseless_overlap_is_refused(accounts: Accounts, overlap: int) -> None:
    with pytest.raises(InvalidRequest) as caught:
        await accounts.rotate_key(1, overlap)
    assert caught.value.faults[0].startswith("overlap: must be between 0 and")


@pytest.mark.parametrize("number", [0, -1, 7, 2**63, 10**30])
async def test_an_unknown_key_is_not_found(accounts: Accounts, number: int) -> None:
    for change in (accounts.revoke_key(number), accounts.rotate_key(number, 0)):
        with pytest.raises(NotFound, match="key: there is no key with the number"):
            await change


@pytest.mark.parametrize("name", ["nobody", "", "\x00", "'"])
async def test_keys_are_for_integrators_that_exist(accounts: Accounts, name: str) -> None:
    with pytest.raises(NotFound, match="integrator: there is no integrator named"):
        await accounts.create_key(name)
    with pytest.raises(NotFound):
        await accounts.list_keys(name)


async def test_lists_name_everything_in_order(accounts: Accounts) -> None:
    for name in ("beta", "Acme", "gamma"):
        await accounts.create_integrator(name, None, None)
    made = [(await accounts.create_key(name))[0] for name in ("gamma", "Acme", "gamma")]
    assert [each.name for each in await accounts.list_integrators()] == ["Acme", "beta", "gamma"]
    assert await accounts.list_keys() == tuple(made)
    assert await accounts.list_keys("GAMMA") == (made[0], made[2])


async def test_no_text_of_a_key_is_kept(accounts: Accounts, store_dsn: str) -> None:
    await accounts.create_integrator("acme", None, None)
    first, first_text = await accounts.create_key("acme")
    _, second_text = await accounts.rotate_key(first.id, 60)
    await accounts.caller(first_text)
    program = installation(NEWEST, os.geteuid(), packages()).folder / "bin" / "pg_dump"
    process = await asyncio.create_subprocess_exec(program, "-d", store_dsn, stdout=asyncio.subprocess.PIPE)
    dump = (await process.communicate())[0].decode()
    for written in (first_text, second_text):
        assert digest(written).hex() in dump
        secret = written.removeprefix("rl_live_")
        assert secret not in dump
        assert secret.encode().hex() not in dump
        assert secret not in f"{accounts!r}{first!r}"


async def test_without_a_store_reads_and_changes_say_so(tmp_path: Path) -> None:
    accounts = Accounts(create_engine(f"postgresql://u@/d?host={tmp_path}"), lambda: NOW)
    for attempt in (accounts.caller(new_key()), accounts.integrator("acme"), accounts.create_key("acme")):
        with pytest.raises(StoreUnavailable):
            await attempt
    assert await accounts.caller(None) == ApiClient()
    assert await accounts.caller("malformed") == ApiClient(key_invalid=True)


async def test_a_key_is_known_for_a_moment_after_it_was_asked_for(store_engine: AsyncEngine) -> None:
    now = 100.0
    accounts = Accounts(store_engine, lambda: datetime(2026, 11, 21, tzinfo=UTC), lambda: now)
    await accounts.create_integrator("Known", None, None)
    _, key = await accounts.create_key("Known")
    assert accounts.known_caller(key) is None
    asked = await accounts.caller(key)
    assert asked.integrator is not None
    assert accounts.known_caller(key) == asked
    now += 0.5
    assert accounts.known_caller(key) is None


async def test_nobody_and_what_is_no_key_need_no_asking(store_engine: AsyncEngine) -> None:
    accounts = Accounts(store_engine, lambda: datetime(2026, 11, 21, tzinfo=UTC))
    assert accounts.known_caller(None) == ApiClient()
    assert accounts.known_caller("no key") == ApiClient(key_invalid=True)
    assert accounts.known_caller(new_key()) is None


async def test_a_key_has_a_name_that_a_rotation_keeps(accounts: Accounts) -> None:
    await accounts.create_integrator("Named", None, None)
    key, _ = await accounts.create_key("Named", name="Checkout, eu-west")
    assert (key.name, key.last_used_at) == ("Checkout, eu-west", None)
    named = await accounts.name_key(key.id, "Checkout")
    assert named.name == "Checkout"
    rotated, _ = await accounts.rotate_key(key.id, 60)
    assert rotated.name == "Checkout"
    assert (await accounts.name_key(key.id, None)).name is None
    assert [each.name for each in await accounts.list_keys("Named")] == [None, "Checkout"]
    for number in (0, -1, 10**6, 2**63):
        with pytest.raises(NotFound):
            await accounts.name_key(number, "x")


@pytest.mark.parametrize("name", ["", " x", "x ", "x" * 41, "a\nb", "a\x00b", "\u202egnp.exe", "a\u2028b", "\ud800"])
async def test_a_name_is_one_line_that_can_be_seen(accounts: Accounts, name: str) -> None:
    assert key_name_faults(name)
    await accounts.ensure_integrator("Named", None, None)
    key, _ = await accounts.create_key("Named")
    for refused in (accounts.create_key("Named", name=name), accounts.name_key(key.id, name)):
        with pytest.raises(InvalidRequest) as told:
            await refused
        assert told.value.faults[0].startswith("name: must have")
    for good in ("x", "x" * 40, "<b>&amp;", "=cmd|' /C calc'!A0", "Größe 世界 🧭"):
        assert key_name_faults(good) == ()


async def fault(asked: Awaitable[object]) -> str:
    with pytest.raises(InvalidRequest) as caught:
        await asked
    (told,) = caught.value.faults
    return told


async def test_a_bound_on_keys_holds_for_many_processes(accounts: Accounts, elsewhere: Accounts) -> None:
    """For those who ask for it: the operator's own commands do not."""
    await accounts.create_integrator("Acme", None, None)
    await accounts.create_integrator("other", None, None)
    first, _ = await accounts.create_key("acme", most=5)
    both = (accounts, elsewhere)
    wanted = [each.create_key(name, most=5) for each in both for name in ("acme", "ACME", "Acme")]
    rotated = [each.rotate_key(first.id, 60, most=5) for each in both]
    outcome = await asyncio.gather(*wanted, *rotated, return_exceptions=True)
    made = [each for each in outcome if isinstance(each, tuple)]
    refused = [each for each in outcome if isinstance(each, InvalidRequest)]
    assert (len(made), len(refused)) == (4, 4)
    assert len(await accounts.list_keys("acme")) == 5
    await accounts.create_key("other", most=1)
    assert "revoke an unneeded key" in await fault(accounts.create_key("other", most=1))
    newest = max(key.id for key in await accounts.list_keys("acme"))
    assert "expire at once" in await fault(accounts.rotate_key(newest, 60, most=5))
    assert [key.revoked_at for key in await accounts.list_keys("acme") if key.id == newest] == [None]
    replaced, _ = await accounts.rotate_key(newest, 0, most=5)
    assert "revoke an unneeded key" in await fault(accounts.create_key("acme", most=5))
    await accounts.create_key("acme")
    await accounts.rotate_key(replaced.id, 60)


async def test_a_portal_key_knows_its_owner_and_a_rotated_one_what_it_counts_as(accounts: Accounts) -> None:
    await accounts.create_integrator("acme", None, None)
    plain, _ = await accounts.create_key("acme")
    own, text = await accounts.create_key("acme", owner=EVM)
    assert (await accounts.caller(text)).owner == EVM
    for key, owner in ((plain, None), (own, EVM)):
        new, first = await accounts.rotate_key(key.id, 60)
        again, second = await accounts.rotate_key(new.id, 60)
        assert (again.owner, again.counted_as) == (owner, key.id)
        callers = [await accounts.caller(each) for each in (first, second)]
        assert {(each.counted_as, each.owner) for each in callers} == {(key.id, owner)}


async def test_an_owner_has_so_many_live_keys_whatever_they_are_for(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_changes, "MOST_KEYS_OF_AN_OWNER", 3)
    for name in ("one", "two"):
        await accounts.create_integrator(name, None, None)
    made = [(await accounts.create_key(name, 20, owner=EVM))[0] for name in ("one", "one", "two")]
    for attempt in (accounts.create_key("two", 20, owner=EVM), accounts.rotate_key(made[0].id, 60, 20)):
        with pytest.raises(InvalidRequest, match="3 keys that you made are valid"):
            await attempt
    assert (await accounts.create_key("two", 20, owner=OTHER_EVM))[0].owner == OTHER_EVM
    await accounts.rotate_key(made[0].id, 0, 20)
