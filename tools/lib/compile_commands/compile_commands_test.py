#!/usr/bin/env python3
"""Tests of tools/compile_commands, with a program named bazel that says what Bazel 4 says."""

import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
_TOOLS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(_TOOLS, "compile_commands")
_loader = importlib.machinery.SourceFileLoader("compile_commands", TOOL)
_spec = importlib.util.spec_from_loader("compile_commands", _loader)
tool = importlib.util.module_from_spec(_spec)
_loader.exec_module(tool)

PLACES = tool.Places("/ws", "/base/execroot/ws", "/base")


def compile_action(source, out="bazel-out/k8-fastbuild/bin/x.o"):
    return ["/usr/bin/gcc", "-Wall", "-MD", "-MF", "x.d", "-frandom-seed=x.o", "-iquote", ".", "-c", source, "-o", out]


class CommandTest(unittest.TestCase):
    def test_paths_are_those_that_an_editor_opens(self):
        arguments = ["/usr/bin/gcc", "-std=c++20", "-fno-canonical-system-headers"]
        arguments += ["-iquote", ".", "-iquote", "external/client_cpp", "-iquote", "bazel-out/k8-fastbuild/bin"]
        arguments += ["-isystem", "/opt/include", "-Ibazel-out/k8-fastbuild/bin/external/client_cpp/_virtual"]
        arguments += ["-MD", "-MF", "a.d", "-frandom-seed=a.o", "-c", "b/a.cc", "-o", "a.o"]
        entry = tool.command(arguments, PLACES)
        self.assertEqual(entry["directory"], "/ws")
        self.assertEqual(entry["file"], "/ws/b/a.cc")
        want = "/usr/bin/gcc -std=c++20 -iquote /ws -iquote /base/external/client_cpp"
        want += " -iquote /base/execroot/ws/bazel-out/k8-fastbuild/bin -isystem /opt/include"
        want += " -I/base/execroot/ws/bazel-out/k8-fastbuild/bin/external/client_cpp/_virtual -c /ws/b/a.cc"
        self.assertEqual(" ".join(entry["arguments"]), want)

    def test_what_is_not_compiled(self):
        self.assertIsNone(tool.command(["/usr/bin/gcc", "-shared", "-o", "a.so"], PLACES))

    def test_a_source_has_one_entry_and_the_targets_goes_before_the_hosts(self):
        host = compile_action("a.cc", "bazel-out/host/bin/a.o") + ["-DHOST"]
        own = compile_action("a.cc") + ["-DOWN"]
        for actions in ([host, own], [own, host]):
            entries = tool.commands({"actions": [{"arguments": each} for each in [*actions, []]]}, PLACES)
            self.assertEqual(len(entries), 1)
            self.assertIn("-DOWN", entries[0]["arguments"])

    def test_a_local_repository_is_where_it_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            os.makedirs(f"{folder}/checkout/api")
            os.makedirs(f"{folder}/base/external")
            os.symlink(f"{folder}/checkout", f"{folder}/base/external/client_cpp")
            places = tool.Places("/ws", "/root", f"{folder}/base")
            self.assertEqual(places.absolute("external/client_cpp/api"), f"{folder}/checkout/api")


class MainTest(unittest.TestCase):
    def run_tool(self, bazel, *arguments):
        """Its result and the written entries; `bazel` is the body of a shell script."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bazel")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\necho \"$*\" >> {folder}/calls\n{bazel}\n".replace("FOLDER", folder))
            os.chmod(path, 0o755)
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
            command = [sys.executable, TOOL, *arguments]
            result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            entries = calls = None
            if os.path.exists(f"{folder}/compile_commands.json"):
                with open(f"{folder}/compile_commands.json", encoding="utf-8") as file:
                    entries = json.load(file)
            if os.path.exists(f"{folder}/calls"):
                with open(f"{folder}/calls", encoding="utf-8") as file:
                    calls = file.read().splitlines()
            return result, entries, calls

    def test_it_writes_the_file_into_the_workspace(self):
        answer = json.dumps({"actions": [{"arguments": compile_action("a.cc")}]})
        info = "printf 'workspace: FOLDER\\nexecution_root: /r\\noutput_base: /b\\n'"
        script = f'case "$1" in info) {info};; *) echo \'{answer}\';; esac'
        result, entries, calls = self.run_tool(script, "--config=clang", "//a", "//b:c")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.endswith("compile_commands.json: 1 sources\n"), result.stdout)
        self.assertEqual([os.path.basename(entry["file"]) for entry in entries], ["a.cc"])
        want = 'aquery --output=jsonproto --include_artifacts=false --config=clang mnemonic("CppCompile", '
        self.assertEqual(calls[1], want + "deps(set(//a //b:c)))")

    def test_an_error_of_bazel_is_one(self):
        result, entries, _ = self.run_tool("exit 3")
        self.assertEqual(result.returncode, 1)
        self.assertIn("bazel info failed", result.stderr)
        self.assertIsNone(entries)

    def test_help(self):
        result, entries, calls = self.run_tool("exit 3", "--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("compile_commands.json", result.stdout)
        self.assertIsNone(entries)
        self.assertIsNone(calls)


if __name__ == "__main__":
    unittest.main()
