"""Runs a program once and measures it as a whole."""

import contextlib
import dataclasses
import json
import math
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time

from description import GOOGLE_BENCHMARK
from errors import BenchError, tail

MIB = 1024.0 * 1024.0


@dataclasses.dataclass
class Run:
    metrics: dict  # name -> (unit, value)
    others: float  # cores that other programs used meanwhile


def busy_seconds():
    """CPU time spent by everything on this machine, and stolen from it by its host."""
    with open("/proc/stat") as f:
        user, nice, system, _, _, irq, softirq, steal = map(int, f.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    """CPU time of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


class Machine:
    """How much of the machine other programs used since the last reset."""

    def __init__(self):
        self.reset()

    def reset(self):
        self._busy, self._own, self._start = busy_seconds(), own_seconds(), time.monotonic()

    def others(self):
        """In cores."""
        foreign = busy_seconds() - self._busy - (own_seconds() - self._own)
        return max(0.0, foreign / max(time.monotonic() - self._start, 1e-9))


def wait_quiet(seconds):
    """Waits until other programs leave the machine alone, `seconds` at most; returns those that are left."""
    end = time.monotonic() + seconds
    machine = Machine()
    while time.monotonic() < end:
        machine.reset()
        time.sleep(0.5)
        if machine.others() < 0.1:
            break
    return max(0.0, end - time.monotonic())


def _kib(path, key):
    with open(path) as f:
        return int(re.search(r"^%s:\s+(\d+) kB" % key, f.read(), re.MULTILINE)[1]) * 1024


def memory(pid):
    """(RssAnon, PSS) in bytes."""
    return _kib("/proc/%d/status" % pid, "RssAnon"), _kib("/proc/%d/smaps_rollup" % pid, "Pss")


def contract_metrics(text):
    """The metrics in the last line of a program's output; ValueError says what is wrong with it."""
    lines = text.strip().splitlines()
    if not lines:
        raise ValueError("no output")
    where = 'last line "%s" ' % lines[-1][:80]
    try:
        listed = json.loads(lines[-1])["metrics"]
        listed = [(m["name"], m["unit"], m["value"]) for m in listed]
    except (ValueError, KeyError, TypeError):
        raise ValueError(where + "is not JSON of metrics with name, unit and value")
    return _checked(listed, where)


def google_benchmark_metrics(text):
    """The same from google-benchmark's --benchmark_format=json: wall time of one iteration.

    A part that runs several threads says UseRealTime(), which google-benchmark appends to its name.
    """
    try:
        listed = json.loads(text)["benchmarks"]
        failed = ["%s: %s" % (b["name"], b["error_message"]) for b in listed if b.get("error_occurred")]
        listed = [(b["name"].removesuffix("/real_time"), b["time_unit"], b["real_time"])
                  for b in listed if not failed and b["run_type"] == "iteration"]
    except (ValueError, KeyError, TypeError):
        raise ValueError("output is not google-benchmark's JSON")
    if failed:
        raise ValueError(failed[0])
    return _checked(listed, "output ")


def _checked(listed, where):
    metrics = {}
    for name, unit, value in listed:
        if not isinstance(name, str) or not isinstance(unit, str) or name in metrics:
            raise ValueError(where + 'has a metric without name or unit, or "%s" twice' % name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise ValueError(where + 'has the value "%s" for "%s"' % (value, name))
        metrics[name] = (unit, float(value))
    if not metrics:
        raise ValueError(where + "has no metric")
    return metrics


def _talk(process, pid):
    """Reads the program's output to its end and answers each "@measure"; returns (output, last memory)."""
    lines, measured = [], None
    for line in process.stdout:
        if line.rstrip("\n") != "@measure":
            lines.append(line)
            continue
        try:
            measured = memory(pid)
            process.stdin.write("%d %d\n" % measured)
            process.stdin.flush()
        except (OSError, TypeError):
            pass  # It ended instead of waiting: its exit status tells why.
    return "".join(lines), measured


def _ended(status):
    if os.WIFSIGNALED(status):
        return "ended by " + signal.Signals(os.WTERMSIG(status)).name
    return "exit status %d" % os.WEXITSTATUS(status)


def _launch(launch, command, timeout):
    """Runs the command; returns (output, memory, wall, CPU, peak RSS). Raises ValueError with the cause."""
    read_end, write_end = os.pipe()
    with tempfile.TemporaryFile("w+") as errors, open(read_end) as report:
        process = subprocess.Popen(
            [launch, str(write_end)] + command, pass_fds=[write_end], text=True, errors="replace",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
            start_new_session=True)  # a group of its own, which the time-out ends
        os.close(write_end)
        late = threading.Event()

        def give_up():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(timeout, give_up)
        timer.start()
        try:
            pid = report.readline()
            start = time.monotonic()
            output, measured = _talk(process, int(pid or 0))
            figures = report.readline().split()
            wall = time.monotonic() - start
        finally:
            timer.cancel()
            timer.join()
            process.wait()
            process.stdout.close()
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass
        errors.seek(0)
        said = tail(errors.read())
    if late.is_set():
        raise ValueError("timed out after %g s%s" % (timeout, said))
    if not figures:
        raise ValueError("did not start%s" % said)
    cpu, peak, status = float(figures[0]), int(figures[1]) * 1024, int(figures[2])
    if status != 0:
        raise ValueError(_ended(status) + said)
    return output, measured, wall, cpu, peak


@contextlib.contextmanager
def serving(command):
    """Runs a server meanwhile, and gives the line that it prints when it is ready; none without a command.

    It ends when its standard input does. ValueError: it printed nothing.
    """
    if not command:
        yield ""
        return
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline().strip()
        if not line:
            raise ValueError("the server did not start")
        yield line
    finally:
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def run(launch, name, command, timeout, output_format, whole_program, server=()):
    """One run of the program called name; BenchError says how it failed."""
    machine = Machine()
    try:
        with serving(server) as line:
            command = [a.replace("{server}", line) for a in command]
            output, measured, wall, cpu, peak = _launch(launch, command, timeout)
        others = machine.others()
        metrics = (google_benchmark_metrics if output_format == GOOGLE_BENCHMARK else contract_metrics)(output)
    except ValueError as e:
        raise BenchError("run %s: %s" % (name, e))
    if whole_program:
        metrics["wall"] = ("s", wall)
        metrics["cpu"] = ("s", cpu)
        metrics["peak_rss"] = ("MiB", peak / MIB)
    if whole_program and measured:
        metrics["rss_anon"] = ("MiB", measured[0] / MIB)
        metrics["pss"] = ("MiB", measured[1] / MIB)
    return Run(metrics, others)
