#!/bin/bash
# Runs the examples against a real server and compares what they print.
set -u
failed=0

expect() { # NAME EXPECTED ACTUAL
  [ "$2" = "$3" ] && return
  printf 'FAILED: %s: expected\n%s\ngot\n%s\n' "$1" "$2" "$3"
  failed=1
}

namespace="examples-$$-$RANDOM"
"$KUBECTL" create namespace "$namespace" >/dev/null || exit 1

printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: web-0}\nspec: {containers: [{name: web, image: "web:1"}]}\n' |
  "$KUBECTL" create -n "$namespace" -f - >/dev/null || exit 1
expect list_pods $'NAME\tPHASE\nweb-0\tPending' "$(examples/list_pods/list_pods -n "$namespace" 2>&1)"

"$KUBECTL" create deployment web -n "$namespace" --image=web:1 --replicas=3 >/dev/null || exit 1
coproc WATCH { examples/watch_deployments/watch_deployments -n "$namespace" --events=4 2>&1; }
# bash closes its own descriptor when the program ends, which may be before its last line is read.
exec {watch}<&"${WATCH[0]}"
read -r -t 30 -u "$watch" line
expect watch_deployments 'ADDED web: 0 of 3 available' "$line"
"$KUBECTL" scale deployment web -n "$namespace" --replicas=5 >/dev/null || exit 1
read -r -t 30 -u "$watch" line
expect watch_deployments 'MODIFIED web: 0 of 5 available' "$line"
expect readme 'web has 6 replicas' "$(docs/snippets/readme "$namespace" web 2>&1)"
read -r -t 30 -u "$watch" line
expect watch_deployments 'MODIFIED web: 0 of 6 available' "$line"
"$KUBECTL" delete deployment web -n "$namespace" >/dev/null || exit 1
read -r -t 30 -u "$watch" line
expect watch_deployments 'DELETED web: 0 of 6 available' "$line"

expect create_and_patch 'created demo: level=info
patched demo: level=debug
edited demo: colour=blue level=debug
not updated: the object has changed since it was read
deleted demo' "$(examples/create_and_patch/create_and_patch -n "$namespace" 2>&1)"

where=$'\t'$KUBE_SERVER$'\t'default
expect kubeconfig_context "  admin$where
  admin-token$where
  plain-token$where
* plain-user$where
the server is $("$KUBECTL" version -o json | sed -n '/serverVersion/,/}/s/.*"gitVersion": "\(.*\)".*/\1/p')" \
  "$(examples/kubeconfig_context/kubeconfig_context --context plain-user 2>&1)"

expect exec_plugin "200 from /api with the plug-in's token" \
  "$(EXAMPLE_TOKEN=admin-token examples/exec_plugin/exec_plugin "$PWD/examples/exec_plugin/plugin" 2>/dev/null)"

expect in_cluster 'not running in a pod: try the other examples' \
  "$(env -u KUBERNETES_SERVICE_HOST examples/in_cluster/in_cluster 2>&1)"

expect embed_in_service "8 threads asked 25 times each: 200 answers
rest_client_requests_total{code=\"200\",method=\"GET\",host=\"${KUBE_SERVER#https://}\"} 200" \
  "$(examples/embed_in_service/embed_in_service 2>&1)"

k() { "$KUBECTL" -n "$namespace" "$@"; }

k create -f examples/rotate_secret/objects.yaml >/dev/null || exit 1
expect rotate_secret $'restarted deployment api\nrestarted deployment web' \
  "$(examples/rotate_secret/rotate_secret -n "$namespace" db password=examples/rotate_secret/password.txt 2>&1 | tail -n +2)"
expect rotate_secret "$(cat examples/rotate_secret/password.txt)" "$(k get secret db -o jsonpath='{.data.password}' | base64 -d)"

expect scale_deployment 'deployment web: 1 -> 5 replicas' "$(examples/scale_deployment/scale_deployment -n "$namespace" web 5 2>&1)"

k create configmap settings --from-literal=mode=fast >/dev/null || exit 1
"$KUBECTL" create namespace "$namespace-copy" >/dev/null || exit 1
for done in created 'left unchanged'; do
  expect copy_config_map "$done config map $namespace-copy/settings" \
    "$(examples/copy_config_map/copy_config_map settings "$namespace" "$namespace-copy" 2>&1)"
done

expect apply_deployment 'renderer: web runs web:1
scaler: web has 3 replicas
renderer: web runs web:2, and still has 3 replicas
intruder: refused, scaler owns the replicas
scaler: web has 4 replicas
scaler owns {"replicas":4}' "$(examples/apply_deployment/apply_deployment -n "$namespace-copy" web web 2>&1)"

node="$namespace-node"
printf 'apiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {test: %s}}\n' "$node" "$namespace" | k create -f - >/dev/null || exit 1
expect label_nodes "labeled $node: disk=ssd" "$(examples/label_nodes/label_nodes disk=ssd --selector="test=$namespace" 2>&1)"
expect label_nodes "unlabeled $node: disk" "$(examples/label_nodes/label_nodes disk- --selector="test=$namespace" 2>&1)"
"$KUBECTL" delete node "$node" >/dev/null

expect events_of_an_object $'TYPE\tREASON\tFROM\tMESSAGE\nNormal\tInspected\texample.com/inspector\talice looked at it' \
  "$(examples/events_of_an_object/events_of_an_object -n "$namespace" web-0 2>&1)"

printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: big}\nspec: {containers: [{name: main, image: "main:1", resources: {requests: {cpu: 250m, memory: 64Mi}}}]}\n' |
  k create -f - >/dev/null || exit 1
expect quota_report "$namespace"$'\t2\t250m\t64Mi' "$(examples/quota_report/quota_report 2>&1 | grep "^$namespace"$'\t')"

k create job backup --image=backup:1 >/dev/null || exit 1
k create job other --image=backup:1 >/dev/null || exit 1
k patch job backup --subresource=status --type=merge -p '{"status": {"startTime": "2024-01-02T03:04:05Z", "conditions": [
  {"type": "FailureTarget", "status": "True", "lastTransitionTime": "2024-01-03T03:04:05Z"},
  {"type": "Failed", "status": "True", "lastTransitionTime": "2024-01-03T03:04:05Z"}]}}' >/dev/null || exit 1
expect delete_finished_jobs 'deleted job backup: Failed' \
  "$(examples/delete_finished_jobs/delete_finished_jobs -n "$namespace" 2>&1 | sed 's/ for .*//')"

exit $failed
