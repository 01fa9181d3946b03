#!/bin/sh
# SLA beside LTTng-UST: the same payload, the same machine, one run. Needs Debian's lttng-tools and liblttng-ust-dev when
# building, and babeltrace2.
#
#   sh tests/bench/lttng/run.sh [BUILD_DIR [SECONDS [M_EVENTS_PER_SECOND]]]     default build/release 5 10
set -eu
cd "$(dirname "$0")/../../.."
build=${1:-build/release}
seconds=${2:-5}
rate=${3:-10}
bench=$build/bench/lttng_bench
if [ ! -x "$bench" ] || ! command -v lttng-sessiond >/dev/null; then
    echo "skipped: needs lttng-tools and liblttng-ust-dev (then configure and build again: target lttng_bench)"
    exit 0
fi
work=$(mktemp -d)
export LTTNG_HOME="$work" SLA_RUNTIME_DIR="$work/sla"
agent=""
finish() {
    [ -z "$agent" ] || kill "$agent" 2>/dev/null || true
    lttng destroy --all --no-wait >/dev/null 2>&1 || true
    [ -z "${daemon:-}" ] || kill "$daemon" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# CPU of a process so far, in hundredths of a second.
cpu_of() { awk '{ sum += $14 + $15 } END { print sum + 0 }' $(for p in "$@"; do echo "/proc/$p/stat"; done); }
consumers() { pgrep -P "$daemon"; }

start_agent() {
    mkdir -p -m 700 "$SLA_RUNTIME_DIR"
    taskset -c 1 "$build/bin/sla-agent" --quiet --record "$1" 2>"$work/agent.log" &
    agent=$!
    while [ ! -S "$SLA_RUNTIME_DIR/agent.sock" ]; do sleep 0.05; done
}
stop_agent() {
    kill "$agent"
    wait "$agent" || true
    agent=""
}
start_session() {
    lttng create bench --output="$work/ctf-$1" >/dev/null
    lttng enable-channel --userspace --subbuf-size=4M --num-subbuf=8 bench >/dev/null
    lttng enable-event --userspace --channel=bench sla_bench:tick >/dev/null
    lttng start >/dev/null
}

taskset -c 1 lttng-sessiond --no-kernel >/dev/null 2>&1 &
daemon=$!
tries=0
until lttng list >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { echo "lttng-sessiond does not start"; exit 3; }
    sleep 0.1
done

echo "== a marker, both recording to disk"
start_session marker
start_agent "$work/marker.sla"
"$bench" marker
stop_agent
lttng stop >/dev/null
lttng destroy bench >/dev/null

echo
echo "== one producer, $rate M events/s for $seconds s, recording to disk"
printf '%-10s %14s %12s %14s %14s\n' "" offered lost "consumer ns/ev" "bytes/event"
start_agent "$work/sustained.sla"
before=$(cpu_of "$agent")
offered=$("$bench" sustain sla "$seconds" "$rate")
sleep 1
used=$(($(cpu_of "$agent") - before))
stop_agent
lost=$("$build/bin/sla" channels "$work/sustained.sla" --format csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "lost") l = i } NR > 1 { s += $l } END { print s + 0 }')
bytes=$(stat -c %s "$work/sustained.sla")
awk -v o="$offered" -v l="$lost" -v u="$used" -v b="$bytes" 'BEGIN { printf "%-10s %14d %12d %14.1f %14.2f\n", "SLA", o, l, u * 1e7 / (o - l), b / (o - l) }'

start_session sustained
pids=$(consumers)
before=$(cpu_of $pids)
offered=$("$bench" sustain lttng "$seconds" "$rate")
lttng stop >/dev/null 2>&1
used=$(($(cpu_of $pids) - before))
lost=$(lttng list bench 2>/dev/null | awk '/Discarded events:/ { s += $3 } END { print s + 0 }')
lttng destroy bench >/dev/null 2>&1
bytes=$(du -sb "$work/ctf-sustained" | cut -f1)
awk -v o="$offered" -v l="$lost" -v u="$used" -v b="$bytes" 'BEGIN { printf "%-10s %14d %12d %14.1f %14.2f\n", "LTTng-UST", o, l, u * 1e7 / (o - l), b / (o - l) }'

echo
echo "== to text"
to_text() {
    begin=$(date +%s%N)
    rows=$("$@" | head -n 2000000 | wc -l)
    awk -v n="$rows" -v t="$(($(date +%s%N) - begin))" -v w="$1" 'BEGIN { printf "%-40s %6.2f M rows/s\n", w, n * 1e3 / t }'
}
to_text "$build/bin/sla" table "$work/sustained.sla" --format csv
command -v babeltrace2 >/dev/null && to_text babeltrace2 "$work/ctf-sustained"
