"""What tests/real_server/run runs beside a server: prints each test and, last, how many passed.

Exits with 3 when tests failed, so that its caller can tell that from a server that did not start.
"""

import sys
import unittest

import bazel_targets
import kube_test
import objects_test
import values_test


def main():
    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite(map(loader.loadTestsFromModule, (kube_test, objects_test, values_test)))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    passed = result.testsRun - failed
    bazel_passed, bazel_failed = bazel_targets.run()
    print(f"{passed + bazel_passed} passed, {failed + bazel_failed} failed, 0 skipped")
    return 3 if failed + bazel_failed else 0


if __name__ == "__main__":
    sys.exit(main())
