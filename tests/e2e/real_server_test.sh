#!/bin/bash
# The same tests on a real control plane; each test starts one of its own.
failed=0
for test in refusals token leader_election convergence; do
  E2E_SERVER=real "tests/e2e/${test}_test" || failed=1
done
exit $failed
