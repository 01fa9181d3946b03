#!/bin/sh
# The full form of the fault sweep: in agent, marker library and command line each call of the C library in turn fails with
# ENOSPC, EIO and ENOMEM (of calls made very often sixty of them). An hour or less; prints each fault, and WRONG behind those
# after which somebody crashed, hung or lied.
#   sh tests/bench/faults.sh [Agent|Library|CommandLine]
set -eu
cd "$(dirname "$0")/../.."
cmake --preset dev >/dev/null
cmake --build build/dev --target integration_faults
SLA_FAULTS=all exec build/dev/tests/integration_faults --gtest_filter="Of/FaultSweep.*/${1:-}*"
