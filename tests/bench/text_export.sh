#!/bin/sh
# A capture to text on one core, and by sla on all: sla, and beside it what others make of the same events, where they are
# installed: babeltrace2 reads the CTF that sla wrote, tracy-csvexport what import-chrome made of its Chrome trace. Reading is in
# all of the times, and the disk in those of sla export -o.
#
#   sh tests/bench/text_export.sh [EVENTS [PROGRAMS]]     default 5e6, build/release
set -eu
cd "$(dirname "$0")/../.."
events=${1:-5e6}
build=${2:-build/release}
room=$(mktemp -d "${TMPDIR:-/var/tmp}/sla-text-XXXXXX")
trap 'rm -rf "$room"' EXIT
"$build/bench/make_big" "$room/c.sla" --events "$events" --channels 64
rows=$("$build/bin/sla" channels "$room/c.sla" --format csv | awk -F, 'NR > 1 { rows += $4 + $5 } END { print rows }')
echo "machine: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(uname -r)"

cores=0
# name target command...: three times on these cores, its words to the target; "-": the command writes to the room's file itself.
told() {
    name=$1
    words=$2
    target=$2
    [ "$words" != - ] || { words=/dev/null; target=$room/text; }
    shift 2
    for turn in 1 2 3; do
        rm -f "$room/text"
        sync
        before=$(date +%s.%N)
        taskset -c "$cores" "$@" >"$words" 2>"$room/said" || { cat "$room/said" >&2; return 1; }
        after=$(date +%s.%N)
        size=$(stat -L -c %s "$target")
        echo "$name $turn $before $after $rows $size" |
            awk '{ printf "%-44s %d: %6.2f s, %6.2f M rows/s, %d MB\n", $1, $2, $4 - $3, $5 / ($4 - $3) / 1e6, $6 / 1e6 }'
    done
}
told sla-export-csv - "$build/bin/sla" export "$room/c.sla" --format csv -o "$room/text"
megabytes=$(($(stat -c %s "$room/text") / 1048576))
told sla-export-csv-to-a-redirection "$room/text" "$build/bin/sla" export "$room/c.sla" --format csv -o -
# What memory and disk of this machine take for it alone: as many bytes that nobody makes.
told as-many-zeros-through-the-cache - dd if=/dev/zero of="$room/text" bs=1M count="$megabytes" conv=fsync
told as-many-zeros-past-the-cache - dd if=/dev/zero of="$room/text" bs=1M count="$megabytes" conv=fsync oflag=direct
told sla-export-csv-to-nowhere /dev/null "$build/bin/sla" export "$room/c.sla" --format csv -o -
told sla-export-csv-to-a-pipe /dev/null sh -c "'$build/bin/sla' export '$room/c.sla' --format csv -o - | cat"
told sla-export-jsonl - "$build/bin/sla" export "$room/c.sla" --format jsonl -o "$room/text"
cores=0-$(($(nproc) - 1))
for format in csv jsonl text; do
    told "sla-export-$format-on-all-cores" - "$build/bin/sla" export "$room/c.sla" --format $format -o "$room/text"
    told "sla-export-$format-on-all-cores-to-nowhere" /dev/null "$build/bin/sla" export "$room/c.sla" --format $format -o -
done
cores=0
if command -v babeltrace2 >/dev/null; then
    "$build/bin/sla" export "$room/c.sla" --format ctf -o "$room/ctf" 2>/dev/null
    told babeltrace2 "$room/text" babeltrace2 "$room/ctf"
else
    echo "babeltrace2 is not installed"
fi
if command -v tracy-csvexport >/dev/null && command -v tracy-import-chrome >/dev/null; then
    "$build/bin/sla" export "$room/c.sla" --format chrome -o "$room/c.json" 2>/dev/null
    tracy-import-chrome "$room/c.json" "$room/c.tracy" >/dev/null
    told tracy-csvexport "$room/text" tracy-csvexport -u "$room/c.tracy"
else
    echo "tracy-csvexport is not installed"
fi
