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
read -r -t 30 -u "${WATCH[0]}" line
expect watch_deployments 'ADDED web: 0 of 3 available' "$line"
"$KUBECTL" scale deployment web -n "$namespace" --replicas=5 >/dev/null || exit 1
read -r -t 30 -u "${WATCH[0]}" line
expect watch_deployments 'MODIFIED web: 0 of 5 available' "$line"
expect readme 'web has 6 replicas' "$(docs/snippets/readme "$namespace" web 2>&1)"
read -r -t 30 -u "${WATCH[0]}" line
expect watch_deployments 'MODIFIED web: 0 of 6 available' "$line"
"$KUBECTL" delete deployment web -n "$namespace" >/dev/null || exit 1
read -r -t 30 -u "${WATCH[0]}" line
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

exit $failed
