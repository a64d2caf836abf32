#!/bin/bash
# A short run of the server and of the operator.
set -euo pipefail

server=$PWD/$1 ours=$PWD/$2

fail() { echo "FAILED: $*" >&2; exit 1; }

coproc SERVER { exec "$server" --objects=20 "$TEST_TMPDIR/data"; }
pid=$SERVER_PID
read -r folder <&"${SERVER[0]}" || fail "the server did not start"
output=$("$ours" "--kubeconfig=$folder/kubeconfig" --objects=20 --workers=4 --idle=500ms) || fail "the operator ended with code $?"
echo "$output"
for metric in sync cpu_sync objects_per_s cpu_object cpu_idle_second threads rss_kb rss_trim_kb rss_anon_trim_kb peak_rss_kb; do
  [[ $output =~ \"name\":\"$metric\",\"unit\":\"[a-zA-Z0-9/]+\",\"value\":[0-9] ]] || fail "it has no $metric"
done
eval "exec ${SERVER[1]}>&-"
wait "$pid" || fail "the server ended with code $?"

"$ours" --kubeconfig=/nowhere 2>"$TEST_TMPDIR/errors" && fail "it found a file that is not there"
grep -q /nowhere "$TEST_TMPDIR/errors" || fail "it says only: $(cat "$TEST_TMPDIR/errors")"
echo passed
