#!/bin/sh
# Installs the Debian packages that are missing, and says which and what for. Quick when nothing is missing.
#
#   sh tests/support/install.sh SET...      SET: build, test, demo, fleet, fuzz, change
#   sh tests/support/install.sh --list SET...   only names the packages of the sets
#
# Ends with 0 when everything needed is there, 3 when it is not and cannot be had.
set -eu

# What the programs are made of.
build_packages="g++ cmake ninja-build pkg-config ccache mold nasm protobuf-compiler libprotobuf-dev libboost-dev
libcli11-dev libfmt-dev libspdlog-dev libzip-dev zlib1g-dev libzstd-dev libxxhash-dev nlohmann-json3-dev libunicorn-dev libx86emu-dev libzydis-dev
libtraceevent-dev libelf-dev libsqlite3-dev libedit-dev libre2-dev libssl-dev libnats-dev
libimgui-dev libstb-dev libfreetype-dev libfontconfig-dev libglfw3-dev libgl-dev libopengl-dev libegl-dev"
# Tools that must be able to read what `sla export` writes, and what proto/python stands on.
exchange_packages="gtkwave sigrok-cli babeltrace2 python3 python3-protobuf python3-zstandard"
# What the window needs to draw, with a display or without.
window_packages="libegl1 libegl-mesa0 libgl1-mesa-dri fonts-dejavu-core"

# Software that the emulated PC runs, unchanged.
guest_packages="seabios grub-pc-bin grub-common memtest86+"
# A debugger for the emulated PC.
debugger_packages="gdb"
# A real virtual machine beside the emulated one, for the Linux host's events, and what these are compared with.
host_packages="qemu-system-x86 trace-cmd libcap2-bin"
# promtool, which checks the agent's metrics.
metrics_packages="prometheus"
# A machine to log in to, for addresses of ssh; a client of TLS that is not ours.
remote_packages="openssh-client openssh-server openssl"
# The cluster of a fleet.
fleet_packages="nats-server"
# What checks the Debian packages that cpack makes.
package_tools="lintian dpkg-dev"

packages_of() {
    case $1 in
        build) echo "$build_packages" ;;
        test)
            echo "$window_packages $guest_packages $debugger_packages $host_packages $exchange_packages $metrics_packages $remote_packages $fleet_packages $package_tools"
            echo "libgtest-dev libgmock-dev libbenchmark-dev libx11-dev xvfb xauth xdotool"
            ;;
        demo) echo "$window_packages" ;;
        fleet) echo "$fleet_packages" ;;
        fuzz) echo "clang libclang-rt-dev llvm" ;;
        change) echo "clang-tidy" ;;
        *) echo "install.sh: unknown package set '$1'; there are build, test, demo, fleet, fuzz and change." >&2; exit 2 ;;
    esac
}

purpose_of() {
    case $1 in
        build) echo "to build the programs" ;;
        test) echo "to build and run the tests" ;;
        demo) echo "to draw the window" ;;
        fleet) echo "to run a fleet's servers" ;;
        fuzz) echo "to build and run the fuzzers" ;;
        change) echo "to look closer at what changed" ;;
    esac
}

is_installed() {
    status=$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) && [ "$status" = installed ]
}

give_up() {
    echo "install.sh: $1" >&2
    echo "These packages (Debian 12 names) are needed, then run the same command again:" >&2
    echo " $2" >&2
    exit 3
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"
}

list_only=no
if [ "${1:-}" = --list ]; then
    list_only=yes
    shift
fi
all=""
missing=""
for set_name in "$@"; do
    names=$(packages_of "$set_name")
    all="$all $names"
    [ "$list_only" = no ] || continue
    absent=""
    for package in $names; do
        case " $missing " in *" $package "*) continue ;; esac
        if ! command -v dpkg-query >/dev/null 2>&1 || ! is_installed "$package"; then absent="$absent $package"; fi
    done
    [ -z "$absent" ] || echo "Missing $(purpose_of "$set_name"):$absent"
    missing="$missing$absent"
done
if [ "$list_only" = yes ]; then
    for package in $all; do echo "$package"; done | sort -u
    exit 0
fi
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null 2>&1 ||
    give_up "this system has no apt-get, so nothing can be installed here (SLA is made for Debian 12)." "$missing"
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    give_up "installing packages needs root, and there is no sudo. Run this once as root, or install by hand." "$missing"
fi

echo "Installing them with apt-get ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086  # the package list is meant to be split
if ! { apt_get update && apt_get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    give_up "apt-get failed, see above." "$missing"
fi
echo "Installed."
