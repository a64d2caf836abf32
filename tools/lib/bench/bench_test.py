#!/usr/bin/env python3
"""Tests of the benchmark frame. Run by Bazel, which names the launcher in the environment."""

import contextlib
import io
import json
import os
import select
import shutil
import sys
import tempfile
import unittest
from unittest import mock

# Beside this file as Bazel sees it: a link in the runfiles.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bench
import build
import description
import report
import run
from errors import BenchError

LAUNCH = os.path.abspath(os.environ["LAUNCH"])
GOOD = '{"metrics":[{"name":"cancel","unit":"ms","value":1.5}]}'


def shell(script, timeout=60, output_format=description.CONTRACT, whole_program=True):
    return run.run(LAUNCH, "ours", ["/bin/sh", "-c", script], timeout, output_format, whole_program)


class RunTest(unittest.TestCase):

    def test_metrics_and_whole_program_figures(self):
        r = shell("echo noise; echo '%s'" % GOOD)
        self.assertEqual(r.metrics["cancel"], ("ms", 1.5))
        self.assertEqual({n: u for n, (u, _) in r.metrics.items()},
                         {"cancel": "ms", "wall": "s", "cpu": "s", "peak_rss": "MiB"})
        self.assertGreater(r.metrics["wall"][1], 0)
        self.assertGreaterEqual(r.others, 0)

    def test_whole_program_figures_can_be_left_out(self):
        self.assertEqual(set(shell("echo '%s'" % GOOD, whole_program=False).metrics), {"cancel"})

    def test_peak_rss_is_the_programs_own(self):
        own = run.memory(os.getpid())[0] / run.MIB
        r = shell("echo '%s'" % GOOD)
        self.assertGreater(own, 4, "this test needs a Python larger than the shell")
        self.assertLess(r.metrics["peak_rss"][1], 4)

    def test_cpu_is_user_and_system(self):
        spin = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo '%s'" % GOOD
        metrics = shell(spin).metrics
        self.assertGreater(metrics["cpu"][1], 0.01)
        self.assertLess(metrics["cpu"][1], metrics["wall"][1] + 0.02)

    def test_measure_is_answered_with_memory(self):
        script = "echo @measure; read anon pss; " \
                 'echo "{\\"metrics\\":[{\\"name\\":\\"anon\\",\\"unit\\":\\"B\\",\\"value\\":$anon}]}"'
        metrics = shell(script).metrics
        self.assertGreater(metrics["anon"][1], 4096)
        self.assertEqual(metrics["rss_anon"], ("MiB", metrics["anon"][1] / run.MIB))
        self.assertGreater(metrics["pss"][1], 0)

    def test_last_measure_counts(self):
        script = "echo @measure; read a p; x=$(printf '%%2000000s' x); echo @measure; read b q; " \
                 "[ $b -gt $((a + 1500000)) ] || exit 9; echo '%s'" % GOOD
        self.assertGreater(shell(script).metrics["rss_anon"][1], 1.9)

    def test_failures(self):
        for name, script, cause in [
            ("exit status", "echo cannot find x >&2; exit 3", "exit status 3\n  cannot find x"),
            ("exit status after good output", "echo '%s'; exit 1" % GOOD, "exit status 1"),
            ("signal", "kill -SEGV $$", "ended by SIGSEGV"),
            ("end instead of waiting for the answer", "echo @measure; exit 4", "exit status 4"),
            ("nothing", "", "no output"),
            ("garbage", "echo hello", 'last line "hello" is not JSON of metrics'),
            ("garbage after good output", "echo '%s'; echo bye" % GOOD, 'last line "bye"'),
            ("not UTF-8", "printf '\\377\\376'", "is not JSON of metrics"),
            ("other JSON", "echo '[1]'", "is not JSON of metrics"),
            ("no value", "echo '{\"metrics\":[{\"name\":\"a\",\"unit\":\"s\"}]}'", "is not JSON of metrics"),
            ("no metric", "echo '{\"metrics\":[]}'", "has no metric"),
            ("not a number", "echo '{\"metrics\":[{\"name\":\"a\",\"unit\":\"s\",\"value\":\"1\"}]}'",
             'has the value "1" for "a"'),
            ("NaN", "echo '{\"metrics\":[{\"name\":\"a\",\"unit\":\"s\",\"value\":NaN}]}'", 'has the value "nan"'),
            ("twice", "echo '{\"metrics\":[%s,%s]}'" % (2 * ('{"name":"a","unit":"s","value":1}',)), '"a" twice'),
        ]:
            with self.subTest(name), self.assertRaises(BenchError) as e:
                shell(script)
            self.assertIn("run ours: ", str(e.exception), name)
            self.assertIn(cause, str(e.exception), name)

    def test_missing_program(self):
        with self.assertRaisesRegex(BenchError, 'run ours: did not start\n  start "/nope/x": No such file'):
            run.run(LAUNCH, "ours", ["/nope/x"], 60, description.CONTRACT, True)

    def test_time_out_ends_the_program_and_its_children(self):
        with tempfile.TemporaryDirectory() as folder:
            pids = os.path.join(folder, "pids")
            with self.assertRaisesRegex(BenchError, "run ours: timed out after 0.2 s\n  loading"):
                # Both wait for an answer that never comes.
                shell("exec 3<&0; (read x <&3) & echo $$ $! >%s; echo loading >&2; wait" % pids, timeout=0.2)
            with open(pids) as f:
                for pid in f.read().split():
                    self.assertTrue(self._ends(int(pid)), pid)

    @staticmethod
    def _ends(pid):
        try:
            fd = os.pidfd_open(pid)
        except ProcessLookupError:
            return True
        with open(fd):
            return bool(select.select([fd], [], [], 30)[0])


    def test_server_runs_meanwhile(self):
        with tempfile.TemporaryDirectory() as folder:
            ended = os.path.join(folder, "ended")
            server = ["sh", "-c", "echo 4711; read x; touch " + ended]
            script = "[ ! -e %s ] && echo '{\"metrics\":[{\"name\":\"port\",\"unit\":\"\",\"value\":{server}}]}'" % ended
            got = run.run(LAUNCH, "ours", ["/bin/sh", "-c", script], 60, description.CONTRACT, False, server)
            self.assertEqual(got.metrics["port"], ("", 4711.0))
            self.assertTrue(os.path.exists(ended))

    def test_server_that_does_not_start(self):
        with self.assertRaisesRegex(BenchError, "run ours: the server did not start"):
            run.run(LAUNCH, "ours", ["/bin/true"], 60, description.CONTRACT, False, ["true"])


class GoogleBenchmarkTest(unittest.TestCase):

    def parse(self, *benchmarks):
        return run.google_benchmark_metrics(json.dumps({"context": {}, "benchmarks": benchmarks}))

    def entry(self, name, **more):
        entry = {"name": name, "run_type": "iteration", "real_time": 12.5, "cpu_time": 1, "time_unit": "ns"}
        return dict(entry, **more)

    def test_iterations_count_and_aggregates_do_not(self):
        got = self.parse(self.entry("lock"), self.entry("lock_mean", run_type="aggregate"),
                         self.entry("b/real_time", time_unit="ms"))
        self.assertEqual(got, {"lock": ("ns", 12.5), "b": ("ms", 12.5)})

    def test_errors(self):
        for name, text, cause in [
            ("failed part", '{"benchmarks": [{"name": "a", "error_occurred": true, "error_message": "no"}]}', "a: no"),
            ("no JSON", "hello", "google-benchmark's JSON"),
            ("other JSON", "{}", "google-benchmark's JSON"),
            ("nothing ran", '{"benchmarks": []}', "has no metric"),
        ]:
            with self.subTest(name), self.assertRaisesRegex(ValueError, cause):
                run.google_benchmark_metrics(text)


def runs(*values, unit="ms", name="cancel", others=0.0):
    return [run.Run({name: (unit, v)}, others) for v in values]


class ReportTest(unittest.TestCase):

    def test_median_and_range(self):
        for name, values, want in [
            ("odd", [3, 1, 2], (2, 1, 3)),
            ("even", [4, 1, 2, 9], (3, 1, 9)),
            ("one", [5], (5, 5, 5)),
        ]:
            with self.subTest(name):
                _, f = report.figures(runs(*values))["cancel"]
                self.assertEqual((f.median, f.low, f.high, f.disturbed), want + (False,))

    def test_disturbed_runs_are_left_out_where_there_are_others(self):
        _, f = report.figures(runs(1, 2) + runs(100, others=0.25))["cancel"]
        self.assertEqual((f.median, f.high, f.disturbed), (1.5, 2, False))
        _, f = report.figures(runs(100, 200, others=0.9))["cancel"]
        self.assertEqual((f.median, f.disturbed), (150, True))

    def test_rows_and_ratio(self):
        (row,) = report.rows("flat", runs(1), {"go": runs(4)})
        self.assertEqual(json.loads(report.json_line("context", row)), {
            "benchmark": "context", "metric": "flat/cancel", "unit": "ms", "ours": 1, "peer": "go", "theirs": 4,
            "ratio": 0.25, "ours_min": 1, "ours_max": 1, "theirs_min": 4, "theirs_max": 4, "disturbed": False})

    def test_rates_are_turned_round(self):
        (row,) = report.rows("", runs(200, unit="MB/s"), {"go": runs(50, unit="MB/s")})
        self.assertEqual(row.ratio(), 0.25)
        (row,) = report.rows("", runs(0, unit="MB/s"), {"go": runs(50, unit="MB/s")})
        self.assertIsNone(row.ratio())

    def test_missing_figures_are_null(self):
        for name, ours, peers, want in [
            ("a failed peer", runs(1), {"go": []}, [(1, "go", None, None)]),
            ("no peer at all", runs(1), {}, [(1, None, None, None)]),
            ("only theirs", [], {"go": runs(4)}, [(None, "go", 4, None)]),
            ("only one of the peers", [], {"go": runs(4), "rust": []}, [(None, "go", 4, None)]),
            ("both", runs(1), {"go": runs(4), "rust": []}, [(1, "go", 4, 0.25), (1, "rust", None, None)]),
            ("nothing to divide by", runs(1), {"go": runs(0)}, [(1, "go", 0, None)]),
        ]:
            with self.subTest(name):
                lines = [json.loads(report.json_line("x", r)) for r in report.rows("", ours, peers)]
                self.assertEqual([(l["ours"], l["peer"], l["theirs"], l["ratio"]) for l in lines], want)

    def test_units_must_agree(self):
        with self.assertRaisesRegex(BenchError, 'compare "cancel": ours is in ms, go in ns'):
            report.rows("", runs(1), {"go": runs(1, unit="ns")})

    def test_disturbed_on_one_side_is_said(self):
        (row,) = report.rows("", runs(1), {"go": runs(4, others=1.0)})
        self.assertTrue(json.loads(report.json_line("x", row))["disturbed"])
        self.assertIn("| 4 * |", report.table([row]))

    def test_table(self):
        rows = report.rows("", runs(1000, 1, 20), {"go": runs(40), "rust": []})
        self.assertEqual(report.table(rows), "\n".join([
            "| metric | unit | ours | go | ours / go | rust | ours / rust |",
            "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
            "| cancel | ms | 20 (1–1000) | 40 | 0.5 | - | - |"]))

    def test_goals(self):
        for name, ours, goal, ok, cells in [("reached", runs(4), 4, True, "| 4 | 4 | yes | 8 | 0.5 |"),
                                            ("missed", runs(4), 3.9, False, "| 4 | 3.9 | no | 8 | 0.5 |"),
                                            ("no figure", [], 4, None, "| - | 4 | - | 8 | - |")]:
            with self.subTest(name):
                rows = report.rows("a", ours, {"go": runs(8)}, {"a/cancel": goal, "b/cancel": 1})
                line = json.loads(report.json_line("x", rows[0]))
                self.assertEqual((line["goal"], line["ok"]), (goal, ok))
                table = report.table(rows)
                self.assertIn("| metric | unit | ours | goal | ok | go | ours / go |", table)
                self.assertIn(cells, table)
        table = report.table(report.rows("a", runs(4), {"go": runs(8)}, {"a/cancel": 4}) +
                             report.rows("b", runs(4), {"go": runs(8)}, {"a/cancel": 4}))
        self.assertIn("| b/cancel | ms | 4 | - | - | 8 | 0.5 |", table)

    def test_goals_relative_to_a_peer(self):
        for name, ours, peers, want in [("reached", runs(2), {"go": runs(8)}, (2, True)),
                                        ("missed", runs(3), {"go": runs(8)}, (2, False)),
                                        ("no peer", runs(3), {"go": []}, (None, None))]:
            with self.subTest(name):
                line = json.loads(report.json_line("x", report.rows("a", ours, peers, {}, {"a/cancel": 0.25})[0]))
                self.assertEqual((line.get("goal"), line.get("ok")), want)

    def test_numbers(self):
        for value, want in [(0, "0"), (1.23456, "1.23"), (123456, "123456"), (0.0001234, "0.000123"), (20.0, "20")]:
            self.assertEqual(report.number(value), want)


class DescriptionTest(unittest.TestCase):

    GOOD = 'summary = "s"\n[ours]\ntarget = "//x"\n'

    def test_defaults(self):
        b = description.parse("x", "/f", self.GOOD)
        self.assertEqual((b.name, b.ours.target, b.peers, b.rounds, b.cases), ("x", "//x", [], 5, [description.Case()]))

    def test_errors(self):
        peer = self.GOOD + "[[peers]]\n"
        for name, text, cause in [
            ("no TOML", "summary", "Expected '='"),
            ("unknown key", "colour = 1\n" + self.GOOD, 'unknown key "colour"'),
            ("unknown key of a peer", peer + "colour = 1", r'\[\[peers\]\]: unknown key "colour"'),
            ("no summary", '[ours]\ntarget = "//x"', "summary"),
            ("no target", 'summary = "s"', "no target"),
            ("format", self.GOOD + 'format = "xml"', 'format "xml"'),
            ("language", peer + 'name = "p"\nlanguage = "perl"\nfolder = "p"', "a peer requires"),
            ("folder", peer + 'name = "p"\nlanguage = "go"', "a peer requires"),
            ("target of a peer", peer + 'name = "p"\nlanguage = "c++"\nfolder = "p"', "a peer requires"),
            ("generator", self.GOOD + '[generator]\nlanguage = "go"', r"\[generator\]: language and folder are required"),
            ("server", self.GOOD + "[server]", r"\[server\]: no target"),
            ("driver", self.GOOD + "[driver]", r"\[driver\]: no target"),
            ("unknown key of the generator", self.GOOD + "[generator]\ncolour = 1", r'\[generator\]: unknown key "colour"'),
        ]:
            with self.subTest(name), self.assertRaisesRegex(BenchError, "read benchmarks/x/benchmark.toml.*" + cause):
                description.parse("x", "/f", text)


class EndToEndTest(unittest.TestCase):
    """A checkout with stand-ins for bazel, go and cargo, which copy shell scripts instead of compiling."""

    def setUp(self):
        self.root = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.root)
        self.tool("version", """case $1 in
GO_VERSION) echo 1.2.3;;
KUBERNETES_MODULES_VERSION) echo 0.7.0;;
*) exit 1;;
esac""")
        self.tool("go", "echo there is no go >&2; exit 127")
        self.write("benchmarks/contract/contract.go", "package contract\n")
        self.write("benchmarks/contract/contract.cc", "// go refuses a package with this\n")
        self.write("benchmarks/x/benchmark.toml", """
summary = "an example"
rounds = 2
arguments = ["{data}"]
prepare = ["/bin/sh", "-c", "echo 7 >{data}/value"]
[ours]
target = "//benchmarks/x"
[[peers]]
name = "go"
language = "go"
folder = "go"
modules = ["k8s.io/client-go", "example.com/y@v1.0.0"]
[[peers]]
name = "rust"
language = "rust"
folder = "rust"
""")
        self.tool("path/bazel", """case $1 in
info) echo %s/out;;
build) [ -z "$BAZEL_FAILS" ] || { echo bad.cc >&2; exit 1; };;
esac""" % self.root)
        os.makedirs(os.path.join(self.root, "out/tools/lib/bench"))
        shutil.copy(LAUNCH, os.path.join(self.root, "out/tools/lib/bench/launch"))
        self.program("out/benchmarks/x/x", "$(cat $1/value)")
        self.program("benchmarks/x/go/main.go", "14")
        self.program("benchmarks/x/rust/main.rs", "70")
        self.patch(mock.patch.dict(os.environ, PATH=self.root + "/tools/path:/usr/bin:/bin",
                                   XDG_CACHE_HOME=self.root + "/cache"))
        self.others = self.patch(mock.patch.object(run.Machine, "others", return_value=0.0))
        # Not this machine's compilers: what a test does not write does not exist.
        self.patch(mock.patch("shutil.which", lambda name: (
            self.root + "/tools/path/" + name if name in os.listdir(self.root + "/tools/path") else None)))

    def patch(self, patcher):
        self.addCleanup(patcher.stop)
        return patcher.start()

    def write(self, path, text, mode=0o644):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, mode)

    def tool(self, name, script):
        self.write("tools/" + name, "#!/bin/sh\n" + script, 0o755)

    def add_to_description(self, text):
        with open(os.path.join(self.root, "benchmarks/x/benchmark.toml"), "a") as f:
            f.write(text)

    def program(self, path, value):
        line = '{\\"metrics\\":[{\\"name\\":\\"cancel\\",\\"unit\\":\\"ms\\",\\"value\\":%s}]}' % value
        self.write(path, '#!/bin/sh\necho "%s"\n' % line, 0o755)

    def go_and_cargo(self):
        self.tool("go", 'case $1 in build) cat go.mod >&2; [ -f contract/contract.go ] && [ ! -f contract/contract.cc ] && cp main.go $3;; esac')
        self.tool("path/cargo", 'cp main.rs main; echo "{\\"executable\\":\\"$PWD/main\\"}"')

    def bench(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = bench.main(self.root, list(arguments) + ["--patience", "0"])
        return status, out.getvalue(), err.getvalue()

    def lines(self, out, metric):
        found = [json.loads(line) for line in out.splitlines()]
        return [(l["ours"], l["peer"], l["theirs"], l["ratio"]) for l in found if l["metric"] == metric]

    def test_list(self):
        self.assertEqual(self.bench("--list"), (0, "x            an example\n", ""))

    def test_json(self):
        self.go_and_cargo()
        status, out, err = self.bench("x", "--json")
        self.assertEqual(status, 0, err)
        self.assertEqual(self.lines(out, "cancel"), [(7, "go", 14, 0.5), (7, "rust", 70, 0.1)])
        self.assertEqual([l[1] for l in self.lines(out, "peak_rss")], ["go", "rust"])

    def test_table(self):
        self.go_and_cargo()
        status, out, err = self.bench("x")
        self.assertEqual(status, 0, err)
        self.assertIn("### x: an example\n\n| metric | unit | ours | go | ours / go | rust | ours / rust |\n", out)
        self.assertIn("\n| cancel | ms | 7 | 14 | 0.5 | 70 | 0.1 |\n", out)
        self.assertTrue(out.endswith("0 of 6 runs were disturbed (0.25 or more).\n"), out)

    def test_disturbed_runs_are_repeated_and_marked(self):
        self.go_and_cargo()
        self.others.return_value = 1.5
        status, out, err = self.bench("x")
        self.assertEqual(status, 0, err)
        self.assertIn("\n| cancel | ms | 7 * | 14 * | 0.5 | 70 * | 0.1 |\n", out)
        self.assertIn("1.50 cores during a run (median; worst 1.50); 12 of 12 runs were disturbed", out)

    def test_go_mod_has_the_versions_of_tools_version(self):
        self.assertEqual(build.go_mod(self.root, ["k8s.io/client-go", "example.com/y@v1.0.0"]),
                         "module bench\n\ngo 1.2.3\n"
                         "\nrequire k8s.io/client-go v0.7.0\n\nrequire example.com/y v1.0.0\n")

    def test_missing_compilers_cost_the_peers_figures_only(self):
        status, out, err = self.bench("x", "--json")
        self.assertEqual(status, 0)
        self.assertEqual(self.lines(out, "cancel"), [(7, "go", None, None), (7, "rust", None, None)])
        self.assertIn("bench: build peer go: go ended with status 127\n  there is no go", err)
        self.assertIn("bench: build peer rust: cargo not found", err)

    def test_peer_that_does_not_compile(self):
        self.go_and_cargo()
        self.tool("go", "echo main.go:1: bad >&2; exit 1")
        _, out, err = self.bench("x", "--json")
        self.assertIn("bench: build peer go: go ended with status 1\n  main.go:1: bad", err)
        self.assertEqual(self.lines(out, "cancel"), [(7, "go", None, None), (7, "rust", 70, 0.1)])

    def test_peer_in_cpp(self):
        self.add_to_description('[[peers]]\nname = "other"\nlanguage = "c++"\ntarget = "//benchmarks/x:other"\n')
        self.program("out/benchmarks/x/other", "28")
        _, out, err = self.bench("x", "--json")
        self.assertEqual(self.lines(out, "cancel")[2:], [(7, "other", 28, 0.25)], err)

    def test_peer_in_cpp_that_does_not_compile(self):
        self.add_to_description('[[peers]]\nname = "other"\nlanguage = "c++"\ntarget = "//benchmarks/x:bad"\n')
        self.tool("path/bazel", """case "$*" in
info*) echo %s/out;;
*:bad) echo bad.cc >&2; exit 1;;
esac""" % self.root)
        _, out, err = self.bench("x", "--json")
        self.assertEqual(self.lines(out, "cancel")[2:], [(7, "other", None, None)])
        self.assertIn("bench: build peer other: build //benchmarks/x:bad: bazel ended with status 1\n  bad.cc", err)

    def test_driver_runs_in_place_of_each_program(self):
        self.go_and_cargo()
        self.add_to_description('[[cases]]\nname = "left"\narguments = ["more"]\n'
                                '[driver]\ntarget = "//benchmarks/x:driver"\narguments = ["first"]\n')
        self.write("out/benchmarks/x/driver", """#!/bin/sh
[ "$1 $3 $#" = "first more 4" ] || exit 3
"$4" "$2"
""", 0o755)
        status, out, err = self.bench("x", "--json")
        self.assertEqual(status, 0, err)
        self.assertEqual(self.lines(out, "left/cancel"), [(7, "go", 14, 0.5), (7, "rust", 70, 0.1)])

    def test_benchmark_that_cannot_run_here(self):
        self.go_and_cargo()
        path = os.path.join(self.root, "benchmarks/x/benchmark.toml")
        with open(path) as f:
            text = f.read()
        for name, script, want in [
            ("lacks something", "echo no server >&2; exit 1",
             "bench: x does not run here: look for what it needs: sh ended with status 1\n  no server\n"),
            ("has all", "true", ""),
        ]:
            with self.subTest(name):
                self.write("benchmarks/x/benchmark.toml", 'needs = ["/bin/sh", "-c", "%s"]\n' % script + text)
                status, out, err = self.bench("x", "--json")
                self.assertEqual(status, 0, err)
                self.assertEqual(bool(out), not want)
                self.assertEqual(err if want else "", want)

    def test_peers_take_part_in_their_own_cases_only(self):
        self.go_and_cargo()
        self.add_to_description('[[cases]]\nname = "left"\n[[cases]]\nname = "right"\n'
                                '[[peers]]\nname = "picky"\nlanguage = "go"\nfolder = "go"\ncases = "^r"\n')
        _, out, err = self.bench("x", "--json")
        self.assertEqual([l[1] for l in self.lines(out, "left/cancel")], ["go", "rust"], err)
        self.assertEqual([l[1] for l in self.lines(out, "right/cancel")], ["go", "rust", "picky"], err)

    def test_cases_on_request_and_goals(self):
        self.go_and_cargo()
        self.add_to_description('[[cases]]\nname = "left"\n[[cases]]\nname = "right"\non_request = true\n'
                                '[goals]\n"right/cancel" = 5\n')
        _, out, err = self.bench("x", "--json")
        self.assertEqual(self.lines(out, "right/cancel"), [], err)
        _, out, err = self.bench("x", "--json", "--only", "right")
        self.assertIn('"goal": 5, "ok": ', out)
        self.assertEqual(self.lines(out, "left/cancel"), [], err)

    def test_generator_runs_once_for_each_version_of_it(self):
        self.go_and_cargo()
        self.add_to_description('[generator]\nlanguage = "go"\nfolder = "make"\narguments = ["{data}"]\n')
        made = os.path.join(self.root, "cache/client-cpp/bench/data/x/made")
        for name, script, want in [
            ("first", "echo one >>$1/made", "one\n"),
            ("the same", "echo one >>$1/made", "one\n"),
            ("another", "echo two >>$1/made", "one\ntwo\n"),
        ]:
            with self.subTest(name):
                self.write("benchmarks/x/make/main.go", "#!/bin/sh\n%s\n" % script, 0o755)
                status, _, err = self.bench("x")
                self.assertEqual(status, 0, err)
                with open(made) as f:
                    self.assertEqual(f.read(), want)

    def test_generator_that_failed_runs_again(self):
        self.go_and_cargo()
        self.add_to_description('[generator]\nlanguage = "go"\nfolder = "make"\narguments = ["{data}"]\n')
        self.write("benchmarks/x/make/main.go", '#!/bin/sh\necho >>$1/made\necho full >&2\nexit 3\n', 0o755)
        for want in (1, 2):
            status, _, err = self.bench("x")
            self.assertEqual(status, 1)
            self.assertIn("bench: generate the data of x: x-generator ended with status 3\n  full", err)
            with open(os.path.join(self.root, "cache/client-cpp/bench/data/x/made")) as f:
                self.assertEqual(f.read(), want * "\n")

    def test_failing_peer_has_no_figures(self):
        self.go_and_cargo()
        self.write("benchmarks/x/go/main.go", "#!/bin/sh\necho broken >&2\nexit 5\n", 0o755)
        status, out, err = self.bench("x", "--json")
        self.assertEqual(status, 0)
        self.assertEqual(self.lines(out, "cancel")[0], (7, "go", None, None))
        self.assertEqual(err.count("bench: run go: exit status 5\n  broken"), 1, err)

    def test_peer_that_fails_later_has_no_figures_either(self):
        self.go_and_cargo()
        with open(os.path.join(self.root, "benchmarks/x/go/main.go"), "a") as f:
            f.write('[ ! -e "$1/ran" ] || exit 5\n: >"$1/ran"\n')
        _, out, err = self.bench("x", "--json")
        self.assertEqual(self.lines(out, "cancel"), [(7, "go", None, None), (7, "rust", 70, 0.1)])
        self.assertIn("bench: run go: exit status 5", err)

    def test_errors(self):
        for name, arguments, setup, want in [
            ("unknown", ["y"], None, 'bench: no benchmark "y", available: x'),
            ("unknown case", ["x", "--only", "z"], None, 'bench: no case "z" in x'),
            ("build", ["x"], lambda: os.environ.update(BAZEL_FAILS="1"),
             "bench: build //benchmarks/x: bazel ended with status 1\n  bad.cc"),
            ("run", ["x"], lambda: self.write("out/benchmarks/x/x", "#!/bin/sh\nexit 2\n", 0o755),
             "bench: run ours: exit status 2"),
            ("prepare", ["x"], lambda: self.write("cache/client-cpp/bench/data/x/value/file", ""),
             "bench: prepare the data of x: sh ended with status"),
        ]:
            with self.subTest(name):
                self.doCleanups()
                self.setUp()
                self.go_and_cargo()
                if setup:
                    setup()
                status, out, err = self.bench(*arguments)
                self.assertEqual((status, out), (1, ""))
                self.assertIn(want, err)

    def test_two_at_once_are_refused(self):
        with bench.lock(build.cache_folder()):
            status, _, err = self.bench("x")
        self.assertEqual((status, err), (1, "bench: start: another tools/bench is running\n"))


if __name__ == "__main__":
    unittest.main()
