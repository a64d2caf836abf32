#!/bin/bash
# The demo on the embedded server: what it shows, that it ends, by itself and by SIGINT, and leaves nothing behind.
set -euo pipefail

demo=$PWD/$1 controller=$PWD/$2 crds=$PWD/$3
export TMPDIR=$TEST_TMPDIR

fail() { echo "FAILED: $*" >&2; exit 1; }

check_nothing_is_left() {
  local left
  left=$(find "$TMPDIR" -mindepth 1 -maxdepth 1 -name 'sample-controller-*')
  [ -z "$left" ] || fail "$left is left behind"
}

output=$("$demo" --controller="$controller" --crds="$crds") || fail "it ended with code $?: $output"
echo "$output"
for wanted in \
  'Foo         example-foo              replicas: 2, status.availableReplicas: 2' \
  'Deployment  web                      2 of 2 available' \
  'Foo         example-foo              replicas: 3, status.availableReplicas: 3' \
  'Deployment  web                      gone' \
  'Event       example-foo              Normal Synced: Foo synced successfully' \
  'Event       other-foo                Warning ErrResourceExists: Resource "somebody-elses" already exists and is not managed by Foo' \
  'Foo         example-foo              gone' \
  'Done: all that was started has ended.'; do
  [[ $output == *"$wanted"* ]] || fail "it did not say: $wanted"
done
check_nothing_is_left

# With --keep it stays until Ctrl-C.
mkfifo "$TMPDIR/said"
exec 3<>"$TMPDIR/said"
# Not in the background of this shell's own: that would ignore SIGINT.
(exec setsid "$demo" --controller="$controller" --crds="$crds" --keep) >&3 &
pid=$!
kubeconfig=
while IFS= read -r -t 60 -u 3 line; do
  [[ $line == *'export KUBECONFIG='* ]] || continue
  kubeconfig=${line#*KUBECONFIG=}
  break
done
[ -f "$kubeconfig" ] || fail "it did not say where its kubeconfig is"
kill -INT "$pid"
wait "$pid" || fail "it ended with code $? after SIGINT"
check_nothing_is_left

# A controller that cannot run is an error with its reason, not a wait.
if output=$("$demo" --controller=/bin/false --crds="$crds" 2>&1); then fail "it had no controller, and did not notice"; fi
[[ $output == *"the sample controller exited unexpectedly: code 1"* ]] || fail "it said: $output"
check_nothing_is_left
