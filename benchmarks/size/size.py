#!/usr/bin/env python3
"""size tables | program | include | build | imported: what our tables, programs and headers cost. docs/benchmarks.md explains the figures."""

import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PROGRAMS = os.path.dirname(os.path.abspath(sys.argv[0]))  # Bazel's, built beside this file
INCLUDE_ROUNDS = 11
POINTER = 8
MESSAGE = 32  # sizeof(kube::table::Message); what a kMessage has beyond it are pointers to others


def output_of(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def table_sizes(program, namespace):
    """Bytes of the tables in a program or an object file, by symbols, and where messages and kinds are."""
    sizes = dict.fromkeys(["fields", "messages", "subs", "names", "kinds"], 0)
    ranges = []
    for line in output_of("nm", "-SC", "--defined-only", program).splitlines():
        found = re.fullmatch(rf"(\w+) (\w+) \w ({namespace}::.*)", line)
        if not found:
            continue
        start, size, name = int(found[1], 16), int(found[2], 16), found[3]
        if name.endswith("::kMessage"):
            sizes["messages"] += MESSAGE
            sizes["subs"] += size - MESSAGE
            ranges.append((start, start + size))
        elif re.search(r"::k\w+Fields$", name):
            sizes["fields"] += size
        elif re.search(r"::kNames\d*$", name):
            sizes["names"] += size
        elif re.search(r"::kinds_::k(Lines|Messages)$", name):
            sizes["kinds"] += size
            ranges.append((start, start + size))
    return sizes, ranges


def tables(program):
    """KB of the tables of every kind, without the linker's gaps of less than sixteen bytes."""
    sizes, ranges = table_sizes(program, "kube::api")
    if not all(sizes.values()):
        raise SystemExit("size: find tables in %s: there are none of some sort: %s" % (program, sizes))
    sizes["total"] = sum(sizes.values())
    places = {int(line.split()[0], 16) for line in output_of("readelf", "-rW", program).splitlines()
              if "_RELATIVE" in line}
    metrics = [(name, "KB", size / 1000) for name, size in sizes.items()]
    pointers = sum(place in places for start, end in ranges for place in range(start, end, POINTER))
    return metrics + [("pointers_to_relocate", "1", pointers)]


def stripped(program):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "stripped")
        output_of("strip", "-o", copy, program)
        return os.path.getsize(copy)


def programs():
    """KB of programs without symbols. Third parties' code is in shared libraries, but for what their headers put into ours."""
    return [(name, "KB", stripped(os.path.join(PROGRAMS, name)) / 1000) for name in ("pod_and_lease", "clientset", "all_kinds")]


def cpu_seconds(command):
    process = subprocess.Popen(command, cwd=ROOT, stdout=sys.stderr)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit("size: %s failed" % " ".join(command))
    return usage.ru_utime + usage.ru_stime


def include():
    """Seconds of CPU that a source file needs more if it includes every types.kube.h. A compiler does the same work each
    time and whatever else happens only adds to it: the least time is the one to compare, the median says how much was added."""
    out = output_of("bazel", "info", "--config=opt", "bazel-bin").strip()
    headers = sorted(os.path.relpath(path, out) for path in glob.glob(os.path.join(out, "api/*/*/types.kube.h")))
    if not headers:
        raise SystemExit("size: find headers in %s: there are none" % out)
    without = ["string", "vector", "map", "absl/status/status.h", "absl/status/statusor.h", "absl/strings/string_view.h",
               "absl/time/time.h"]
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(INCLUDE_ROUNDS):
            for name, paths in (("without", without), ("with", without + headers)):
                source = os.path.join(folder, name + ".cc")
                with open(source, "w") as f:
                    f.write("".join("#include <%s>\n" % path for path in paths))
                times.setdefault(name, []).append(
                    cpu_seconds(["g++", "-std=c++20", "-fsyntax-only", "-I" + ROOT, "-I" + out, source]))
    baseline, both = min(times["without"]), min(times["with"])
    median = statistics.median(times["with"]) - statistics.median(times["without"])
    return [("over_baseline", "s", both - baseline), ("over_baseline_median", "s", median), ("baseline", "s", baseline),
            ("headers", "1", len(headers))]


def build():
    """Builds //api/... from nothing: no disk cache, an output base of its own. CPU time counts protoc's plugin and Bazel itself."""
    with tempfile.TemporaryDirectory() as folder:
        start = os.times().elapsed
        cpu = cpu_seconds(["bazel", "--batch", "--output_base=" + folder, "build", "--disk_cache=", "--jobs=2",
                           "--symlink_prefix=/", "--noshow_progress", "--color=no", "//api/..."])
        wall = os.times().elapsed - start
        output_of("chmod", "-R", "u+w", folder)
    return [("wall", "s", wall), ("cpu_of_two_cores", "s", cpu / 2)]


def generated_files(folder, suffix):
    """The types of a project: neither its clients nor its informers, lists of kinds and apply configurations."""
    paths = glob.glob(os.path.join(folder, "**", "*" + suffix), recursive=True)
    return sorted(path for path in paths if not re.search(r"\.(client|informers|kinds|applies)\.kube", path))


def imported_project(name, out):
    """Metrics of the types of a project of tests/imported_crds, which are built already."""
    folder = os.path.join(out, "tests/imported_crds", name)
    kinds = 0
    for path in generated_files(folder, ".proto"):
        with open(path, encoding="utf-8") as f:
            kinds += len(re.findall(r'^ .*\bplural: "', f.read(), re.MULTILINE))
    if kinds == 0:
        raise SystemExit("size: find kinds in %s: there are none" % folder)
    sources = generated_files(folder, ".kube.cc")
    code = sum(os.path.getsize(path) for path in sources + generated_files(folder, ".kube.h"))
    seconds, bytes_of_tables = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        objects = os.path.join(scratch, "types.o")
        for source in sources:
            seconds += cpu_seconds(["g++", "-std=c++20", "-O2", "-c", "-I" + ROOT, "-I" + out, "-o", objects, source])
            bytes_of_tables += sum(table_sizes(objects, "kube::crd")[0].values())
    return [("%s_kinds" % name, "1", kinds), ("%s_code_of_a_kind" % name, "KB", code / 1000 / kinds),
            ("%s_compile_a_kind" % name, "s", seconds / kinds), ("%s_tables_of_a_kind" % name, "KB", bytes_of_tables / 1000 / kinds)]


def imported():
    """What the types of other projects' definitions cost. Where the definitions cannot be had, it says so: stand-ins cost nothing."""
    with open(os.path.join(ROOT, "tests/imported_crds/crd_projects.bzl")) as f:
        names = re.findall(r'^ *name = "(\w+)",$', f.read(), re.MULTILINE)
    cpu_seconds(["bazel", "build", "--config=opt", "--noshow_progress", "--color=no",
                 *("//tests/imported_crds:" + name for name in names)])
    out = output_of("bazel", "info", "--config=opt", "bazel-bin").strip()
    external = os.path.join(output_of("bazel", "info", "output_base").strip(), "external")
    metrics = []
    for name in names:
        skipped = glob.glob(os.path.join(external, "*crds_of_" + name, "crds.skipped"))
        if skipped:
            print("size: %s is left out: %s" % (name, open(skipped[0]).read().strip()), file=sys.stderr)
        else:
            metrics += imported_project(name, out)
    return metrics


def main(what):
    parts = {"tables": lambda: tables(os.path.join(PROGRAMS, "all_kinds")), "program": programs, "include": include,
             "build": build, "imported": imported}
    metrics = [{"name": name, "unit": unit, "value": value} for name, unit, value in parts[what]()]
    print(json.dumps({"metrics": metrics}))


if __name__ == "__main__":
    main(sys.argv[1])
