#!/bin/sh
# SLA at work, from a bare Debian 12: installs what is missing, builds, then runs an agent, an emulated PC and a marked
# program, and shows them live in the viewer. Everything ends when the window is closed.
#
#   sh viewer/demo.sh               live in a window; without a display, as with --headless
#   sh viewer/demo.sh --headless    renders the same window to PNGs, writes the tables, says where
#   sh viewer/demo.sh --fleet       a fleet instead: three NATS servers and four hosts, on one time axis
#
#   --seconds N      how long to record without a window (default 6)
#   --output FOLDER  where pictures and tables go (default demo-output)
#   --programs DIR   use the programs built there; installs and builds nothing
set -eu
called_from=$PWD
cd "$(dirname "$0")/.."

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' viewer/demo.sh; }
wrong_use() { echo "demo.sh: $1" >&2; usage >&2; exit 2; }
absolute() { case $1 in /*) echo "$1" ;; *) echo "$called_from/$1" ;; esac; }

mode=window
scene=machine
seconds=6
output=$PWD/demo-output
programs=""
while [ $# -gt 0 ]; do
    case $1 in
        --headless) mode=headless ;;
        --fleet) scene=fleet ;;
        --seconds|--output|--programs)
            [ $# -ge 2 ] || wrong_use "$1 needs a value."
            case $1 in
                --seconds) case $2 in ''|*[!0-9]*) wrong_use "--seconds needs a number." ;; esac; seconds=$2 ;;
                --output) output=$(absolute "$2") ;;
                --programs) programs=$(absolute "$2") ;;
            esac
            shift ;;
        --help|-h) usage; exit 0 ;;
        *) wrong_use "unknown option '$1'." ;;
    esac
    shift
done
if [ "$mode" = window ] && [ -z "${DISPLAY:-}" ] && [ -z "${WAYLAND_DISPLAY:-}" ]; then
    echo "There is no display here: rendering the window off-screen instead."
    mode=headless
fi

if [ -z "$programs" ]; then
    sets="build demo"
    [ "$scene" = machine ] || sets="$sets fleet"
    # shellcheck disable=SC2086  # several words
    sh tests/support/install.sh $sets
    echo "Building the programs in build/demo ..."
    log=$(mktemp)
    if ! cmake --preset release -B build/demo -DSLA_TESTS=OFF -DSLA_BENCH=OFF >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
    cmake --build build/demo
    programs=$PWD/build/demo/bin
fi

# From here on things run, and end with this script, however it ends.
# Who was killed left a room, whose lock is free once all that ran in it has ended. A window's own demo keeps one in the same way.
for left in "${TMPDIR:-/tmp}"/sla-demo-??????; do
    if [ ! -O "$left" ] || [ -L "$left" ] || [ ! -f "$left/owner.lock" ]; then continue; fi
    # shellcheck disable=SC2016  # the inner shell's $1
    flock -n "$left/owner.lock" sh -c \
        'if [ ! -e "$1/agent.lock" ] || flock -n "$1/agent.lock" true; then rm -rf "$1"; fi' sh "$left" || true
done
room=$(mktemp -d "${TMPDIR:-/tmp}/sla-demo-XXXXXX")
exec 9>"$room/owner.lock"
flock 9
[ -f "$room/owner.lock" ] || { echo "demo.sh: another demo that began at the same moment took its room away; try again." >&2; exit 1; }
export SLA_RUNTIME_DIR="$room/run"
mkdir -m 700 "$SLA_RUNTIME_DIR"
address=unix:$SLA_RUNTIME_DIR/agent.sock
running=""   # "name:pid" of all that was started, the newest first

alive() { # pid; a process that ended but was not waited for counts as ended
    { read -r state <"/proc/$1/stat"; } 2>/dev/null || return 1
    state=${state##*") "}
    [ "${state%% *}" != Z ]
}

stop() { # name: ends it, gently at first, and forgets it
    kept=""
    for entry in $running; do
        if [ "${entry%%:*}" != "$1" ]; then kept="$kept $entry"; continue; fi
        pid=${entry##*:}
        kill -TERM "$pid" 2>/dev/null || continue
        tries=50
        while alive "$pid" && [ "$tries" -gt 0 ]; do sleep 0.1; tries=$((tries - 1)); done
        if alive "$pid"; then
            echo "demo.sh: $1 did not end by itself, it is killed." >&2
            kill -KILL "$pid" 2>/dev/null || true
        fi
        wait "$pid" 2>/dev/null || true
    done
    running=$kept
}

stop_all() {
    trap '' INT TERM
    for entry in $running; do stop "${entry%%:*}"; done
    rm -rf "$room"
}
trap stop_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

start() { # name program args...: in the background, its words go to a log
    name=$1
    shift
    "$@" >"$room/$name.log" 2>&1 &
    running="$name:$! $running"
}

show_log() { echo "demo.sh: $2 Its last words:" >&2; tail -n 20 "$room/$1.log" | sed 's/^/    /' >&2; }

pid_of() { for entry in $running; do [ "${entry%%:*}" != "$1" ] || echo "${entry##*:}"; done; }

check_alive() { # names...: stops the demo when one of them is gone
    for name in "$@"; do
        alive "$(pid_of "$name")" && continue
        show_log "$name" "$name ended too early."
        exit 1
    done
}

check_all() {
    # shellcheck disable=SC2086  # several names
    check_alive $names
}

start_machine() {
    start agent "$programs/sla-agent" --record "$room/demo.sla"
    tries=100
    until [ -S "$SLA_RUNTIME_DIR/agent.sock" ]; do
        check_alive agent
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { show_log agent "the agent opened no socket within 10 s."; exit 1; }
        sleep 0.1
    done
    start pipeline "$programs/sla-example-pipeline"
    start pc "$programs/sla-emu" run --demo
    names="agent pipeline pc"
    picture=viewer
    echo "Running: an agent, a compression pipeline with markers, and an emulated PC without."
}

# What runs, and where to look at it: sets `names` and `address`.
if [ "$scene" = fleet ]; then
    . viewer/demo_fleet.sh
    start_fleet
else
    start_machine
fi
sleep 1
check_all

if [ "$mode" = window ]; then
    echo "Opening the viewer. Close its window (or press Ctrl+C here) to end everything."
    start viewer "$programs/sla-viewer" "$address"
    viewer=$(pid_of viewer)
    while alive "$viewer"; do
        check_all
        sleep 0.3
    done
    status=0
    wait "$viewer" || status=$?
    if [ "$status" -eq 0 ]; then
        echo "The window was closed; all is stopped."
        exit 0
    fi
    show_log viewer "the window could not be opened or failed."
    echo "Rendering it off-screen instead."
fi

mkdir -p "$output"
echo "Recording for $seconds s ..."
naps=$((seconds * 5))   # short ones: a signal is seen between two of them
while [ "$naps" -gt 0 ]; do
    sleep 0.2
    check_all
    naps=$((naps - 1))
done
sizes="1280x720 2560x1440"
for size in $sizes; do
    start "screenshot-$size" "$programs/sla-viewer" "$address" --headless --frames 90 --size "$size" \
        --screenshot "$output/$picture-$size.png"
done
for size in $sizes; do
    if ! wait "$(pid_of "screenshot-$size")"; then
        show_log "screenshot-$size" "the viewer could not render its window."
        exit 1
    fi
done
check_all
if [ "$scene" = fleet ]; then
    write_fleet_tables
    exit 0
fi
stop pipeline
stop pc
stop agent
mv "$room/demo.sla" "$output/demo.sla"

"$programs/sla" channels "$output/demo.sla" --format text -o "$output/channels.txt"
"$programs/sla" table "$output/demo.sla" --format csv -o "$output/table.csv"
"$programs/sla" stats "$output/demo.sla" --format text -o "$output/stats.txt"
cat <<END

Done; everything that was started is stopped. In $output:
  viewer-1280x720.png, viewer-2560x1440.png   the viewer's window, as people see it
  demo.sla        the capture: open it with $programs/sla-viewer $output/demo.sla
  channels.txt    every channel with its kind, rate and losses
  table.csv       every event with its delta times ($(($(wc -l <"$output/table.csv") - 1)) rows)
  stats.txt       delta-time statistics of every channel
END
