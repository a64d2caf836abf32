"""What a stage counted: read from Bazel's build events, or from what a script printed."""

import dataclasses
import json
import re
import urllib.parse
from pathlib import Path
from typing import Callable, Iterable

_SUMMARY = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")
_SKIPPED = re.compile(r"^SKIPPED: *(\S.*?) *$", re.MULTILINE)
_PASSED_STATUSES = ("PASSED", "FLAKY")


@dataclasses.dataclass
class Outcome:
    """The counts of one stage or of several, and what to list at the end of a run.

    failures and skips are lines to show; a script that only counts may have fewer lines than counts.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list[str] = dataclasses.field(default_factory=list)
    skips: list[str] = dataclasses.field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    def total(self) -> int:
        return self.passed + self.failed + self.skipped

    def add(self, other: "Outcome") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.failures += other.failures
        self.skips += other.skips

    def add_passed(self) -> None:
        self.passed += 1

    def add_failed(self, line: str) -> None:
        self.failed += 1
        self.failures.append(line)

    def add_skipped(self, line: str) -> None:
        self.skipped += 1
        self.skips.append(line)


def read_log(uri: str) -> str:
    """The text behind a file: URI of a build event."""
    path = Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path))
    return path.read_text(encoding="utf-8", errors="replace")


def from_bazel(
    events: Iterable[str], exit_code: int, read: Callable[[str], str] = read_log
) -> Outcome:
    """Counts one "bazel test": each test target once, whether it ran or came from the cache.

    events are the lines of --build_event_json_file. A test that passed and whose log has a line
    "SKIPPED: reason" counts as skipped. A target that does not build is a failure, test or not.
    """
    outcome = Outcome()
    unbuilt = {}
    for line in events:
        try:
            event = json.loads(line)
        except json.JSONDecodeError:
            outcome.add_failed("bazel: the list of its events ends within one: is the disk full?")
            break
        if "targetCompleted" in event["id"] and not event.get("completed", {}).get("success"):
            unbuilt[event["id"]["targetCompleted"]["label"]] = None
        summary = event.get("testSummary")
        if summary is None:
            continue
        label = event["id"]["testSummary"]["label"]
        status = summary.get("overallStatus", "NO_STATUS")
        if status not in _PASSED_STATUSES:
            unbuilt.pop(label, None)
            outcome.add_failed(f"{label}: {status.lower().replace('_', ' ')}")
            continue
        logs = (read(log["uri"]) for log in summary.get("passed", []))
        reasons = [reason for log in logs for reason in _SKIPPED.findall(log)]
        if reasons:
            outcome.add_skipped(f"{label}: {'; '.join(dict.fromkeys(reasons))}")
        else:
            outcome.add_passed()
    for label in unbuilt:
        outcome.add_failed(f"{label}: does not build")
    if exit_code != 0 and outcome.failed == 0:
        # A BUILD file is wrong, or no test was found.
        outcome.add_failed(f"bazel: exited with {exit_code}")
    # Events come as the tests end.
    outcome.failures.sort()
    outcome.skips.sort()
    return outcome


def from_script(name: str, output: str, exit_code: int) -> Outcome:
    """Counts a script: by its last line if that is "N passed, N failed, N skipped", else as one test.

    As one test it is skipped if it printed "SKIPPED: reason" and exited with 0. An exit code that
    is not 0 is always at least one failure.
    """
    reasons = [f"{name}: {reason}" for reason in dict.fromkeys(_SKIPPED.findall(output))]
    lines = output.rstrip().splitlines()
    summary = _SUMMARY.fullmatch(lines[-1].strip()) if lines else None
    outcome = Outcome()
    if summary:
        passed, failed, skipped = map(int, summary.groups())
        failures = [f"{name}: {failed} failed"] if failed else []
        outcome = Outcome(passed, failed, skipped, failures, reasons if skipped else [])
    elif exit_code == 0 and reasons:
        outcome.add_skipped("; ".join(reasons))
    elif exit_code == 0:
        outcome.add_passed()
    if exit_code != 0 and outcome.failed == 0:
        outcome.add_failed(f"{name}: exited with {exit_code}")
    return outcome
