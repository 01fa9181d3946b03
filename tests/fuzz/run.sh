#!/bin/sh
# Builds the fuzzers (those named, or all) and runs each for SECONDS; any finding makes this fail.
#   sh tests/fuzz/run.sh SECONDS [NAME...]
set -eu
cd "$(dirname "$0")/../.."

case ${1:-} in
    ''|*[!0-9]*) echo "usage: sh tests/fuzz/run.sh SECONDS [NAME...]" >&2; exit 2 ;;
esac
seconds=$1
shift

build=build/fuzz
configured=$(cmake --preset fuzz 2>&1) || { echo "$configured" >&2; exit 3; }
if [ $# -eq 0 ]; then
    cmake --build "$build" --target fuzzers
else
    cmake --build "$build" --target make_seeds "$@"
fi

mkdir -p "$build/corpus" "$build/findings"
"$build/bin/make_seeds" "$build/corpus"
for format in csv vcd chrome perfetto; do
    mkdir -p "$build/corpus/fuzz_import_$format"
    cp "tests/unit/viewer/formats/golden/small.$format" "$build/corpus/fuzz_import_$format/"
done
mkdir -p "$build/corpus/fuzz_manifest"
cp tests/fuzz/seeds/manifest*.json "$build/corpus/fuzz_manifest/"
# A file, and its metadata as they stand before its last eight bytes.
parquet=$build/corpus/fuzz_import_parquet
mkdir -p "$parquet"
cp tests/fuzz/seeds/small.parquet "$parquet/"
metadata=$(tail -c 8 "$parquet/small.parquet" | od -An -tu4 -N4)
tail -c $((metadata + 8)) "$parquet/small.parquet" | head -c "$metadata" >"$parquet/small.metadata"
if [ $# -eq 0 ]; then
    for program in "$build"/fuzzers/fuzz_*; do set -- "$@" "$(basename "$program")"; done
fi

broken=""
for name in "$@"; do
    mkdir -p "$build/corpus/$name"
    log=$build/findings/$name.log
    echo "== $name, $seconds s"
    if "$build/fuzzers/$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$build/findings/$name-" "$build/corpus/$name" >"$log" 2>&1; then
        grep -E '^(Done|stat::number_of_executed_units|stat::peak_rss_mb)' "$log" || true
    else
        broken="$broken $name"
        tail -n 40 "$log"
        echo "run.sh: $name found something; its input lies in $build/findings, the whole log in $log" >&2
    fi
done

if [ -n "$broken" ]; then
    echo "run.sh: findings in:$broken" >&2
    exit 1
fi
echo "run.sh: no findings"
