#!/bin/bash
# What "bazel run @client_cpp//tools:new_operator" starts.
set -euo pipefail

exec python3 -B "$(dirname "$(readlink -f "$0")")/main.py" "$@"
