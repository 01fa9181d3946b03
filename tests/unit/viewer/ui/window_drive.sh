#!/bin/sh
# The real window on a display of its own, driven as a person would: places A and B and reads the difference, undoes, searches,
# exports, zooms at the pointer, pans, takes files that are dropped on it, connects to a live agent, closes. What the window did
# is read back from the file in which it keeps how the capture is arranged, and from the export, which must be what `sla export`
# writes. Usage: window_drive.sh measure|export|view|drop|agent PROGRAMS SLA-MAKE-CAPTURE WINDOW-MESSAGE
set -eu
part=$1
programs=$2
make_capture=$3
window_message=$4
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
room=$(mktemp -d)
running=
view=
cleanup() {
    for pid in $running; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$room"
}
trap cleanup EXIT
fail() { echo "window_drive: $1"; cat "$view" 2>/dev/null || true; cat "$room/viewer.log" 2>/dev/null || true; exit 1; }

Xvfb ":$((100 + $$ % 50000))" -displayfd 3 -noreset -screen 0 1400x900x24 3>"$room/number" 2>"$room/xvfb.log" &
running="$!"
for _ in $(seq 200); do [ -s "$room/number" ] && break; sleep 0.1; done
[ -s "$room/number" ] || { echo "skipped: Xvfb does not start here"; exit 77; }
DISPLAY=":$(cat "$room/number")"
export DISPLAY XDG_CONFIG_HOME="$room/config" SLA_RUNTIME_DIR="$room/run"
unset WAYLAND_DISPLAY
mkdir -m 700 "$SLA_RUNTIME_DIR"
for _ in $(seq 100); do xdotool getdisplaygeometry >/dev/null 2>&1 && break; sleep 0.1; done

open_window() { # arguments of the viewer
    "$programs/sla-viewer" "$@" --size 1280x800 2>"$room/viewer.log" &
    viewer=$!
    running="$viewer $running"
    window=
    for _ in $(seq 300); do
        window=$(xdotool search --name 'Soft Logic Analyzer' 2>/dev/null | head -n 1) && [ -n "$window" ] && break
        kill -0 "$viewer" 2>/dev/null || fail "the viewer ended early"
        sleep 0.1
    done
    [ -n "$window" ] || fail "no window appeared"
    xdotool windowfocus --sync "$window" 2>/dev/null || true
    for _ in $(seq 300); do "$window_message" sla-viewer drawn && break; sleep 0.1; done
    settle 12
}
# What it was told is done, and shown: a tap takes two frames, a glide 0.12 s, which are eight at the most.
settle() { "$window_message" sla-viewer frames "${1:-6}" || fail "the window takes no input any more"; }
close_window() {
    kill "$viewer"
    status=0
    wait "$viewer" || status=$?
    [ "$status" -eq 0 ] || fail "the viewer ended with $status"
}
at() { xdotool mousemove --window "$window" "$1" "$2"; settle 4; }
# Taps, over before the window draws its next frame.
press() {
    for chord in "$@"; do
        xdotool key --delay 0 "$chord"
        settle
    done
}
said() { python3 -c "import json,sys; v=json.load(open('$1')); print($2)"; }

capture() { # makes few.sla, whose window's arrangement is $view
    "$make_capture" "$room/few.sla" --shape few
    view=$room/few.sla.view.json
}
place_cursors() {
    at 640 200
    press 1
    xdotool click 1; settle 4
    at 840 200
    press 2
    xdotool click 1; settle 4
}
export_to() {
    press ctrl+e
    press ctrl+a
    xdotool type --delay 50 "$1"
    press Return
    for _ in $(seq 100); do [ -s "$1" ] && break; sleep 0.1; done
    [ -s "$1" ] || fail "nothing was exported"
    press Escape
}

measure() {
    capture
    open_window "$room/few.sla"
    place_cursors
    at 700 200
    press m
    press ctrl+z            # takes the marker back, and nothing else
    close_window
    [ -s "$view" ] || fail "how the capture is arranged was not kept beside it"
    [ "$(said "$view" "v['cursor_b'] > v['cursor_a']")" = True ]  || fail "A and B do not stand as they were placed"
    [ "$(said "$view" "len(v['notes']['markers'])")" = 0 ] || fail "undo did not take the marker back"
}

# What is searched for is no part of what is exported.
export_all() {
    capture
    open_window "$room/few.sla"
    press ctrl+f
    xdotool type --delay 60 "value > 3"
    press Return
    export_to "$room/window.csv"
    close_window
    "$programs/sla" export "$room/few.sla" --format csv -o "$room/command.csv"
    cmp "$room/window.csv" "$room/command.csv" || fail "the window's export is not the command's"
}

# Opened again it is as it was left; it zooms at the pointer and pans.
view() {
    capture
    open_window "$room/few.sla"
    place_cursors
    press f f
    at 700 300
    xdotool click --repeat 6 --delay 100 4
    settle 16
    close_window
    zoomed=$(said "$view" "v['shown']['ticks_per_pixel']")
    first=$(said "$view" "v['shown']['first_tick']")
    open_window "$room/few.sla"
    at 700 300
    xdotool mousedown 1; settle 4
    xdotool mousemove_relative -- -100 0; settle 4
    xdotool mousemove_relative -- -100 0; settle 4
    xdotool mouseup 1; settle 16
    close_window
    [ "$(said "$view" "'cursor_a' in v and 'cursor_b' in v")" = True ] || fail "the cursors were forgotten"
    [ "$(said "$view" "abs(v['shown']['ticks_per_pixel'] / $zoomed - 1) < 0.01")" = True ] || fail "panning changed the zoom"
    [ "$(said "$view" "v['shown']['first_tick'] - $first > 150 * $zoomed")" = True ] ||
        fail "a drag to the left did not pan from $first at $zoomed"
}

# Files dropped on it are opened beside it, whatever their names; what is no capture opens nothing.
drop() {
    capture
    "$make_capture" "$room/a b%.sla" --shape few
    echo nonsense >"$room/no capture.sla"
    open_window "$room/few.sla"
    "$window_message" sla-viewer drop \
        "$(printf 'file://%s/no%%20capture.sla\r\nfile://%s/a%%20b%%25.sla\r\n' "$room" "$room")" || fail "it takes no files"
    sleep 2
    at 640 200
    press m
    close_window
    [ ! -e "$view" ] || [ "$(said "$view" "len(v['notes']['markers'])")" = 0 ] || fail "the marker went to what was there before"
    view="$room/a b%.sla.view.json"
    [ -s "$view" ] || fail "what was dropped was not opened"
    [ "$(said "$view" "len(v['notes']['markers'])")" = 1 ] || fail "what was dropped is not shown"
}

# Connects to an agent, and sees events come; closed by its own button it asks, since the newest event is in no file.
agent() {
    "$programs/sla-agent" >"$room/agent.log" 2>&1 &
    running="$! $running"
    for _ in $(seq 100); do [ -S "$SLA_RUNTIME_DIR/agent.sock" ] && break; sleep 0.1; done
    "$programs/sla" mark hello 1
    open_window
    "$programs/sla" mark hello 2
    at 640 200
    press m
    export_to "$room/live.csv"
    grep -q hello "$room/live.csv" || fail "the agent's events did not reach the window"
    "$programs/sla" mark hello 3
    sleep 1
    "$window_message" sla-viewer close
    settle 20
    kill -0 "$viewer" 2>/dev/null || fail "it closed without a question"
    press Right         # from Export to Quit
    xdotool key --delay 0 Return
    for _ in $(seq 100); do kill -0 "$viewer" 2>/dev/null || break; sleep 0.1; done
    status=0
    wait "$viewer" || status=$?
    [ "$status" -eq 0 ] || fail "asked and answered, the viewer ended with $status"
    [ -s "$XDG_CONFIG_HOME/sla/viewer.json" ] || fail "the settings were not kept"
}

case $part in
    measure) measure ;;
    export) export_all ;;
    view) view ;;
    drop) drop ;;
    agent) agent ;;
    *) echo "window_drive: there is no '$part'; there are measure, export, view, drop and agent." >&2; exit 2 ;;
esac
[ "$part" = agent ] || grep -q few.sla "$XDG_CONFIG_HOME/sla/viewer.json" || fail "the capture is not among the recent files"
echo "the window did as it was told"
