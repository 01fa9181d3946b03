#!/bin/sh
# The agent by pattern, number of channels, number of threads and who is beside it, as one page of Markdown: CPU an event, beside
# memcpy of the same rings in the same run; bytes an event held and on disk; the agent's peak; losses. Behind it LTTng-UST with
# the same payload, where that is installed. Each row is recorded rings through the agent's real pipeline (agent_bench).
#
#   sh tests/bench/matrix.sh [--all] [BUILD_DIR] >PAGE     default build/dev
#
# The short form takes some minutes: every pattern on 1, 4, 64 and 1,000 channels of one thread with nobody beside; on four
# channels of 2 and 8 threads; and on four channels recorded, with a viewer, with a trigger. --all: all of these with each other,
# 432 rows, some ten minutes. The last page is MATRIX.md.
set -eu
cd "$(dirname "$0")/../.."
all=no
[ "${1:-}" != --all ] || { all=yes; shift; }
build=${1:-build/dev}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/sla-matrix-XXXXXX")
trap 'rm -rf "$work"' EXIT

bench() { "$build/bench/agent_bench" --runs 3 --rounds 16 --directory "$work" "$@"; }
rows() {
    if [ "$all" = yes ]; then
        bench --threads 1 2 8 --beside memory recorded viewer trigger
        return
    fi
    bench
    bench --channels 4 --threads 2 8
    bench --channels 4 --beside recorded viewer trigger
}
rows >"$work/rows"

echo "# The agent by pattern"
echo
echo "$(sed -n 's/^machine: //p' "$work/rows" | head -n 1), $(date +%Y-%m-%d), $(sed -n 2p "$work/rows"); \`sh tests/bench/matrix.sh$([ $all = no ] || echo ' --all')\`."
echo "Load while it ran: $(cut -d' ' -f1-3 /proc/loadavg). Times are CPU an event: compare them with \`memcpy\` beside them, not with another day's."
echo
echo "| pattern | channels | threads | beside | agent, ns an event: best, middle | x \`memcpy\` | bytes held | bytes on disk | decoded, M events/s | agent's peak, MiB | lost |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
awk 'NF == 14 && $2 ~ /^[0-9]+$/ { printf "| %s | %s | %s | %s | %s, %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $8, $9, $10, $12, $13, $14 }' "$work/rows"
echo
echo '```'
sh tests/bench/lttng/run.sh "$build" 4 10 || true
echo '```'
