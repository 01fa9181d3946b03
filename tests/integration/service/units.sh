#!/bin/sh
# systemd itself reads the two user units, with the agent of this build in them.
#
#   units.sh FOLDER_OF_UNITS AGENT
#
# Ends with 77 (skipped) without systemd-analyze.
set -eu
command -v systemd-analyze >/dev/null 2>&1 || { echo "skipped: there is no systemd-analyze"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/run"
sed "s|^ExecStart=/usr/bin/sla-agent|ExecStart=$2|" "$1/sla-agent.service" >"$work/sla-agent.service"
cp "$1/sla-agent.socket" "$work/"
grep -q "^ExecStart=$2" "$work/sla-agent.service" || { echo "the unit starts another program"; exit 1; }
XDG_RUNTIME_DIR=$work/run systemd-analyze verify --user --man=no "$work/sla-agent.socket" "$work/sla-agent.service" >"$work/said" 2>&1 ||
    { cat "$work/said"; exit 1; }
# What it does not know it only warns of.
[ ! -s "$work/said" ] || { cat "$work/said"; exit 1; }
