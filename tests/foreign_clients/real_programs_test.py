#!/usr/bin/env python3
"""The programs of programs_test against a real server: they print the same of it as of the embedded one.

The real server is that of KUBECONFIG: tests/real_server/run, or tools/kube run.
"""

import os
import subprocess
import sys
import unittest
import uuid

GOLDEN = os.path.abspath("tests/foreign_clients/golden.txt")
# Repositories beside the test's own data.
PROGRAMS = {
    "go": os.path.abspath("../oracles/foreign_client_go"),
    "rust": os.path.abspath("../rust_programs/foreign_client_rust"),
}
# Until a program that hangs is given up.
TIMEOUT = 120


class RealProgramsTest(unittest.TestCase):
    maxDiff = None

    def test_they_print_the_same(self):
        with open(GOLDEN, encoding="utf-8") as file:
            golden = file.read()
        for language, program in PROGRAMS.items():
            with self.subTest(language):
                marker = program + ".skipped"
                if os.path.exists(marker):
                    with open(marker, encoding="utf-8") as file:
                        print(f"SKIPPED: {os.path.basename(program)}: {file.read().strip()}")
                    continue
                namespace = f"foreign-{language}-{uuid.uuid4().hex[:8]}"
                done = subprocess.run(
                    [program, os.environ["KUBECONFIG"], namespace],
                    capture_output=True,
                    text=True,
                    timeout=TIMEOUT,
                    check=False,
                )
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, golden)


if __name__ == "__main__":
    if not os.environ.get("KUBECONFIG"):
        print("SKIPPED: no server: run tests/real_server/run")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1], verbosity=2)
