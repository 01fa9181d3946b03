# shellcheck shell=sh disable=SC2034,SC2154  # variables of demo.sh
# A fleet on one machine, for demo.sh --fleet, which reads this: three NATS servers, and four hosts that publish to them. Each host
# has a name, a boot id and a monotonic clock of its own (namespaces), so that its ticks tell nothing of the other hosts' ticks.
hosts="alpha bravo charlie delta"
servers=""   # nats://...

is_free() { ! grep -qi "^ *[0-9]*: 0100007F:$(printf %04X "$1") " /proc/net/tcp; }

free_port() { # sets `port`, beginning behind the last one
    port=$((port + 1))
    until is_free "$port"; do port=$((port + 1)); done
}

start_servers() {
    port=$((20000 + $$ % 20000))
    routes=""
    for node in 1 2 3; do
        free_port; eval "client_$node=$port"
        free_port; eval "cluster_$node=$port"
        routes="$routes${routes:+, }\"nats://127.0.0.1:$port\""
    done
    for node in 1 2 3; do
        eval "client=\$client_$node cluster=\$cluster_$node"
        cat >"$room/nats-$node.conf" <<END
server_name: n$node
listen: "127.0.0.1:$client"
jetstream { store_dir: "$room/nats-$node", max_memory_store: 64MB, max_file_store: 2GB }
cluster { name: sla-demo, listen: "127.0.0.1:$cluster", routes: [$routes] }
END
        start "nats-$node" nats-server -c "$room/nats-$node.conf"
        servers="$servers${servers:+,}127.0.0.1:$client"
    done
    servers=nats://$servers
    sleep 1   # who asks before there is a leader waits five times as long for an answer
    tries=100
    until "$programs/sla" fleet setup "$servers" --fleet demo --bytes 128MiB >"$room/setup.log" 2>&1; do
        check_alive nats-1 nats-2 nats-3
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { show_log setup "the servers agreed on no leader."; exit 1; }
        sleep 0.3
    done
}

# host name, seconds that its clock is ahead, the program that is marked there: agent and program, until the host is ended.
write_host_script() {
    cat >"$room/host.sh" <<'END'
set -eu
room=$1 programs=$2 servers=$3 host=$4 apart=$5
shift 5
mkdir -p -m 700 "$room/run-$host"
export SLA_RUNTIME_DIR="$room/run-$host"
if [ "$apart" = yes ]; then
    hostname "$host"
    cat /proc/sys/kernel/random/uuid >"$room/boot-$host"
    mount --bind "$room/boot-$host" /proc/sys/kernel/random/boot_id
    export SLA_CLOCK=raw   # the time-stamp counter is the same for all of them, this clock is not
fi
agent="" program=""
# shellcheck disable=SC2086  # each a number, or nothing
trap 'kill -TERM $program $agent 2>/dev/null; wait; exit 0' TERM INT
"$programs/sla-agent" --publish "$servers" --fleet demo --host "$host" --spool-dir "$room/spool-$host" &
agent=$!
"$@" >/dev/null &
program=$!
wait "$agent" || true   # it should not end by itself
kill -TERM "$program" 2>/dev/null
wait
exit 1
END
}

start_hosts() {
    write_host_script
    apart=yes
    own="--user --map-root-user --time --uts --mount"
    # shellcheck disable=SC2086  # several words
    if ! unshare $own --monotonic 1 true 2>/dev/null; then
        apart=no
        echo "This system lets nobody make namespaces: the four hosts share this machine's clock."
    fi
    ahead=0
    for host in $hosts; do
        case $host in
            delta) what="$programs/sla-emu run --demo" ;;
            *) what=$programs/sla-example-pipeline ;;
        esac
        ahead=$((ahead + 1000))
        run="sh"
        [ "$apart" = no ] || run="unshare $own --monotonic $ahead sh"
        # shellcheck disable=SC2086  # several words
        start "$host" $run "$room/host.sh" "$room" "$programs" "$servers" "$host" "$apart" $what
    done
}

start_fleet() {
    start_servers
    start_hosts
    address=fleet:$servers/demo
    names="nats-1 nats-2 nats-3 $hosts"
    picture=fleet
    echo "Running: three NATS servers; the hosts $hosts, each with an agent and a marked program or an emulated PC."
}

write_fleet_tables() {
    "$programs/sla" fleet hosts "$servers" --fleet demo --format text -o "$output/fleet-hosts.txt"
    "$programs/sla" fleet status "$servers" --fleet demo --format text -o "$output/fleet-status.txt"
    "$programs/sla" channels "$address" --format text -o "$output/fleet-channels.txt"
    "$programs/sla" stats "$address" --format text -o "$output/fleet-stats.txt"
    cat <<END

Done; everything that was started is stopped. In $output:
  fleet-1280x720.png, fleet-2560x1440.png   the viewer's window on four hosts
  fleet-hosts.txt       the hosts, what they published, how good their clocks are
  fleet-status.txt      the servers' streams: how full, who leads
  fleet-channels.txt    every channel of every host
  fleet-stats.txt       delta-time statistics of every channel
END
}
