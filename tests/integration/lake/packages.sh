#!/bin/sh
# Readers of Parquet that know nothing of us, from npm into a folder of the build tree: packages.sh FOLDER
# Where they cannot be had, FOLDER/missing says why, and the tests that need them are skipped with that reason.
set -u
folder=$1
mkdir -p "$folder"
exec 9>"$folder/lock"
command -v flock >/dev/null 2>&1 && flock 9  # tests run beside one another
rm -f "$folder/missing"

give_up() {
    echo "$1" | tee "$folder/missing"
    exit 0
}

command -v node >/dev/null 2>&1 || give_up "there is no node (Debian package nodejs) to run other readers of Parquet"
command -v npm >/dev/null 2>&1 || give_up "there is no npm (Debian package npm, with some 400 others) to fetch other readers of Parquet"
major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
[ "$major" -ge 18 ] || give_up "node is of version $major; the readers of Parquet need 18"

if [ ! -e "$folder/node_modules/.complete" ]; then
    # 71 MB; a few seconds where the registry can be reached.
    timeout 100 npm install --prefix "$folder" --no-audit --no-fund --fetch-retries 1 --fetch-timeout 20000 \
        hyparquet@^1.33.0 hyparquet-compressors@^1.1.2 @duckdb/node-api@^1.5.0-r.1 >"$folder/npm.log" 2>&1 ||
        give_up "npm cannot fetch the readers of Parquet: $(grep -m 1 -i error "$folder/npm.log")"
    touch "$folder/node_modules/.complete"
fi
echo "hyparquet and DuckDB are in $folder"
