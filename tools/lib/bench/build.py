"""Builds our program and the peers. Everything but Bazel's own output goes into one cache folder."""

import hashlib
import json
import os
import shutil
import subprocess

from errors import BenchError, tail

LAUNCH = "//tools/lib/bench:launch"


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "client-cpp", "bench")


def _run(what, command, cwd, env=None):
    try:
        done = subprocess.run(command, cwd=cwd, env=env, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as e:
        raise BenchError("%s: %s: %s" % (what, command[0], e.strerror.lower()))
    if done.returncode != 0:
        raise BenchError("%s: %s ended with status %d%s" % (
            what, os.path.basename(command[0]), done.returncode, tail(done.stderr or done.stdout, 30)))
    return done.stdout


def bazel(root, *targets):
    """Builds targets optimised, and returns the paths of their programs. Errors name the first one."""
    # Without links: those in the checkout stay with what the developer built last.
    _run("build " + targets[0], ["bazel", "build", "--config=opt", "--symlink_prefix=/", "--color=no",
                           "--noshow_progress", *targets], root)
    out = _run("find the output of " + targets[0], ["bazel", "info", "--config=opt", "bazel-bin"], root).strip()
    return [os.path.join(out, *_split(label)) for label in targets]


def _split(label):
    package, _, name = label.removeprefix("//").partition(":")
    return package, name or os.path.basename(package)


def version(root, name):
    return _run("read a version", [os.path.join(root, "tools", "version"), name], root).strip()


def go_mod(root, modules):
    """A go.mod. Modules without a version ("k8s.io/client-go") take that of the Kubernetes release."""
    text = "module bench\n\ngo %s\n" % version(root, "GO_VERSION")
    for module in modules:
        path, _, at = module.partition("@")
        text += "\nrequire %s %s\n" % (path, at or "v" + version(root, "KUBERNETES_MODULES_VERSION"))
    return text


def _fresh_copy(source, target, ignore=None):
    shutil.rmtree(target, ignore_errors=True)
    try:
        shutil.copytree(source, target, ignore=ignore)
    except OSError as e:
        raise BenchError('copy "%s": %s' % (source, e.strerror.lower()))


def go(root, benchmark, peer, cache):
    """Builds a Go peer in a module of its own, with package contract in it as bench/contract."""
    tool = os.path.join(root, "tools", "go")
    what = "build peer %s" % peer.name
    folder = os.path.join(cache, "src", benchmark.name, peer.name)
    _fresh_copy(os.path.join(benchmark.folder, peer.folder), folder)
    # Without its C++ half, which go refuses.
    _fresh_copy(
        os.path.join(root, "benchmarks", "contract"),
        os.path.join(folder, "contract"),
        shutil.ignore_patterns("*.cc", "*.h", "BUILD.bazel"),
    )
    with open(os.path.join(folder, "go.mod"), "w") as f:
        f.write(go_mod(root, peer.modules))
    program = os.path.join(cache, "bin", "%s-%s" % (benchmark.name, peer.name))
    if peer.modules:
        _run(what, [tool, "mod", "tidy"], folder)
    _run(what, [tool, "build", "-o", program, "."], folder)
    return program


def rust(root, benchmark, peer, cache):
    """Builds a Rust peer with its own Cargo.toml; its target folder is kept for the next time."""
    del root
    what = "build peer %s" % peer.name
    if not shutil.which("cargo"):
        raise BenchError("%s: cargo not found" % what)
    folder = os.path.join(cache, "src", benchmark.name, peer.name)
    _fresh_copy(os.path.join(benchmark.folder, peer.folder), folder)
    env = dict(os.environ, CARGO_TARGET_DIR=os.path.join(cache, "rust", benchmark.name, peer.name))
    out = _run(what, ["cargo", "build", "--release", "--quiet", "--message-format=json"], folder, env)
    programs = [m["executable"] for m in map(json.loads, out.splitlines()) if m.get("executable")]
    if len(programs) != 1:
        raise BenchError("%s: cargo built %d programs instead of one" % (what, len(programs)))
    return programs[0]


def cpp(root, benchmark, peer, cache):
    """Builds a peer in C++ as ours."""
    del benchmark, cache
    try:
        return bazel(root, peer.target)[0]
    except BenchError as e:
        raise BenchError("build peer %s: %s" % (peer.name, e))


def peer_program(root, benchmark, peer, cache):
    return {"c++": cpp, "go": go, "rust": rust}[peer.language](root, benchmark, peer, cache)


def _generate(root, benchmark, cache, data):
    """Runs the generator, unless this very program has written the data already."""
    program = peer_program(root, benchmark, benchmark.generator, cache)
    with open(program, "rb") as f:
        version = hashlib.sha256(f.read() + repr(benchmark.generator.arguments).encode()).hexdigest()
    stamp = os.path.join(data, "generated_by")
    if os.path.exists(stamp):
        with open(stamp) as f:
            if f.read() == version:
                return
        os.remove(stamp)
    arguments = [a.replace("{data}", data) for a in benchmark.generator.arguments]
    _run("generate the data of " + benchmark.name, [program] + arguments, data)
    with open(stamp, "w") as f:
        f.write(version)


def why_not(benchmark):
    """What the benchmark needs and this machine lacks, as the command of `needs` says it; empty: nothing."""
    if not benchmark.needs:
        return ""
    try:
        _run("look for what it needs", benchmark.needs, benchmark.folder)
    except BenchError as e:
        return str(e)
    return ""


def prepare(root, benchmark, cache):
    """Makes the benchmark's data. A command of `prepare` decides by itself what is left to do."""
    data = os.path.join(cache, "data", benchmark.name)
    if benchmark.generator or benchmark.prepare:
        os.makedirs(data, exist_ok=True)
    if benchmark.generator:
        _generate(root, benchmark, cache, data)
    if benchmark.prepare:
        command = [a.replace("{data}", data) for a in benchmark.prepare]
        _run("prepare the data of " + benchmark.name, command, benchmark.folder)
    return data
