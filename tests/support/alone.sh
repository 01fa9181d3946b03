#!/bin/sh
# Compiles C++ files each by itself, syntax and warnings only. The builds read the files of a room in batches behind common
# headers; this finds the file that names something it does not include.
#
#   sh tests/support/alone.sh              every file (a quarter of an hour on two cores)
#   sh tests/support/alone.sh --since REV [--minutes N]   files that changed since a revision of git, the newest changes
#                                          first; none is begun after N minutes [no limit], and how many were left is said
#
# Ends with 1 when a file does not stand alone, and prints what the compiler says of it.
set -eu
cd "$(dirname "$0")/../.."
build=build/alone
since=""
minutes=""
while [ $# -gt 0 ]; do
    case $1 in
        --since) since=${2:?alone.sh: --since needs a revision}; shift ;;
        --minutes)
            minutes=${2:?alone.sh: --minutes needs a number}
            case $minutes in *[!0-9]*) echo "alone.sh: --minutes needs a whole number." >&2; exit 2 ;; esac
            shift ;;
        *) echo "alone.sh: unknown option '$1'." >&2; exit 2 ;;
    esac
    shift
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -f "$build/build.ninja" ] ||  # ninja brings an older one up to date by itself
    cmake --preset dev -B "$build" -DSLA_BATCHES=OFF -DCCACHE= >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
# What the files include and only the build makes: protobuf's headers, assembled guests, names of system calls.
generated=$(ninja -C "$build" -t targets all |
    sed -n 's/^\([^/].*\.pb\.h\|[^/].*\.inc\|[^/].*_image\.cpp\): CUSTOM_COMMAND$/\1/p')
# shellcheck disable=SC2086  # a list of files
ninja -C "$build" $generated >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }

# One compiler command a line, its output and dependency files taken away; xargs runs as many as there are cores.
ninja -C "$build" -t commands all | sed -n 's/ -MD .* -o [^ ]*\.cpp\.o -c / -fsyntax-only -c /p' |
    sed 's/ -O2 / /' | grep -v '/generated/\|_image\.cpp$' >"$work/all"
[ "$(wc -l <"$work/all")" -gt 100 ] || { echo "alone.sh: hardly a command was found in $build: the build's form has changed." >&2; exit 1; }
if [ -n "$since" ]; then
    # In order of the commit that changed a file last, what is not committed first; a command ends with its file.
    { git diff --name-only --diff-filter=d HEAD -- '*.cpp'; git log --format= --name-only --diff-filter=d "$since.." -- '*.cpp'; } |
        awk '!seen[$0]++' | sed "s|^|$PWD/|" |
        awk 'NR == FNR { of[$NF] = $0; next } $0 in of { print of[$0] }' "$work/all" - >"$work/commands"
else
    mv "$work/all" "$work/commands"
fi
echo "Compiling $(wc -l <"$work/commands") files, each by itself ..."
: >"$work/compiled"
end=""
[ -z "$minutes" ] || end=$(($(date +%s) + minutes * 60))
export end work
# shellcheck disable=SC2016  # the inner shell's variables
compile='[ -z "$end" ] || [ "$(date +%s)" -lt "$end" ] || exit 0
    echo >>"$work/compiled"
    eval "$1"'
if ! (cd "$build" && tr '\n' '\0' <"$work/commands" | xargs -0 -r -P "$(nproc)" -n 1 sh -c "$compile" compile >"$work/log" 2>&1); then
    cat "$work/log" >&2
    echo "alone.sh: not every file stands alone, see above." >&2
    exit 1
fi
left=$(($(wc -l <"$work/commands") - $(wc -l <"$work/compiled")))
if [ "$left" -eq 0 ]; then
    echo "Each stands alone."
else
    echo "Each of those looked at stands alone; not looked at, $minutes minutes were over: $left files. A larger --minutes takes them too."
fi
