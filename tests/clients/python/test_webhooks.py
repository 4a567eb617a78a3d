"""Signatures of webhooks: the service's own and the standard's library's are taken, and nothing else."""

import json
import re
import runpy
from pathlib import Path

import pytest
from standardwebhooks.webhooks import Webhook

from rhumbline.api.wire.record_event import to_transaction_event, transaction_event_model
from rhumbline.api.wire.transaction import transaction_model
from rhumbline.domain.record_event import EventKind, RecordEvent
from rhumbline.tracking.webhooks.signature import new_secret, signed
from rhumbline_client import InvalidSignature, UnexpectedAnswer, webhooks
from tests.api.api_service import NOW, full_record
from tests.e2e.running_demo import ROOT

SECRET, OTHER = new_secret(), new_secret()
AT = int(NOW.timestamp())


def body() -> bytes:
    record = full_record()
    model = transaction_model("Rhumbline")
    event = RecordEvent(7, EventKind.FINAL, NOW, record.record.id, TX, record.record)
    return to_transaction_event(transaction_event_model(model), model, event, record).model_dump_json().encode()


TX = "0x" + "ab" * 32


def test_a_message_of_the_service_is_taken() -> None:
    content = body()
    headers = dict(signed("msg_1", AT, content, [OTHER, SECRET]))
    told = webhooks.verify({name.title(): value for name, value in headers.items()}, content, SECRET, at=AT + 299)
    assert (told.id, told.type, told.number, told.at) == ("msg_1", "transaction.final", 7, NOW)
    assert told.transaction is not None
    assert told.transaction.input_token is not None
    assert isinstance(told.transaction.input_token.amount_raw, int)
    assert webhooks.verify(headers, content.decode(), [new_secret(), OTHER], at=AT).number == 7


def test_what_the_standards_library_signs_is_taken() -> None:
    content = json.dumps({"type": "webhook.test", "timestamp": "x", "data": {"webhook": "wh_1"}})
    signature = Webhook(SECRET).sign("msg_2", NOW, content)
    headers = {"webhook-id": "msg_2", "webhook-timestamp": str(AT), "webhook-signature": signature}
    told = webhooks.verify(headers, content, SECRET, at=AT)
    assert (told.type, told.transaction) == ("webhook.test", None)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"webhook-id": "msg_9"}, "no signature"),
        ({"webhook-signature": "v1,AAAA v2,x v1,%%% v1a,x"}, "no signature"),
        ({"webhook-signature": ""}, "no signature"),
        ({"webhook-timestamp": str(AT - 301)}, "within 300 seconds"),
        ({"webhook-timestamp": str(AT + 301)}, "within 300 seconds"),
        ({"webhook-timestamp": "9" * 400}, "within 300 seconds"),
        ({"webhook-timestamp": "١"}, "within 300 seconds"),
    ],
)
def test_what_was_not_signed_is_refused(change: dict[str, str], word: str) -> None:
    headers = {**signed("msg_1", AT, body(), [SECRET]), **change}
    with pytest.raises(InvalidSignature, match=word):
        webhooks.verify(headers, body(), SECRET, at=AT)


def test_a_body_that_was_changed_or_signed_by_others_is_refused() -> None:
    headers = signed("msg_1", AT, body(), [SECRET])
    for content, secrets in ((body() + b" ", [SECRET]), (body(), [OTHER])):
        with pytest.raises(InvalidSignature):
            webhooks.verify(headers, content, secrets, at=AT)
    with pytest.raises(InvalidSignature, match="webhook-id lacks"):
        webhooks.verify({}, body(), SECRET, at=AT)
    with pytest.raises(ValueError, match="secrets has none"):
        webhooks.verify(headers, body(), [], at=AT)
    with pytest.raises(ValueError, match="whsec_ and base64"):
        webhooks.verify(headers, body(), "whsec_!", at=AT)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"type":"transaction.final","number":1}', b"\xff"])
def test_what_is_signed_and_no_message_is_said_so(content: bytes) -> None:
    with pytest.raises(UnexpectedAnswer):
        webhooks.verify(signed("msg_1", AT, content, [SECRET]), content, SECRET, at=AT)


def test_the_program_of_the_readme_takes_the_services_messages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    readme = (ROOT / "clients" / "python" / "README.md").read_text("utf-8")
    found = re.search(r"^```python\n# webhook.py\n(.*?)^```$", readme, re.M | re.S)
    assert found is not None
    program = tmp_path / "webhook.py"
    program.write_text(found[1], "utf-8")
    receive = runpy.run_path(str(program))["receive"]
    monkeypatch.setattr("time.time", lambda: float(AT))
    assert receive(dict(signed("msg_1", AT, body(), [SECRET])), body(), [SECRET]) == 204
    assert receive(dict(signed("msg_1", AT, body(), [OTHER])), body(), [SECRET]) == 400
    assert capsys.readouterr().out == "msg_1 transaction.final success\n"
