#!/bin/sh
# One case of the package test; CMakeLists.txt lists them and sets the environment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case_name=$1
# Installed here first, then moved, so that a path left in an installed file shows.
first=$SLA_SANDBOX/first
prefix="$SLA_SANDBOX/moved tree"
work=$SLA_SANDBOX/$case_name
export SLA_RUNTIME_DIR="$work/no-agent-here"

fail() { echo "package_test.sh: $1" >&2; exit 1; }

fresh_work() { rm -rf "$work"; mkdir -p "$work"; }

build_with_cmake() { # the outside project's target
    fresh_work
    "$CMAKE" -G Ninja -S "$here/outside" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DOUTSIDE="$1"
    "$CMAKE" --build "$work/build"
}

expect_output() { # program, what it must print
    printed=$("$1") || fail "$1 failed with exit code $?"
    [ "$printed" = "$2" ] || fail "$1 printed '$printed', expected '$2'"
}

pkg_config() { PKG_CONFIG_PATH="$prefix/lib/pkgconfig:$prefix/lib/x86_64-linux-gnu/pkgconfig" pkg-config "$@"; }

case $case_name in
    install)
        rm -rf "$SLA_SANDBOX"
        "$CMAKE" --install "$SLA_BUILD" --prefix "$first"
        mv "$first" "$prefix" ;;
    remove)
        rm -rf "$SLA_SANDBOX" ;;
    layout)
        [ "$(find "$prefix/include" -type f | sed "s|.*/include/||" | sort | tr '\n' ' ')" = "sla/count.h sla/macros.h sla/marker.h sla/moment.h sla/ring_abi.h sla/write.h " ] ||
            fail "other headers are installed than the public ones"
        for file in $(find "$prefix" -name '*.cmake' -o -name '*.pc' | tr ' ' '?'); do
            # shellcheck disable=SC2086  # the ? stands for the blank in the folder's name
            if grep -nF -e "$first" -e "$SLA_BUILD" $file; then fail "$file holds a path of the build"; fi
        done
        for program in "$prefix"/bin/sla*; do
            [ -e "$program" ] || break
            "$program" --help >/dev/null || fail "$program --help failed"
        done ;;
    find_package_cxx17)
        build_with_cmake cxx17
        expect_output "$work/build/program" "program 4, shared object 3" ;;
    find_package_c11)
        build_with_cmake c11
        expect_output "$work/build/program" "c11 7" ;;
    pkg_config)
        fresh_work
        pkg_config --exists 'sla-marker >= 0.1' || fail "pkg-config does not find sla-marker"
        # pkg-config quotes the blank of the folder's name for a shell
        eval "\"$CC\" $CFLAGS -std=c11 -pedantic -Wall -Wextra -Werror \"$here/outside/c11.c\" -o \"$work/program\" \
            $(pkg_config --cflags --libs sla-marker)"
        expect_output "$work/program" "c11 7" ;;
    disabled)
        # Without the library: nothing of the markers may be left.
        fresh_work
        eval "\"$CC\" $CFLAGS -DSLA_DISABLE -std=c11 -pedantic -Wall -Wextra -Werror \"$here/outside/c11.c\" \
            -o \"$work/c11\" $(pkg_config --cflags sla-marker)"
        expect_output "$work/c11" "c11 0"
        eval "\"$CXX\" $CXXFLAGS -DSLA_DISABLE -std=c++17 -pedantic -Wall -Wextra -Werror \"$here/outside/program.cpp\" \
            \"$here/outside/shared.cpp\" -o \"$work/cxx17\" $(pkg_config --cflags sla-marker)"
        expect_output "$work/cxx17" "program 0, shared object 0" ;;
    wrong_version)
        fresh_work
        if "$CMAKE" -G Ninja -S "$here/outside" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DOUTSIDE=c11 \
            -DWANTED_VERSION=99.0 >"$work/log" 2>&1; then
            fail "find_package(sla 99.0) was satisfied"
        fi
        grep -q 'requested version "99.0"' "$work/log" || { cat "$work/log"; fail "the refusal does not name the version"; } ;;
    *)
        fail "unknown case '$case_name'" ;;
esac
