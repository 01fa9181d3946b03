#!/bin/sh
# The real window on a display of its own: opens a capture, is there with its title, lives through mouse and keys, and ends
# with 0 and its settings saved when told to.
# Usage: window_smoke.sh SLA-VIEWER SLA-MAKE-CAPTURE WINDOW-MESSAGE
set -eu
window_message=$3
for tool in Xvfb xdotool; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
room=$(mktemp -d)
display=
cleanup() {
    if [ -n "$display" ]; then # waited for: an X server that is ending takes the next one's socket with it
        kill "$display" 2>/dev/null || true
        wait "$display" 2>/dev/null || true
    fi
    rm -rf "$room"
}
trap cleanup EXIT
"$2" "$room/few.sla" --shape few

# A display that no other test takes meanwhile; Xvfb writes its number once it is there.
Xvfb ":$((100 + $$ % 50000))" -displayfd 3 -noreset -screen 0 1280x800x24 3>"$room/number" 2>"$room/xvfb.log" &
display=$!
for _ in $(seq 100); do
    [ -s "$room/number" ] && break
    sleep 0.1
done
[ -s "$room/number" ] || { echo "skipped: Xvfb does not start here"; cat "$room/xvfb.log"; exit 77; }
DISPLAY=":$(cat "$room/number")"
export DISPLAY
unset WAYLAND_DISPLAY
for _ in $(seq 100); do # it may have said its number before it takes clients
    xdotool getdisplaygeometry >/dev/null 2>&1 && break
    sleep 0.1
done

# await_window INPUT TABLE COMMAND...: a window of it has shown its capture, of which TABLE is written then, for some frames; sets
# $viewer and $window.
await_window() {
    input=$1
    table=$2
    shift 2
    XDG_CONFIG_HOME="$room/config" env --default-signal=HUP "$@" --size 1000x600 --export-table "$table" <"$input" 2>"$room/viewer.log" &
    viewer=$!
    window=
    for _ in $(seq 400); do
        window=$(xdotool search --name 'Soft Logic Analyzer' 2>/dev/null | head -n 1)
        [ -n "$window" ] && [ -s "$table" ] && break
        kill -0 "$viewer" 2>/dev/null || { echo "the viewer ended early:"; cat "$room/viewer.log"; exit 1; }
        sleep 0.1
    done
    [ -n "$window" ] || { echo "no window appeared"; exit 1; }
    [ -s "$table" ] || { echo "the window did not show its capture"; exit 1; }
    draw_frames
}
draw_frames() { "$window_message" sla-viewer frames 20 || { echo "the window takes no input"; cat "$room/viewer.log"; exit 1; }; }
# It lives, and ends well when it is told to.
end_window() {
    kill -0 "$viewer" || { echo "the viewer died:"; cat "$room/viewer.log"; exit 1; }
    kill "-${1:-TERM}" "$viewer"
    status=0
    wait "$viewer" || status=$?
    [ "$status" -eq 0 ] || { echo "the viewer ended with $status"; cat "$room/viewer.log"; exit 1; }
}

await_window /dev/null "$room/shown.csv" "$1" "$room/few.sla"
xdotool mousemove --window "$window" 600 300 click 4 key f
draw_frames
end_window HUP # as when its terminal is closed
[ -s "$room/config/sla/viewer.json" ] || { echo "the settings were not saved"; exit 1; }

# Where nobody can be told what went wrong, the exit code still says that something did.
status=0
"$1" --headless --frames 2 --screenshot "$room/no/such/place.png" "$room/few.sla" 2>/dev/full || status=$?
[ "$status" -eq 3 ] || { echo "with standard error full it ended with $status"; exit 1; }

# The table is that of what is named first, or none.
XDG_CONFIG_HOME="$room/config" "$1" --size 1000x600 --export-table "$room/first.csv" "$room/not_there.sla" "$room/few.sla" 2>"$room/viewer.log" &
viewer=$!
for _ in $(seq 400); do
    "$window_message" sla-viewer frames 20 2>/dev/null && break
    sleep 0.1
done
kill "$viewer"
status=0
wait "$viewer" || status=$?
[ "$status" -ne 0 ] && [ ! -e "$room/first.csv" ] || { echo "the table of another capture was written, and it ended with $status"; exit 1; }
grep -q first.csv "$room/viewer.log" || { echo "nobody was told that there is no table"; cat "$room/viewer.log"; exit 1; }

# What is piped in is shown like the file, and nobody is offered to come back to it.
mkfifo "$room/pipe"
cat "$room/few.sla" >"$room/pipe" &
await_window "$room/pipe" "$room/piped.csv" "$1" -
end_window
"$1" --headless --export-table "$room/named.csv" "$room/few.sla"
cmp "$room/piped.csv" "$room/named.csv" || { echo "piped in it is another capture"; exit 1; }
grep -q few.sla "$room/config/sla/viewer.json" || { echo "the capture is not among the recent ones"; exit 1; }
if grep /proc/ "$room/config/sla/viewer.json"; then echo "a descriptor is among the recent captures"; exit 1; fi
