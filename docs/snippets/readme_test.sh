#!/bin/bash
# readme_test.sh PROGRAM README.md: the README shows what its program prints, in a block of its own.
set -euo pipefail
output="$("$1")"
if [[ -z $output || "$(cat "$2")" != *$'\n```\n'"$output"$'\n```\n'* ]]; then
  echo "README.md does not show what the program prints:"
  echo "$output"
  exit 1
fi
