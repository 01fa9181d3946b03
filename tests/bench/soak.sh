#!/bin/sh
# The full form of the soak test: ten minutes at 5 M events/s, viewers coming, stalling and going, the agent restarted twice and
# killed once. Needs about 10 GB of disk below $TMPDIR while it runs.
#   sh tests/bench/soak.sh [SECONDS [RATE]]
set -eu
cd "$(dirname "$0")/../.."
cmake --preset dev >/dev/null
cmake --build build/dev --target integration_soak integration_pipeline
SLA_SOAK_SECONDS=${1:-600} SLA_SOAK_RATE=${2:-5000000} build/dev/tests/integration_soak
# Hostile programs for half a minute, and three hundred at once.
SLA_HOSTILE_MS=30000 SLA_HOSTILE_PROGRAMS=300 build/dev/tests/integration_pipeline --gtest_filter='Hostile.*'
