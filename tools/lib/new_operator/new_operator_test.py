#!/usr/bin/env python3
"""Tests of tools/new_operator: what it writes, what it leaves alone, and what it refuses."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import main
import names
import project


class Workspace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "memcached-operator"
        self.root.mkdir()
        library = Path(folder.name) / "client-cpp"
        library.mkdir()
        (library / "deps.bzl").touch()

    def call(self, *arguments):
        """Returns the exit code and what was said."""
        out = io.StringIO()
        keyboard, sys.stdin = sys.stdin, io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                code = main.main([*arguments, "--directory", str(self.root)])
        finally:
            sys.stdin = keyboard
        return code, out.getvalue()

    def done(self, *arguments):
        code, said = self.call(*arguments)
        self.assertEqual(code, 0, said)
        return said

    def refused(self, words, *arguments):
        before = self.texts()
        code, said = self.call(*arguments)
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)
        self.assertEqual(self.texts(), before)

    def init(self):
        return self.done("init", "--domain", "example.com", "--repo-name", "cache_operator", "--client-cpp-path", "../client-cpp")

    def api(self, kind="Memcached", *more, version="v1"):
        return self.done("create", "api", "--group", "apps", "--version", version, "--kind", kind, *more)

    def read(self, path):
        return (self.root / path).read_text()

    def edit(self, path, old, new):
        text = self.read(path)
        self.assertIn(old, text)
        (self.root / path).write_text(text.replace(old, new))

    def texts(self):
        return {str(path.relative_to(self.root)): path.read_bytes() for path in self.root.rglob("*") if path.is_file()}


class Writing(Workspace):
    def test_init_and_create_make_an_operator(self):
        self.init()
        self.api("Memcached", "--owns", "Deployment,NetworkPolicy")
        self.assertIn('path = "../client-cpp"', self.read("WORKSPACE"))
        self.assertIn('{group: "apps.example.com", version: "v1"}', self.read("api/apps/v1/memcached.proto"))
        header = self.read("controllers/memcached_controller.h")
        self.assertIn("Owned<kube::api::apps::v1::Deployment> deployments_", header)
        self.assertIn("network_policies_", header)
        self.assertIn("  MemcachedController memcached_{manager_};\n  // +new_operator", self.read("operator.h"))
        self.assertIn('        "//controllers:memcached_controller",\n', self.read("BUILD.bazel"))

    def test_no_text_has_a_rest_of_a_template(self):
        self.init()
        self.api()
        self.api(version="v2")
        self.done("create", "webhook", "--kind", "Memcached", "--defaulting", "--validating", "--conversion", "--hub", "v1")
        for path in self.texts():
            text = self.read(path)
            with self.subTest(path):
                self.assertNotIn("@{", text)
                self.assertNotRegex(text, r"(?m)^@(if|end)")
                if path != project.FILE:
                    self.assertTrue(text.endswith("\n"))

    def test_an_archive_is_fetched_by_the_build_and_by_what_the_readme_says(self):
        archive = ["--client-cpp-archive", "https://example.com/c.tar.gz", "--client-cpp-sha256", "ab", "--client-cpp-strip-prefix", "c-1"]
        self.done("init", "--domain", "example.com", "--repo-name", "cache_operator", *archive)
        for path in ("WORKSPACE", "MODULE.bazel", ".github/workflows/ci.yml", "README.md"):
            self.assertIn("https://example.com/c.tar.gz", self.read(path))
        self.assertIn('"/tmp/client-cpp/c-1/tools/install" --build', self.read("README.md"))
        self.assertNotIn("local_", self.read("WORKSPACE") + self.read("MODULE.bazel"))

    def test_a_cluster_kind_has_clients_without_a_namespace(self):
        self.init()
        self.api("Policy", "--cluster")
        self.assertIn("scope: CLUSTER", self.read("api/apps/v1/policy.proto"))
        self.assertIn('plural: "policies"', self.read("api/apps/v1/policy.proto"))
        self.assertIn("objects((*test)->client());", self.read("test/policy_e2e_test.cc"))

    def test_only_the_first_version_is_stored_and_has_a_controller(self):
        self.init()
        self.api()
        self.api(version="v2")
        self.assertIn("storage: true", self.read("api/apps/v1/memcached.proto"))
        self.assertNotIn("storage", self.read("api/apps/v2/memcached.proto"))
        self.assertEqual(self.read("operator.h").count("MemcachedController"), 1)
        self.assertEqual(self.read("api/BUILD.bazel").count(":memcached"), 2)

    def test_kinds_have_namespaces_of_their_own(self):
        self.init()
        self.api()
        self.api("Redis")
        self.assertIn("package cache_operator.memcached.v1;", self.read("api/apps/v1/memcached.proto"))
        self.assertIn("package cache_operator.redis.v1;", self.read("api/apps/v1/redis.proto"))
        self.assertIn("ReadinessOf(const redis::v1::Redis& object)", self.read("controllers/redis_controller.h"))

    def test_conversion_is_registered_for_each_other_version(self):
        self.init()
        self.api()
        self.api(version="v2")
        self.done("create", "webhook", "--kind", "Memcached", "--conversion", "--hub", "v1")
        self.api(version="v3")
        for version in ("v2", "v3"):
            self.assertIn(f"webhooks/memcached_{version}_conversion.h", self.read("operator.h"))
        self.assertIn('{"memcacheds.apps.example.com"}', self.read("main.cc"))

    def test_dry_run_changes_nothing(self):
        self.init()
        before = self.texts()
        said = self.api("Memcached", "--dry-run")
        self.assertIn("would do: new controllers/memcached_controller.cc", said)
        self.assertEqual(self.texts(), before)

    def test_update_of_what_is_new_changes_nothing(self):
        self.init()
        self.api()
        before = self.texts()
        self.assertEqual(self.done("update"), "nothing to change\n")
        self.assertEqual(self.texts(), before)


class ChangedByHand(Workspace):
    def setUp(self):
        super().setUp()
        self.init()
        self.api()

    def test_code_is_never_overwritten(self):
        self.edit("controllers/memcached_controller.cc", "Reconciled", "Mine")
        self.api("Redis")
        self.done("update")
        self.assertIn("Mine", self.read("controllers/memcached_controller.cc"))
        self.assertEqual(list(self.root.rglob("*.new")), [])

    def test_lines_are_added_at_markers(self):
        self.edit("operator.h", "// All controllers", "// Mine: all controllers")
        self.api("Redis")
        text = self.read("operator.h")
        self.assertIn("// Mine: all controllers", text)
        self.assertIn("  RedisController redis_{manager_};\n", text)
        self.assertEqual(text.count("MemcachedController"), 1)

    def test_lines_that_were_removed_do_not_come_back(self):
        self.edit("operator.h", "  MemcachedController memcached_{manager_};\n", "")
        self.api("Redis")
        self.assertNotIn("MemcachedController memcached_", self.read("operator.h"))

    def test_without_a_marker_the_lines_are_told(self):
        self.edit("operator.h", "  // +new_operator:controllers\n", "")
        said = self.api("Redis")
        self.assertIn('operator.h has no comment "+new_operator:controllers" any more', said)
        self.assertIn("    RedisController redis_{manager_};", said)
        self.assertNotIn("RedisController", self.read("operator.h"))

    def test_other_text_goes_beside_the_file_once(self):
        self.edit("main.cc", "int main", "// Mine.\nint main")
        said = self.done("create", "webhook", "--kind", "Memcached", "--validating")
        self.assertIn("left main.cc, which you have changed: merge main.cc.new", said)
        self.assertIn("// Mine.", self.read("main.cc"))
        self.assertIn("self_signed", self.read("main.cc.new"))
        (self.root / "main.cc.new").unlink()
        self.assertEqual(self.done("update"), "nothing to change\n")

    def test_what_is_beside_a_file_is_replaced_if_nobody_has_changed_it(self):
        self.edit("main.cc", "int main", "// Mine.\nint main")
        self.done("create", "webhook", "--kind", "Memcached", "--validating")
        self.api(version="v2")
        self.done("create", "webhook", "--kind", "Memcached", "--conversion")
        self.assertIn("memcacheds.apps", self.read("main.cc.new"))
        self.assertEqual([path.name for path in self.root.rglob("*.new")], ["main.cc.new"])

    def test_what_is_beside_a_file_and_was_changed_stays(self):
        self.edit("main.cc", "int main", "// Mine.\nint main")
        self.done("create", "webhook", "--kind", "Memcached", "--validating")
        self.edit("main.cc.new", "int main", "// Half merged.\nint main")
        self.api(version="v2")
        said = self.done("create", "webhook", "--kind", "Memcached", "--conversion")
        self.assertIn("merge main.cc.2.new into it", said)
        self.assertIn("main.cc.new is not as this tool wrote it, and stays", said)
        self.assertIn("// Half merged.", self.read("main.cc.new"))
        self.assertIn("memcacheds.apps", self.read("main.cc.2.new"))

    def test_what_another_program_has_put_beside_a_file_stays(self):
        self.edit("main.cc", "int main", "// Mine.\nint main")
        (self.root / "main.cc.new").write_bytes(b"\xff")
        self.done("create", "webhook", "--kind", "Memcached", "--validating")
        self.assertEqual((self.root / "main.cc.new").read_bytes(), b"\xff")
        self.assertIn("self_signed", self.read("main.cc.2.new"))

    def test_a_file_that_is_not_utf_8_is_an_error_with_its_path(self):
        (self.root / "operator.h").write_bytes(b"// caf\xe9\n")
        self.refused(f"{self.root}/operator.h: is not UTF-8 at byte 6", "update")

    def test_ends_of_lines_stay(self):
        for path in ("operator.h", "api/BUILD.bazel"):
            (self.root / path).write_bytes(self.read(path).replace("\n", "\r\n").encode())
        self.edit("operator.h", "// All controllers", "// Mine: all controllers")
        (self.root / "operator.h").write_bytes(self.read("operator.h").replace("\n", "\r\n").encode())
        self.api("Redis")
        for path, line in (("operator.h", b"RedisController redis_{manager_};\r\n"), ("api/BUILD.bazel", b":redis\",\r\n")):
            text = (self.root / path).read_bytes()
            self.assertIn(line, text)
            self.assertEqual(text.count(b"\n"), text.count(b"\r\n"))

    def test_a_deleted_file_stays_away(self):
        (self.root / "test/memcached_e2e_test.cc").unlink()
        self.done("update")
        self.assertFalse((self.root / "test/memcached_e2e_test.cc").exists())

    def test_a_file_of_another_origin_is_left(self):
        (self.root / "controllers/redis_controller.h").write_text("mine\n")
        said = self.api("Redis")
        self.assertIn("left controllers/redis_controller.h, which is not of this tool", said)
        self.assertEqual(self.read("controllers/redis_controller.h"), "mine\n")


class Refusals(Workspace):
    def test_before_init(self):
        self.refused("Call init first", "create", "api", "--group", "apps", "--version", "v1", "--kind", "X")

    def test_init(self):
        good = {"--domain": "example.com", "--repo-name": "x_operator", "--client-cpp-path": "../client-cpp"}
        for flag, value, words in (
            ("--domain", "Example.com", "lower case"),
            ("--repo-name", "My-Operator", "as in my_operator"),
            ("--repo-name", "kube", "choose another name"),
            ("--repo-name", "install", "a target or a folder"),
            ("--repo-name", "time", "taken in C or C++"),
            ("--repo-name", "curl", "another repository"),
            ("--repo-name", "x" * 29, "at most 28 characters"),
            ("--client-cpp-path", "../nothing", "no checkout of client-cpp"),
        ):
            with self.subTest(value):
                self.refused(words, "init", *[each for pair in {**good, flag: value}.items() for each in pair])

    def test_a_second_init(self):
        self.init()
        self.refused("exists already", "init", "--domain", "example.com", "--repo-name", "x", "--client-cpp-path", "../client-cpp")

    def test_create_api(self):
        self.init()
        self.api()
        good = {"--group": "apps", "--version": "v1", "--kind": "Redis"}
        for flag, value, words in (
            ("--group", "Apps", "DNS label"),
            ("--group", "start", "has a function Start already"),
            ("--version", "1", "v1beta2"),
            ("--kind", "redis", "upper case"),
            ("--kind", "RedisList", "does not end with List"),
            ("--kind", "Memcached", "exists already"),
            ("--kind", "MEMCACHED", "its files would be those of Memcached"),
            ("--kind", "MemCached", 'Memcached has the name "memcached" in the group apps already'),
            ("--kind", "MemcachedClient", "Memcached has the target //api/apps/v1:memcached_client already"),
            ("--kind", "MemcachedCrds", "Memcached has the target //api/apps/v1:memcached_crds already"),
            ("--kind", "Memcacheds", 'Memcached has the name "memcacheds" in the group apps already'),
            ("--kind", "Types", "types.kube.h"),
            ("--kind", "Manager", "a member manager_ already"),
            ("--kind", "Namespace", "taken in C++; choose another name, such as NamespaceObject"),
            ("--kind", "Operator", "taken in C++"),
            ("--kind", "Testing", "taken in C++"),
            ("--kind", "Typed", "its base class"),
            ("--kind", "SIGHUP", "is a macro"),
            ("--kind", "AppsV1", "have a class AppsV1Client already"),
            ("--plural", "memcacheds", "or another --plural"),
            ("--plural", "Redises", "DNS label"),
            ("--owns", "Website", "must be of ConfigMap"),
        ):
            with self.subTest(value):
                self.refused(words, "create", "api", *[each for pair in {**good, flag: value}.items() for each in pair])

    def test_the_same_names_in_another_package_or_group_are_no_collision(self):
        self.init()
        self.api()
        self.api("MemcachedClient", version="v2")
        self.refused("//api/apps/v2:memcached_client", "create", "api", "--group", "apps", "--version", "v2", "--kind", "Memcached")
        self.done("create", "api", "--group", "caches", "--version", "v1", "--kind", "Memcacheds")

    def test_what_is_missing_is_named(self):
        self.init()
        self.refused("--kind is missing", "create", "api", "--group", "apps", "--version", "v1")

    def test_create_webhook(self):
        self.init()
        self.api()
        for words, arguments in (
            ("say which webhooks", ["--kind", "Memcached"]),
            ("there is no such kind, but Memcached", ["--kind", "Redis", "--validating"]),
            ("has the versions v1", ["--kind", "Memcached", "--validating", "--version", "v2"]),
            ("has one version", ["--kind", "Memcached", "--conversion"]),
        ):
            with self.subTest(words):
                self.refused(words, "create", "webhook", *arguments)
        self.done("create", "webhook", "--kind", "Memcached", "--validating")
        self.refused("already", "create", "webhook", "--kind", "Memcached", "--validating")


class Names(unittest.TestCase):
    def test_files(self):
        for kind, want in (("Memcached", "memcached"), ("HTTPProxy", "http_proxy"), ("RedisCluster", "redis_cluster")):
            self.assertEqual(names.snake(kind), want)

    def test_plurals(self):
        for kind, want in (("Website", "websites"), ("Policy", "policies"), ("Gateway", "gateways"), ("Redis", "redises")):
            self.assertEqual(names.plural_of(kind), want)
        self.assertEqual(names.plural_of_camel("NetworkPolicy"), "NetworkPolicies")


if __name__ == "__main__":
    unittest.main()
