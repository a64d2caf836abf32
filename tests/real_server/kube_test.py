"""Tests of tools/kube with the real binaries, run beside a server that KUBECONFIG etc. describe.

What needs no real binaries stands in tools/lib/kube/kube_test.py.
"""

import http.client
import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import tempfile
import unittest

_TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools")
_KUBE = os.path.join(_TOOLS, "kube")
_WATCH_LIST = (
    "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
    "&allowWatchBookmarks=true&timeoutSeconds=20"
)
_CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
_DEPLOYMENT = {
    "metadata": {"name": "web"},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "web.invalid/web"}]},
        },
    },
}


def server_version():
    """The release of the server that tests/real_server/run has started."""
    return os.environ["KUBE_VERSION"]


def server_minor():
    """36 for 1.36."""
    return int(server_version().split(".")[1])


def run_kube(*arguments):
    """Runs tools/kube: exit status, standard output, standard error."""
    done = subprocess.run([_KUBE, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


class Server:
    """A running server, as "tools/kube start" describes it."""

    def __init__(self, environment):
        self.directory = environment["KUBE_DIR"]
        self.kubectl = environment["KUBECTL"]
        self.kubeconfig = environment["KUBECONFIG"]
        self.port = int(environment["KUBE_SERVER"].rpartition(":")[2])
        self.etcd_port = int(environment["KUBE_ETCD"].rpartition(":")[2])
        pids = (word.split("=") for word in environment["KUBE_PIDS"].split(","))
        self.pids = {name: int(pid) for name, pid in pids}
        self.ca = os.path.join(self.directory, "pki", "ca.crt")

    def open(self, path, token, body=None):
        """A response that has begun; a test reads a watch from it line by line."""
        trust = ssl.create_default_context(cafile=self.ca)
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=trust)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if body is None:
            connection.request("GET", path, headers=headers)
        else:
            headers["Content-Type"] = "application/json"
            connection.request("POST", path, json.dumps(body), headers)
        return connection.getresponse()

    def call(self, path, token="admin-token", body=None):
        """HTTP status and the decoded answer; None where it is no JSON."""
        with self.open(path, token, body) as response:
            text = response.read()
            is_json = response.headers.get("Content-Type", "").startswith("application/json")
            return response.status, json.loads(text) if is_json else None

    def run_kubectl(self, *arguments):
        """Exit status, and output and errors together."""
        done = subprocess.run(
            [self.kubectl, f"--kubeconfig={self.kubeconfig}", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout


def listening_addresses(pid):
    """The local addresses of a process's listening TCP sockets, as /proc/net writes them."""
    sockets = set()
    for entry in os.listdir(f"/proc/{pid}/fd"):
        try:
            target = os.readlink(f"/proc/{pid}/fd/{entry}")
        except FileNotFoundError:
            continue  # closed meanwhile
        if match := re.fullmatch(r"socket:\[([0-9]+)\]", target):
            sockets.add(match[1])
    found = set()
    for table in ("tcp", "tcp6"):
        with open(f"/proc/{pid}/net/{table}", encoding="utf-8") as file:
            rows = [line.split() for line in file.readlines()[1:]]
        found |= {row[1] for row in rows if row[3] == "0A" and row[9] in sockets}
    return found


def is_running(pid):
    return os.path.exists(f"/proc/{pid}/exe")  # a zombie has none


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class DefaultServerTest(unittest.TestCase):
    """The server that these tests run beside: RBAC, no kube-controller-manager."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(os.environ)

    def test_server_says_its_version(self):
        status, answer = self.server.call("/version", token=None)
        self.assertEqual(status, 200, "expected /version to answer anonymous users")
        self.assertEqual(answer["gitVersion"], f"v{server_version()}")

    def test_kubectl_speaks_to_the_server(self):
        status, output = self.server.run_kubectl("version")
        self.assertEqual(status, 0, output)
        for side in ("Client", "Server"):
            self.assertIn(f"{side} Version: v{server_version()}\n", output)

    def test_rbac_decides_by_credential(self):
        expected = {"": 403, "plain-token": 403, "admin-token": 200, "no-such-token": 401}
        found = {token: self.server.call(_CONFIG_MAPS, token)[0] for token in expected}
        self.assertEqual(found, expected, "expected this HTTP status of a list for each token")

    def test_contexts_of_the_kubeconfig(self):
        who = {}
        for context in ("admin", "admin-token", "plain-user", "plain-token"):
            status, output = self.server.run_kubectl(
                f"--context={context}",
                "auth",
                "whoami",
                "-o",
                "jsonpath={.status.userInfo.username}",
            )
            who[context] = output
        self.assertEqual(
            who,
            {
                "admin": "admin",
                "admin-token": "admin",
                "plain-user": "plain-user",
                "plain-token": "plain-user",
            },
            "expected this user behind each context",
        )
        status, output = self.server.run_kubectl("--context=plain-user", "get", "pods")
        self.assertEqual(status, 1, f"expected plain-user to be refused, got: {output}")
        self.assertIn('(Forbidden): pods is forbidden: User "plain-user" cannot list', output)

    def test_watch_list_tells_its_end(self):
        with self.server.open(f"{_CONFIG_MAPS}?{_WATCH_LIST}", "admin-token") as response:
            self.assertEqual(response.status, 200)
            types = []
            for line in response:
                event = json.loads(line)
                types.append(event["type"])
                if event["type"] == "BOOKMARK":
                    break
        self.assertEqual(types[-1:], ["BOOKMARK"], "expected a bookmark after the first events")
        self.assertEqual(set(types[:-1]) - {"ADDED"}, set(), "expected only ADDED before it")
        annotations = event["object"]["metadata"]["annotations"]
        self.assertEqual(annotations.get("k8s.io/initial-events-end"), "true")

    def test_listens_on_loopback_only(self):
        for name, pid in self.server.pids.items():
            addresses = listening_addresses(pid)
            self.assertTrue(addresses, f"expected {name} to listen somewhere")
            others = [address for address in addresses if not address.startswith("0100007F:")]
            self.assertEqual(others, [], f"expected {name} to listen on 127.0.0.1 alone")

    def test_start_of_a_running_directory_is_refused(self):
        status, _, errors = run_kube("start", "--dir", self.server.directory)
        self.assertEqual(status, 1, "expected the second start to fail")
        self.assertIn("already running; stop it first", errors)
        self.assertEqual(self.server.call("/readyz")[0], 200, "expected the first to go on")


class OwnServerTest(unittest.TestCase):
    """Servers of these tests' own, with other options."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="kube-test.")
        self.addCleanup(shutil.rmtree, self.directory)
        self.addCleanup(run_kube, "stop", "--dir", self.directory)

    def start(self, *options):
        status, output, errors = run_kube(
            "start", "--dir", self.directory, "--ttl", "10m", *options
        )
        self.assertEqual(status, 0, errors)
        return Server(dict(word.split("=", 1) for word in shlex.split(output)))

    def stop(self, server):
        """Stops it, and expects exactly its processes to end, and its ports to be free."""
        others = Server(os.environ).pids
        status, output, errors = run_kube("stop", "--dir", self.directory)
        self.assertEqual(status, 0, errors)
        stopped = dict(line.split()[1:] for line in output.splitlines())
        stopped.pop("watchdog")
        expected = {name: str(pid) for name, pid in server.pids.items()}
        self.assertEqual(stopped, expected, "expected exactly the recorded processes to be stopped")
        self.assert_nothing_is_left(server)
        for name, pid in others.items():
            self.assertTrue(is_running(pid), f"expected another {name} to go on")

    def assert_nothing_is_left(self, server):
        left = [name for name, pid in server.pids.items() if is_running(pid)]
        self.assertEqual(left, [], "expected no process to be left")
        ports = [port for port in (server.port, server.etcd_port) if is_listening(port)]
        self.assertEqual(ports, [], "expected no port to be left open")

    def test_second_cluster_and_its_restart(self):
        emulates_1_33 = server_minor() <= 36  # three minor versions back
        options = ["--emulated-version", "1.33"] if emulates_1_33 else []
        server = self.start(*options, "--controller-manager")
        if emulates_1_33:
            self.assert_emulates_1_33(server)
        with self.subTest("two clusters"):
            config_map = {"metadata": {"name": "mark"}, "data": {"key": "value"}}
            self.assertEqual(server.call(_CONFIG_MAPS, body=config_map)[0], 201)
            status, _ = Server(os.environ).call(f"{_CONFIG_MAPS}/mark")
            self.assertEqual(status, 404, "expected the other cluster to lack the object")
        with self.subTest("kube-controller-manager"):
            self.assert_deployment_makes_pods(server)
        with open(server.ca, encoding="utf-8") as file:
            ca = file.read()
        self.stop(server)

        server = self.start("--authorization", "AlwaysAllow")
        with self.subTest("restart"):
            with open(server.ca, encoding="utf-8") as file:
                self.assertEqual(file.read(), ca, "expected the same certificates")
            status, answer = server.call(f"{_CONFIG_MAPS}/mark")
            self.assertEqual((status, (answer or {}).get("data")), (200, {"key": "value"}))
            self.assertNotIn("kube-controller-manager", server.pids)
        with self.subTest("AlwaysAllow"):
            self.assertEqual(server.call(_CONFIG_MAPS, "plain-token")[0], 200)
            self.assertEqual(server.call("/version", token=None)[0], 401)
        self.stop(server)

    def assert_emulates_1_33(self, server):
        _, answer = server.call("/version")
        self.assertEqual(answer.get("emulationMinor"), "33")
        status, answer = server.call(f"{_CONFIG_MAPS}?{_WATCH_LIST}")
        self.assertEqual(status, 422, "expected 1.33 to refuse a watch-list")
        self.assertEqual(answer["reason"], "Invalid")

    def assert_deployment_makes_pods(self, server):
        status, _ = server.call("/apis/apps/v1/namespaces/default/deployments", body=_DEPLOYMENT)
        self.assertEqual(status, 201)
        watch = "/api/v1/namespaces/default/pods?watch=1&labelSelector=app%3Dweb&timeoutSeconds=25"
        with server.open(watch, "admin-token") as response:
            names = set()
            for line in response:
                names.add(json.loads(line)["object"]["metadata"]["name"])
                if len(names) == 2:
                    break
        self.assertEqual(len(names), 2, "expected two pods within 25 s")

    def test_killed_command_takes_its_server_along(self):
        saved = os.path.join(self.directory, "environment")
        script = f'{shlex.quote(_KUBE)} env --dir "$KUBE_DIR" >{saved}; kill -KILL $$'
        status, _, errors = run_kube("run", "--dir", self.directory, "--", "sh", "-c", script)
        self.assertEqual(status, 137, f"expected the status of a killed command: {errors}")
        with open(saved, encoding="utf-8") as file:
            server = Server(dict(word.split("=", 1) for word in shlex.split(file.read())))
        self.assert_nothing_is_left(server)
