#!/bin/bash
# A short run of each case of tools/bench admission, with our server.
set -euo pipefail

driver=$1 launch=$2 ours=$3

fail() { echo "FAILED: $*" >&2; exit 1; }

for http in http1 nohttp1; do
  for verb in mutate validate; do
    output=$("$driver" "--launch=$launch" "--path=/$verb--v1-pod" "--$http" --reviews=500 --requests=4 "$ours") ||
      fail "$verb --$http: the driver has ended with code $?"
    echo "$verb --$http $output"
    for metric in cpu_per_review rate p50 p99 rss peak_rss; do
      [[ $output =~ \"name\":\"$metric\",\"unit\":\"[a-zA-Z0-9/]+\",\"value\":[0-9] ]] || fail "it has no $metric"
    done
  done
done

"$driver" "--launch=$launch" --path=/nowhere --reviews=5 "$ours" 2>"$TEST_TMPDIR/errors" && fail "it found a path that is not there"
grep -q 'HTTP 404' "$TEST_TMPDIR/errors" || fail "it says only: $(cat "$TEST_TMPDIR/errors")"
echo passed
