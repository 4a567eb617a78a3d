"""The rules about files that a machine can hold: what each looks at, what breaks it, and what to do then."""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

LONGEST = 300
PROGRAMS = ("src/", "attack/", "bench/", "chaos/", "fuzz/", "load/", "scripts/", "website/")
"""Where a file's length is held; what clients/ has in one file is generated."""
MOST_UNTOLD = 3
LOCKS = frozenset({
    "package-lock.json", "requirements.lock", "requirements-setup.lock", "requirements-node.lock",
    "requirements-service.lock", "requirements-linters.lock", "requirements-site.lock", "LICENSE",
})  # fmt: skip
NOUNS = frozenset({"tracking", "wiring", "ranking", "listing", "checking", "content_coding"})
"""Words in -ing that are the field's own nouns."""
VAGUE = frozenset({"utils", "util", "helpers", "helper", "common", "misc", "manager", "base"})
EXCUSES = re.compile(r"type: ignore|\bnoqa\b|pragma: no cover|TODO|FIXME|XXX|NotImplementedError")
ELSEWHERE = re.compile(r"/work/|/root/|\.\./shared|registry\.npmjs|files\.pythonhosted|pypi\.org|deb\.debian\.org")
UPWARDS = re.compile(r"\bparents\[(\d+)\]")
REACHING_OUT = frozenset({"socket", "asyncio", "subprocess", "os", "pathlib", "urllib", "http"})
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
RULES = "tests/house/rules.py"
PACKAGE = "src/rhumbline/"
WEBSOCKET = f"{PACKAGE}gateways/nodes/websocket.py"
WINGS = frozenset({"evm", "svm"})
TYPED = frozenset({"EvmTransaction", "SvmTransaction"})
FLOORS_WITH_WINGS = frozenset({
    "routing", "simulation", "tracking", "catalog", "accounts", "pricing", "devnet", "api",
})  # fmt: skip
BY_NATURE = ("adapters/", "api/wire/")
"""What speaks of chain types by its nature: upstreams, and the words of the contract."""
EMULATORS = f"{PACKAGE}devnet/upstreams/"
"""Upstreams again, each with what it pays out on the chains."""
CHOOSES_WINGS = f"{PACKAGE}devnet/wings.py"
"""The one table below app that picks a wing: the sandbox joins its chains itself."""

Found = Iterator[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class File:
    """A file of the project: its path below the root, with slashes, and its words."""

    path: str
    text: str

    def lines(self) -> Iterator[tuple[int, str]]:
        """Return the lines with their numbers."""
        return enumerate(self.text.splitlines(), 1)

    def nodes(self) -> Iterator[ast.AST]:
        """Return every node of the source."""
        return ast.walk(ast.parse(self.text, self.path))


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in words, what breaks it (line and words each), what to do then, and the files that it is about."""

    words: str
    remedy: str
    find: Callable[[File], Found]
    about: Callable[[str], bool]

    def broken(self, files: Iterable[File]) -> list[str]:
        """Return a line for each place that breaks the rule."""
        return [
            f"{file.path}:{line}: {what}" for file in files if self.about(file.path) for line, what in self.find(file)
        ]

    def hold(self, files: Iterable[File]) -> None:
        """Raise AssertionError, with the rule, each place and the remedy in words, where the rule is broken."""
        hold(self.words, self.broken(files), self.remedy)


def hold(words: str, places: list[str], remedy: str) -> None:
    """Raise AssertionError, with the rule, its places and the remedy in words, where there is any place."""
    assert not places, "\n  ".join([f"Rule: {words}.", *places]) + f"\nRemedy: {remedy}."


def _source(path: str) -> bool:
    return path.startswith(PACKAGE) and path.endswith(".py")


def _program(path: str) -> bool:
    return path.startswith(PROGRAMS) and path.endswith(".py")


def _sends_by_ourselves(path: str) -> bool:
    return _source(path) and path != WEBSOCKET and not path.startswith(f"{PACKAGE}devnet/")


def _reads_settings(path: str) -> bool:
    return _source(path) and path != f"{PACKAGE}app/settings.py"


def _domain(path: str) -> bool:
    return path.startswith(f"{PACKAGE}domain/") and path.endswith(".py")


def _outside_wings(path: str) -> bool:
    inside = path.removeprefix(PACKAGE)
    return _source(path) and not inside.startswith(BY_NATURE) and not WINGS & set(inside.split("/"))


def _neutral(path: str) -> bool:
    """Tell whether a file is for all chain types alike; what app joins, and what lies below the wings, is not."""
    floor = path.removeprefix(PACKAGE).partition("/")[0]
    chosen = path == CHOOSES_WINGS or path.startswith(EMULATORS)
    return _outside_wings(path) and floor in FLOORS_WITH_WINGS and not chosen


def _prose(path: str) -> bool:
    return path.rpartition("/")[2] not in LOCKS and not path.endswith((".png", ".json")) and path != RULES


def _too_long(file: File) -> Found:
    count = len(file.text.splitlines())
    if count > LONGEST:
        yield LONGEST + 1, f"has {count} lines"


def _vague(file: File) -> Found:
    for part in file.path.removeprefix(PACKAGE).removesuffix(".py").split("/"):
        if part in VAGUE:
            yield 1, f"{part!r} says nothing"


def _activity(file: File) -> Found:
    name = file.path.rpartition("/")[2].removesuffix(".py")
    if name.endswith("ing") and name not in NOUNS:
        yield 1, f"{name!r} is an activity"


def _excuses(file: File) -> Found:
    for number, line in file.lines():
        yield from ((number, repr(mark)) for mark in EXCUSES.findall(line))


def _imports(file: File) -> Found:
    for node in file.nodes():
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module


def _foreign_imports(file: File) -> Found:
    for line, name in _imports(file):
        root = name.partition(".")[0]
        if root in REACHING_OUT or root not in sys.stdlib_module_names | {"rhumbline"}:
            yield line, f"imports {name}"


def _imports_aiohttp(file: File) -> Found:
    yield from ((line, f"imports {name}") for line, name in _imports(file) if name.partition(".")[0] == "aiohttp")


def _reads_environment(file: File) -> Found:
    for node in file.nodes():
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}:
            yield node.lineno, f"reads .{node.attr}"


def _mutable_state(file: File) -> Found:
    tree = ast.parse(file.text, file.path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            yield node.lineno, f"global {', '.join(node.names)}"
    for statement in tree.body:
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, MUTABLE):
            names = [target.id for target in ast.walk(statement) if isinstance(target, ast.Name)]
            if names[:1] != ["__all__"]:
                yield statement.lineno, f"{names[0] if names else 'a name'} can be changed by anybody"


def _imports_wing(file: File) -> Found:
    for node in file.nodes():
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "rhumbline" and WINGS & set(parts):
                yield node.lineno, f"imports {name}"


def _asks_type(file: File) -> Found:
    for node in file.nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            asked: list[ast.AST] = list(node.args[1:])
        elif isinstance(node, ast.MatchClass):
            asked = [node.cls]
        else:
            continue
        names = {
            part.id if isinstance(part, ast.Name) else part.attr
            for each in asked
            for part in ast.walk(each)
            if isinstance(part, ast.Name | ast.Attribute)
        }
        yield from ((node.lineno, f"asks whether it has an {name}") for name in sorted(names & TYPED))


def _functions(statements: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return functions of modules and classes; what lies within a function is nobody's to call."""
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement
        elif isinstance(statement, ast.ClassDef) and not statement.name.startswith("_"):
            yield from _functions(statement.body)


def _untold(file: File) -> Found:
    for node in _functions(ast.parse(file.text, file.path).body):
        if node.name.startswith("_") or ast.get_docstring(node) is not None:
            continue
        arguments = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        given = [each for each in arguments if each not in ("self", "cls")]
        raises = any(isinstance(inner, ast.Raise) and inner.exc is not None for inner in ast.walk(node))
        if raises or len(given) > MOST_UNTOLD:
            yield node.lineno, f"{node.name} {'raises' if raises else 'has many parameters'} and says nothing of it"


def _elsewhere(file: File) -> Found:
    for number, line in file.lines():
        yield from ((number, repr(words)) for words in ELSEWHERE.findall(line))
        for found in UPWARDS.finditer(line):
            if int(found[1]) > file.path.count("/"):
                yield number, f"{found[0]} is outside"


SHORT = Rule(
    f"a source file has at most {LONGEST} lines",
    "move what belongs together into a file of its own, named for it",
    _too_long, _program,
)  # fmt: skip
NAMED = Rule(
    "a file or folder is named for what is in it",
    "rename it for the one thing it does; where it does several, split it",
    _vague, _source,
)  # fmt: skip
NOUN = Rule(
    "a source file is named by a noun, not by what is done in it",
    "name what is in it: `status_writer`, not `writing`; a noun of the field may be added to NOUNS",
    _activity, _source,
)  # fmt: skip
FINISHED = Rule(
    "nothing is excused by a comment and nothing is unfinished",
    "mend what the linter or the type checker says, and finish or leave out what is not done",
    _excuses, _source,
)  # fmt: skip
PURE = Rule(
    "domain needs only the standard library, and nothing of it that reaches out",
    "give domain the value, and do the reaching out in gateways or app",
    _foreign_imports, _domain,
)  # fmt: skip
ONE_WAY_OUT = Rule(
    f"outside the sandbox only {WEBSOCKET} imports aiohttp",
    "ask over gateways/http (docs/decisions/0034)",
    _imports_aiohttp, _sends_by_ourselves,
)  # fmt: skip
SETTINGS = Rule(
    "only src/rhumbline/app/settings.py reads the environment",
    "make it a setting (src/rhumbline/app/settings.py) and pass it as an argument",
    _reads_environment, _reads_settings,
)  # fmt: skip
TOLD = Rule(
    f"a public function that raises, or has more than {MOST_UNTOLD} parameters, tells its contract",
    "write a docstring: meaning, shapes and units, what is raised and when",
    _untold, _source,
)  # fmt: skip
CONSTANT = Rule(
    "a module's own names hold constants",
    "use a tuple, a frozenset or MappingProxyType, and keep what changes in an object that app makes",
    _mutable_state, _source,
)  # fmt: skip
OWN = Rule(
    "words speak of the project alone",
    "name no path of one machine and no host of a registry; say it by a path inside the project",
    _elsewhere, _prose,
)  # fmt: skip

FILE_RULES = (SHORT, NAMED, NOUN, FINISHED, PURE, ONE_WAY_OUT, SETTINGS, TOLD, CONSTANT, OWN)

NEUTRAL = Rule(
    "a file outside the wings imports nothing of a wing, of gateways.evm or of gateways.svm",
    "move what is of one chain type into the evm/ or svm/ folder beside it, and let app hand it in by a seam",
    _imports_wing, _neutral,
)  # fmt: skip
UNTYPED = Rule(
    "no file outside wings, wire and adapters asks of which chain type a transaction is",
    "give the wing's own code the transaction, or give every transaction the field that is asked for",
    _asks_type, _outside_wings,
)  # fmt: skip

WING_RULES = (NEUTRAL, UNTYPED)
