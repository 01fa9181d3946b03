#!/bin/sh
# Makes the Debian packages of a build and uses them where nothing else of it is: a root folder with the packages and what
# they depend on, no compiler, no build tree.
#
#   debian_packages.sh BUILD_FOLDER FOLDER pack PACKAGE         makes PACKAGE in FOLDER, and looks for what it must hold
#   debian_packages.sh BUILD_FOLDER FOLDER lint PACKAGE...      what lintian says of them; of sla without the manual's fifty pages
#   debian_packages.sh BUILD_FOLDER FOLDER lint-manual PACKAGE  what lintian says of those
#   debian_packages.sh BUILD_FOLDER FOLDER use                  runs what is packed, in a root of its own
#   debian_packages.sh BUILD_FOLDER FOLDER remove
#
# Ends with 77 (skipped) without root or without Debian's package tools.
set -eu
build=$1
packed=$2
part=$3
shift 3
package=${1-}
packages=$*
skip() { echo "skipped: $1"; exit 77; }
fail() { echo "debian_packages.sh: $1" >&2; exit 1; }
for tool in cpack dpkg-deb dpkg-query dpkg-shlibdeps; do
    command -v "$tool" >/dev/null 2>&1 || skip "there is no $tool"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

holds() { # path...
    deb=$(find "$packed/$package" -maxdepth 1 -name "${package}_*.deb")
    [ -f "$deb" ] || fail "there is no package $package"
    dpkg-deb -c "$deb" >"$work/contents"
    for path in "$@"; do grep -q " \./$path\$" "$work/contents" || fail "$package lacks /$path"; done
}

pack() {
    rm -rf "${packed:?}/$package"
    cpack -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -D "CPACK_COMPONENTS_ALL=$package" --config "$build/CPackConfig.cmake" \
        -B "$packed/$package" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "cpack failed"; }
    case $package in
        sla) holds usr/bin/sla usr/bin/sla-agent usr/share/man/man1/sla.1.gz usr/share/bash-completion/completions/sla \
            usr/share/zsh/site-functions/_sla usr/share/man/man1/sla-agent.1.gz usr/share/bash-completion/completions/sla-agent \
            usr/lib/systemd/user/sla-agent.service usr/lib/systemd/user/sla-agent.socket usr/share/doc/sla/copyright ;;
        sla-viewer) holds usr/bin/sla-viewer usr/share/applications/sla-viewer.desktop \
            usr/share/icons/hicolor/scalable/apps/sla-viewer.svg usr/share/man/man1/sla-viewer.1.gz \
            usr/share/bash-completion/completions/sla-viewer usr/share/mime/packages/sla-viewer.xml ;;
        sla-emu) holds usr/bin/sla-emu usr/share/man/man1/sla-emu-run.1.gz usr/share/zsh/site-functions/_sla-emu ;;
        libsla-marker-dev) holds usr/include/sla/marker.h ;;
        *) fail "there is no package $package" ;;
    esac
}

lint() { # lintian's options; of the packages that are asked for
    command -v lintian >/dev/null 2>&1 || skip "lintian is not installed: what it would say is not known"
    for each in $packages; do set -- "$@" "$packed/$each"/*.deb; done
    # Who publishes packages names himself (SLA_PACKAGE_CONTACT): the build's own default is no address.
    lintian --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$@" >"$work/findings" 2>&1 ||
        { cat "$work/findings" >&2; fail "lintian finds errors in $packages"; }
}

# lintian starts man and lexgrog for each of fifty pages; what it makes of their words are warnings, which would not count. Here they
# look at all pages at once, and a warning counts.
lint_manual() {
    mkdir "$work/none"
    for tool in man lexgrog; do ln -s /bin/true "$work/none/$tool"; done
    (PATH=$work/none:$PATH; lint --check-part documentation/manual)
    dpkg-deb -x "$packed/$package/"*.deb "$work/unpacked"
    pages=$work/unpacked/usr/share/man/man1
    lexgrog "$pages"/*.gz >"$work/findings" || { grep 'parse failed' "$work/findings" >&2; fail "whatis does not understand a page"; }
    zcat "$pages"/*.gz | groff -man -ww -z >"$work/findings" 2>&1
    [ ! -s "$work/findings" ] || { cat "$work/findings" >&2; fail "groff finds faults in a page"; }
}

case $part in
    pack) pack; exit ;;
    lint) if [ "$package" = sla ]; then lint --dont-check-part documentation/manual; else lint; fi; exit ;;
    lint-manual) lint_manual; exit ;;
    remove) rm -rf "$packed"; exit ;;
    use) ;;
    *) fail "there is no '$part'; there are pack, lint, lint-manual, use and remove" ;;
esac
[ "$(id -u)" -eq 0 ] || skip "only root may change into another root folder"
command -v unshare >/dev/null 2>&1 || skip "there is no unshare"
unshare -mpf true 2>/dev/null || skip "no mount namespace can be made here"

# All that the packages depend on, as it is installed here: of alternatives the first that is.
dpkg-query -W -f='${Package}\t${Provides}\t${Pre-Depends},${Depends}\n' >"$work/installed"
for deb in "$packed"/*/*.deb; do dpkg-deb -f "$deb" Depends; done | paste -sd, - >"$work/wanted"
echo "coreutils, dash, libgl1-mesa-dri, libegl-mesa0" >>"$work/wanted"  # to look around in there; a software display driver
awk -F '\t' '
    function names(list) { gsub(/\([^)]*\)|:any| /, "", list); return list }
    function take(list,    count, i, j, choices, alternatives, name) {
        count = split(names(list), choices, ",")
        for (i = 1; i <= count; i++) {
            split(choices[i], alternatives, "|")
            for (j = 1; j in alternatives; j++) {
                name = alternatives[j]
                if (!(name in depends)) name = provider[name]
                if (name == "") continue
                if (!(name in seen)) { seen[name]; queue[++last] = name }
                break
            }
        }
    }
    FILENAME == ARGV[1] {
        depends[$1] = $3
        count = split(names($2), provided, ",")
        for (i = 1; i <= count; i++) if (!(provided[i] in provider)) provider[provided[i]] = $1
        next
    }
    { take($0) }
    END { for (first = 1; first <= last; first++) { print queue[first]; take(depends[queue[first]]) } }
' "$work/installed" "$work/wanted" >"$work/packages"
root=$work/root
mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64" "$root/proc" "$root/dev" "$root/tmp" "$root/etc"
for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$root/$folder"; done
# shellcheck disable=SC2046  # a name each
dpkg-query -L $(cat "$work/packages") 2>/dev/null | sort -u | while read -r path; do
    if [ -L "$path" ] || [ -f "$path" ]; then echo "${path#/}"; fi
done >"$work/files"
tar -C / -cf - --no-recursion -T "$work/files" 2>/dev/null | tar -C "$root" --keep-directory-symlink -xf -
cp /etc/ld.so.cache /etc/ld.so.conf "$root/etc/"
[ ! -d /etc/fonts ] || cp -r /etc/fonts "$root/etc/"
for deb in "$packed"/*/*.deb; do dpkg-deb -x "$deb" "$root.deb" && tar -C "$root.deb" -cf - . | tar -C "$root" --keep-directory-symlink -xf -; done

cat >"$root/tmp/use.sh" <<'USE'
set -eu
for tool in cc gcc g++ cmake ninja; do
    if command -v "$tool" >/dev/null 2>&1; then echo "a compiler is here: $tool"; exit 1; fi
done
cd /tmp
export SLA_RUNTIME_DIR=/tmp/run HOME=/tmp LANG=C.UTF-8
mkdir -m 700 run
sla --version
sla record -o emu.sla --for 1s -- sla-emu run --demo --for 500ms >/dev/null
rows=$(sla table emu.sla --format csv | wc -l)
echo "rows of the emulated PC: $rows"
[ "$rows" -gt 10 ]
sla-viewer emu.sla --headless --frames 3 --size 800x600 --screenshot window.png
[ -s window.png ]
USE
unshare -mpf sh -c "mount -t proc proc '$root/proc' && mount --bind /dev '$root/dev' && exec chroot '$root' /bin/sh /tmp/use.sh" \
    >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "what is installed does not work on its own"; }
cat "$work/log"
