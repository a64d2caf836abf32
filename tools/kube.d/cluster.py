"""Starts, stops and describes one test cluster: the verbs of tools/kube but get.

A cluster is a directory: pki/, kubeconfig, etcd/ (data), a log a process, and cluster.json, which records the processes
and what start printed. Whoever ends a cluster (stop, run, the watchdog) reads that record and ends what stands in it.
"""

import fcntl
import http.client
import json
import os
import select
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict

import binaries
import credentials
import processes
from errors import Interrupted, KubeError
from processes import Process

_TOOL = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "kube")
_STOP_ORDER = ("kube-controller-manager", "kube-apiserver", "etcd", "watchdog")
_GRACE_SECONDS = 3  # a kube-apiserver keeps no state: nothing is lost when it is killed
_POLL_SECONDS = 0.02


# ---- verbs

def start_command(options):
    _raise_on_signals()
    _print_environment(start(options)["environment"])
    return 0


def run_command(options):
    """Runs a command beside a server. Should this process be killed, the watchdog sees the pipe close and stops the server."""
    _raise_on_signals()
    owner, _held_open = os.pipe()
    record = start(options, owner=owner)
    try:
        return _execute(options.command, {**os.environ, **record["environment"]})
    finally:
        _ignore_signals()
        stop(record["environment"]["KUBE_DIR"])


def stop_command(options):
    for process in stop(options.dir, options.grace):
        print(f"stopped {process.name} {process.pid}")
    return 0


def status_command(options):
    record = _read_record(options.dir)
    for process in record["processes"]:
        print(f"{process.name} {process.pid} {'running' if process.running() else 'ended'}")
    if not record["processes"]:
        print("stopped")
    return 0 if record["processes"] and all(p.running() for p in record["processes"]) else 1


def env_command(options):
    record = _read_record(options.dir)
    if not any(process.running() for process in record["processes"]):
        raise KubeError(f"print environment of {options.dir}: its server does not run")
    _print_environment(record["environment"])
    return 0


def watchdog_command(options):
    owner = [] if options.owner_fd is None else [options.owner_fd]
    select.select(owner, [], [], options.ttl)
    stop(options.dir)
    return 0


# ---- what they do

def start(options, owner=None):
    """Starts a cluster and returns its record, once /readyz is ok. `owner`: a pipe whose closing stops the cluster."""
    needed = ["etcd", "kube-apiserver"] + ["kube-controller-manager"] * options.controller_manager
    if reason := binaries.why_missing(options.bin, needed):
        raise KubeError(f"start server: {reason}")
    directory = os.path.abspath(options.dir or tempfile.mkdtemp(prefix="kube."))
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "lock"), "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise KubeError(f"start server in {directory}: another start is at work there") from error
        previous = _read_record(directory, default={"processes": []})
        if any(process.running() for process in previous["processes"]):
            raise KubeError(f"start server in {directory}: it runs; tools/kube stop --dir {directory} first")
        credentials.make(os.path.join(directory, "pki"))
        for attempt in (1, 2, 3):
            cluster = _Cluster(directory, options)
            try:
                return cluster.start(owner)
            except _PortTaken as error:
                if attempt == 3:
                    raise KubeError(f"start server in {directory}: {error}") from error
                cluster.end()
            except BaseException:
                _ignore_signals()
                stop(directory)
                raise


def stop(directory, grace=_GRACE_SECONDS):
    """Ends the recorded processes, clients first, and returns those that ran. Deletes a temporary directory."""
    record = _read_record(directory)
    ended = _end(record["processes"], grace)
    if record["temporary"]:
        shutil.rmtree(directory, ignore_errors=True)
    else:
        _write_record(directory, {**record, "processes": []})
    return ended


class _PortTaken(Exception):
    """A server found its port taken: others will do."""


class _Cluster:
    """One attempt to start the servers of a directory."""

    def __init__(self, directory, options):
        self._options = options
        self._directory = directory
        port, self._etcd_port, self._peer_port = processes.free_ports(3)
        self._server = f"https://127.0.0.1:{port}"
        self._etcd = f"http://127.0.0.1:{self._etcd_port}"
        self._record = {"temporary": not options.dir, "environment": {}, "processes": []}
        for name in _STOP_ORDER:  # logs tell of the last start
            open(self._path(f"{name}.log"), "w", encoding="utf-8").close()
        self._write_record()

    def start(self, owner):
        began = time.monotonic()
        kubeconfig = self._path("kubeconfig")
        credentials.write_kubeconfig(kubeconfig, self._server, self._path("pki"))
        self._launch("watchdog", self._watchdog(owner), pass_fds=[] if owner is None else [owner])
        self._launch("etcd", self._etcd_command())
        self._wait(self._etcd_listens, "etcd listens")  # kube-apiserver backs off for a second if it does not
        self._launch("kube-apiserver", self._apiserver_command())
        self._wait(self._ready, "/readyz is ok")
        ready_seconds = time.monotonic() - began
        if self._options.controller_manager:
            self._launch("kube-controller-manager", self._controller_manager_command())
        self._record["environment"] = {
            "KUBECONFIG": kubeconfig,
            "KUBECTL": os.path.abspath(os.path.join(self._options.bin, "kubectl")),
            "KUBE_SERVER": self._server,
            "KUBE_ETCD": self._etcd,
            "KUBE_DIR": self._directory,
            "KUBE_PIDS": ",".join(f"{p.name}={p.pid}" for p in self._record["processes"] if p.name != "watchdog"),
            "KUBE_READY_SECONDS": f"{ready_seconds:.2f}",
        }
        self._write_record()
        return self._record

    def end(self):
        _end(self._record["processes"], _GRACE_SECONDS)

    def _path(self, *names):
        return os.path.join(self._directory, *names)

    def _write_record(self):
        _write_record(self._directory, self._record)

    def _launch(self, name, command, pass_fds=()):
        self._record["processes"].append(processes.launch(name, command, self._path(f"{name}.log"), pass_fds))
        self._write_record()

    def _wait(self, reached, what):
        end = time.monotonic() + self._options.ready_timeout
        while not reached():
            cause = None
            for process in self._record["processes"]:
                if not process.running():
                    cause = f"{process.name} ended"
            if time.monotonic() > end:
                cause = f"not within {self._options.ready_timeout} s"
            if cause:
                logs = {p.name: self._log(p.name) for p in self._record["processes"]}
                if any("address already in use" in text for text in logs.values()):
                    raise _PortTaken("its ports were taken by other processes, three times")
                tails = "".join(f"\n--- the end of {name}.log\n{text[-2000:]}" for name, text in logs.items() if text)
                raise KubeError(f"wait until {what} in {self._directory}: {cause}{tails}")
            time.sleep(_POLL_SECONDS)

    def _log(self, name):
        with open(self._path(f"{name}.log"), encoding="utf-8", errors="replace") as file:
            return file.read().strip()

    def _etcd_listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._etcd_port)) == 0

    def _ready(self):
        trust = ssl.create_default_context(cafile=self._path("pki", "ca.crt"))
        connection = http.client.HTTPSConnection(self._server.removeprefix("https://"), timeout=5, context=trust)
        try:
            connection.request("GET", "/readyz", headers={"Authorization": f"Bearer {credentials.ADMIN_TOKEN}"})
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _binary(self, name):
        return os.path.abspath(os.path.join(self._options.bin, name))

    def _watchdog(self, owner):
        return [sys.executable, _TOOL, "watchdog", f"--dir={self._directory}", f"--ttl={self._options.ttl}",
                *([] if owner is None else [f"--owner-fd={owner}"])]

    def _etcd_command(self):
        peer = f"http://127.0.0.1:{self._peer_port}"
        return [
            self._binary("etcd"), "--name=default", f"--data-dir={self._path('etcd')}", "--log-level=warn",
            f"--listen-client-urls={self._etcd}", f"--advertise-client-urls={self._etcd}",
            f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}", f"--initial-cluster=default={peer}",
            # A test cluster need not survive a power failure, and writes get faster.
            "--unsafe-no-fsync",
            # The data names the peer port of the run before.
            *(["--force-new-cluster"] if os.path.isdir(self._path("etcd", "member")) else []),
            *self._options.etcd_flag,
        ]

    def _apiserver_command(self):
        options, pki = self._options, self._path("pki")
        return [
            self._binary("kube-apiserver"), f"--etcd-servers={self._etcd}",
            "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", f"--secure-port={self._server.rpartition(':')[2]}",
            # 127.0.0.1 may not stand in the endpoints of the "kubernetes" service.
            "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/24",
            # Pods can be made before, or without, a "default" service account, and are stored as they were sent.
            "--disable-admission-plugins=ServiceAccount", "--allow-privileged=true",
            f"--authorization-mode={options.authorization}",
            f"--tls-cert-file={pki}/apiserver.crt", f"--tls-private-key-file={pki}/apiserver.key",
            f"--client-ca-file={pki}/ca.crt", f"--token-auth-file={pki}/tokens.csv",
            f"--service-account-key-file={pki}/service-account.crt",
            f"--service-account-signing-key-file={pki}/service-account.key",
            "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
            *([f"--emulated-version={options.emulated_version}"] if options.emulated_version else []),
            *([f"--feature-gates={options.feature_gates}"] if options.feature_gates else []),
            *options.apiserver_flag,
        ]

    def _controller_manager_command(self):
        pki, kubeconfig = self._path("pki"), self._path("controller-manager.kubeconfig")
        credentials.write_controller_manager_kubeconfig(kubeconfig, self._server, pki)
        return [
            self._binary("kube-controller-manager"), f"--kubeconfig={kubeconfig}",
            "--secure-port=0",  # no port at all
            "--leader-elect=false", "--use-service-account-credentials=true",
            f"--service-account-private-key-file={pki}/service-account.key", f"--root-ca-file={pki}/ca.crt",
            f"--cluster-signing-cert-file={pki}/ca.crt", f"--cluster-signing-key-file={pki}/ca.key",
            *self._options.controller_manager_flag,
        ]


def _end(running, grace):
    by_order = sorted(running, key=lambda process: _STOP_ORDER.index(process.name))
    return [p for p in by_order if p.pid != os.getpid() and p.end(grace)]  # the watchdog ends itself


def _execute(command, environment):
    """Runs `command` to its end and returns its status as a shell does. A signal to this process is passed on."""
    try:
        child = subprocess.Popen(command, env=environment)
    except OSError as error:
        raise KubeError(f"run {command[0]}: {error.strerror}") from error
    try:
        status = child.wait()
    except Interrupted as interrupted:
        _ignore_signals()
        # A terminal has sent its Ctrl-C to the command too.
        if interrupted.signal != signal.SIGINT or not sys.stdin.isatty():
            child.send_signal(interrupted.signal)
        try:
            status = child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            child.kill()
            status = child.wait()
    return status if status >= 0 else 128 - status


def _raise_on_signals():
    def handle(number, _frame):
        raise Interrupted(number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handle)


def _ignore_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _print_environment(environment):
    for key, value in environment.items():
        print(f"{key}={shlex.quote(value)}")


def _read_record(directory, default=None):
    try:
        with open(os.path.join(directory, "cluster.json"), encoding="utf-8") as file:
            record = json.load(file)
    except FileNotFoundError as error:
        if default is not None:
            return default
        raise KubeError(f"read {directory}/cluster.json: no such file; was tools/kube started there?") from error
    return {**record, "processes": [Process(**process) for process in record["processes"]]}


def _write_record(directory, record):
    path = os.path.join(directory, "cluster.json")
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        json.dump({**record, "processes": [asdict(process) for process in record["processes"]]}, file, indent=1)
    os.replace(f"{path}.part", path)
