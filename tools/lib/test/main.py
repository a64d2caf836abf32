"""tools/test: runs the stages and counts. The command line is described by its parser."""

import argparse
import os
import sys
import time
from typing import Iterable, Sequence

import disk_cache
import judges
from counting import Outcome
from stages import CACHE, STAGES, UNIT_TESTS, Options, Stage

# The report of the last run, for readers who no longer have its output.
REPORT = CACHE / "report.txt"
_FUZZ_SECONDS = 60
_FULL_FUZZ_SECONDS = 600


def parse(arguments: Sequence[str], stages: Sequence[Stage]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/test",
        description="Builds and runs the unit tests of the library that need no embedded server, with clang, after installing the packages that are missing. "
        'The last line is "N passed, N failed, N skipped"; the exit status is 1 if anything failed.',
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--all",
        action="store_true",
        help="also the checks, the sanitizers and what else must pass before a change lands",
    )
    choice.add_argument(
        "--full",
        action="store_true",
        help="every stage: as --all, with clang, the tutorial, an operator of tools/new_operator, the build of the real API server and "
        f"{_FULL_FUZZ_SECONDS} s of fuzzing",
    )
    choice.add_argument(
        "--only",
        action="append",
        metavar="STAGE",
        choices=[stage.name for stage in stages],
        help="run only this stage; may be repeated",
    )
    choice.add_argument("--list", action="store_true", help="list the stages and exit")
    parser.add_argument(
        "--fuzz-seconds",
        type=int,
        metavar="N",
        help=f"time shared by all fuzz targets (default: {_FUZZ_SECONDS})",
    )
    parser.add_argument(
        "--fuzz-target",
        action="append",
        metavar="LABEL",
        help="run only this fuzz target (//a/b:c_fuzz_test), implies --only fuzz; may be repeated, "
        "then the targets share the time",
    )
    options = parser.parse_args(arguments)
    if options.fuzz_target and (options.all or options.full or set(options.only or ()) - {"fuzz"}):
        parser.error("argument --fuzz-target: only allowed with the stage fuzz")
    return options


def selected(options: argparse.Namespace, stages: Sequence[Stage], unit_tests: Stage) -> list[Stage]:
    if options.fuzz_target:
        return [stage for stage in stages if stage.name == "fuzz"]
    if options.only:
        return [stage for stage in stages if stage.name in options.only]
    if options.all or options.full:
        return [stage for stage in stages if options.full or not stage.full]
    return [unit_tests]


def run_stage(stage: Stage, options: Options) -> Outcome:
    """Runs one stage. One that cannot start, or that counts nothing, has failed."""
    try:
        outcome = stage.run(options)
    except Exception as error:  # Whatever it is: the stages after it run.
        outcome = Outcome()
        outcome.add_failed(f"{type(error).__name__}: {error}")
    if outcome.total() == 0:
        outcome.add_failed("it ran no test")
    outcome.failures = [f"{stage.name}: {failure}" for failure in outcome.failures]
    return outcome


def indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def run(stages: Sequence[Stage], options: Options) -> int:
    """Runs the stages in order, a failed one or not, prints the report and keeps it in REPORT."""
    total = Outcome()
    report = []
    for stage in stages:
        print(f"\n== {stage.name}: {stage.title}", flush=True)
        disk_cache.make_room(CACHE / "bazel")
        start = time.monotonic()
        outcome = run_stage(stage, options)
        line = f"{stage.name}: {outcome} ({time.monotonic() - start:.1f} s)"
        print(f"== {line}", flush=True)
        report.append(line)
        total.add(outcome)
    lines = ["== report", *indented(report), "judged with:", *indented(judges.judges())]
    for title, names in (("skipped", total.skips), ("failed", total.failures)):
        if names:
            # A test that several stages skip for one reason is one line.
            lines += [f"{title}:", *indented(dict.fromkeys(names))]
    text = "\n".join([*lines, str(total)])
    print(f"\n{text}", flush=True)
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(f"{text}\n", encoding="utf-8")
    return 1 if total.failed or not total.total() else 0


def main(arguments: Sequence[str], stages: Sequence[Stage] = STAGES, unit_tests: Stage = UNIT_TESTS) -> int:
    options = parse(arguments, stages)
    if options.list:
        for stage in stages:
            print(f"{stage.name:12}{stage.title}{' (--full only)' if stage.full else ''}")
        return 0
    os.environ.update(judges.PINNED)
    seconds = options.fuzz_seconds
    if seconds is None:
        seconds = _FULL_FUZZ_SECONDS if options.full else _FUZZ_SECONDS
    disk_cache.trim(CACHE / "bazel")
    return run(
        selected(options, stages, unit_tests),
        Options(
            fuzz_seconds=seconds,
            fuzz_targets=tuple(options.fuzz_target or ()),
            ci=not sys.stdout.isatty(),
        ),
    )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
