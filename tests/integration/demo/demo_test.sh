#!/bin/sh
# One case of the demo test; CMakeLists.txt lists them and sets the environment.
set -eu
case_name=$1
rm -rf "$SLA_SANDBOX"
mkdir -p "$SLA_SANDBOX/tmp" "$SLA_SANDBOX/programs"
# The demo's folder of sockets goes here; short, for a socket's name has 107 bytes, and ours alone.
TMPDIR=$(mktemp -d /tmp/sla-demo-test-XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
said=$SLA_SANDBOX/said

fail() { echo "demo_test.sh: $1"; echo "The demo said:"; cat "$said"; exit 1; }

wait_until() { # a command, asked again and again for up to 30 s
    tries=300
    until eval "$1" 2>/dev/null; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "waited in vain for: $1"
        sleep 0.1
    done
}

demo() { # arguments; its exit code goes to $status
    status=0
    sh "$SLA_DEMO" --headless --seconds 1 --output "$SLA_SANDBOX/output" "$@" >"$said" 2>&1 || status=$?
}

expect_said() { grep -qF -e "$1" "$said" || fail "it did not say '$1'"; }

# Nothing it started may live on, and nothing it made in the temporary folder may stay.
expect_clean() {
    for environment in $(grep -slz "^SLA_RUNTIME_DIR=$TMPDIR/" /proc/[0-9]*/environ); do
        process=${environment#/proc/}
        fail "process ${process%/environ} still runs: $(tr '\0' ' ' <"/proc/${process%/environ}/cmdline")"
    done
    [ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls -A "$TMPDIR")"
}

expect_picture() { # file, width, height: as the PNG itself says
    [ -s "$1" ] || fail "there is no $1"
    bytes=$(od -An -tu1 -j16 -N8 "$1" | tr -s ' \n' ' ')
    # shellcheck disable=SC2086  # eight numbers
    set -- "$1" "$2" "$3" $bytes
    if [ $(($6 * 256 + $7)) -ne "$2" ] || [ $((${10} * 256 + ${11})) -ne "$3" ]; then fail "$1 is not $2 by $3"; fi
}

# The real programs, but for one that a script takes the place of.
replace() { # program, script text
    for program in "$SLA_PROGRAMS"/*; do ln -sf "$program" "$SLA_SANDBOX/programs/"; done
    rm -f "$SLA_SANDBOX/programs/$1"
    printf '#!/bin/sh\n%s\n' "$2" >"$SLA_SANDBOX/programs/$1"
    chmod +x "$SLA_SANDBOX/programs/$1"
}

case $case_name in
    headless)
        demo --programs "$SLA_PROGRAMS"
        [ "$status" -eq 0 ] || fail "exit code $status"
        expect_clean
        expect_picture "$SLA_SANDBOX/output/viewer-1280x720.png" 1280 720
        expect_picture "$SLA_SANDBOX/output/viewer-2560x1440.png" 2560 1440
        columns=index,tick,time_ns,source,thread,channel,kind,value,text,delta_any_ns,delta_channel_ns,error_ns
        head -n 1 "$SLA_SANDBOX/output/table.csv" | grep -q "^$columns" || fail "table.csv has other columns"
        for channel in pipeline.read pipeline.compress.1 pipeline.write pipeline.file pipeline.queue.in pipeline.ratio irq.0 port.; do
            grep -qF -e ",$channel" "$SLA_SANDBOX/output/table.csv" || fail "table.csv has no $channel"
            grep -qF -e "$channel" "$SLA_SANDBOX/output/channels.txt" || fail "channels.txt has no $channel"
        done
        [ -s "$SLA_SANDBOX/output/stats.txt" ] || fail "stats.txt is empty" ;;
    fleet)
        demo --fleet --programs "$SLA_PROGRAMS"
        [ "$status" -eq 0 ] || fail "exit code $status"
        expect_clean
        expect_picture "$SLA_SANDBOX/output/fleet-1280x720.png" 1280 720
        for channel in "pipeline on alpha" "pipeline on bravo" "pipeline on charlie" "emulated PC on delta"; do
            grep -qF -e "$channel" "$SLA_SANDBOX/output/fleet-channels.txt" || fail "fleet-channels.txt has no $channel"
        done
        expect_said '4 hosts, 4 live'
        for host in alpha bravo charlie delta; do
            grep -q "^$host  *live " "$SLA_SANDBOX/output/fleet-hosts.txt" || fail "fleet-hosts.txt has no $host"
        done
        [ -s "$SLA_SANDBOX/output/fleet-stats.txt" ] || fail "fleet-stats.txt is empty" ;;
    fleet_host_dies)
        replace sla-agent 'echo there is no room for me; exit 3'
        demo --fleet --programs "$SLA_SANDBOX/programs"
        [ "$status" -eq 1 ] || fail "exit code $status"
        expect_said 'there is no room for me'
        expect_clean ;;
    window)
        # Live on a display of its own, until the window is closed.
        Xvfb -displayfd 3 -noreset -screen 0 1280x720x24 -nolisten tcp 3>"$SLA_SANDBOX/display" 2>"$SLA_SANDBOX/xvfb.log" &
        xvfb=$!
        trap 'kill "$xvfb" 2>/dev/null || true; wait "$xvfb" 2>/dev/null || true; rm -rf "$TMPDIR"' EXIT
        wait_until "test -s '$SLA_SANDBOX/display'"
        DISPLAY=:$(cat "$SLA_SANDBOX/display")
        export DISPLAY
        sh "$SLA_DEMO" --programs "$SLA_PROGRAMS" >"$said" 2>&1 &
        script=$!
        # Live events would be lost: it asks, and who closes it again a second later means it.
        wait_until "'$SLA_WINDOW_MESSAGE' sla-viewer close"
        wait_until "! kill -0 $script || { '$SLA_WINDOW_MESSAGE' sla-viewer close; false; }"
        status=0
        wait "$script" || status=$?
        [ "$status" -eq 0 ] || fail "exit code $status"
        expect_said 'The window was closed'
        expect_clean ;;
    wrong_use)
        for arguments in --nonsense '--seconds x' --seconds; do
            # shellcheck disable=SC2086  # an option and its value
            demo --programs "$SLA_PROGRAMS" $arguments
            [ "$status" -eq 2 ] || fail "exit code $status for $arguments"
        done
        expect_clean ;;
    agent_dies)
        replace sla-agent 'echo there is no room for me; exit 3'
        # What one that was killed left goes; what is still used, or is not known to be a demo's, stays.
        mkdir "$TMPDIR/sla-demo-killed" "$TMPDIR/sla-demo-lives1" "$TMPDIR/sla-demo-other1"
        : >"$TMPDIR/sla-demo-killed/owner.lock"
        exec 8>"$TMPDIR/sla-demo-lives1/owner.lock"
        flock -n 8
        demo --programs "$SLA_SANDBOX/programs" 8>&-
        rmdir "$TMPDIR/sla-demo-other1" || fail "it removed what was not its own"
        rm "$TMPDIR/sla-demo-lives1/owner.lock" && rmdir "$TMPDIR/sla-demo-lives1" || fail "it removed what is still used"
        [ "$status" -eq 1 ] || fail "exit code $status"
        expect_said 'agent ended too early'
        expect_said 'there is no room for me'
        expect_clean ;;
    pc_dies)
        replace sla-emu 'echo smoke rises; exit 3'
        demo --programs "$SLA_SANDBOX/programs"
        [ "$status" -eq 1 ] || fail "exit code $status"
        expect_said 'pc ended too early'
        expect_said 'smoke rises'
        expect_clean ;;
    interrupted)
        # As a terminal's Ctrl+C or a service's stop would end it, in the middle of recording.
        sh "$SLA_DEMO" --headless --seconds 60 --output "$SLA_SANDBOX/output" --programs "$SLA_PROGRAMS" >"$said" 2>&1 &
        script=$!
        wait_until "grep -q '^Recording' '$said'"
        kill -TERM "$script"
        status=0
        wait "$script" || status=$?
        [ "$status" -eq 143 ] || fail "exit code $status"
        expect_clean ;;
    *)
        fail "unknown case '$case_name'" ;;
esac
rm -rf "$SLA_SANDBOX"
