#!/bin/bash
# The roles of sample-controller.yaml, on a real server: with them, and as the service account, the controller does all of its work.
set -uo pipefail

fail() { echo "FAILED: $*" >&2; [ ! -s "$log" ] || cat "$log" >&2; exit 1; }
here=examples/sample_controller
log=$(mktemp "${TEST_TMPDIR:-/tmp}/log.XXXXXX")
namespace="foos-$$-$RANDOM"
account=system:serviceaccount:sample-controller:sample-controller
k() { "$KUBECTL" -n "$namespace" "$@"; }

"$KUBECTL" apply -f "$here/foo_crds.yaml" -f "$here/deploy/sample-controller.yaml" >/dev/null || fail "the manifests are refused"
"$KUBECTL" wait --for=condition=Established crd/foos.samplecontroller.k8s.io --timeout=30s >/dev/null || fail "no definition"
k create namespace "$namespace" >/dev/null || exit 1

# As in the cluster: two flags of the Deployment's, and whom it is there.
"$here/sample_controller" --kubeconfig="$KUBECONFIG" --as="$account" --namespace=sample-controller \
  --as-group=system:serviceaccounts,system:authenticated --leader-elect --v=2 2>"$log" &
pid=$!
trap 'kill "$pid" 2>/dev/null' EXIT

printf 'apiVersion: samplecontroller.k8s.io/v1alpha1\nkind: Foo\nmetadata: {name: example-foo}\nspec: {deploymentName: web, replicas: 2}\n' |
  k create -f - >/dev/null || fail "the Foo is refused"
k wait --for=create deployment/web --timeout=60s >/dev/null || fail "no deployment"
k patch foo example-foo --type=merge -p '{"spec":{"replicas":3}}' >/dev/null || fail "the Foo is not patched"
k wait --for=jsonpath='{.spec.replicas}'=3 deployment/web --timeout=60s >/dev/null || fail "the deployment does not follow"
k patch deployment web --subresource=status --type=merge -p '{"status":{"replicas":3,"availableReplicas":3,"readyReplicas":3}}' >/dev/null ||
  fail "the deployment's status is not patched"
k wait --for=jsonpath='{.status.availableReplicas}'=3 foo/example-foo --timeout=60s >/dev/null || fail "the status does not follow"
k wait --for=jsonpath='{.reason}'=Synced "$(k get events --field-selector reason=Synced -o name | head -1)" --timeout=10s >/dev/null ||
  fail "no event"
kill "$pid"
wait "$pid" || fail "it ended with code $?"
trap - EXIT
# Given up at the end.
holder=$("$KUBECTL" -n sample-controller get lease sample-controller -o jsonpath='{.spec.holderIdentity}') || fail "no lease"
[ -z "$holder" ] || fail "$holder still has the lease"
if grep -E "forbidden" "$log"; then fail "a right is missing"; fi
"$KUBECTL" delete namespace "$namespace" sample-controller --wait=false >/dev/null
"$KUBECTL" delete -f "$here/foo_crds.yaml" >/dev/null
