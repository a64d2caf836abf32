"""Processes that outlive the command which starts them, and ports for them.

A process is recorded by its pid and its start time, and signalled through a pidfd: another process
to which the kernel has given the pid since is never met.
"""

import os
import random
import select
import signal
import socket
import subprocess
from dataclasses import dataclass

from errors import KubeError


@dataclass(frozen=True)
class Process:
    """A process that was started, running or not."""

    name: str
    pid: int
    start_time: int  # in clock ticks since boot: field 22 of /proc/PID/stat

    def running(self):
        """Whether it has not ended; a zombie has."""
        return _start_time(self.pid) == self.start_time

    def end(self, grace):
        """Sends SIGTERM, after `grace` seconds SIGKILL; waits. False if it had ended before."""
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return False
        try:
            if not self.running():
                return False
            for number, seconds in ((signal.SIGTERM, grace), (signal.SIGKILL, None)):
                signal.pidfd_send_signal(handle, number)
                if select.select([handle], [], [], seconds)[0]:
                    return True
        except ProcessLookupError:
            return True  # it ended between two of these lines
        finally:
            os.close(handle)


def launch(name, command, log, pass_fds=()):
    """Starts `command`, which no terminal's Ctrl-C reaches; its output goes to the file `log`."""
    with open(log, "ab") as output:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                pass_fds=pass_fds,
            )
        except OSError as error:
            raise KubeError(f"start {name}: {error.strerror}: {command[0]}") from error
    return Process(name, process.pid, _start_time(process.pid, zombies=True))


def free_ports(count):
    """Ports that nobody listens on. Another process may take one; callers try others then."""
    ports = set()
    for port in random.sample(range(20000, 32000), 200):  # below the kernel's ephemeral ports
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                ports.add(port)
            except OSError:
                continue
        if len(ports) == count:
            return list(ports)
    raise KubeError("find free ports on 127.0.0.1: no free port in 200 attempts")


def _start_time(pid, zombies=False):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(") ")[2].split()  # the name before it may hold blanks
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(fields[19]) if zombies or fields[0] not in "ZX" else None
