#!/bin/sh
# trace-cmd, also on kernels that let nobody write ftrace's own switches (EPERM although they stand as wanted): it sets them
# on its way and gives up, although events need none of them. Then it runs where these few files are plain ones, in a mount
# namespace of its own; the events' own files are the kernel's as always.
set -eu
switch=/proc/sys/kernel/ftrace_enabled
tracing=/sys/kernel/tracing
if [ -z "${SLA_PLAIN_SWITCHES:-}" ]; then
    if (cat "$switch" >"$switch") 2>/dev/null; then exec trace-cmd "$@"; fi
    SLA_PLAIN_SWITCHES=1 exec unshare --mount --propagation private sh "$0" "$@"
fi
[ -e "$tracing/trace" ] || mount -t tracefs tracefs "$tracing"
mount -t tmpfs none /mnt
echo 1 >/mnt/on
mount --bind /mnt/on "$switch"
for file in set_ftrace_filter set_ftrace_notrace set_ftrace_pid set_ftrace_notrace_pid; do
    : >"/mnt/$file"
    mount --bind "/mnt/$file" "$tracing/$file"
done
exec trace-cmd "$@"
