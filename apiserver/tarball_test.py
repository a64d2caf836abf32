#!/usr/bin/env python3
"""Unpacks the tar file of //apiserver:tarball, and starts the server that is in it."""

import http.client
import os
import re
import subprocess
import tarfile
import tempfile
import unittest

TARBALL = os.path.abspath("apiserver/client-cpp-apiserver.tar.gz")
NAME = "client-cpp-apiserver"
# Until a program that does not do what it should is given up.
TIMEOUT = 60


class TarballTest(unittest.TestCase):
    def test_its_content(self):
        with tarfile.open(TARBALL) as tar:
            infos = {info.name: info for info in tar}
        names = sorted(name for name, info in infos.items() if info.isfile())
        libraries = [name for name in names if name.startswith(f"{NAME}/lib/")]
        self.assertEqual(
            [name for name in names if name not in libraries],
            [f"{NAME}/{name}" for name in ("LICENSE", "NOTICE", "README.md", NAME, f"libexec/{NAME}")],
        )
        self.assertIn(f"{NAME}/lib/libc.so.6", libraries)
        self.assertTrue(any(name.startswith(f"{NAME}/lib/libstdc++.so") for name in libraries), libraries)
        for name, info in infos.items():
            self.assertEqual((info.mtime, info.uid, info.gid, info.uname), (0, 0, 0, ""), name)
            self.assertTrue(info.isfile() or info.isdir(), name)

    def test_the_server_starts_from_any_folder_and_by_a_link(self):
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(TARBALL) as tar:
                tar.extractall(folder)
            link = os.path.join(folder, "server")
            os.symlink(f"{NAME}/{NAME}", link)
            for program in (os.path.join(folder, NAME, NAME), link):
                # None of this machine's libraries by the way of the environment.
                process = subprocess.Popen(
                    [program, "--no-tls", "--token=jane=secret", "--end-with-stdin"],
                    cwd="/",
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={"PATH": os.environ.get("PATH", "/usr/bin:/bin")},
                )
                with process:
                    self.check(process)

    def check(self, process):
        kubeconfig = ""
        while "namespace: default" not in kubeconfig:
            line = process.stdout.readline().decode()
            self.assertTrue(line, f"the server has ended with {process.poll()}")
            kubeconfig += line
        address = re.search(r"server: http://(\S+)", kubeconfig)[1]
        connection = http.client.HTTPConnection(address, timeout=TIMEOUT)
        connection.request("GET", "/api/v1/namespaces/default", headers={"Authorization": "Bearer secret"})
        answer = connection.getresponse()
        self.assertEqual((answer.status, b'"name":"default"' in answer.read()), (200, True))
        connection.close()
        # The script has become the program: its signals reach it.
        process.terminate()
        self.assertEqual(process.wait(TIMEOUT), 0)


if __name__ == "__main__":
    unittest.main()
