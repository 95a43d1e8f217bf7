#!/usr/bin/env bash
# Lets fuzzers look for files that break the readers.
#
#   tools/fuzz.sh [SECONDS [TARGET...]]     60 seconds each; all targets of tests/fuzz
#
# They start from tests/fuzz/corpus and what earlier runs have collected in build/fuzz/corpus. A file that breaks a
# reader is left in build/fuzz/found: fix the reader and put the file into tests/fuzz/corpus/TARGET as found-WHAT.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/tools/build.sh"

seconds=${1:-60}
targets=("${@:2}")
((${#targets[@]})) || for source in "$root"/tests/fuzz/fuzz_*.cpp; do
  name=${source##*/fuzz_}
  targets+=("${name%.cpp}")
done

build fuzz unroll_fuzzers
status=0
for target in "${targets[@]}"; do
  corpus=$root/build/fuzz/corpus/$target found=$root/build/fuzz/found/$target log=$root/build/fuzz/$target.log
  mkdir -p "$corpus" "$found"
  # The budget of a target is 64 MiB (tests/fuzz/fuzz.h); no single allocation may be larger.
  if "$root/build/fuzz/bin/fuzz_$target" -max_total_time="$seconds" -timeout=10 -max_len=20000 -malloc_limit_mb=68 \
    -rss_limit_mb=1024 -artifact_prefix="$found/" "$corpus" "$root/tests/fuzz/corpus/$target" &>"$log"; then
    say "fuzz $target: $(grep -E '^Done ' "$log"), $(find "$corpus" -type f | wc -l) files"
  else
    say "fuzz $target: failed; all of it is in $log"
    grep -E 'ERROR|SUMMARY|runtime error|Test unit written' "$log" >&2 || true
    status=1
  fi
done
exit "$status"
