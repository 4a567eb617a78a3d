"""The life of a webhook on the command line."""

import json
import re

from tests.app.conftest import Command
from tests.app.test_cli import failed

OWN = ("--integrator", "acme")


def test_the_life_of_a_webhook(command: Command) -> None:
    assert command("keys", "create", *OWN).code == 0
    made = command("webhooks", "add", "https://example.com/hooks", *OWN, "--event", "transaction.final")
    assert re.fullmatch(r"whsec_[0-9A-Za-z+/]{43}=\n", made.out), made.err
    (listed,) = json.loads(command("webhooks", "list", *OWN, "--json").out)
    assert (listed["url"], listed["events"], listed["state"]) == (
        "https://example.com/hooks",
        "transaction.final",
        "on",
    )
    webhook = listed["webhook"]
    rotated = command("webhooks", "rotate", webhook, *OWN, "--overlap", "0")
    assert rotated.out.startswith("whsec_")
    assert rotated.out != made.out
    assert command("webhooks", "test", webhook, *OWN).code == 0
    (delivery,) = json.loads(command("webhooks", "deliveries", webhook, *OWN, "--json").out)
    assert (delivery["type"], delivery["state"]) == ("webhook.test", "pending")
    assert command("webhooks", "resend", webhook, delivery["delivery"], *OWN).code == 0
    assert len(json.loads(command("webhooks", "deliveries", webhook, *OWN, "--json").out)) == 2
    assert command("webhooks", "enable", webhook, *OWN).code == 0
    assert command("webhooks", "remove", webhook, *OWN).code == 0
    failed(command("webhooks", "test", webhook, *OWN), 1, "webhook")
    failed(command("webhooks", "add", "http://example.com", *OWN), 1, "url")
    failed(command("webhooks", "add", "https://127.0.0.1", *OWN), 1, "url")
    failed(command("webhooks", "add", "https://example.com", *OWN, "--event", "x"), 1, "events")
    failed(command("webhooks", "list", "--integrator", "nobody"), 1, "nobody")
