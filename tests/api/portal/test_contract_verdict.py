"""Signing in with a contract wallet: by what its chain says, and on that chain alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from eth_account import Account

from rhumbline.domain.account import Role
from rhumbline.domain.errors import InvalidRequest
from tests.portal_fixture import Answer, ServedPortal, Visitor, message_in
from tests.wallet_chain import WalletChain, personal, signed, wallet_chain

BASE = 8453
SALT = bytes(32)
CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


@pytest.fixture(scope="module")
async def chain(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WalletChain]:
    """Base, as far as contract wallets see."""
    async with wallet_chain(Path(tmp_path_factory.mktemp("base")), chain_id=BASE) as running:
        yield running


@pytest.fixture
def base(portal: ServedPortal, chain: WalletChain) -> WalletChain:
    portal.world.nodes[BASE] = chain.rpc
    return chain


async def challenged(visitor: Visitor, address: str, chain_id: int = BASE) -> str:
    answer = await visitor.send_json("/portal/challenge", {"address": address, "chainId": hex(chain_id)})
    assert answer.status == 200, answer.text
    return answer.json["message"]


async def sent(visitor: Visitor, message: str, signature: str) -> Answer:
    return await visitor.send_json("/portal/sign-in", {"message": message, "signature": signature})


async def signed_in(visitor: Visitor, chain: WalletChain, wallet: str) -> None:
    message = await challenged(visitor, wallet)
    answer = await sent(visitor, message, chain.bound(visitor.key, wallet, message))
    assert answer.status == 200, answer.text


async def test_a_contract_wallet_signs_in_and_sets_its_fee_wallet(portal: ServedPortal, base: WalletChain) -> None:
    visitor = portal.visitor()
    wallet = await base.wallet(visitor.key)
    await signed_in(visitor, base, wallet)
    home = await visitor.get("/portal")
    assert f'title="eip155:{BASE}:{wallet}">{wallet[:6]}…{wallet[-4:]}<' in home.text
    await visitor.register("Safe")
    assert [each.address for each in await portal.services.members.members_of("Safe")] == [f"eip155:{BASE}:{wallet}"]
    form = {"chain_type": "EVM", "address": CHECKSUMMED}
    shown = await visitor.check_wallet("Safe", await visitor.csrf(), **form)
    assert f'data-address="{wallet}"' in shown.text
    message = message_in(shown)
    assert f"\n{wallet}\n" in message
    assert f"\nChain ID: {BASE}\n" in message
    signature = base.bound(visitor.key, wallet, message)
    done = await visitor.send_form("/portal/i/Safe/wallets", home.csrf, **form, message=message, signature=signature)
    assert done.status == 303, done.text
    (integrator,) = await portal.services.accounts.list_integrators()
    assert integrator.evm_wallet == CHECKSUMMED


async def test_a_wallet_signs_in_before_it_is_deployed(portal: ServedPortal, base: WalletChain) -> None:
    visitor = portal.visitor()
    wallet = await base.planned(visitor.key, SALT)
    message = await challenged(visitor, wallet)
    answer = await sent(visitor, message, base.wrapped(visitor.key, SALT, message))
    assert answer.status == 200, answer.text
    assert wallet.lower() in (await visitor.get("/portal")).text.lower()


async def test_the_same_address_on_another_chain_is_another_account(portal: ServedPortal, base: WalletChain) -> None:
    """Whoever makes a contract at the address of another's wallet on another chain gets nothing of it."""
    visitor, thief = portal.visitor(1), portal.visitor(2)
    wallet = await base.wallet(visitor.key)
    await signed_in(visitor, base, wallet)
    await visitor.register("Safe")
    # Here the thief's contract stands at the same address: what it is on chain 1 says nothing of what it is on Base.
    code = await base.rpc.call("eth_getCode", [await base.wallet(thief.key, "PlainWallet"), "latest"])
    before = await base.rpc.call("eth_getCode", [wallet, "latest"])
    try:
        await base.rpc.call("anvil_setCode", [wallet, code])
        portal.world.nodes[1] = base.rpc
        message = await challenged(thief, wallet, 1)
        answer = await sent(thief, message, signed(thief.key, personal(message)))
    finally:
        await base.rpc.call("anvil_setCode", [wallet, before])
    assert answer.status == 200, answer.text
    home = await thief.get("/portal")
    assert f"eip155:1:{wallet}" in home.text
    assert "/portal/i/Safe" not in home.text
    assert (await thief.get("/portal/i/Safe")).status == 404


async def test_a_key_s_account_is_no_contract_s(portal: ServedPortal, base: WalletChain) -> None:
    """An owner by address is whoever has its key; a contract at that address is somebody else."""
    visitor = portal.visitor()
    wallet = await base.wallet(visitor.key)
    await visitor.sign_in()
    await visitor.register("Acme")
    await portal.services.members.put(wallet, "Acme", Role.OWNER)
    contract = portal.visitor()
    await signed_in(contract, base, wallet)
    assert (await contract.get("/portal/i/Acme")).status == 404
    await portal.services.members.put(f"eip155:{BASE}:{wallet}", "Acme", Role.OWNER)
    assert (await contract.get("/portal/i/Acme")).status == 200


async def test_a_genuine_signature_of_somebody_else_lets_nobody_in(portal: ServedPortal, base: WalletChain) -> None:
    visitor, stranger = portal.visitor(1), portal.visitor(2)
    wallet, strangers = await base.wallet(visitor.key), await base.wallet(stranger.key)
    message = await challenged(visitor, wallet)
    own = str(Account.from_key(visitor.key).address)
    for text, signature, says in (
        (message, base.bound(stranger.key, wallet, message), "says the contract wallet at this address on Base"),
        (message, base.bound(stranger.key, strangers, message), "says the contract wallet"),
        (message, signed(visitor.key, personal(message)), "says the contract wallet"),
        (message, base.wrapped(stranger.key, SALT, message), "says the contract wallet"),
        (
            message.replace(wallet, own),
            base.bound(visitor.key, wallet, message),
            "no contract wallet is at this address",
        ),
        (message.replace(f"ID: {BASE}", "ID: 1"), base.bound(visitor.key, wallet, message), "on Ethereum"),
        (message.replace(f"ID: {BASE}", "ID: 56"), base.bound(visitor.key, wallet, message), "chain 56"),
    ):
        answer = await sent(visitor, text, signature)
        assert (answer.status, says in answer.json["error"]) == (403, True), (text, answer.text)
    assert "portal-session" not in visitor.cookies
    good = await sent(visitor, message, base.bound(visitor.key, wallet, message))
    assert good.status == 200
    again = await sent(stranger, message, base.bound(visitor.key, wallet, message))
    assert again.status == 403


async def test_a_chain_that_does_not_answer_lets_nobody_in(portal: ServedPortal, base: WalletChain) -> None:
    visitor = portal.visitor()
    wallet = await base.wallet(visitor.key)
    message = await challenged(visitor, wallet)
    signature = base.bound(visitor.key, wallet, message)
    portal.world.silent.add(BASE)
    answer = await sent(visitor, message, signature)
    assert answer.status == 503
    assert "Base could not be asked whether it is a contract wallet's: try again" in answer.json["error"]
    portal.world.silent.clear()
    assert (await sent(visitor, message, signature)).status == 200


async def test_an_invitation_names_a_contract_wallet_with_its_chain(portal: ServedPortal, base: WalletChain) -> None:
    """Named by its address alone it is for whoever has that key; a contract there cannot take it."""
    owner, guest = portal.visitor(1), portal.visitor(2)
    wallet = await base.wallet(guest.key)
    await owner.sign_in()
    await owner.register("Acme")
    await signed_in(guest, base, wallet)
    account = f"eip155:{BASE}:{wallet}"
    invite, accept = portal.services.invitations.invite, portal.services.invitations.accept
    _, by_address = await invite("Acme", Role.VIEWER, 7, wallet)
    with pytest.raises(InvalidRequest, match="it is for another wallet"):
        await accept(by_address, account)
    page = "/portal/i/Acme/members"
    for given, status in ((f"eip155:x:{wallet}", 400), (f"eip155:{BASE}:{wallet[:-1]}", 400), (account.lower(), 303)):
        sent_form = await owner.send_form(
            f"{page}/invitations", await owner.csrf(), wallet=given, days="7", role="viewer"
        )
        assert sent_form.status == status, (given, sent_form.text)
    (_, invited) = sorted(await portal.services.invitations.open_of("Acme"), key=lambda each: each.id)
    assert invited.address == account
