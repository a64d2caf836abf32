#!/bin/bash
# format_test GENERATED...: clang-format has nothing to say to generated files.
set -euo pipefail

if ! command -v clang-format >/dev/null; then
  echo "SKIPPED: clang-format: it is not installed"
  exit 0
fi
# Copies: it looks for its settings beside what the links of runfiles lead to.
cp -L .clang-format "$TEST_TMPDIR/"
cp -L "$@" "$TEST_TMPDIR/"
cd "$TEST_TMPDIR"
clang-format --dry-run -Werror ./*.h ./*.cc
[ "$(find . -name '*.h' -o -name '*.cc' | wc -l)" = $# ]
