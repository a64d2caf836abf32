#!/bin/bash
# The demo ends, and says that all is there.
set -euo pipefail

output=$("$1")
echo "$output"
[[ $output == *$'\n3 replicas updated, 3 available\ndeployment "web" successfully rolled out' ]]
