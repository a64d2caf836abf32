#!/bin/bash
# The same program on the server of KUBECONFIG.
exec tests/every_kind/every_kind_test
