"""Starts, stops and describes one test cluster: the verbs of tools/kube but get.

A cluster is a directory: pki/, kubeconfig, etcd/ (data), a log a process, and cluster.json, which
records the processes and what start printed. Whoever ends a cluster (stop, run, the watchdog) reads
that record and ends what stands in it.
"""

import contextlib
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
from servers import Servers

_TOOL = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "kube")
_STOP_ORDER = ("kube-controller-manager", "kube-apiserver", "etcd", "watchdog")
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_GRACE_SECONDS = 3  # a kube-apiserver keeps no state: nothing is lost when it is killed
_POLL_SECONDS = 0.02


# ---- verbs


def start_command(options):
    _raise_on_signals()
    _print_environment(start(options)["environment"])
    return 0


def run_command(options):
    """Runs a command beside a server.

    Should this process be killed, the pipe closes, and the watchdog stops the server.
    """
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
        raise KubeError(f"print environment of {options.dir}: the server is not running")
    _print_environment(record["environment"])
    return 0


def watchdog_command(options):
    owner = [] if options.owner_fd is None else [options.owner_fd]
    select.select(owner, [], [], options.ttl)
    stop(options.dir)
    return 0


# ---- what they do


def start(options, owner=None):
    """Starts a cluster and returns its record, once /readyz is ok.

    It stops when its time to live is over, or when the pipe `owner` closes, if there is one.
    """
    needed = ["etcd", "kube-apiserver"] + ["kube-controller-manager"] * options.controller_manager
    if reason := binaries.why_missing(options.bin, needed, options.release):
        raise KubeError(f"start server: {reason}")
    directory = os.path.abspath(options.dir or tempfile.mkdtemp(prefix="kube."))
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "lock"), "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise KubeError(f"start server in {directory}: another start is in progress") from error
        record = {"temporary": not options.dir, "environment": {}, "processes": []}
        if any(p.running() for p in _read_record(directory, default=record)["processes"]):
            raise KubeError(f"start server in {directory}: already running; stop it first")
        _write_record(directory, record)
        try:
            credentials.make(os.path.join(directory, "pki"))
            for _ in range(3):
                servers = Servers(directory, *processes.free_ports(3), options)
                if _Starter(servers, record).start(owner):
                    return record
            raise KubeError(f"start server in {directory}: its ports were in use in three attempts")
        except BaseException:
            _ignore_signals()
            stop(directory)
            raise


def stop(directory, grace=_GRACE_SECONDS):
    """Ends the recorded processes and returns those that ran. Deletes a temporary directory."""
    record = _read_record(directory)
    ended = _end(record["processes"], grace)
    if record["temporary"]:
        shutil.rmtree(directory, ignore_errors=True)
    else:
        _write_record(directory, {**record, "processes": []})
    return ended


class _PortTaken(Exception):
    """A server found its port taken: others will do."""


class _Starter:
    """Starts the servers of a cluster, and records each."""

    def __init__(self, servers, record):
        self._servers = servers
        self._options = servers.options
        self._record = record
        for name in _STOP_ORDER:  # a log tells of the last start
            open(self._log(name), "w", encoding="utf-8").close()

    def start(self, owner):
        """False, with nothing left running, if a port was taken by another process."""
        began = time.monotonic()
        try:
            self._start_all(owner)
        except _PortTaken:
            _end(self._record["processes"], _GRACE_SECONDS)
            self._record["processes"] = []
            return False
        pids = {p.name: p.pid for p in self._record["processes"] if p.name != "watchdog"}
        self._record["environment"] = {
            "KUBECONFIG": self._servers.kubeconfig,
            "KUBECTL": self._servers.binary("kubectl"),
            "KUBE_SERVER": self._servers.url,
            "KUBE_ETCD": self._servers.etcd_url,
            "KUBE_DIR": self._servers.directory,
            "KUBE_PIDS": ",".join(f"{name}={pid}" for name, pid in pids.items()),
            "KUBE_READY_SECONDS": f"{time.monotonic() - began:.2f}",
        }
        # Binaries of --bin may be of any release.
        if self._options.bin == binaries.cache_directory(self._options.release):
            self._record["environment"]["KUBE_VERSION"] = self._options.release.kubernetes
        _write_record(self._servers.directory, self._record)
        return True

    def _start_all(self, owner):
        servers = self._servers
        servers.write_kubeconfigs()
        watchdog = [sys.executable, _TOOL, "watchdog"]
        watchdog += [f"--dir={servers.directory}", f"--ttl={self._options.ttl}"]
        watchdog += [] if owner is None else [f"--owner-fd={owner}"]
        self._launch("watchdog", watchdog, pass_fds=() if owner is None else (owner,))
        self._launch("etcd", servers.etcd())
        # kube-apiserver waits for a second if it finds no etcd at once.
        self._wait(self._etcd_listens, "etcd listens")
        self._launch("kube-apiserver", servers.apiserver())
        self._wait(self._ready, "/readyz is ok")
        if self._options.controller_manager:
            self._launch("kube-controller-manager", servers.controller_manager())

    def _launch(self, name, command, pass_fds=()):
        with _signals_deferred():  # no process is to be started and not recorded
            process = processes.launch(name, command, self._log(name), pass_fds)
            self._record["processes"].append(process)
            _write_record(self._servers.directory, self._record)

    def _wait(self, reached, what):
        end = time.monotonic() + self._options.ready_timeout
        while not reached():
            ended = [p.name for p in self._record["processes"] if not p.running()]
            if ended or time.monotonic() > end:
                cause = f"{ended[0]} ended" if ended else f"not in {self._options.ready_timeout} s"
                self._give_up(f"wait until {what} in {self._servers.directory}: {cause}")
            time.sleep(_POLL_SECONDS)

    def _give_up(self, message):
        for process in self._record["processes"]:
            with open(self._log(process.name), encoding="utf-8", errors="replace") as file:
                log = file.read().strip()
            if "address already in use" in log:
                raise _PortTaken
            message += f"\n--- the end of {process.name}.log\n{log[-2000:]}" if log else ""
        raise KubeError(message)

    def _log(self, name):
        return os.path.join(self._servers.directory, f"{name}.log")

    def _etcd_listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._servers.etcd_port)) == 0

    def _ready(self):
        ca = os.path.join(self._servers.directory, "pki", "ca.crt")
        connection = http.client.HTTPSConnection(
            "127.0.0.1",
            self._servers.port,
            timeout=5,
            context=ssl.create_default_context(cafile=ca),
        )
        token = {"Authorization": f"Bearer {credentials.ADMIN_TOKEN}"}
        try:
            connection.request("GET", "/readyz", headers=token)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def _end(running, grace):
    """Ends processes, clients of others first, and returns those that ran."""
    in_order = sorted(running, key=lambda process: _STOP_ORDER.index(process.name))
    # The watchdog is not to end itself before it has ended the others.
    return [p for p in in_order if p.pid != os.getpid() and p.end(grace)]


def _execute(command, environment):
    """Runs `command`, passes signals on to it, and returns its status as a shell does."""
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

    for number in _SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, handle)


def _ignore_signals():
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def _signals_deferred():
    """A signal that arrives within is raised at the end."""
    came = []
    caught = [n for n in _SIGNALS if signal.getsignal(n) != signal.SIG_IGN]
    handlers = {n: signal.signal(n, lambda number, _: came.append(number)) for n in caught}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if came:
        raise Interrupted(came[0])


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
        raise KubeError(
            f"read {directory}/cluster.json: no such file; was tools/kube started there?"
        ) from error
    return {**record, "processes": [Process(**process) for process in record["processes"]]}


def _write_record(directory, record):
    path = os.path.join(directory, "cluster.json")
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        json.dump(
            {**record, "processes": [asdict(process) for process in record["processes"]]},
            file,
            indent=1,
        )
    os.replace(f"{path}.part", path)
