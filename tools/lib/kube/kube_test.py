#!/usr/bin/env python3
"""Tests of tools/kube without a real server: the module it builds, life and death of processes.

tests/real_server/run tests it with the real ones.
"""

import json
import os
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(os.path.dirname(os.path.dirname(HERE)), "kube")
sys.path.insert(0, HERE)

import binaries  # noqa: E402  (needs the path above)
import build  # noqa: E402
from errors import KubeError  # noqa: E402
from processes import Process, launch  # noqa: E402

RELEASE = """module k8s.io/kubernetes

go 1.2.3

ignore ./_output

require (
\tgo.etcd.io/etcd/client/v3 v3.9.8
\tgo.etcd.io/etcd/server/v3 v3.9.7
)

replace (
\tk8s.io/api => ./staging/src/k8s.io/api
\tk8s.io/client-go => ./staging/src/k8s.io/client-go
)
"""
VERSIONS_BZL = """# Of a test.
KUBERNETES_VERSION = "1.77.1"

KUBERNETES_MODULES_VERSION = "0.77.1"

ETCD_VERSION = "3.9.7"

OTHER_KUBERNETES_RELEASES = {
    "1.78.0": "3.9.8",
    "1.9.9": "3.8.1",
}

GO_VERSION = "1.2.3"
"""
# Ends with status 3 when told to, and has no children that could outlive it.
WAITING_COMMAND = """
import os, signal, sys
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda *_: os._exit(3))
print(os.getpid(), flush=True)
signal.pause()
"""
WAIT_SECONDS = 30  # for what comes in milliseconds on a machine that is not busy


class ModuleTest(unittest.TestCase):
    def test_staging_modules_become_published_ones(self):
        module = build.main_module(RELEASE, "0.77.1")
        self.assertIn("module kube.invalid/build\n", module)
        self.assertIn("\tk8s.io/api => k8s.io/api v0.77.1\n", module)
        self.assertIn("\tk8s.io/client-go => k8s.io/client-go v0.77.1\n", module)
        self.assertIn("\tgo.etcd.io/etcd/server/v3 v3.9.7\n", module)
        self.assertNotIn("staging", module)
        self.assertNotIn("ignore", module)

    def test_unknown_replacement_is_refused(self):
        with self.assertRaisesRegex(KubeError, "unknown replacement .*x => ./elsewhere/x"):
            build.main_module(RELEASE + "replace example.com/x => ./elsewhere/x\n", "0.77.1")

    def test_etcd_version_must_be_the_pinned_one(self):
        release = binaries.Release("1.77.1", "0.77.1", "3.9.7")
        build.check_etcd_version(RELEASE, release)
        with self.assertRaisesRegex(KubeError, "pins etcd 3.9.7, but .* has etcd 3.9.8"):
            build.check_etcd_version(RELEASE, release._replace(etcd="3.9.8"))
        with self.assertRaisesRegex(KubeError, "pins etcd no etcd"):
            build.check_etcd_version("module k8s.io/kubernetes\n", release)


class ReleasesTest(unittest.TestCase):
    """The releases of a tools/versions.bzl."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, "versions.bzl")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(VERSIONS_BZL)

    def find(self, text):
        return binaries.find_release(text, self.path)

    def test_releases_are_sorted_by_their_numbers(self):
        self.assertEqual(
            [tuple(release) for release in binaries.releases(self.path)],
            [("1.9.9", "0.9.9", "3.8.1"), ("1.77.1", "0.77.1", "3.9.7"), ("1.78.0", "0.78.0", "3.9.8")],
        )

    def test_a_release_is_found_by_its_minor_or_its_full_version(self):
        rows = {"": "1.77.1", "1.77": "1.77.1", "1.77.1": "1.77.1", "1.9": "1.9.9", "v1.78.0": "1.78.0", "v1.78": "1.78.0"}
        for text, expected in rows.items():
            with self.subTest(text):
                self.assertEqual(self.find(text).kubernetes, expected)

    def test_an_unknown_release_is_refused(self):
        for text in ("1.7", "1.77.2", "1", "77", "latest"):
            with self.subTest(text), self.assertRaisesRegex(
                KubeError, f'find Kubernetes "{text}": unknown release; .* has 1.9.9, 1.77.1, 1.78.0'
            ):
                self.find(text)

    def test_releases_are_cached_side_by_side(self):
        with mock.patch.dict(os.environ, XDG_CACHE_HOME=self.folder):
            directories = {binaries.cache_directory(release) for release in binaries.releases()}
            self.assertEqual(len(directories), len(binaries.releases()))
            self.assertIn(binaries.cache_directory(), directories)

    def test_the_releases_of_the_checkout_are_patches_of_different_minor_versions(self):
        releases = binaries.releases()
        for release in releases:
            self.assertRegex(release.kubernetes, r"^1\.[0-9]+\.[0-9]+$")
            self.assertRegex(release.etcd, r"^3\.[0-9]+\.[0-9]+$")
        minors = {binaries.minor_version(release.kubernetes) for release in releases}
        self.assertEqual(len(minors), len(releases))
        self.assertIn(binaries.default_release(), releases)


class ToolTest(unittest.TestCase):
    """Runs tools/kube as its users do, with fake servers."""

    def setUp(self):
        self.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.bin = os.path.join(self.scratch, "bin")
        os.mkdir(self.bin)
        for name in binaries.NAMES:
            target = os.path.join(self.bin, name)
            shutil.copyfile(os.path.join(HERE, "fake_server.py"), target)
            os.chmod(target, 0o755)
        self.dir = os.path.join(self.scratch, "cluster")
        # Directories that tools/kube makes by itself come here.
        self.temporary = os.path.join(self.scratch, "tmp")
        os.mkdir(self.temporary)
        self.addCleanup(self.kube, "stop", "--dir", self.dir)

    def command(self, verb, *arguments):
        with_binaries = [f"--bin={self.bin}"] if verb in ("get", "start", "run") else []
        return [TOOL, verb, *with_binaries, *arguments]

    def popen(self, *arguments, **options):
        return subprocess.Popen(
            self.command(*arguments), env={**os.environ, "TMPDIR": self.temporary}, **options
        )

    def kube(self, *arguments):
        """Exit status, standard output, standard error."""
        process = self.popen(*arguments, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = process.communicate()
        return process.returncode, out, err

    def start(self, *arguments):
        """The environment that start prints."""
        status, out, err = self.kube("start", *arguments)
        self.assertEqual(status, 0, err)
        return dict(word.split("=", 1) for word in shlex.split(out))

    def recorded(self, directory=None):
        with open(os.path.join(directory or self.dir, "cluster.json"), encoding="utf-8") as file:
            return [Process(**process) for process in json.load(file)["processes"]]

    def assert_all_end(self, processes):
        """Waits for the end of processes that somebody else ends."""
        self.assertTrue(processes)
        for process in processes:
            try:
                handle = os.pidfd_open(process.pid)
            except ProcessLookupError:
                continue
            ended = select.select([handle], [], [], WAIT_SECONDS if process.running() else 0)[0]
            os.close(handle)
            self.assertTrue(ended or not process.running(), f"{process.name} still runs")

    def assert_nobody_listens(self, url):
        with socket.socket() as probe:
            self.assertNotEqual(
                probe.connect_ex(("127.0.0.1", int(url.rpartition(":")[2]))), 0, url
            )

    def test_check_names_what_is_missing(self):
        self.assertEqual(self.kube("get", "--check"), (0, f"cached: {self.bin}\n", ""))
        os.remove(os.path.join(self.bin, "etcd"))
        os.chmod(os.path.join(self.bin, "kubectl"), 0o644)
        status, out, _ = self.kube("get", "--check")
        self.assertEqual(status, 1)
        self.assertEqual(out, f"no kubectl, etcd in {self.bin}; run tools/kube get\n")

    def test_another_release_is_looked_for_in_its_own_directory(self):
        default = binaries.default_release()
        other = next(release for release in binaries.releases() if release != default)
        minor = binaries.minor_version(other.kubernetes)
        with mock.patch.dict(os.environ, XDG_CACHE_HOME=self.scratch):
            directory = binaries.cache_directory(other)
            rows = {
                "get VERSION": (["get", "--check", minor], {}, 1),
                "get of the variable": (["get", "--check"], {"KUBE_VERSION": minor}, 1),
                "start --version": (["start", "--version", other.kubernetes], {}, 1),
            }
            for name, (arguments, variables, expected) in rows.items():
                with self.subTest(name):
                    done = subprocess.run(
                        [TOOL, *arguments], env={**os.environ, **variables}, capture_output=True, text=True, check=False
                    )
                    self.assertEqual(done.returncode, expected)
                    self.assertIn(f"in {directory}; run tools/kube get {other.kubernetes}\n", done.stdout + done.stderr)

    def test_unknown_release_is_an_error(self):
        status, _, err = self.kube("get", "--check", "1.2")
        self.assertEqual((status, 'find Kubernetes "1.2": unknown release' in err), (1, True), err)

    def test_list_says_which_releases_are_cached(self):
        default = binaries.default_release()
        with mock.patch.dict(os.environ, XDG_CACHE_HOME=self.scratch):
            directory = binaries.cache_directory()
            self.assertEqual(self.kube("list", "--cached"), (0, "", ""))
            shutil.copytree(self.bin, directory)
            self.assertEqual(self.kube("list", "--cached"), (0, f"{default.kubernetes}\n", ""))
            status, out, _ = self.kube("list")
        lines = out.splitlines()
        self.assertEqual((status, len(lines)), (0, len(binaries.releases())))
        self.assertIn(f"{default.kubernetes} with etcd {default.etcd}: cached, the default", lines)
        self.assertEqual(sum(": not cached" in line for line in lines), len(lines) - 1)

    def test_the_command_of_run_knows_the_release_of_the_cache(self):
        default = binaries.default_release()
        with mock.patch.dict(os.environ, XDG_CACHE_HOME=self.scratch, TMPDIR=self.temporary):
            os.environ.pop("KUBE_VERSION", None)
            shutil.copytree(self.bin, binaries.cache_directory())
            command = ["sh", "-c", 'echo "of ${KUBE_VERSION-none}"']
            for option, expected in (([], default.kubernetes), ([f"--bin={self.bin}"], "none")):
                with self.subTest(expected):
                    done = subprocess.run([TOOL, "run", *option, "--", *command], capture_output=True, text=True, check=False)
                    self.assertEqual((done.returncode, done.stdout), (0, f"of {expected}\n"), done.stderr)

    def test_start_without_binaries_says_how_to_get_them(self):
        os.remove(os.path.join(self.bin, "kube-apiserver"))
        status, _, err = self.kube("start", "--dir", self.dir)
        self.assertEqual(status, 1)
        self.assertIn(f"start server: no kube-apiserver in {self.bin}; run tools/kube get", err)

    def test_start_status_env_stop(self):
        environment = self.start("--dir", self.dir, "--controller-manager")
        self.assertEqual(environment["KUBE_DIR"], self.dir)
        names = ["watchdog", "etcd", "kube-apiserver", "kube-controller-manager"]
        processes = self.recorded()
        self.assertEqual([process.name for process in processes], names)
        status, out, _ = self.kube("status", "--dir", self.dir)
        self.assertEqual((status, out.count(" running\n")), (0, 4), out)
        status, out, _ = self.kube("env", "--dir", self.dir)
        self.assertEqual((status, f"KUBECONFIG={self.dir}/kubeconfig" in out), (0, True), out)

        status, out, _ = self.kube("stop", "--dir", self.dir)
        self.assertEqual(status, 0)
        stopped = [line.split()[1] for line in out.splitlines()]
        self.assertEqual(stopped, ["kube-controller-manager", "kube-apiserver", "etcd", "watchdog"])
        self.assertFalse([process for process in processes if process.running()])
        self.assert_nobody_listens(environment["KUBE_SERVER"])
        self.assert_nobody_listens(environment["KUBE_ETCD"])
        self.assertEqual(self.kube("status", "--dir", self.dir), (1, "stopped\n", ""))
        self.assertEqual(self.kube("stop", "--dir", self.dir), (0, "", ""))
        status, _, err = self.kube("env", "--dir", self.dir)
        self.assertEqual((status, "the server is not running" in err), (1, True), err)

    def test_status_tells_of_an_ended_process(self):
        self.start("--dir", self.dir)
        etcd = next(process for process in self.recorded() if process.name == "etcd")
        self.assertTrue(etcd.end(0))
        status, out, _ = self.kube("status", "--dir", self.dir)
        self.assertEqual((status, f"etcd {etcd.pid} ended" in out), (1, True), out)

    def test_second_start_is_refused(self):
        self.start("--dir", self.dir)
        before = self.recorded()
        status, _, err = self.kube("start", "--dir", self.dir)
        self.assertEqual((status, "already running; stop it first" in err), (1, True), err)
        self.assertEqual(self.recorded(), before)
        self.assertTrue(all(process.running() for process in before))

    def test_restart_keeps_certificates(self):
        self.start("--dir", self.dir)
        with open(os.path.join(self.dir, "pki", "ca.crt"), encoding="utf-8") as file:
            first = file.read()
        self.kube("stop", "--dir", self.dir)
        self.start("--dir", self.dir)
        with open(os.path.join(self.dir, "pki", "ca.crt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), first)

    def test_stop_without_start_is_an_error(self):
        status, _, err = self.kube("stop", "--dir", self.scratch)
        self.assertEqual((status, "cluster.json: no such file" in err), (1, True), err)

    def test_stop_leaves_another_process_with_the_same_pid_alone(self):
        bystander = launch("etcd", ["sleep", "600"], os.path.join(self.scratch, "log"))
        self.addCleanup(bystander.end, 0)
        os.mkdir(self.dir)
        for shift, ended in ((1, False), (0, True)):
            record = {
                "name": "etcd",
                "pid": bystander.pid,
                "start_time": bystander.start_time + shift,
            }
            with open(os.path.join(self.dir, "cluster.json"), "w", encoding="utf-8") as file:
                json.dump({"temporary": False, "environment": {}, "processes": [record]}, file)
            self.kube("stop", "--dir", self.dir)
            self.assertEqual(bystander.running(), not ended, f"start time off by {shift}")

    def test_stop_kills_what_ignores_sigterm(self):
        self.start("--dir", self.dir, "--apiserver-flag=--fake-ignore-sigterm")
        processes = self.recorded()
        self.kube("stop", "--dir", self.dir, "--grace", "0")
        self.assertFalse([process for process in processes if process.running()])

    def test_never_ready_leaves_nothing_behind(self):
        never = ["--apiserver-flag=--fake-never-ready", "--ready-timeout", "1s"]
        status, out, err = self.kube("start", *never)
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, "wait until /readyz is ok in .*: not in 1 s\n--- the end of kube-api")
        self.assertEqual(os.listdir(self.temporary), [])

    def test_ended_server_is_the_cause(self):
        shutil.copyfile("/bin/false", os.path.join(self.bin, "kube-apiserver"))
        status, _, err = self.kube("start", "--dir", self.dir)
        self.assertEqual((status, "kube-apiserver ended" in err), (1, True), err)
        self.assertEqual(self.recorded(), [])

    def test_taken_port_is_tried_again(self):
        marker = os.path.join(self.scratch, "taken")
        self.start("--dir", self.dir, f"--apiserver-flag=--fake-port-taken={marker}")
        self.assertTrue(os.path.exists(marker))
        self.assertEqual(len(self.recorded()), 3)

    def test_watchdog_ends_everything_at_its_time(self):
        self.start("--dir", self.dir, "--ttl", "77m")
        processes = self.recorded()
        with open(f"/proc/{processes[0].pid}/cmdline", encoding="utf-8") as file:
            self.assertIn("--ttl=4620", file.read().split("\0"))
        self.assertEqual(self.kube("watchdog", "--dir", self.dir, "--ttl", "0")[0], 0)
        self.assertFalse([process for process in processes if process.running()])

    def test_run_returns_the_status_and_cleans_up(self):
        saved = os.path.join(self.scratch, "record")
        for name, script, expected in (
            ("success", "exit 0", 0),
            ("failure", "exit 7", 7),
            ("signal", "kill -KILL $$", 137),
        ):
            with self.subTest(name):
                script = f'cp "$KUBE_DIR/cluster.json" {saved} && test -s "$KUBECONFIG" && {script}'
                status, _, err = self.kube("run", "--", "sh", "-c", script)
                self.assertEqual(status, expected, err)
                with open(saved, encoding="utf-8") as file:
                    processes = [Process(**process) for process in json.load(file)["processes"]]
                self.assertEqual(len(processes), 3)
                self.assertFalse([process for process in processes if process.running()])
                self.assertEqual(os.listdir(self.temporary), [])

    def test_run_of_what_does_not_exist(self):
        status, _, err = self.kube("run", "--", "/nonexistent")
        self.assertEqual((status, "run /nonexistent: No such file" in err), (1, True), err)
        self.assertEqual(os.listdir(self.temporary), [])

    def run_until_started(self):
        """tools/kube run, the pid of its command, which waits, and the processes of its server."""
        run = self.popen(
            *("run", "--dir", self.dir, "--", sys.executable, "-c", WAITING_COMMAND),
            stdout=subprocess.PIPE,
            text=True,
        )
        with run.stdout:
            command = int(run.stdout.readline())
        return run, command, self.recorded()

    def test_run_passes_a_signal_on_and_cleans_up(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name):
                run, _, processes = self.run_until_started()
                run.send_signal(number)
                self.assertEqual(run.wait(WAIT_SECONDS), 3)
                self.assertFalse([process for process in processes if process.running()])

    def test_killed_run_leaves_no_server(self):
        run, command, processes = self.run_until_started()
        self.addCleanup(os.kill, command, signal.SIGTERM)  # nobody else will
        run.kill()
        run.wait()
        self.assert_all_end(processes)

    def test_interrupted_start_leaves_nothing(self):
        start = self.popen(
            "start",
            "--dir",
            self.dir,
            "--apiserver-flag=--fake-never-ready",
            stderr=subprocess.DEVNULL,
        )
        while (
            not os.path.exists(os.path.join(self.dir, "cluster.json")) or len(self.recorded()) < 3
        ):
            self.assertIsNone(start.poll(), "start ended by itself")
            select.select([], [], [], 0.01)
        processes = self.recorded()
        start.terminate()
        self.assertEqual(start.wait(WAIT_SECONDS), 128 + signal.SIGTERM)
        self.assertFalse([process for process in processes if process.running()])


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # of processes that are left running: that is the point here
