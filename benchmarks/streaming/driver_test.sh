#!/bin/bash
# A short run of each case of tools/bench streaming, with our client.
set -euo pipefail

driver=$1 launch=$2 node=$3 ours=$4

fail() { echo "FAILED: $*" >&2; exit 1; }

# Where there is no Go, the file says why.
if [ "$(head -c 4 "$node" | tail -c 3)" != ELF ]; then
  echo "SKIPPED: $(cat "$node")"
  exit 0
fi

coproc NODE { exec "$node" -dir "$TEST_TMPDIR/node"; }
read -r folder <&"${NODE[0]}"
for spdy in nospdy spdy; do
  for transfer in exec_download exec_upload forward_download forward_upload; do
    output=$("$driver" "--launch=$launch" "--kubeconfig=$folder/direct.kubeconfig" "--transfer=$transfer" "--$spdy" --mebibytes=8 "$ours") ||
      fail "$transfer --$spdy: the driver has ended with code $?"
    echo "$transfer --$spdy $output"
    for metric in throughput cpu peak_rss; do
      [[ $output =~ \"name\":\"$metric\",\"unit\":\"[a-zA-Z/]+\",\"value\":[0-9.e+-]*[1-9] ]] || fail "it has no $metric"
    done
  done
done

"$driver" "--launch=$launch" "--kubeconfig=$folder/direct.kubeconfig" --mebibytes=1 /nowhere 2>"$TEST_TMPDIR/errors" && fail "it found a program that is not there"
grep -q '/nowhere' "$TEST_TMPDIR/errors" || fail "it says only: $(cat "$TEST_TMPDIR/errors")"
echo passed
