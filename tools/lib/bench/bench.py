"""tools/bench: our programs and the peers', interleaved, medians side by side. docs/benchmarks.md explains it."""

import argparse
import fcntl
import os
import re
import statistics
import sys

import build
import description
import report
import run
from errors import BenchError


def say(text):
    print(text, file=sys.stderr, flush=True)


def peer_programs(root, benchmark, cache):
    """The peers that could be built. What a peer lacks is said and costs only its own figures."""
    programs = {}
    for peer in benchmark.peers:
        try:
            programs[peer.name] = build.peer_program(root, benchmark, peer, cache)
        except BenchError as e:
            say("bench: %s" % e)
    return programs


class Rounds:
    """The runs of one benchmark."""

    def __init__(self, benchmark, launch, programs, data, patience):
        self.benchmark, self.launch, self.programs = benchmark, launch, programs
        self.data, self.patience = data, patience  # seconds left to wait for a quiet machine
        self.runs = []  # all of them, disturbed ones too

    def _once(self, program, case):
        self.patience = run.wait_quiet(self.patience)
        b = self.benchmark
        command = [self.programs[program.name]] + program.arguments
        if b.driver:
            command = [self.programs[b.driver.name]] + b.driver.arguments + b.arguments + case.arguments + command
        else:
            command += b.arguments + case.arguments
        if program.format == description.GOOGLE_BENCHMARK:
            command.append("--benchmark_format=json")
        command, server = self._filled(command), []
        if b.server:
            server = self._filled([self.programs[b.server.name]] + b.server.arguments)
        r = run.run(self.launch, program.name, command, b.timeout_seconds, program.format, b.whole_program, server)
        self.runs.append(r)
        return r

    def _filled(self, command):
        return [a.replace("{data}", self.data) for a in command]

    def _measure(self, program, case):
        """A run, and one more if other programs disturbed it."""
        first = self._once(program, case)
        return [first] if first.others < report.DISTURBED else [first, self._once(program, case)]

    def case(self, case, rounds):
        """program -> its runs. A peer that fails once has none; ours must not fail."""
        programs = [self.benchmark.ours] + [p for p in self.benchmark.peers if re.search(p.cases, case.name)]
        runs = {p.name: [] for p in programs}
        programs = [p for p in programs if p.name in self.programs]
        for r in range(rounds):
            say("bench: %s, round %d of %d" % (case.name or self.benchmark.name, r + 1, rounds))
            shift = r % len(programs)  # each time in another order
            for p in programs[shift:] + programs[:shift]:
                try:
                    runs[p.name] += self._measure(p, case)
                except BenchError as e:
                    if p is self.benchmark.ours:
                        raise
                    say("bench: %s" % e)
                    programs.remove(p)
                    runs[p.name] = []
        return runs


def measure(root, benchmark, options, cache):
    """All rows of a benchmark, and all of its runs."""
    cases = [c for c in benchmark.cases if re.search(options.only, c.name) and (options.only or not c.on_request)]
    if not cases:
        raise BenchError('no case "%s" in %s, available: %s' % (
            options.only, benchmark.name, ", ".join(c.name for c in benchmark.cases)))
    say("bench: building")
    ours, launch = build.bazel(root, benchmark.ours.target, build.LAUNCH)
    programs = dict(peer_programs(root, benchmark, cache), ours=ours)
    for helper in filter(None, (benchmark.server, benchmark.driver)):
        programs[helper.name] = build.bazel(root, helper.target)[0]
    data = build.prepare(root, benchmark, cache)
    rounds = Rounds(benchmark, launch, programs, data, options.patience)
    rows = []
    for case in cases:
        runs = rounds.case(case, options.rounds or benchmark.rounds)
        rows += report.rows(case.name, runs.pop("ours"), runs, benchmark.goals, benchmark.goal_ratios)
    return rows, rounds.runs


def lock(cache):
    """Two at the same time would disturb each other."""
    os.makedirs(os.path.join(cache, "bin"), exist_ok=True)
    f = open(os.path.join(cache, "lock"), "w")
    try:
        fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        f.close()
        raise BenchError("start: another tools/bench is running")
    return f


def main(root, arguments):
    parser = argparse.ArgumentParser(prog="tools/bench", description="Runs one benchmark, see docs/benchmarks.md.")
    parser.add_argument("name", nargs="?", help="name of a folder in benchmarks/")
    parser.add_argument("--list", action="store_true", help="list the benchmarks")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line instead of a table")
    parser.add_argument("--only", default="", metavar="REGEX", help="run only the cases whose names match")
    parser.add_argument("--rounds", type=int, default=0, help="number of rounds, overrides the benchmark's own")
    parser.add_argument("--patience", type=float, default=120, metavar="SECONDS",
                        help="total time to wait for an idle machine before runs (default: 120)")
    options = parser.parse_args(arguments)
    try:
        if options.list:
            for name in description.names(root):
                print("%-12s %s" % (name, description.load(root, name).summary))
            return 0
        if not options.name:
            parser.error("which benchmark? tools/bench --list")
        benchmark = description.load(root, options.name)
        missing = build.why_not(benchmark)
        if missing:
            say("bench: %s does not run here: %s" % (benchmark.name, missing))
            return 0
        cache = build.cache_folder()
        with lock(cache):
            rows, runs = measure(root, benchmark, options, cache)
    except BenchError as e:
        say("bench: %s" % e)
        return 1
    if options.json:
        for row in rows:
            print(report.json_line(benchmark.name, row))
        return 0
    print("### %s: %s\n\n%s\n" % (benchmark.name, benchmark.summary, report.table(rows)))
    others = [r.others for r in runs]
    print("Other programs used %.2f cores during a run (median; worst %.2f); %d of %d runs were disturbed (%g or more)."
          % (statistics.median(others), max(others), sum(o >= report.DISTURBED for o in others), len(others),
             report.DISTURBED))
    if any(f.disturbed for r in rows for f in (r.ours, r.theirs) if f):
        print("* every run was disturbed: no figure to rely on.")
    return 0


if __name__ == "__main__":
    sys.exit(main(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))), sys.argv[1:]))
