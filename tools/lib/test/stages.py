"""The stages of tools/test: what each runs and how it counts."""

import dataclasses
import subprocess
import tempfile
from pathlib import Path
from typing import Callable, Sequence

from counting import Outcome, from_bazel, from_script

ROOT = Path(__file__).resolve().parents[3]
CACHE = Path.home() / ".cache" / "client-cpp"


@dataclasses.dataclass(frozen=True)
class Options:
    """What the command line decides about the stages that run."""

    fuzz_seconds: int = 60
    # The fuzz targets that run, by label; empty: all.
    fuzz_targets: tuple[str, ...] = ()
    # For a log, not for a terminal.
    ci: bool = False


@dataclasses.dataclass(frozen=True)
class Stage:
    """A part of a run. Its run function counts what it did and raises only when it cannot start."""

    name: str
    title: str
    run: Callable[[Options], Outcome]
    # Run by --full only.
    full: bool = False


def run_script(command: list[str | Path], name: str = "") -> Outcome:
    """Runs a program in the root folder, shows what it prints, and counts that."""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        lines = []
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return from_script(name or str(command[0]), "".join(lines), process.returncode)


def script_stage(path: str, *arguments: str) -> Callable[[Options], Outcome]:
    return lambda _: run_script([str(ROOT / path), *arguments], " ".join([path, *arguments]))


def ci_flags(options: Options) -> list[str]:
    return ["--config=ci"] if options.ci else []


def bazel_test(*arguments: str) -> Callable[[Options], Outcome]:
    """A stage of one "bazel test", which shows its output itself and is counted from its events."""

    def run(options: Options) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            events = Path(folder) / "events.json"
            flags = [*ci_flags(options), "--keep_going", f"--build_event_json_file={events}"]
            code = subprocess.run(["bazel", "test", *flags, *arguments], cwd=ROOT).returncode
            lines = events.read_text(encoding="utf-8").splitlines() if events.exists() else []
            return from_bazel(lines, code)

    return run


# ---- fuzz targets


def bazel_output(*arguments: str) -> list[str]:
    command = ["bazel", *arguments]
    # Progress on standard error is noise here, so it is shown only if the command fails.
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout.split()


# The tags that keep a test out of a stage, as .bazelrc has them.
NOT_WITH_ASAN = ("manual", "gcc_only", "no_clang", "no_asan", "no_ubsan")
NOT_WITH_TSAN = ("manual", "gcc_only", "no_clang", "no_tsan")


def with_tags(tags: Sequence[str], targets: str) -> str:
    """The query for the targets with one of the tags. Bazel matches against the list as text: [fuzz, no_tsan]."""
    return rf'attr(tags, "[\[ ]({"|".join(tags)})[,\]]", {targets})'


def fuzz_query(targets: str = "//...") -> str:
    """The query for the targets of this stage."""
    tests = f"tests({targets})"
    return f"{with_tags(['fuzz'], tests)} except {with_tags(NOT_WITH_ASAN, tests)}"


def label_path(label: str) -> str:
    """The path of a file or an output of the main repository: //a/b:c is a/b/c."""
    return label.removeprefix("//").replace(":", "/").removeprefix("/")


def fuzz_one(label: str, binary: Path, seconds: int) -> Outcome:
    """Runs one target on a copy of its corpus; an input that fails is kept in the cache folder."""
    crashes = CACHE / "fuzz" / label_path(label)
    crashes.mkdir(parents=True, exist_ok=True)
    seeds = bazel_output("query", f'kind("source file", deps(labels(data, {label})))')
    with tempfile.TemporaryDirectory() as folder:
        scratch, corpus = Path(folder) / "scratch", Path(folder) / "corpus"
        scratch.mkdir()
        corpus.mkdir()
        for number, seed in enumerate(seeds):
            (corpus / str(number)).symlink_to(ROOT / label_path(seed))
        flags = [f"-max_total_time={seconds}", "-timeout=10", f"-artifact_prefix={crashes}/"]
        command = [binary, *flags, "-verbosity=0", "-print_final_stats=1", scratch, corpus]
        return run_script(command, label)


def fuzz_labels(wanted: tuple[str, ...]) -> list[str]:
    """The fuzz targets, or those of them that are wanted; raises ValueError if one of these is none."""
    labels = sorted(bazel_output("query", fuzz_query()))
    # As Bazel has it, a label may lack the slashes.
    names = ["//" + label.removeprefix("//") for label in wanted]
    for name in names:
        if name not in labels:
            raise ValueError(f'fuzz "{name}": no such fuzz target')
    return sorted(set(names)) or labels


def fuzz(options: Options) -> Outcome:
    """Builds the fuzz targets and gives each an equal share of the time, one after the other."""
    labels = fuzz_labels(options.fuzz_targets)
    outcome = Outcome()
    if not labels:
        outcome.add_skipped("fuzz: no test has the tag fuzz")
        return outcome
    build = ["bazel", "build", *ci_flags(options), "--config=fuzz", "--keep_going", *labels]
    if subprocess.run(build, cwd=ROOT).returncode != 0:
        outcome.add_failed("the fuzz targets do not build")
        return outcome
    output = Path(bazel_output("info", "--config=fuzz", "bazel-bin")[0])
    seconds = max(1, options.fuzz_seconds // len(labels))
    for label in labels:
        print(f"-- {label}, {seconds} s", flush=True)
        outcome.add(fuzz_one(label, output / label_path(label), seconds))
    return outcome


# Programs around the library, and lists of what upstream says: the sanitizers see the library's code in the tests of the library.
AROUND_THE_LIBRARY = (
    "-//benchmarks/...",
    "-//cmd/...",
    "-//codegen/...",
    "-//docs/...",
    "-//examples/...",
    "-//apiserver/printers/...",
    "-//tests/fixtures/...",
    "-//tests/kitchen_sink/...",
    "-//tests/kube_library/...",
)

# The stages with sanitizers that run before a change lands see what a sanitizer finds most in; a full run shows them everything. Each library
# costs a compilation more for each of them, so these lists must stay short enough for a run with cold caches to end within the hour.

# Code that reads what others have written, or that counts its own references and lays out its own memory. Two tests of webhooks would have the
# whole embedded server compiled with AddressSanitizer.
FOREIGN_BYTES = (
    "apimachinery/base/...",
    "apimachinery/codec/...",
    "apimachinery/cron/...",
    "apimachinery/jsonpath/...",
    "apimachinery/patch/...",
    "apimachinery/table/...",
    "apimachinery/types/...",
    "apimachinery/unstructured/...",
    "apimachinery/watch/...",
    "clientset/clientcmd/...",
    "controller/workqueue/...",
    "listers/...",
    "net/...",
    "webhook/...",
    "-webhook:ca_bundle_test",
    "-webhook:embedded_server_test",
)

# Code that threads share. In a simulation one thread goes at a time, so there is nothing to see in the tests of operators.
THREADS = (
    "apimachinery/base:all",
    "apimachinery/base/log/...",
    "apimachinery/watch/...",
    "clientset/podlogs/...",
    "clientset/portforward/...",
    "clientset/recording/...",
    "clientset/remotecommand/...",
    "clientset/rest/...",
    "controller/...",
    "-controller/manifests/...",
    "-controller/testing/...",
    "informers:all",
    "informers/testing/...",
    "listers/...",
    "net/httpclient/...",
    "net/httpserver/...",
    "net/io/...",
    "net/spdy/...",
    "net/websocket/...",
)


def patterns(packages: Sequence[str]) -> list[str]:
    """The target patterns of a list of packages, in which "-" leaves one out."""
    return [f"-//{package[1:]}" if package.startswith("-") else f"//{package}" for package in packages]


def tests_query(packages: Sequence[str]) -> str:
    """The query for the tests of a list of packages."""
    included = [pattern for pattern in patterns(packages) if not pattern.startswith("-")]
    left_out = [pattern[1:] for pattern in patterns(packages) if pattern.startswith("-")]
    return f"(tests(set({' '.join(included)})) except set({' '.join(left_out)}))"


def sanitized_query() -> str:
    """The query for the tests of the stages asan and tsan."""
    parts = []
    for packages, tags in ((FOREIGN_BYTES, NOT_WITH_ASAN), (THREADS, NOT_WITH_TSAN)):
        tests = tests_query(packages)
        parts.append(f"({tests} except {with_tags(tags, tests)})")
    return " union ".join(parts)


def without(query: str) -> list[str]:
    """The target patterns that leave out what the query finds."""
    return [f"-{label}" for label in sorted(bazel_output("query", query))]


def not_sanitized(options: Options) -> Outcome:
    """Runs the tests that neither asan nor tsan runs. Before a change lands, each test runs once."""
    return bazel_test("--nobuild_tests_only", "--", "//...", "-//benchmarks/...", *without(sanitized_query()))(options)


# The embedded server, and what starts one for tests.
WITH_SERVER = ("apiserver", "envtest", "controller/leaderelection/testing", "controller/testing", "informers/testing")


def server_query() -> str:
    """The query for the tests that need the embedded server. One that follows dependencies would build all programs of other languages first."""
    labels = f"//({'|'.join(WITH_SERVER)})[/:]"
    return f'attr(deps, "{labels}", tests(//...)) union attr(data, "{labels}", tests(//...))'


def without_server(options: Options) -> Outcome:
    """Runs the tests of the library that need no embedded server. clang takes half the time of g++."""
    with_server = without(server_query())
    return bazel_test("--config=clang", "--", "//...", *AROUND_THE_LIBRARY, "-//tests/...", *with_server)(options)


# What runs without a flag: what a newcomer has changed is in the library.
UNIT_TESTS = Stage("unit", "clang unit tests of the library that need no server", without_server)


# In the order in which they run: what is quick and what fails most often comes first.
STAGES = (
    Stage("format", "clang-format and buildifier", script_stage("tools/format", "--check")),
    Stage("style", "house style", bazel_test("//tools:tidy_test")),
    Stage("deps", "includes against deps", script_stage("tools/check_deps")),
    Stage("docs", "the site of guides and API reference: no warnings, no dead links", script_stage("tools/docs", "--check")),
    # Here, and in the stage clang, libraries and programs without a test are compiled too; the benchmarks in the latter, and when they are run.
    Stage("gcc", "all libraries with g++, and the tests that the stages asan and tsan leave out", not_sanitized),
    Stage(
        "asan",
        "clang unit tests of code that reads foreign bytes, -Wthread-safety, AddressSanitizer and UndefinedBehaviorSanitizer",
        bazel_test("--config=clang", "--config=asan", "--config=ubsan", "--", *patterns(FOREIGN_BYTES)),
    ),
    Stage(
        "tsan",
        "clang unit tests of code that threads share, ThreadSanitizer",
        bazel_test("--config=clang", "--config=tsan", "--", *patterns(THREADS)),
    ),
    Stage(
        "gcc-all", "all tests with g++", bazel_test("--nobuild_tests_only", "--", "//...", "-//benchmarks/..."), full=True
    ),
    Stage(
        "asan-all",
        "all clang unit tests, AddressSanitizer and UndefinedBehaviorSanitizer",
        bazel_test("--config=clang", "--config=asan", "--config=ubsan", "--", "//...", *AROUND_THE_LIBRARY),
        full=True,
    ),
    Stage(
        "tsan-all",
        "all clang unit tests, ThreadSanitizer",
        bazel_test("--config=clang", "--config=tsan", "--", "//...", *AROUND_THE_LIBRARY),
        full=True,
    ),
    # All but the small ones, which the stage gcc has.
    Stage(
        "imported",
        "types of the definitions of other projects, with g++",
        bazel_test("//tests/imported_crds:large_projects_test"),
        full=True,
    ),
    Stage(
        "foreign",
        "programs on client-go and kube-rs against the embedded server, and what takes long to build from kube-apiserver's packages",
        bazel_test("//tests/foreign_clients:programs_test", "//apiserver/auth/differential:rbac_test"),
        full=True,
    ),
    # What the sanitizers' stages have shown already, but for tests that they leave out.
    Stage(
        "clang", "clang unit tests", bazel_test("--nobuild_tests_only", "--config=clang", "//..."), full=True
    ),
    # Their inputs so far are replayed by the stages above.
    Stage("fuzz", "fuzz targets", fuzz, full=True),
    Stage("downstream", "a workspace that uses this one", script_stage("tests/downstream_workspace/run")),
    Stage("tutorial", "docs/tutorial.md, followed to the letter", script_stage("tests/tutorial/run"), full=True),
    Stage("kube", "build of the real API server", script_stage("tools/kube", "get"), full=True),
    Stage("operator", "an operator of tools/new_operator", script_stage("tests/new_operator/run"), full=True),
    Stage("server", "tests against the real API server", script_stage("tests/real_server/run")),
)
