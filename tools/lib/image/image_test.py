#!/usr/bin/env python3
"""Tests of image.py: what is in an image, alone and on a base."""

import contextlib
import io
import json
import os
import sys
import tarfile
import tempfile
import unittest

sys.dont_write_bytecode = True
import fake_elf
import image
import layers
import libraries
import main
from errors import ImageError

_LOADER = "/lib64/ld-linux-x86-64.so.2"
_FOLDER = "/lib/x86_64-linux-gnu"


class Image:
    """An image that has been made, taken apart."""

    def __init__(self, data):
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            self.infos = tar.getmembers()
            self.files = {info.name: tar.extractfile(info).read() for info in self.infos if info.isfile()}
        self.index = json.loads(self.files["index.json"])
        (self.descriptor,) = self.index["manifests"]
        self.manifest = self.blob(self.descriptor)
        self.config = self.blob(self.manifest["config"])
        (self.saved,) = json.loads(self.files["manifest.json"])

    def bytes_of(self, descriptor):
        return self.files["blobs/" + descriptor["digest"].replace(":", "/")]

    def blob(self, descriptor):
        return json.loads(self.bytes_of(descriptor))

    def layers(self):
        """For each layer {path: text}, without folders."""
        result = []
        for descriptor in self.manifest["layers"]:
            with tarfile.open(fileobj=io.BytesIO(self.bytes_of(descriptor)), mode="r:gz") as tar:
                result.append({info.name: tar.extractfile(info).read() for info in tar if info.isfile()})
        return result


class ImageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.libc = fake_elf.make(soname="libc.so.6", defines_versions=["GLIBC_2.36"])
        self.program = fake_elf.make(interpreter=_LOADER, needed=["liba.so.1", "libc.so.6"], needs_versions=[("libc.so.6", "GLIBC_2.36")])
        self.write(_LOADER, b"loader")
        self.write(f"{_FOLDER}/libc.so.6", self.libc)
        self.write("/usr/lib/liba.so.1", fake_elf.make(soname="liba.so.1"))
        self.write("/etc/pki/tls/certs/ca-bundle.crt", b"certificates")
        self.write("/build/program", self.program)

    def write(self, path, data):
        path = os.path.join(self.root, path.lstrip("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def data(self, **more):
        request = {"name": "team/widgets", "tag": "1.0", "labels": {"b": "2", "a": "1"}, "entrypoint": "widgets", **more}
        return image.make(image.Request(program=os.path.join(self.root, "build/program"), **request), libraries.Machine(self.root))

    def make(self, **more):
        return Image(self.data(**more))

    def test_libraries_and_program_are_layers_of_their_own(self):
        system, program = self.make().layers()
        self.assertEqual(
            sorted(system),
            [
                "etc/group",
                "etc/nsswitch.conf",
                "etc/passwd",
                "etc/ssl/certs/ca-certificates.crt",
                "lib/x86_64-linux-gnu/liba.so.1",
                "lib/x86_64-linux-gnu/libc.so.6",
                "lib64/ld-linux-x86-64.so.2",
            ],
        )
        self.assertEqual(system["etc/ssl/certs/ca-certificates.crt"], b"certificates")
        self.assertIn(b"nonroot:x:65532:65532:", system["etc/passwd"])
        self.assertEqual(program, {"usr/local/bin/widgets": self.program})

    def test_the_same_input_makes_the_same_bytes(self):
        first = self.data()
        for path in ("build/program", "usr/lib/liba.so.1"):
            os.utime(os.path.join(self.root, path), (1, 1))
        self.assertEqual(first, self.data())
        made = Image(first)
        self.assertEqual({(info.mtime, info.uid, info.gid) for info in made.infos}, {(0, 0, 0)})
        self.assertEqual([info.name for info in made.infos], sorted(info.name for info in made.infos))
        for descriptor in made.manifest["layers"]:
            # The time of gzip's header.
            self.assertEqual(made.bytes_of(descriptor)[4:8], bytes(4))

    def test_runs_the_program_as_the_user_nonroot(self):
        config = self.make().config
        self.assertEqual((config["architecture"], config["os"], config["created"]), ("amd64", "linux", "1970-01-01T00:00:00Z"))
        run = config["config"]
        self.assertEqual(run["Entrypoint"], ["/usr/local/bin/widgets"])
        self.assertEqual(run["User"], "65532:65532")
        self.assertEqual(run["Labels"], {"a": "1", "b": "2"})
        self.assertTrue(any(each.startswith("PATH=") for each in run["Env"]))

    def test_digests_and_sizes_are_those_of_the_blobs(self):
        made = self.make()
        for descriptor in [made.descriptor, made.manifest["config"], *made.manifest["layers"]]:
            data = made.bytes_of(descriptor)
            self.assertEqual((descriptor["digest"], descriptor["size"]), (layers.digest(data), len(data)))
        self.assertEqual(len(made.config["rootfs"]["diff_ids"]), len(made.manifest["layers"]))
        self.assertEqual(len(made.config["history"]), len(made.manifest["layers"]))

    def test_docker_and_containerd_find_its_name(self):
        made = self.make()
        self.assertEqual(made.saved["RepoTags"], ["team/widgets:1.0"])
        self.assertEqual(made.saved["Config"], "blobs/" + made.manifest["config"]["digest"].replace(":", "/"))
        self.assertEqual(made.saved["Layers"], ["blobs/" + each["digest"].replace(":", "/") for each in made.manifest["layers"]])
        self.assertEqual(made.descriptor["annotations"]["org.opencontainers.image.ref.name"], "1.0")
        for name, full in (
            ("widgets", "docker.io/library/widgets:1.0"),
            ("team/widgets", "docker.io/team/widgets:1.0"),
            ("registry.example.com/widgets", "registry.example.com/widgets:1.0"),
            ("localhost:5000/widgets", "localhost:5000/widgets:1.0"),
        ):
            self.assertEqual(image.full_name(name, "1.0"), full)

    def test_a_name_that_runtimes_refuse_is_an_error(self):
        for name, tag in (("Widgets", "1"), ("widgets:1", "1"), ("", "1"), ("a//b", "1"), ("a", ""), ("a", ".1"), ("a", "x" * 129)):
            with self.subTest(name=name, tag=tag), self.assertRaisesRegex(ImageError, "^image (name|tag) "):
                image.check_name(name, tag)
        image.check_name("registry.example.com:5000/team/a-b_c.d", "v1.2.3-rc_1")

    def base(self, **config):
        """A base with the libraries of a distribution whose /lib is a link."""
        files = layers.Files()
        files.add("/lib64/ld-linux-x86-64.so.2", b"loader", 0o755)
        files.add("/usr/lib/x86_64-linux-gnu/libc.so.6", self.libc, 0o755)
        files.add("/etc/passwd", b"its own")
        layer = layers.compressed(files.tar())
        config_data = json.dumps({"architecture": "amd64", "rootfs": {"diff_ids": [layer.diff_id]}, **config}).encode()
        manifest = [{"Config": "c.json", "Layers": ["layer.tar"]}]
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as tar:
            for name, data in (("c.json", config_data), ("layer.tar", layer.blob), ("manifest.json", json.dumps(manifest).encode())):
                tar.addfile(layers.member(name, 0o644, size=len(data)), io.BytesIO(data))
        return self.write("/build/base.tar", out.getvalue())

    def test_on_a_base_stands_what_the_base_lacks(self):
        _, system, program = self.make(base=self.base()).layers()
        self.assertIn("usr/lib/x86_64-linux-gnu/liba.so.1", system)
        for path in ("usr/lib/x86_64-linux-gnu/libc.so.6", "lib64/ld-linux-x86-64.so.2", "etc/passwd"):
            self.assertNotIn(path, system)
        self.assertEqual(list(program), ["usr/local/bin/widgets"])

    def test_the_configuration_of_the_base_stays_but_for_what_is_run(self):
        run = {
            "Cmd": ["/bin/sh"],
            "Entrypoint": ["/bin/other"],
            "Env": ["PATH=/own", "A=b=c"],
            "Labels": {"a": "0", "c": "3"},
            "User": "0",
            "WorkingDir": "/work",
        }
        made = self.make(base=self.base(config=run, history=[{"created_by": "base"}, {"created_by": "env", "empty_layer": True}]))
        got = made.config["config"]
        self.assertNotIn("Cmd", got)
        self.assertEqual((got["Entrypoint"], got["User"], got["WorkingDir"]), (["/usr/local/bin/widgets"], "65532:65532", "/work"))
        self.assertEqual(got["Labels"], {"a": "1", "b": "2", "c": "3"})
        self.assertEqual(got["Env"], ["A=b=c", "PATH=/own", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"])
        self.assertEqual([each["created_by"] for each in made.config["history"]], ["base", "env", "kube_operator", "kube_operator"])

    def test_a_base_that_says_nothing_of_its_history_leaves_none(self):
        self.assertNotIn("history", self.make(base=self.base()).config)

    def test_a_loader_that_is_missing_is_an_error(self):
        os.remove(os.path.join(self.root, _LOADER.lstrip("/")))
        with self.assertRaisesRegex(ImageError, r"ld-linux-x86-64.so.2: cannot be read, the loader of the amd64 program: No such file"):
            self.make()

    def run_main(self, program, out):
        """Returns the exit code and what is said."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = main.main(["--program", program, "--entrypoint", "p", "--name", "p", "--label", "a=b=c", "--out", out])
        return code, said.getvalue()

    def test_the_program_writes_the_file(self):
        out = os.path.join(self.root, "image.tar")
        static = self.write("/build/static", fake_elf.make())
        self.assertEqual(self.run_main(static, out), (0, ""))
        with open(out, "rb") as file:
            made = Image(file.read())
        self.assertEqual(made.config["config"]["Labels"], {"a": "b=c"})
        self.assertEqual(made.layers()[-1], {"usr/local/bin/p": fake_elf.make()})

    def test_the_program_says_what_is_wrong_and_writes_nothing(self):
        out = os.path.join(self.root, "image.tar")
        code, said = self.run_main(os.path.join(self.root, "none"), out)
        self.assertEqual(code, 1)
        self.assertRegex(said, "^make image: .*/none: cannot be read: No such file or directory\n$")
        self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    unittest.main()
