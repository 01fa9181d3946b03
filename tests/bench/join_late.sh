#!/bin/sh
# A window that joins an agent which has run for some minutes at 22,000 events/s, drawn by software under Xvfb, 1280x720: the
# processor's share and the memory that it takes, as it joins with the last 30 s and with all of the history (--history all).
#
#   sh tests/bench/join_late.sh [MINUTES [PROGRAMS]]     default 5, build/dev
set -eu
cd "$(dirname "$0")/../.."
minutes=${1:-5}
build=${2:-build/dev}
room=$(mktemp -d "${TMPDIR:-/var/tmp}/sla-join-XXXXXX")
started=
trap 'for pid in $started; do kill "$pid" 2>/dev/null || :; done; wait; rm -rf "$room"' EXIT
export SLA_RUNTIME_DIR="$room/run" HOME="$room" XDG_CONFIG_HOME="$room/config" LIBGL_ALWAYS_SOFTWARE=1
echo "machine: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -r)"

Xvfb -displayfd 3 -noreset -screen 0 1280x800x24 3>"$room/display" 2>"$room/xvfb.log" &
started="$started $!"
"$build/bin/sla-agent" >"$room/agent.log" 2>&1 &
started="$started $!"
for _ in $(seq 600); do [ -s "$room/display" ] && [ -S "$SLA_RUNTIME_DIR/agent.sock" ] && break; sleep 0.1; done
[ -s "$room/display" ] || { cat "$room/xvfb.log" >&2; exit 1; }
DISPLAY=:$(cat "$room/display")
export DISPLAY
"$build/bench/steady_load" &
started="$started $!"
sleep $((minutes * 60))

ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
kib() { awk -v which="$2:" '$1 == which { print $2 }' "/proc/$1/status"; }

# name history: 20 s to settle, then 30 s.
look() {
    "$build/bin/sla-viewer" --history "$2" >"$room/viewer.log" 2>&1 &
    viewer=$!
    started="$started $viewer"
    sleep 20
    before=$(ticks "$viewer")
    sleep 30
    after=$(ticks "$viewer")
    echo "$1: $(((after - before) * 100 / 30 / $(getconf CLK_TCK))) % of a core, $(($(kib "$viewer" VmRSS) / 1024)) MiB resident, $(($(kib "$viewer" VmHWM) / 1024)) MiB at most"
    kill "$viewer"
    wait "$viewer" 2>/dev/null || :
}
look "the last 30 s" 30s
look "all $minutes minutes" all
"$build/bin/sla" channels --format csv | awk -F, 'NR > 1 { events += $4 } END { print "events held: " events }'
