#!/bin/bash
# A run of the driver of tools/bench sample_controller on the embedded server, and what it says of a file.
set -euo pipefail

driver=$PWD/$1 controller=$PWD/$2 crds=$PWD/$3
export TMPDIR=$TEST_TMPDIR

fail() { echo "FAILED: $*" >&2; exit 1; }

check() {
  local output metric
  output=$("$driver" "${@:2}") || fail "driver ${*:2} ended with code $?"
  echo "$output"
  for metric in $1; do
    [[ $output =~ \"name\":\"$metric\",\"unit\":\"[a-zA-Z]+\",\"value\":[0-9.]*[1-9] ]] || fail "it has no $metric"
  done
}

check "created deployments converged cpu cpu_start cpu_a_foo rss_anon peak_rss" --embedded --foos=20 "--crds=$crds" "$controller"
check "binary libraries" --size "$controller"

"$driver" --embedded "--crds=$crds" /nowhere 2>"$TEST_TMPDIR/errors" && fail "it found a program that is not there"
grep -q '"/nowhere"' "$TEST_TMPDIR/errors" || fail "it says only: $(cat "$TEST_TMPDIR/errors")"

left=$(find "$TMPDIR" -mindepth 1 -maxdepth 1 -name 'sample-controller-*')
[ -z "$left" ] || fail "$left is left behind"
echo passed
