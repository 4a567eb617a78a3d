"""Signatures as the published library makes and reads them."""

from datetime import UTC, datetime

from standardwebhooks import Webhook

from rhumbline.tracking.webhooks.signature import new_secret, signed


def test_a_signature_is_the_published_librarys() -> None:
    secret, at = new_secret(), datetime.now(UTC)
    headers = signed("msg_1", int(at.timestamp()), b'{"a":1}', [secret])
    assert headers["webhook-signature"] == Webhook(secret).sign("msg_1", at, '{"a":1}')
    assert Webhook(secret).verify('{"a":1}', dict(headers)) == {"a": 1}


def test_secrets_have_32_random_bytes() -> None:
    assert len({new_secret() for _ in range(20)}) == 20
    assert len(new_secret()) == len("whsec_") + 44
