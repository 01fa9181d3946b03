#!/bin/sh
# Every test, from a bare Debian 12: installs what is missing, builds, runs. The last lines are ctest's own summary,
# the exit code is its own too.
#
#   sh tests/run.sh                 all tests (preset dev)
#   sh tests/run.sh --asan          all tests under the address and undefined-behaviour sanitizers
#   sh tests/run.sh --tsan          all tests under the thread sanitizer
#   sh tests/run.sh --fuzz SECONDS  each fuzzer for so many seconds
#   sh tests/run.sh --bench         the benchmarks
#   sh tests/run.sh --alone         every file compiled by itself: the other builds read the files of a room in batches
#   sh tests/run.sh ... -- ARGS     ARGS go to ctest, for example: -- -R layering
set -eu
cd "$(dirname "$0")/.."

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' tests/run.sh; }

begin=$(date +%s)
preset=dev
fuzz_seconds=""
bench=no
alone=no
while [ $# -gt 0 ]; do
    case $1 in
        --asan) preset=asan ;;
        --tsan) preset=tsan ;;
        --fuzz)
            case ${2:-} in ''|*[!0-9]*) echo "run.sh: --fuzz needs a number of seconds." >&2; exit 2 ;; esac
            fuzz_seconds=$2
            shift ;;
        --bench) bench=yes ;;
        --alone) alone=yes ;;
        --help|-h) usage; exit 0 ;;
        --) shift; break ;;
        *) echo "run.sh: unknown option '$1'." >&2; usage >&2; exit 2 ;;
    esac
    shift
done

if [ -n "$fuzz_seconds" ]; then
    sh tests/support/install.sh build fuzz
    exec sh tests/fuzz/run.sh "$fuzz_seconds"
fi
sh tests/support/install.sh build test
[ "$alone" = no ] || exec sh tests/support/alone.sh

# Sanitizers of g++ 12 need the address layout of older kernels; without permission to ask for it they run as they are.
plain_layout=""
if [ "$preset" != dev ] && setarch -R true 2>/dev/null; then plain_layout="setarch -R"; fi
suppressions=$PWD/tests/support
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:check_initialization_order=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=$suppressions/lsan.supp:print_suppressions=0}"
export TSAN_OPTIONS="${TSAN_OPTIONS:-suppressions=$suppressions/tsan.supp:second_deadlock_stack=1:atexit_sleep_ms=100:die_after_fork=0}"

echo "Configuring and building (preset $preset, in build/$preset) ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# What is built once, from nothing, has the large batches of the preset "release": names that clash in them are found here.
batches=""
[ "$preset" != dev ] || [ -e build/dev/CMakeCache.txt ] || batches=-DSLA_BATCH_SIZE=24
# shellcheck disable=SC2086  # nothing, or one word
if ! cmake --preset "$preset" $batches >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
$plain_layout cmake --build "build/$preset"
# The checks of a change also look closer at what changed lately: each file compiled by itself (--alone does so with all), the
# rooms' unit tests under sanitizers (--asan: all tests), clang-tidy. Each has its time, and says what it left: 13 minutes in all,
# or what a slow machine's build has left of 26, so that the tests are done after 40.
if [ -n "${CI:-}" ] && git rev-parse -q --verify HEAD~10 >/dev/null 2>&1; then
    sh tests/support/install.sh change
    minutes=$((26 - ($(date +%s) - begin) / 60))
    [ "$minutes" -le 13 ] || minutes=13
    [ "$minutes" -ge 5 ] || minutes=5
    sh tests/support/alone.sh --since HEAD~10 --minutes "$((minutes * 6 / 13))"
    sh tests/support/sanitized.sh --since HEAD~10 --minutes "$((minutes * 5 / 13))"
    sh tests/support/tidy.sh --since HEAD~10 --minutes "$((1 + minutes / 13))"
fi

if [ "$bench" = yes ]; then
    exec sh tests/bench/run.sh "build/$preset"
fi
# Two more than there are cores: tests of several processes wait for one another most of their time.
# shellcheck disable=SC2086  # nothing, or a command of two words
$plain_layout ctest --test-dir "build/$preset" --output-on-failure --no-tests=error --parallel "$(($(nproc) + 2))" "$@"
