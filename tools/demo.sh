#!/usr/bin/env bash
# What ./run shows without arguments: every method on the Swiss roll and on the bundled digits, a table and one page of
# maps; and that a saved model places rows where the fit did.
#
# Usage: demo.sh COMMAND     COMMAND: the built `unroll`
set -euo pipefail
command=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=build/demo
page=$out/maps.html
mkdir -p "$out"

bold="" dim="" plain="" progress=plain
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; fi
if [[ -t 2 ]]; then progress=bar; fi

title() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

# unroll ARGUMENT...: shows the command line, then runs it.
unroll() {
  printf '%s$ unroll %s%s\n' "$dim" "$*" "$plain" >&2
  "$command" "$@"
}

title "The Swiss roll, a sheet rolled up in space: which method finds the sheet?"
unroll datasets make swiss-roll -n 2000 --seed 0 -o $out/roll.npy --truth $out/sheet.csv
unroll compare $out/roll.npy -k 10 --truth $out/sheet.csv -o $page --progress $progress
echo "dist. r: distances in the map beside those along the sheet; 1 is the sheet itself."

title "1797 handwritten digits of 8 x 8 pixels, whose names no method is told"
unroll compare data/digits.csv.gz -k 10 --label-column digit -o $page --append --progress $progress
echo "labels: how often the ten nearest in the map guess the digit. Rand: how far clusters are the digits."

title "A saved model places rows where the fit did"
unroll embed data/digits.csv.gz -m pca --label-column digit -o $out/digits.csv --save $out/digits.unroll
unroll transform $out/digits.unroll data/digits.csv.gz --label-column digit -o $out/again.csv
cmp $out/digits.csv $out/again.csv
echo "The same rows give the same coordinates, bit for bit."

title "All maps are on one page, which opens by a double click:"
printf '%s\nNext: ./run --help\n' "$PWD/$page"
