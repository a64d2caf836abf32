#!/usr/bin/env python3
"""kubectl exec, attach, port-forward, cp, logs -f and debug against the embedded server with containers.

A real server without nodes has none: what kubectl has to say is written here.
"""

import contextlib
import fcntl
import os
import pty
import re
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

SERVER = os.path.abspath(os.path.join("tests", "kubectl", "container_server"))
# Until a program that does not do what it should is given up.
TIMEOUT = 60

POD = """
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {nodeName: n1, containers: [{name: app, image: i}, {name: side, image: i}]}
"""
RUNNING = '{"status":{"phase":"Running","containerStatuses":[{"name":"app","image":"i","imageID":"","ready":true,"restartCount":0,"state":{"running":{}}}]}}'
DEBUGGER_RUNS = '{"status":{"ephemeralContainerStatuses":[{"name":"dbg","image":"i","imageID":"","ready":true,"restartCount":0,"state":{"running":{}}}]}}'


class Lines:
    """The lines of a pipe as they come."""

    def __init__(self, pipe):
        self._text = ""
        self._ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read, args=(pipe,), daemon=True)
        self._thread.start()

    def _read(self, pipe):
        with contextlib.suppress(OSError):
            while piece := os.read(pipe, 4096):
                with self._changed:
                    self._text += piece.decode()
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait_for(self, pattern):
        """The text up to now, once it has the pattern."""
        with self._changed:
            if not self._changed.wait_for(lambda: re.search(pattern, self._text) or self._ended, TIMEOUT):
                raise TimeoutError(f"{pattern} is not in {self._text!r}")
            return self._text

    def all(self):
        """The text, once it has ended."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._ended, TIMEOUT):
                raise TimeoutError(f"no end after {self._text!r}")
            return self._text


class StreamingTest(unittest.TestCase):
    websockets = True

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.inside = os.path.join(cls.folder.name, "inside")
        os.mkdir(cls.inside)
        kubeconfig = os.path.join(cls.folder.name, "kubeconfig")
        cls.server = subprocess.Popen([SERVER, cls.inside], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with open(kubeconfig, "w", encoding="utf-8") as file:
            for line in cls.server.stdout:
                file.write(line)
                if line.strip().startswith("namespace:"):  # the last one
                    break
        on = "true" if cls.websockets else "false"
        cls.environment = {
            "HOME": cls.folder.name,
            "KUBECONFIG": kubeconfig,
            "PATH": os.environ.get("PATH", ""),
            "KUBECTL_REMOTE_COMMAND_WEBSOCKETS": on,
            "KUBECTL_PORT_FORWARD_WEBSOCKETS": on,
        }
        for arguments, text in ((("create", "-f", "-"), POD), (("patch", "pod", "web", "--subresource=status", "--type=merge", "-p", RUNNING), "")):
            done = cls.kubectl(*arguments, stdin=text)
            if done.returncode != 0:
                raise RuntimeError(done.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.server.stdin.close()
        cls.server.wait(TIMEOUT)
        cls.server.stdout.close()
        cls.folder.cleanup()

    @classmethod
    def kubectl(cls, *arguments, stdin=None):
        return subprocess.run(
            [os.environ["KUBECTL"], *arguments],
            env=cls.environment,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
            cwd=cls.folder.name,
        )

    def start(self, *arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE):
        process = subprocess.Popen(
            [os.environ["KUBECTL"], *arguments],
            env=self.environment,
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.STDOUT,
            cwd=self.folder.name,
        )
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()

    def expect(self, arguments, out="", err="", status=0, stdin=None):
        done = self.kubectl(*arguments, stdin=stdin)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (out, err, status))

    def test_exec_has_both_outputs_and_the_exit_code(self):
        self.expect(
            ("exec", "web", "-c", "app", "--", "sh", "-c", "echo out; echo err >&2; exit 3"),
            out="out\n",
            err="err\ncommand terminated with exit code 3\n",
            status=3,
        )

    def test_exec_takes_the_first_container(self):
        done = self.kubectl("exec", "web", "--", "true")
        self.assertEqual(done.returncode, 0)
        self.assertIn('Defaulted container "app" out of: app, side', done.stderr)

    def test_exec_passes_stdin_on(self):
        self.expect(("exec", "-i", "web", "-c", "app", "--", "sort"), stdin="b\na\n", out="a\nb\n")
        self.expect(("exec", "-i", "web", "-c", "app", "--", "head", "-c", "1"), stdin="x" * 1_000_000, out="x")

    def test_exec_says_why_it_cannot(self):
        done = self.kubectl("exec", "web", "-c", "app", "--", "no-such-program")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error executing command in container: exec: \"no-such-program\": executable file not found", done.stderr)
        done = self.kubectl("exec", "web", "-c", "nope", "--", "true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nope", done.stderr)

    def test_exec_has_a_terminal(self):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 43, 132, 0, 0))
        process = self.start("exec", "-it", "web", "-c", "app", "--", "terminal-size", stdin=slave, stdout=slave)
        terminal = Lines(master)
        self.assertIn("132x43", terminal.wait_for("132x43"))
        # It reads the terminal until its end, and so would take what is typed for the next one.
        self.assertEqual(process.wait(TIMEOUT), 0)
        process = self.start("exec", "-it", "web", "-c", "app", "--", "head", "-n", "1", stdin=slave, stdout=slave)
        os.write(master, b"typed\n")
        terminal.wait_for("typed")
        self.assertEqual(process.wait(TIMEOUT), 0)
        os.close(slave)
        os.close(master)

    def test_attach(self):
        self.expect(("attach", "-i", "web", "-c", "app", "-q"), stdin="to the container\n", out="attached\nto the container\n")

    def forwarded_port(self, process):
        text = Lines(process.stdout.fileno()).wait_for(r"127\.0\.0\.1:\d+ -> ")
        return int(re.search(r"127\.0\.0\.1:(\d+) -> ", text)[1])

    @staticmethod
    def talk(port, text):
        with socket.create_connection(("127.0.0.1", port), TIMEOUT) as connection:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            back = b""
            with contextlib.suppress(ConnectionResetError):
                while piece := connection.recv(4096):
                    back += piece
            return back

    def test_port_forward(self):
        process = self.start("port-forward", "--address=127.0.0.1", "pod/web", ":80")
        port = self.forwarded_port(process)
        for text in (b"one", b"two", b"x" * 1_000_000):
            self.assertEqual(self.talk(port, text), text)
        self.assertIsNone(process.poll())

    def test_port_forward_ends_with_an_error_of_the_pod(self):
        for remote, cause in (("81", "the application has crashed"), ("9999", "connection refused")):
            process = self.start("port-forward", "--address=127.0.0.1", "pod/web", f":{remote}")
            lines = Lines(process.stdout.fileno())
            port = int(re.search(r"127\.0\.0\.1:(\d+) -> ", lines.wait_for(r"127\.0\.0\.1:\d+ -> "))[1])
            self.assertEqual(self.talk(port, b"x"), b"")
            text = lines.all()
            self.assertIn(cause, text)
            self.assertIn("lost connection to pod", text)
            self.assertEqual(process.wait(TIMEOUT), 1)

    def test_cp_in_both_directions(self):
        outside = os.path.join(self.folder.name, "outside")
        os.makedirs(os.path.join(outside, "deep"), exist_ok=True)
        for name, text in (("a.txt", "first\n"), ("deep/b.txt", "x" * 200_000)):
            with open(os.path.join(outside, name), "w", encoding="utf-8") as file:
                file.write(text)
        done = self.kubectl("cp", "-c", "app", "outside", "web:copied")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(os.path.join(self.inside, "copied", "deep", "b.txt"), encoding="utf-8") as file:
            self.assertEqual(len(file.read()), 200_000)
        done = self.kubectl("cp", "-c", "app", "web:copied", "back")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder.name, "back", "a.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "first\n")
        # kubectl ends with 0 all the same, and often before it has printed what tar says.
        before = os.listdir(os.path.join(self.folder.name, "back"))
        self.kubectl("cp", "-c", "app", "web:not-there", "back")
        self.assertEqual(os.listdir(os.path.join(self.folder.name, "back")), before)

    def test_logs_are_followed(self):
        self.expect(("exec", "web", "-c", "app", "--", "append-log", "one"))
        process = self.start("logs", "-f", "web", "-c", "app")
        lines = Lines(process.stdout.fileno())
        lines.wait_for("one\n")
        self.expect(("exec", "web", "-c", "app", "--", "append-log", "two"))
        lines.wait_for("two\n")
        self.assertIsNone(process.poll())
        self.expect(("exec", "web", "-c", "app", "--", "end-log"))
        self.assertEqual(process.wait(TIMEOUT), 0)
        self.expect(("logs", "web", "-c", "app", "--tail=1"), out="two\n")
        done = self.kubectl("logs", "web", "-c", "app", "--previous")
        self.assertEqual(done.returncode, 1)
        self.assertIn('previous terminated container "app" in pod "web" not found', done.stderr)

    def test_debug(self):
        process = self.start("debug", "-i", "web", "--image=i", "-c", "dbg", "--quiet", stdin=subprocess.PIPE)
        lines = Lines(process.stdout.fileno())
        deadline = time.monotonic() + TIMEOUT
        while "dbg" not in self.kubectl("get", "pod", "web", "-o", "jsonpath={.spec.ephemeralContainers[*].name}").stdout:
            self.assertLess(time.monotonic(), deadline)
        self.expect(
            ("patch", "pod", "web", "--subresource=status", "--type=merge", "-p", DEBUGGER_RUNS),
            out="pod/web patched\n",
        )
        lines.wait_for("attached\n")
        process.stdin.write(b"to the debugger\n")
        process.stdin.close()
        self.assertIn("to the debugger\n", lines.all())
        self.assertEqual(process.wait(TIMEOUT), 0)


class StreamingBySpdyTest(StreamingTest):
    websockets = False


if __name__ == "__main__":
    if not os.environ.get("KUBECTL"):
        print("SKIPPED: no kubectl: run tests/real_server/run")
        sys.exit(0)
    unittest.main(verbosity=2)
