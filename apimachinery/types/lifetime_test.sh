#!/bin/bash
# That clang warns where a temporary value is outlived, and only there: see lifetime_test_cases.cc.
set -euo pipefail

cases=apimachinery/types/lifetime_test_cases.cc
check=(clang++ -std=c++20 -fsyntax-only -I. -Wall -Wextra)
if ! command -v clang++ > /dev/null || ! "${check[@]}" -w "$cases"; then
  echo "SKIPPED: no clang++ that finds abseil"
  exit 0
fi

want=$(grep -n '// dangles$' "$cases" | cut -d: -f1)
got=$("${check[@]}" "$cases" 2>&1 | sed -n "s|^$cases:\([0-9]*\):[0-9]*: warning: .*\[-Wdangling.*\]$|\1|p")
if [[ "$want" != "$got" ]]; then
  echo "lines at which clang should warn (<), and does (>):"
  diff <(echo "$want") <(echo "$got")
fi
