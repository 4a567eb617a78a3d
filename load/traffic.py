"""The generator: wallets and dApps that ask the service, by locust, at a rate that is set while they run.

Runs in locust's own environment (`scripts/load_tool`) as `python load/traffic.py <file>`, a JSON object of the
service's URL, keys, questions and records. It reads a JSON object a line from standard input, ``rate`` (requests a
second), ``settle_s``, ``seconds`` and ``mix`` (weights by kind), and prints one of what was answered in ``seconds``.
"""

import json
import random
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import gevent
from gevent.fileobject import FileObject
from locust import FastHttpUser, constant_pacing, task
from locust.env import Environment

PACE_S = 4.0
"""A user asks so often: a user whose answer takes longer falls behind, so the load does not follow the service."""
GOOD_S = 3.0
_READ = ("prices", "tokens", "chains", "transactions", "record", "status")
_SHOWN = 5


class Traffic:
    """What all users share: what to ask, in which mix, and how it was answered."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.questions: Mapping[str, Any] = told["questions"]
        self.keys: list[str] = told["keys"]
        self.records: Mapping[str, list[str]] = told["records"]
        self.dice = random.Random(20_261_128)
        self.numbers = iter(range(10**9))
        self.mix: Mapping[str, float] = {"chains": 1}
        self.forget()

    def forget(self) -> None:
        """Begin to count anew."""
        self.answers: dict[str, list[tuple[int, float]]] = {}
        self.faults: Counter[str] = Counter()
        self.events = self.broken = 0

    def kind(self) -> str:
        return self.dice.choices(list(self.mix), list(self.mix.values()))[0]

    def note(self, kind: str, status: int, seconds: float, words: str) -> None:
        self.answers.setdefault(kind, []).append((status, seconds))
        if not (200 <= status < 400 or status in (429, 502, 503)):
            self.faults[f"{kind} {status}: {words[:300]}"] += 1


class Wallet(FastHttpUser):
    """A wallet or dApp: it asks for one thing after another, with the key of an integrator."""

    wait_time = constant_pacing(PACE_S)
    network_timeout = connection_timeout = 30.0
    max_retries = 0
    traffic: Traffic

    def on_start(self) -> None:
        number = next(self.traffic.numbers) % len(self.traffic.keys)
        self.key = self.traffic.keys[number]
        self.own_records = self.traffic.records[self.key]
        self.etags: dict[str, str] = {}
        self.step: Any = None
        gevent.sleep(self.traffic.dice.random() * PACE_S)

    @task
    def ask(self) -> None:
        kind = self.traffic.kind()
        dice, began = self.traffic.dice, time.perf_counter()
        if kind == "step" and self.step is None:
            kind = "routes"
        if kind.startswith("quotes-"):
            self._answered(kind, began, "GET", "/v1/quotes", params=dice.choice(self.traffic.questions[kind]))
        elif kind == "routes":
            body = {**dice.choice(self.traffic.questions["quotes-across"]), "maxRoutes": 3}
            found = self._answered(kind, began, "POST", "/v1/advanced/routes", json=body)
            routes = [] if found is None else found["routes"]
            self.step = (routes[0]["steps"][0], body) if routes else None
        elif kind == "step":
            step, asked = self.step
            context = {name: asked[name] for name in ("senderAddress", "receiverAddress")}
            body = {"step": step, "context": context}
            self._answered(kind, began, "POST", "/v1/advanced/stepTransaction", json=body)
            self.step = None
        else:
            self._read(kind, began)

    def _read(self, kind: str, began: float) -> None:
        dice, questions = self.traffic.dice, self.traffic.questions
        if kind == "prices":
            self._answered(kind, began, "GET", "/v1/prices", params={"tokens": dice.choice(questions["prices"])})
        elif kind == "tokens":
            self._answered(kind, began, "GET", f"/v1/tokens?chains={dice.choice(questions['chains'])}")
        elif kind == "chains":
            self._answered(kind, began, "GET", "/v1/chains")
        elif kind == "transactions":
            self._answered(kind, began, "GET", "/v1/transactions?limit=20")
        elif kind == "record":
            self._answered(kind, began, "GET", f"/v1/transactions/{dice.choice(self.own_records)}")
        else:
            self._answered(kind, began, "GET", f"/v1/status/{dice.choice(self.own_records)}")

    def _answered(self, kind: str, began: float, method: str, path: str, **how: Any) -> Any:
        """Ask, and note the answer; return a route's, and none for what has failed."""
        headers = {"x-api-key": self.key}
        if path in self.etags:
            headers["if-none-match"] = self.etags[path]
        with self.client.request(method, path, headers=headers, catch_response=True, **how) as response:
            status, text = response.status_code, response.text or ""
            response.success()
        self.traffic.note(kind, status, time.perf_counter() - began, text or str(getattr(response, "error", "")))
        if status == 200 and (etag := response.headers.get("etag")):
            self.etags[path] = etag
        return response.json() if status == 200 and kind == "routes" else None


def follow(traffic: Traffic, url: str, key: str) -> None:
    """Hold a stream of events open for ever; one that ends is counted, and opened again."""
    parts = urlsplit(url)
    while True:
        try:
            with socket.create_connection((parts.hostname, parts.port)) as stream:
                stream.sendall(f"GET /v1/transactions/stream HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\n\r\n".encode())
                while data := stream.recv(65_536):
                    traffic.events += data.count(b"\nid:") + data.startswith(b"id:")
        except OSError:
            pass
        traffic.broken += 1
        gevent.sleep(1)


def counted(answers: list[tuple[int, float]]) -> dict[str, float]:
    """Return how many answers were good (2xx or 304 in time), late, refused (429, 503), unanswered by upstreams (502),
    and failed; and how long those took that are none of the last three.
    """
    taken = sorted(seconds for status, seconds in answers if 200 <= status < 400)
    refused = sum(status in (429, 503) for status, _ in answers)
    unanswered = sum(status == 502 for status, _ in answers)
    good = sum(seconds <= GOOD_S for seconds in taken)
    return {
        "count": len(answers),
        "good": good,
        "refused": refused,
        "late": len(taken) - good,
        "unanswered": unanswered,
        "failed": len(answers) - len(taken) - refused - unanswered,
        "p50_ms": 1000 * taken[len(taken) // 2] if taken else 0.0,
        "p99_ms": 1000 * taken[min(len(taken) - 1, len(taken) * 99 // 100)] if taken else 0.0,
    }


def figures(traffic: Traffic, seconds: float) -> dict[str, object]:
    by_kind = traffic.answers
    groups = {
        "all": list(by_kind),
        "quotes": [kind for kind in by_kind if kind not in _READ],
        "reads": [kind for kind in by_kind if kind in _READ],
        **{kind: [kind] for kind in sorted(by_kind)},
    }
    return {
        "seconds": seconds,
        "answers": {
            name: counted([each for kind in kinds for each in by_kind[kind]]) for name, kinds in groups.items()
        },
        "faults": dict(traffic.faults.most_common(_SHOWN)),
        "events": traffic.events,
        "broken": traffic.broken,
    }


def commands() -> Iterator[Mapping[str, Any]]:
    yield from map(json.loads, FileObject(sys.stdin.buffer))


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        told = json.load(file)
    Wallet.traffic = traffic = Traffic(told)
    Wallet.host = told["url"]
    runner = Environment(user_classes=[Wallet], host=told["url"]).create_local_runner()
    for number in range(told["streams"]):
        gevent.spawn(follow, traffic, told["url"], traffic.keys[number % len(traffic.keys)])
    print(json.dumps({"ready": True}), flush=True)
    for step in commands():
        traffic.mix = step["mix"]
        users = max(1, round(step["rate"] * PACE_S))
        runner.start(users, spawn_rate=max(10.0, users))
        gevent.sleep(step["settle_s"])
        traffic.forget()
        began = time.perf_counter()
        gevent.sleep(step["seconds"])
        print(json.dumps(figures(traffic, time.perf_counter() - began)), flush=True)
    runner.quit()


if __name__ == "__main__":
    main()
