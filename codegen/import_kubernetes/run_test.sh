#!/bin/bash
# Runs a program of third_party/go with arguments, in which CHECKOUT/ stands for the folder of the checkout. Where Go
# could not provide the program or a file, there is NAME.skipped instead, which has the reason.
set -euo pipefail

checkout=$(readlink -f "$0")
checkout=${checkout%/codegen/import_kubernetes/*}
command=()
for argument; do
  if [[ $argument == *.skipped ]]; then
    echo "SKIPPED: $(cat "$argument")"
    exit 0
  fi
  command+=("${argument/#CHECKOUT/$checkout}")
done
exec "${command[@]}"
