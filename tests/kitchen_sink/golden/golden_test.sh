#!/bin/bash
# golden_test GENERATED...: compares each generated file with the one of the same name beside this program.
set -euo pipefail

golden=$(dirname "$0")
failed=0
for generated in "$@"; do
  if ! diff -u "$golden/$(basename "$generated")" "$generated" >diff.txt; then
    head -40 diff.txt
    failed=1
  fi
done
[ $# -gt 0 ] && [ $failed = 0 ] || { echo "if that is meant: tests/kitchen_sink/golden/update" && exit 1; }
