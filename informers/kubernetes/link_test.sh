#!/bin/bash
# link_test PROGRAM: it has the tables of Pod and Lease, and of no other resource.
set -euo pipefail

symbols=$(nm -C "$1")
got=$(sed -nE 's/^[^:]* [A-Za-z] kube::api::([a-z0-9:]*)::k[0-9_]+::(Pod|Lease|Node|Service|Secret|Event|Deployment|Eviction|Scale|TokenRequest|Job)::kMessage$/\1 \2/p' <<<"$symbols" | sort -u)
want="coordination::v1 Lease
core::v1 Pod"
if [ "$got" != "$want" ]; then
  echo "the program has the tables of:"
  echo "$got"
  exit 1
fi
