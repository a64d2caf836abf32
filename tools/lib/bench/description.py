"""Reads benchmarks/NAME/benchmark.toml; docs/benchmarks.md describes its keys."""

import dataclasses
import os
import tomllib

from errors import BenchError

CONTRACT = "contract"
GOOGLE_BENCHMARK = "google-benchmark"


@dataclasses.dataclass
class Program:
    """Ours and a peer in C++ (a Bazel target), or a folder with a program in another language."""

    name: str = "ours"
    target: str = ""
    language: str = ""
    folder: str = ""
    modules: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    format: str = CONTRACT
    cases: str = ""  # a regular expression: it takes part in the cases whose names match


@dataclasses.dataclass
class Case:
    """One run of every program; its name comes before the metrics' names."""

    name: str = ""
    arguments: list = dataclasses.field(default_factory=list)
    on_request: bool = False  # runs only if --only is given, and matches


@dataclasses.dataclass
class Benchmark:
    name: str
    folder: str
    summary: str
    ours: Program
    peers: list
    cases: list
    arguments: list = dataclasses.field(default_factory=list)
    goals: dict = dataclasses.field(default_factory=dict)  # CASE/METRIC -> the most that ours may have
    goal_ratios: dict = dataclasses.field(default_factory=dict)  # the same as a part of the peer's
    generator: Program = None
    prepare: list = dataclasses.field(default_factory=list)
    needs: list = dataclasses.field(default_factory=list)  # a command that fails where it cannot run
    server: Program = None
    driver: Program = None
    rounds: int = 5
    timeout_seconds: float = 120
    whole_program: bool = True


def _build(cls, table, where):
    unknown = set(table) - {f.name for f in dataclasses.fields(cls)}
    if unknown:
        raise BenchError('read %s: unknown key "%s"' % (where, sorted(unknown)[0]))
    try:
        return cls(**table)
    except TypeError as e:
        raise BenchError("read %s: %s" % (where, str(e).split("() ")[-1]))


def _can_be_built(program):
    return bool(program.target if program.language == "c++" else program.folder and program.language in ("go", "rust"))


def parse(name, folder, text):
    """The description of one benchmark; BenchError says what is wrong with it."""
    where = "benchmarks/%s/benchmark.toml" % name
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise BenchError("read %s: %s" % (where, e))
    ours = _build(Program, table.pop("ours", {}), where + " [ours]")
    if not ours.target:
        raise BenchError("read %s [ours]: no target" % where)
    if ours.format not in (CONTRACT, GOOGLE_BENCHMARK):
        raise BenchError('read %s [ours]: unknown format "%s"' % (where, ours.format))
    peers = [_build(Program, p, where + " [[peers]]") for p in table.pop("peers", [])]
    for p in peers:
        if not _can_be_built(p) or p.name == "ours":
            raise BenchError("read %s [[peers]]: a peer requires name, language (go, rust) and folder, "
                             "or language c++ and target" % where)
    generator = table.pop("generator", None)
    if generator is not None:
        generator = _build(Program, dict(generator, name="generator"), where + " [generator]")
        if not _can_be_built(generator):
            raise BenchError("read %s [generator]: language and folder are required, as for a peer" % where)
    helpers = {}
    for name_of in ("server", "driver"):
        helper = table.pop(name_of, None)
        if helper is None:
            continue
        helpers[name_of] = _build(Program, dict(helper, name=name_of), "%s [%s]" % (where, name_of))
        if not helpers[name_of].target:
            raise BenchError("read %s [%s]: no target" % (where, name_of))
    cases = [_build(Case, c, where + " [[cases]]") for c in table.pop("cases", [{}])]
    return _build(Benchmark, dict(table, name=name, folder=folder, ours=ours, peers=peers, cases=cases,
                                  generator=generator, **helpers), where)


def names(root):
    folder = os.path.join(root, "benchmarks")
    return sorted(n for n in os.listdir(folder) if os.path.exists(os.path.join(folder, n, "benchmark.toml")))


def load(root, name):
    if name not in names(root):
        raise BenchError('no benchmark "%s", available: %s' % (name, ", ".join(names(root)) or "none"))
    folder = os.path.join(root, "benchmarks", name)
    with open(os.path.join(folder, "benchmark.toml")) as f:
        return parse(name, folder, f.read())
