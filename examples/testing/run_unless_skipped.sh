#!/bin/bash
# run_unless_skipped FILE... -- PROGRAM ARGUMENT...: runs the program, unless a file NAME.skipped says why definitions of another
# project could not be had: then it prints the reason, and passes.
set -euo pipefail

while [ $# -gt 0 ] && [ "$1" != -- ]; do
  # Which Bazel it is decides whether files of other repositories are in external/ or beside this one.
  for path in "$1" "../${1#external/}" "../${1#../}"; do
    if [[ $path == *.skipped && -f $path ]]; then
      echo "SKIPPED: $(cat "$path")"
      exit 0
    fi
  done
  shift
done
shift
exec "$@"
