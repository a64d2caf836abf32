#!/usr/bin/env python3
"""The image of kube_operator holds all that its program needs: the program runs with the loader and the libraries of the image."""

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.dont_write_bytecode = True
_IMAGE = "examples/website_operator/website_operator_image.tar"
_INSTALL = "examples/website_operator/website_operator_install.yaml"
_CRDS = "examples/website_operator/website_crds.yaml"


class ImageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(cls.place.cleanup)
        cls.root = os.path.realpath(cls.place.name)
        with tarfile.open(_IMAGE) as image:
            (cls.saved,) = json.load(image.extractfile("manifest.json"))
            cls.config = json.load(image.extractfile(cls.saved["Config"]))
            for name in cls.saved["Layers"]:
                with tarfile.open(fileobj=image.extractfile(name), mode="r:gz") as layer:
                    layer.extractall(cls.root)
        (entrypoint,) = cls.config["config"]["Entrypoint"]
        cls.program = cls.root + entrypoint
        loaders = [
            os.path.join(cls.root, folder, name)
            for folder in ("lib", "lib64")
            for name in (os.listdir(os.path.join(cls.root, folder)) if os.path.isdir(os.path.join(cls.root, folder)) else [])
            if re.match(r"ld-linux.*\.so\.[0-9]+$", name)
        ]
        (cls.loader,) = loaders
        (cls.libraries,) = {folder for folder, _, names in os.walk(cls.root) if "libc.so.6" in names}

    def run_program(self, *arguments):
        return subprocess.run(
            [self.loader, "--inhibit-cache", "--library-path", self.libraries, *arguments],
            capture_output=True,
            check=False,
            text=True,
        )

    def test_each_library_comes_from_the_image(self):
        listed = self.run_program("--list", self.program)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        found = dict(re.findall(r"^\s*(\S+) => (\S+)", listed.stdout, re.MULTILINE))
        self.assertIn("libc.so.6", found)
        for soname, path in found.items():
            if not os.path.basename(soname).startswith("ld-linux"):
                self.assertTrue(path.startswith(self.root + "/"), f"{soname} is {path}, not in the image")

    def test_the_program_runs(self):
        helped = self.run_program(self.program, "--help")
        self.assertEqual(helped.returncode, 0, helped.stderr)
        self.assertIn("--print-manifests", helped.stdout)

    def test_the_program_of_the_image_prints_what_is_installed(self):
        printed = self.run_program(self.program, "--print-manifests", f"--manifests-crds={_CRDS}")
        self.assertEqual(printed.returncode, 0, printed.stderr)
        with open(_INSTALL, encoding="utf-8") as file:
            self.assertEqual(printed.stdout, file.read())

    def test_the_manifests_have_the_name_of_the_image(self):
        (name,) = self.saved["RepoTags"]
        with open(_INSTALL, encoding="utf-8") as file:
            images = re.findall(r'^\s*(?:- )?image: "?([^"\s]+)"?$', file.read(), re.MULTILINE)
        self.assertEqual(images, [name])

    def test_has_a_user_without_rights_and_authorities(self):
        self.assertEqual(self.config["config"]["User"], "65532:65532")
        with open(os.path.join(self.root, "etc/passwd"), encoding="utf-8") as file:
            self.assertIn(":65532:", file.read())
        self.assertTrue(os.path.isdir(os.path.join(self.root, "tmp")))


if __name__ == "__main__":
    unittest.main()
