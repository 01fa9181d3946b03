#!/bin/sh
# The long form of the fleet's tests: each failure again and again, with real nats-servers, for so many rounds (30).
#   sh tests/bench/fleet.sh [ROUNDS]
set -eu
cd "$(dirname "$0")/../.."
cmake --preset dev >/dev/null
cmake --build build/dev --target integration_fleet
SLA_FLEET_LONG=1 build/dev/tests/integration_fleet --gtest_repeat="${1:-30}" --gtest_shuffle --gtest_break_on_failure
