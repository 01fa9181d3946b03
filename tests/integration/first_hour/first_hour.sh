#!/bin/sh
# What a new user tries in the first hour on the command line, step by step, and what it must answer. Every step is tried; those
# that fail are named at the end.   first_hour.sh files|agent   SLA_PROGRAMS: the folder with sla, sla-agent and sla-control-program.
set -u
PATH=$SLA_PROGRAMS:$PATH
room=$(mktemp -d /tmp/sla-first-hour-XXXXXX)
export SLA_RUNTIME_DIR="$room/run" XDG_CONFIG_HOME="$room/config"
mkdir -m 700 "$room/run"
cd "$room" || exit 1
failures=0
agent= program=
tidy() {
    for process in $program $agent; do kill "$process" 2>/dev/null; done
    wait
    cd / && rm -rf "$room"
}
trap tidy EXIT

wrong() { echo "first_hour: $step: $1"; sed 's/^/    /' "$room/said"; failures=$((failures + 1)); }

# step WORDS CODE COMMAND...: runs it; stdout goes to `out`, stderr to `said`.
step() {
    step=$1 wanted=$2
    shift 2
    status=0
    "$@" >"$room/out" 2>"$room/said" </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || wrong "exit code $status, not $wanted"
}
says() { grep -qF -e "$1" "$room/said" || wrong "stderr has no '$1'"; }
prints() { grep -qF -e "$1" "$room/out" || wrong "stdout has no '$1': $(head -n 3 "$room/out")"; }
prints_not() { if grep -qF -e "$1" "$room/out"; then wrong "stdout has '$1'"; fi; }
wait_for() { tries=200; until "$@" || [ "$tries" -eq 0 ]; do sleep 0.05; tries=$((tries - 1)); done; }
fits() {
    longest=$(LC_ALL=C.UTF-8 awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }' "$room/out")
    [ "$longest" -le 120 ] || wrong "a line of $longest characters"
}

on_files() {
    step "a program's exit code is passed on" 7 sla record -o seven.sla -- sh -c 'exit 7'
    says "exited with code 7"
    says "nothing was marked"
    step "so is its death by a signal" 143 sla record -o killed.sla -- sh -c 'kill -TERM $$'
    says "signal 15"
    step "a recording ended by --for is done" 0 sla record -o for.sla --for 300ms -- sleep 20
    step "a program that is not there" 3 sla record -o none.sla -- ./no-such-program
    step "a recording of some events" 0 sla record -o run.sla -- sla-control-program 2000
    first=$(sla table run.sla --format csv | sed -n '2s/^[^,]*,[^,]*,\([0-9]*\).*/\1/p')
    until="$((first + 20000))ns"
    step "a capture under a false name" 2 sla record -o run.csv -- true
    says "would be a false name"

    step "a slip in the name of a channel" 1 sla find run.sla 'ctl.valeu > 5'
    says "no channel is called 'ctl.valeu' (did you mean 'ctl.value'?)"
    step "the same elsewhere" 1 sla table run.sla --channel ctl.vlaue
    says "did you mean 'ctl.value'?"
    step "and of a pair" 1 sla stats run.sla --pair ctl.span:ctl.txet
    says "did you mean 'ctl.text'?"
    step "one language: what a filter says, a search says" 0 sla find run.sla "channel ~ 'ctl.val*' and value > 5" --format csv
    cp out by_field
    step "and a trigger" 0 sla find run.sla 'ctl.val* > 5' --format csv
    cmp -s out by_field || wrong "the two ways to say it find different places"
    step "and a limit" 0 sla check run.sla --limit "count channel ~ 'ctl.val*' > 5"
    step "a filter takes a channel beside a number too" 0 sla table run.sla --filter 'ctl.value > 5' --format csv
    tail -n +2 out | cut -d, -f2 >by_filter
    step "as find does" 0 sla find run.sla 'ctl.value > 5' --format csv
    tail -n +2 out | cut -d, -f2 | cmp -s - by_filter || wrong "the two find different events"
    step "and a limit on such events" 0 sla check run.sla --limit "count ctl.value > 5 == $(wc -l <by_filter)"
    step "find takes fields alone" 0 sla find run.sla 'value > 5 and channel == ctl.value' --format csv
    tail -n +2 out | cut -d, -f2 | cmp -s - by_filter || wrong "they find others"
    step "a part as a table" 0 sla table run.sla --channel 'ctl.val*' --from "${first}ns" --to "$until" -o part.csv
    [ "$(wc -l <part.csv)" -gt 1 ] || wrong "there is nothing in it"
    step "the window writes the same" 0 sla-viewer --headless --frames 2 --channel 'ctl.val*' --from "${first}ns" --to "$until" --export-table shown.csv run.sla
    cmp -s part.csv shown.csv || wrong "it is another table"
    step "a slip in a filter" 1 sla table run.sla --filter 'ctl.vlaue > 5'
    says "did you mean 'ctl.value'?"
    step "a verdict that cannot be told, as JUnit" 1 sla check run.sla --limit 'gap nosuch < 5ms' --junit verdicts.xml
    grep -q 'cannot tell' verdicts.xml || wrong "verdicts.xml does not say it: $(cat verdicts.xml)"
    if grep -q 'cannot tell: *;' verdicts.xml; then wrong "verdicts.xml breaks off in the middle of a sentence"; fi
    step "find without a capture or an agent" 3 sla find 'ctl.value > 5'
    says "no capture is named"
    step "a command with a slip" 2 sla tabel run.sla
    says "sla: there is no command 'tabel' (did you mean 'table'?)"

    step "a format by the ending" 0 sla export run.sla -o run.json
    grep -q '"index"' run.json || wrong "it is no table as json"
    step "another one" 0 sla export run.sla -o run.vcd
    grep -q 'timescale' run.vcd || wrong "it is no vcd"
    step "an unknown ending of an export" 2 sla export run.sla -o run.yaml
    [ ! -e run.yaml ] || wrong "run.yaml was written"
    step "an unknown ending of a table" 2 sla table run.sla -o run.yaml
    says ".csv, .tsv, .json, .jsonl or .txt"
    step "a picture that is none" 2 sla draw run.sla -o run.jpg
    says "PNG"
    step "--to is a time with export too" 0 sla export run.sla --format csv --to "$until" -o part.csv
    [ "$(cat part.csv 2>/dev/null | wc -l)" -lt 500 ] || wrong "part.csv is the whole"
    step "the old spelling still works" 0 sla export run.sla --to csv -o old.csv
    says "--format csv"
    step "a table without rows is a table" 0 sla table run.sla --from 1h
    says "no events there"

    step "channels for people" 0 sla channels run.sla --format text
    fits
    prints_not "_ns"
    step "statistics for people" 0 sla stats run.sla --format text
    fits
    prints "span width"
    prints_not "_ns"
    awk '$1 == "ctl.span" && / event to event / { exit 1 }' out || wrong "begin to end and end to begin stand in one row"
    step "a table for people" 0 sla table run.sla --format text --to "$until"
    fits
    step "and in nanoseconds" 0 sla table run.sla --raw --to "$until"
    prints "time_ns"
    step "the contract's columns" 0 sla table run.sla --format csv --to "$until"
    prints "index,tick,time_ns,source,thread,channel,kind,value,text,delta_any_ns,delta_channel_ns,error_ns"

    printf '%s\n' 'sh  77 [001] 10.000001: sched:sched_switch: a ==> b' 'sh  77 [001] 10.000002:  250000 cycles: ' '	7f0a main+0x10 (sh)' >perf.txt
    step "the text of perf script" 0 sla import perf.txt -o perf.sla
    says "imported 2 events on 2 channels from perf-script"
    step "a trace for Perfetto" 0 sla export run.sla -o run.pftrace
    step "and back" 0 sla import run.pftrace -o back.sla
    says "from perfetto"
    [ "$(sla table run.sla --format csv | wc -l)" -eq "$(sla table back.sla --format csv | wc -l)" ] || wrong "rows are missing"
}

on_an_agent() {
    sla-agent 2>agent.log &
    agent=$!
    wait_for [ -S "$room/run/agent.sock" ]
    sla-control-program >program.log &
    program=$!
    is_marked() { sla channels --format csv 2>/dev/null | grep -q '^ctl\.value,'; }
    wait_for is_marked

    step "a pattern that matches nothing yet" 0 sla set 'nosuch*' --off
    says "no channel is called 'nosuch*'"
    step "a pattern that matches" 0 sla set 'ctl.*' --on
    [ ! -s said ] || wrong "it had something to say"
    step "a negative value" 0 sla mark load -5
    step "an agent is named the same way everywhere" 0 sla channels --address "unix:$room/run/agent.sock"
    step "also where the word is enough" 0 sla top --once --address "unix:$room/run/agent.sock" --format csv
    step "find asks the agent" 0 sla find 'load == -5' --format csv
    says "no capture is named"
    lasts() { sla channels --format csv 2>/dev/null | awk -F, '$1 == "ctl.counter" && $8 - $7 > 6e8 { found = 1 } END { exit !found }'; }
    wait_for lasts
    # In the middle of what there is of that channel, wherever a busy machine let it lie.
    middle=$(sla channels --format csv | awk -F, '$1 == "ctl.counter" { printf "%d", ($7 + $8) / 2e6 }')
    step "a part of what the agent holds" 0 sla table --from "$((middle - 100))ms" --to "$((middle + 100))ms" --channel ctl.counter --format csv
    [ "$(wc -l <out)" -gt 2 ] || wrong "there is nothing in it"
    step "costs that part, not all that is held" 0 sla table -v --from "$((middle - 20))ms" --to "$((middle + 20))ms" --format csv
    read_events=$(sed -n 's/.*: \([0-9]*\) events on .*/\1/p' said)
    held_events=$(sla channels --format csv | awk -F, 'NR > 1 { all += $4 } END { print all }')
    [ "${read_events:-0}" -gt 0 ] && [ "$((read_events * 5))" -lt "$((held_events * 4))" ] || wrong "$read_events of $held_events events were read"
    step "a window begins with the last of what the agent holds" 0 sla-viewer --headless --frames 30 --history 1s --screenshot joined.png
    [ -s joined.png ] || wrong "there is no picture"
    step "or with all of it" 0 sla-viewer --headless --frames 30 --history all --screenshot whole.png
    [ -s whole.png ] || wrong "there is no picture"
    step "and says what it wants" 2 sla-viewer --headless --history soon --screenshot none.png
    says "--history wants a time, as 30s, or all"
    step "top for people" 0 sla top --once --format text
    fits

    step "less history of a channel" 0 sla set ctl.counter --keep 100ms
    not_kept() { awk -F, '$1 == "ctl.counter" && $NF > 0 { found = 1 } END { exit !found }' "$room/channels"; }
    is_given_up() { sla channels --format csv >channels 2>/dev/null && not_kept; }
    wait_for is_given_up
    step "what is no longer kept stands in a column of its own" 0 sla channels --format csv
    cp out channels
    not_kept || wrong "nothing is: $(grep ctl.counter out)"
}

case ${1-} in
    files) on_files ;;
    agent) on_an_agent ;;
    *) echo "first_hour: files or agent?"; exit 2 ;;
esac
[ "$failures" -eq 0 ] || { echo "first_hour: $failures steps went wrong"; exit 1; }
echo "first_hour: every step went well"
