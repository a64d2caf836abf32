#!/bin/bash
# The suite, the same program, on the server of KUBECONFIG.
exec tests/conformance/conformance_test
