"""What tests/real_server/run runs beside a server: prints each test and, last, how many passed.

Exits with 3 when tests failed, so that its caller can tell that from a server that did not start.
"""

import os
import sys
import unittest

import bazel_targets
import kube_test
import objects_test
import releases
import values_test


def main():
    rows = releases.read()
    minor = kube_test.server_minor()
    modules, skipped = [], 0
    for module in (kube_test, objects_test, values_test):
        name = os.path.basename(module.__file__)
        reason = releases.why_not(rows, "test", name, minor)
        if reason:
            print(f"SKIPPED: {name}: {reason}")
            skipped += 1
        else:
            modules.append(module)
    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite(map(loader.loadTestsFromModule, modules))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    passed = result.testsRun - failed
    bazel_passed, bazel_failed, bazel_skipped = bazel_targets.run(rows, minor)
    print(f"{passed + bazel_passed} passed, {failed + bazel_failed} failed, {skipped + bazel_skipped} skipped")
    return 3 if failed + bazel_failed else 0


if __name__ == "__main__":
    sys.exit(main())
