#!/bin/sh
# clang-tidy over the product's C++ files that changed, with the checks of .clang-tidy; any finding is an error.
#
#   sh tests/support/tidy.sh --since REV [--minutes N]   files that changed since a revision of git, the newest changes first;
#                                                        none is begun after N minutes [5], and how many were left is said
#   sh tests/support/tidy.sh FILE...                     these files
set -eu
cd "$(dirname "$0")/../.."
build=build/alone
since=""
minutes=5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/files"
while [ $# -gt 0 ]; do
    case $1 in
        --since) since=${2:?tidy.sh: --since needs a revision}; shift ;;
        --minutes) minutes=${2:?tidy.sh: --minutes needs a number}; shift ;;
        -*) echo "tidy.sh: unknown option '$1'." >&2; exit 2 ;;
        *) echo "$1" >>"$work/files" ;;
    esac
    shift
done
command -v clang-tidy >/dev/null || { echo "tidy.sh: clang-tidy is not installed: sh tests/support/install.sh change" >&2; exit 2; }

# The compiler's commands, and what the files include and only the build makes, come from the same folder as alone.sh's.
[ -f "$build/build.ninja" ] ||  # ninja brings an older one up to date by itself
    cmake --preset dev -B "$build" -DSLA_BATCHES=OFF -DCCACHE= >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
generated=$(ninja -C "$build" -t targets all |
    sed -n 's/^\([^/].*\.pb\.h\|[^/].*\.inc\|[^/].*_image\.cpp\): CUSTOM_COMMAND$/\1/p')
# shellcheck disable=SC2086  # a list of files
ninja -C "$build" $generated >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }

if [ -n "$since" ]; then
    # In order of the commit that changed a file last, what is not committed first.
    { git diff --name-only HEAD -- '*.cpp'; git log --format= --name-only "$since.." -- '*.cpp'; } | grep -v '^tests/' | awk '!seen[$0]++' |
        while read -r file; do [ ! -f "$file" ] || echo "$file"; done >>"$work/files"
fi
echo "clang-tidy, $(wc -l <"$work/files") files ..."
export end=$(($(date +%s) + minutes * 60)) work build
# shellcheck disable=SC2016  # the inner shell's variables
look='[ "$(date +%s)" -lt "$end" ] || exit 0
    echo >>"$work/looked"
    clang-tidy -p "$build" --quiet --warnings-as-errors="*" --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument "$1" >"$work/$$" 2>/dev/null ||
        { cat "$work/$$"; echo "$1" >>"$work/found"; }
    rm -f "$work/$$"'
xargs -P "$(nproc)" -I{} sh -c "$look" tidy {} <"$work/files"
looked=0
[ ! -f "$work/looked" ] || looked=$(wc -l <"$work/looked")
left=$(($(wc -l <"$work/files") - looked))
[ "$left" -eq 0 ] || echo "Not looked at, $minutes minutes were over: $left files. A larger --minutes takes them too."
[ ! -f "$work/found" ] || { echo "tidy.sh: findings in $(wc -l <"$work/found") files, see above." >&2; exit 1; }
