#!/bin/bash
# run_twice.sh PROGRAM FILE: runs the example twice; the second run begins where the first one ended.
set -euo pipefail

"$1" --file="$2" --events=3
echo "(a new run)"
"$1" --file="$2" --events=2
