#!/usr/bin/env bash
# Checks that clang-format would change nothing; with --fix, lets it.
# Exit code 77 says "skipped": there is no clang-format 14 here (another version formats differently).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

formatter=$(command -v clang-format-14 clang-format | head -n 1 || true)
if [[ -z $formatter || $("$formatter" --version) != *"version 14."* ]]; then
  echo "check_format: skipped, there is no clang-format 14; on Debian 12: apt-get install clang-format"
  exit 77
fi

mode=(--dry-run --Werror)
[[ ${1:-} == --fix ]] && mode=(-i)
folders=()
for folder in include src apps tests bench examples python; do [[ -d $folder ]] && folders+=("$folder"); done
find "${folders[@]}" \( -name '*.h' -o -name '*.cpp' \) -print0 | xargs -0 -n 16 -P "$(nproc)" "$formatter" "${mode[@]}"
