#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS [NAME...]   fuzzes each target (or the named ones: url, units...) for so long, as many at once as
#                            there are processors. What libFuzzer finds worth keeping goes to build/fuzz/corpus/NAME,
#                            an input that breaks a promise to build/fuzz/crash/. Exit 1 when there is one.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

# One target; called again by xargs below.
if [ "${1:-}" = --one ]; then
    seconds=$2
    name=$3
    cd "$root/build/fuzz"
    mkdir -p "corpus/$name" crash log
    mkdir -p "none" # libFuzzer wants folders that are there; XML does no target harm
    seeds=$root/tests/fuzz/corpus/$name
    [ -d "$seeds" ] || seeds=none
    words=$root/tests/fuzz/$name.dict
    [ -f "$words" ] || words=
    if "tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=1024 -print_final_stats=1 \
        ${words:+"-dict=$words"} \
        -artifact_prefix="crash/$name-" "corpus/$name" "$seeds" \
        "$root/tests/fuzz/corpus/xml" >"log/$name" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "log/$name")
        echo "fuzz $name: $runs inputs in $seconds s, nothing found"
        exit 0
    fi
    echo "fuzz $name: FOUND" >&2
    tail -n 40 "log/$name" >&2
    exit 1
fi

case ${1:-} in
'' | *[!0-9]*)
    sed -n '3,5s/^# //p' "$0" >&2
    exit 2
    ;;
esac
seconds=$1
shift
[ $# -gt 0 ] || set -- "$root"/tests/fuzz/fuzz_*.c

cd "$root"
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzzers
for name in "$@"; do
    basename "$name" .c | sed 's/^fuzz_//'
done | xargs -P "$(nproc)" -n 1 "$root/tests/fuzz/run.sh" --one "$seconds"
