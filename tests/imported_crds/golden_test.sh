#!/bin/bash
# golden_test GENERATED...: compares each imported .proto file with the one of the same path, and ".txt", in golden/.
set -euo pipefail

folder=$(dirname "$0")
failed=0
for generated in "$@"; do
  if ! diff -u "$folder/golden/${generated#*imported_crds/}.txt" "$generated" >diff.txt; then
    head -40 diff.txt
    failed=1
  fi
done
[ $# -gt 0 ] && [ $failed = 0 ] || { echo "if that is meant: tests/imported_crds/golden/update" && exit 1; }
