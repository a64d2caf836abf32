#!/usr/bin/env python3
"""Starts the server as scripts and terminals do: in the background, with any standard input; and ends it."""

import http.client
import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

PROGRAM = os.path.abspath("apiserver/main")
# Until a program that does not do what it should is given up.
TIMEOUT = 60
OBJECTS = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dogs.example.com}
spec:
  group: example.com
  names: {kind: Dog, listKind: DogList, plural: dogs, singular: dog}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---
apiVersion: v1
kind: Namespace
metadata: {name: prod}
---
apiVersion: example.com/v1
kind: Dog
metadata: {name: rex, namespace: prod}
"""


def url_of(kubeconfig):
    return re.search(r"^    server: (\S+)$", kubeconfig, re.MULTILINE)[1]


def token_of(kubeconfig, user):
    return re.search(rf"^- name: '?{user}'?\n  user:\n    token: '?([^'\n]+)'?$", kubeconfig, re.MULTILINE)[1]


def get(kubeconfig, path, user="envtest"):
    """The code of an answer, and its body."""
    connection = http.client.HTTPConnection(urllib.parse.urlparse(url_of(kubeconfig)).netloc, timeout=TIMEOUT)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token_of(kubeconfig, user)}"})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body


def read_at_once(pipe):
    """What the first write had, once there is any."""
    ready, _, _ = select.select([pipe], [], [], TIMEOUT)
    return os.read(pipe.fileno(), 1 << 20).decode() if ready else ""


def wait_for_file(path):
    deadline = time.monotonic() + TIMEOUT
    while not os.path.exists(path):
        if time.monotonic() > deadline:
            raise TimeoutError(f"there is no {path}")
        time.sleep(0.01)


class ProgramTest(unittest.TestCase):
    def start(self, *arguments, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options}
        process = subprocess.Popen([PROGRAM, "--no-tls", *arguments], **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def assert_serves(self, kubeconfig, user="envtest"):
        code, body = get(kubeconfig, "/api/v1/namespaces/default", user)
        self.assertEqual((code, '"name":"default"' in body), (200, True), body)

    def test_serves_although_standard_input_has_ended(self):
        process = self.start()
        kubeconfig = read_at_once(process.stdout)
        self.assertTrue(kubeconfig.endswith("namespace: default\n"), "it is not complete")
        self.assert_serves(kubeconfig)
        self.assertIsNone(process.poll())
        process.terminate()
        self.assertEqual(process.wait(TIMEOUT), 0)

    def test_ends_with_an_interrupt(self):
        # A shell has its background jobs ignore it; a script's Ctrl-C ends the server all the same.
        def ignore():
            signal.signal(signal.SIGINT, signal.SIG_IGN)

        process = self.start(preexec_fn=ignore)
        self.assertTrue(read_at_once(process.stdout))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(TIMEOUT), 0)

    def test_ends_with_standard_input_if_asked(self):
        process = self.start("--end-with-stdin", stdin=subprocess.PIPE)
        self.assert_serves(read_at_once(process.stdout))
        process.stdin.write(b"not the end\n")
        process.stdin.flush()
        self.assertIsNone(process.poll())
        process.stdin.close()
        process.stdin = None
        self.assertEqual(process.wait(TIMEOUT), 0)

    def test_a_signal_ends_it_while_it_looks_at_standard_input(self):
        process = self.start("--end-with-stdin", stdin=subprocess.PIPE)
        self.assertTrue(read_at_once(process.stdout))
        process.terminate()
        self.assertEqual(process.wait(TIMEOUT), 0)

    def test_ends_after_its_time(self):
        for arguments in ([], ["--end-with-stdin"]):
            process = self.start("--ttl=50ms", *arguments, stdin=subprocess.PIPE)
            self.assertTrue(read_at_once(process.stdout))
            self.assertEqual(process.wait(TIMEOUT), 0)

    def test_ends_with_its_parent_if_asked(self):
        # The pipe ends when all who may write to it have ended: the shell, and the server.
        reader, writer = os.pipe()
        shell = subprocess.Popen(
            ["bash", "-c", '"$0" --no-tls --end-with-parent & read -r', PROGRAM],
            stdin=subprocess.PIPE,
            stdout=writer,
        )
        os.close(writer)
        with os.fdopen(reader, "rb", buffering=0) as pipe:
            self.assert_serves(read_at_once(pipe))
            shell.kill()
            shell.communicate()
            ready, _, _ = select.select([pipe], [], [], TIMEOUT)
            self.assertTrue(ready, "the server goes on")
            self.assertEqual(pipe.read(), b"")

    def test_goes_on_when_the_thread_that_started_it_ends(self):
        started = []
        thread = threading.Thread(target=lambda: started.append(self.start("--end-with-parent")))
        thread.start()
        thread.join(TIMEOUT)
        kubeconfig = read_at_once(started[0].stdout)
        self.assertTrue(kubeconfig)
        with self.assertRaises(subprocess.TimeoutExpired):
            started[0].wait(0.3)
        self.assert_serves(kubeconfig)

    def test_a_job_in_the_background_of_a_terminal_is_not_stopped(self):
        # Its standard input is the terminal: a job in the background that reads from it is stopped.
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kubeconfig")
            shell, terminal = pty.fork()
            if shell == 0:
                os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
            try:
                os.write(terminal, f"{PROGRAM} --no-tls --end-with-parent --kubeconfig={path} &\n".encode())
                wait_for_file(path)
                with open(path, encoding="utf-8") as file:
                    self.assert_serves(file.read())
                os.write(terminal, b"echo state: $(jobs)\n")
                said = ""
                while not re.search(r"state: \[1\]\S* +\w+", said):
                    ready, _, _ = select.select([terminal], [], [], TIMEOUT)
                    self.assertTrue(ready, said)
                    said += os.read(terminal, 4096).decode()
                self.assertIn("Running", said)
            finally:
                os.kill(shell, signal.SIGKILL)
                os.close(terminal)
                os.waitpid(shell, 0)

    def test_writes_a_file_that_is_whole_from_the_first_moment(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kubeconfig")
            process = self.start(f"--kubeconfig={path}", "--ttl=1h")
            wait_for_file(path)
            with open(path, encoding="utf-8") as file:
                self.assert_serves(file.read())
            self.assertEqual(os.listdir(folder), ["kubeconfig"])
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            process.terminate()
            self.assertEqual(process.communicate()[0], b"")
            self.assertEqual(os.listdir(folder), [])

    def test_a_file_of_an_earlier_run_is_not_taken_for_this_ones(self):
        with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as taken:
            path = os.path.join(folder, "kubeconfig")
            killed = self.start(f"--kubeconfig={path}", "--token=o'neil=secret")
            wait_for_file(path)
            killed.kill()
            killed.wait(TIMEOUT)
            with open(path, encoding="utf-8") as file:
                written = file.read()
            # As `kubectl config set-context --current --namespace=web` leaves it; and as mktemp makes one.
            changed = written.replace("namespace: default", "namespace: web").replace("apiVersion: v1\n", "", 1)
            for old in (written, changed + "apiVersion: v1\n", ""):
                for arguments, code in (([], 0), ([f"--port={taken.getsockname()[1]}"], 1)):
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(old)
                    # What it says of the port is not for this test's output.
                    process = self.start(f"--kubeconfig={path}", "--ttl=50ms", *arguments, stderr=subprocess.DEVNULL)
                    self.assertEqual(process.wait(TIMEOUT), code)
                    self.assertEqual(os.listdir(folder), [])

    def test_refuses_to_replace_a_file_that_it_has_not_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "config")
            link = os.path.join(folder, "link")
            os.symlink(path, link)
            for text in (
                "apiVersion: v1\nkind: Config\nclusters:\n- name: prod\n  cluster:\n    server: https://prod:6443\n",
                "notes\n",
                "\t: no YAML",
            ):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                for name in (path, link):
                    process = self.start(f"--kubeconfig={name}", "--ttl=50ms", stderr=subprocess.PIPE)
                    _, said = process.communicate(timeout=TIMEOUT)
                    self.assertEqual(process.returncode, 1)
                    self.assertIn(f'write kubeconfig to "{name}": '.encode(), said)
                    self.assertIn(b"remove it or choose another path", said)
                    with open(path, encoding="utf-8") as file:
                        self.assertEqual(file.read(), text)
            os.unlink(path)
            os.mkdir(path)
            process = self.start(f"--kubeconfig={path}", "--ttl=50ms", stderr=subprocess.PIPE)
            self.assertIn(b"not a regular file", process.communicate(timeout=TIMEOUT)[1])
            self.assertEqual(process.returncode, 1)
            self.assertEqual(sorted(os.listdir(folder)), ["config", "link"])

    def test_leaves_the_file_of_another_server(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kubeconfig")
            process = self.start(f"--kubeconfig={path}")
            wait_for_file(path)
            os.unlink(path)
            with open(path, "w", encoding="utf-8") as file:
                file.write("another")
            process.terminate()
            self.assertEqual(process.wait(TIMEOUT), 0)
            self.assertEqual(os.listdir(folder), ["kubeconfig"])

    def test_says_what_file_it_cannot_write(self):
        process = self.start("--kubeconfig=/no/such/folder/k", stderr=subprocess.PIPE)
        _, said = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1)
        self.assertIn(b'create "/no/such/folder/k.', said)

    def test_says_that_a_port_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            process = self.start(f"--port={port}", stderr=subprocess.PIPE)
            out, said = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, out), (1, b""))
        self.assertIn(f"127.0.0.1 port {port}".encode(), said)
        self.assertIn(b"Address already in use", said)

    def test_knows_users_by_their_tokens(self):
        process = self.start("--token=jane=secret", "--token", "bob=c2VjcmV0=")
        kubeconfig = read_at_once(process.stdout)
        for user, token in {"jane": "secret", "bob": "c2VjcmV0="}.items():
            self.assertEqual(token_of(kubeconfig, user), token)
            self.assert_serves(kubeconfig, user)

    def test_is_ready_when_definitions_and_objects_are_there(self):
        with tempfile.TemporaryDirectory() as folder:
            manifests = os.path.join(folder, "objects.yaml")
            with open(manifests, "w", encoding="utf-8") as file:
                file.write(OBJECTS)
            log = os.path.join(folder, "log")
            process = self.start(
                f"--manifests={manifests}", f"--request-log={log}", "--request-log-filter=resource=dogs,verb=list"
            )
            kubeconfig = read_at_once(process.stdout)
            code, body = get(kubeconfig, "/apis/example.com/v1/namespaces/prod/dogs?limit=7")
            self.assertEqual((code, '"name":"rex"' in body), (200, True), body)
            with open(log, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
            self.assertEqual(lines[-1]["target"], "/apis/example.com/v1/namespaces/prod/dogs?limit=7")
            self.assertEqual((lines[-1]["code"], lines[-1]["user"]), (200, "admin"))
            self.assertEqual({line["verb"] for line in lines}, {"list"})

    def test_says_which_file_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write("apiVersion: v1\nkind: Namespace\n")
            for flag in ("--crds=/none/crds", f"--manifests={path}"):
                process = self.start(flag, stderr=subprocess.PIPE)
                out, said = process.communicate(timeout=TIMEOUT)
                self.assertEqual((process.returncode, out), (1, b""))
                name, _, value = flag.partition("=")
                self.assertIn(f"read {name}: ", said.decode())
                self.assertIn(value, said.decode())

    def test_simulates_workloads_if_asked(self):
        process = self.start("--workloads", "--nodes=left")
        kubeconfig = read_at_once(process.stdout)
        deadline = time.monotonic() + TIMEOUT
        while get(kubeconfig, "/api/v1/nodes/left")[0] != 200:
            self.assertLess(time.monotonic(), deadline, "the node is not there")
            time.sleep(0.01)

    def test_spoils_requests_if_asked(self):
        process = self.start("--fault=error=503,resource=namespaces,times=1")
        kubeconfig = read_at_once(process.stdout)
        self.assertEqual(get(kubeconfig, "/api/v1/namespaces")[0], 503)
        self.assertEqual(get(kubeconfig, "/api/v1/namespaces")[0], 200)

    def test_says_its_version(self):
        said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True, timeout=TIMEOUT).stdout
        self.assertRegex(said, r"^client-cpp API server \(Kubernetes v1\.\d+\.\d+\)\n$")

    def test_helps(self):
        said = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True, timeout=TIMEOUT).stdout
        self.assertIn("--ttl=TIME", said)
        wrong = subprocess.run([PROGRAM, "--prt=1"], capture_output=True, text=True, check=False, timeout=TIMEOUT)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("unknown flag: --prt, see --help", wrong.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
