#!/usr/bin/env python3
"""Tests of progress.py with a clock of their own."""

import unittest

import progress


class ProgressTest(unittest.TestCase):
    def shorten(self, *timed):
        """Takes (seconds, line) pairs, the first of which sets the beginning."""
        clock = [0.0]

        def lines():
            for seconds, line in timed:
                clock[0] = seconds
                yield line

        return list(progress.shortened(lines(), lambda: clock[0]))

    def test_says_how_much_time_is_left(self):
        got = self.shorten(
            (1, "Loading: 0 packages loaded"),
            (20, "[10 / 100] Compiling a.cc; 3s local"),
            (30, "[20 / 100] Compiling b.cc"),
            (60, "[50 / 100] Compiling c.cc"),
            (120, "[1,000 / 1,100] Linking d"),
            (130, "[1,100 / 1,100] Linking d"),
            (131, "INFO: Build completed successfully"),
        )
        self.assertEqual(
            got,
            [
                "10 of 100 steps, about 3 minutes left",
                "50 of 100 steps, about 1 minute left",
                "1000 of 1100 steps, less than a minute left",
            ],
        )

    def test_errors_pass(self):
        got = self.shorten((1, "[1 / 9] Compiling a.cc"), (2, "ERROR: a.cc failed"), (3, ""), (4, "a.cc:1:2: error: no"))
        self.assertEqual(got, ["ERROR: a.cc failed", "a.cc:1:2: error: no"])


if __name__ == "__main__":
    unittest.main()
