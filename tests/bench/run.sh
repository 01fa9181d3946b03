#!/bin/sh
# The benchmarks of markers and the agent, one after the other; RESULTS.md names the commands of all others. An idle machine, please.
#
#   sh tests/bench/run.sh [BUILD_DIR]     default build/release, built first
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/release}
if [ $# -eq 0 ]; then
    cmake --preset release >/dev/null
    cmake --build "$build" --target sla-agent marker_bench first_use_bench filter_bench latency_bench sustained_bench drain_bench
fi
file=$(mktemp --suffix=.sla)
trap 'rm -f "$file"' EXIT
run() {
    echo
    echo "== $*"
    "$@" || echo "(exit code $?)"
}
run "$build/bench/marker_bench"
run "$build/bench/first_use_bench"
run "$build/bench/filter_bench"
run "$build/bench/latency_bench"
run "$build/bench/sustained_bench" 10 10
run "$build/bench/sustained_bench" 10 20
run "$build/bench/sustained_bench" 10 30
run "$build/bench/sustained_bench" 10 0
run "$build/bench/sustained_bench" 10 10 "$file"
run "$build/bench/drain_bench"
