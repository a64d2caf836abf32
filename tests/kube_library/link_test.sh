#!/bin/bash
# link_test PROGRAM: of the kitchen sink's tables it has those of Tap, and of what a Tap holds.
set -euo pipefail

want="kube::kitchen::base::v1::ObjectMeta
kube::kitchen::base::v1::OwnerReference
kube::kitchen::base::v1::ManagedFieldsEntry
kube::kitchen::sink::v1::k1_36::Tap"
symbols=$(nm -C "$1")
got=$(sed -nE 's/^[^:]* [A-Za-z] (kube::kitchen::.*)::kMessage$/\1/p' <<<"$symbols")
if [ "$(sort <<<"$got")" != "$(sort <<<"$want")" ]; then
  echo "the program has the tables of:"
  echo "$got"
  exit 1
fi
# A struct's fields are with it.
grep -q "::kTapFields\$" <<<"$symbols" || { echo "the program lacks kTapFields" && exit 1; }
if grep -E "::k(Sink|Plain|Schema|TapList)Fields\$" <<<"$symbols"; then
  echo "the program has tables of kinds that it does not use"
  exit 1
fi
