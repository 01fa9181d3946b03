#!/bin/sh
# Builds the unit tests of the rooms that changed under the address and undefined-behaviour sanitizers, and runs them.
#
#   sh tests/support/sanitized.sh --since REV [--minutes N]   rooms that changed since a revision of git, those with the most changes
#                                                             first, which is always looked at; of the others what is not
#                                                             built after N minutes [10] is left, and said
#
# Ends with 1 when a test fails or does not build. In build/asan, as all tests (sh tests/run.sh --asan).
set -eu
cd "$(dirname "$0")/../.."
build=build/asan
since=""
minutes=10
while [ $# -gt 0 ]; do
    case $1 in
        --since) since=${2:?sanitized.sh: --since needs a revision}; shift ;;
        --minutes) minutes=${2:?sanitized.sh: --minutes needs a number}; shift ;;
        *) echo "sanitized.sh: unknown option '$1'." >&2; exit 2 ;;
    esac
    shift
done
[ -n "$since" ] || { echo "sanitized.sh: --since REV says what has changed." >&2; exit 2; }
begin=$(date +%s)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --preset asan >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
ninja -C "$build" -t targets all | sed -n 's/^\(unit_[a-z0-9_]*\): phony$/\1/p' | sort -u >"$work/tests"
[ "$(wc -l <"$work/tests")" -gt 20 ] || { echo "sanitized.sh: hardly a unit test was found in $build: the build's form has changed." >&2; exit 1; }

# A room's tests are named after its folder, or after the nearest folder above it that has tests.
git diff --name-only --diff-filter=d "$since" -- '*.cpp' '*.c' '*.h' '*.proto' | sed 's|^tests/unit/||; /^tests\//d; s|/[^/]*$||' |
    sort | uniq -c | while read -r changes folder; do
    name=unit_$(echo "$folder" | tr / _)
    while [ "$name" != unit ] && ! grep -qx "$name" "$work/tests"; do name=${name%_*}; done
    [ "$name" = unit ] || echo "$changes $name"
done | awk '{changes[$2] += $1} END {for (name in changes) print changes[name], name}' | sort -rn | cut -d' ' -f2 >"$work/rooms"
echo "Unit tests under sanitizers, of $(wc -l <"$work/rooms") rooms that changed ..."

layout=""
if setarch -R true 2>/dev/null; then layout="setarch -R"; fi  # sanitizers of g++ 12 need the address layout of older kernels
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:check_initialization_order=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=$PWD/tests/support/lsan.supp:print_suppressions=0}"
failed=""
left=""
looked_at=""
while read -r name; do
    seconds=$((begin + minutes * 60 - $(date +%s)))
    limit="timeout -s INT $seconds"
    if [ -z "$looked_at" ]; then limit=""; elif [ "$seconds" -le 0 ]; then left="$left $name"; continue; fi
    looked_at=yes
    status=0
    # shellcheck disable=SC2086  # nothing, or commands of several words
    $limit $layout ninja -C "$build" "$name" >"$work/log" 2>&1 || status=$?
    if [ "$status" -eq 124 ]; then left="$left $name"; continue; fi
    # shellcheck disable=SC2086
    if [ "$status" -eq 0 ] && $layout "$build/tests/$name" --gtest_brief=1 >>"$work/log" 2>&1 </dev/null; then
        echo "  $name: $(sed -n 's/^\[==========\] \([0-9]*\) tests\{0,1\} from.*/\1 tests/p' "$work/log" | tail -1), $(($(date +%s) - begin)) s"
    else
        cat "$work/log" >&2
        failed="$failed $name"
    fi
done <"$work/rooms"
[ -z "$left" ] || echo "Not looked at, $minutes minutes were over:$left. A larger --minutes takes them too."
[ -z "$failed" ] || { echo "sanitized.sh: these failed under sanitizers, see above:$failed" >&2; exit 1; }
