#!/usr/bin/env bash
# What ./run shows without arguments: principal component analysis and Isomap of the Swiss roll, a map of cities from
# their distances, the bundled digits, neighbours, and how far the maps can be trusted.
#
# Usage: demo.sh COMMAND     COMMAND: the built `unroll`
set -euo pipefail
command=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=build/demo
mkdir -p "$out"
export LC_ALL=C # awk's numbers

bold="" dim="" plain=""
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; fi

title() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

# unroll ARGUMENT...: shows the command line, then runs it.
unroll() {
  printf '%s$ unroll %s%s\n' "$dim" "$*" "$plain" >&2
  "$command" "$@"
}

# explained: the shares of variance in the report of `embed --json`, in words.
explained() {
  awk '/"explained_variance_ratio": \[/ { inside = 1; next }
       inside && /\]/ { printf ": %.1f %% of the variance\n", 100 * sum; exit }
       inside { gsub(/[ ,]/, ""); sum += $0; printf "%s%.1f %%", (n++ ? " + " : "Explained: "), 100 * $0 }'
}

# plot: draws lines "x,y,mark" in characters; of the points that share a place, the first shows.
plot() {
  awk -F, -v width=76 -v height=24 '
    NR == 1 { xmin = xmax = $1; ymin = ymax = $2 }
    { x[NR] = $1; y[NR] = $2; mark[NR] = $3
      if ($1 < xmin) xmin = $1; if ($1 > xmax) xmax = $1
      if ($2 < ymin) ymin = $2; if ($2 > ymax) ymax = $2 }
    END {
      for (i = 1; i <= NR; ++i) {
        column = int((width - 1) * (x[i] - xmin) / (xmax - xmin)); row = int((height - 1) * (ymax - y[i]) / (ymax - ymin))
        if (!((row, column) in place)) place[row, column] = mark[i]
      }
      for (row = 0; row < height; ++row) {
        line = "  "
        for (column = 0; column < width; ++column) line = line ((row, column) in place ? place[row, column] : " ")
        sub(/ +$/, "", line); print line
      }
    }'
}

# tenths: the last field of "x,y,value" becomes the tenth of its range that it is in, 0 to 9.
tenths() {
  awk -F, '{ at[NR] = $1 "," $2; t[NR] = $3; if (NR == 1 || $3 < low) low = $3; if (NR == 1 || $3 > high) high = $3 }
           END { for (i = 1; i <= NR; ++i) { k = int(10 * (t[i] - low) / (high - low)); print at[i] "," (k > 9 ? 9 : k) } }'
}

title "The Swiss roll: a sheet rolled up in space, seen from the side by principal component analysis"
unroll datasets make swiss-roll -n 2000 --seed 0 -o $out/roll.npy --truth $out/sheet.csv
unroll embed $out/roll.npy -m pca -d 2 -o $out/roll_pca.csv --json >$out/roll_pca.json
explained <$out/roll_pca.json
paste -d, $out/roll_pca.csv $out/sheet.csv | tail -n +2 | cut -d, -f1-3 | tenths | plot
echo "Marks tell the place along the sheet, 0 to 9. No linear map unrolls it: 1 stays nearer to 9 than to 4."

title "What the neighbours say: the roll is a sheet, of two dimensions and in one piece"
unroll neighbors $out/roll.npy -k 10
unroll quality $out/roll.npy $out/roll_pca.csv -k 10 --truth $out/sheet.csv
echo "PCA keeps neither the neighbours (trustworthiness) nor the true distances."

title "Isomap measures along the sheet, by shortest paths from neighbour to neighbour, and unrolls it"
unroll embed $out/roll.npy -m isomap -k 10 -o $out/roll_isomap.csv
paste -d, $out/roll_isomap.csv $out/sheet.csv | tail -n +2 | cut -d, -f1-3 | tenths | plot
unroll spectrum $out/roll.npy -m isomap -k 10 -n 6
unroll quality $out/roll.npy $out/roll_isomap.csv -k 10 --truth $out/sheet.csv --measures trustworthiness,continuity
echo "It keeps the neighbours, and distances in the map are those along the sheet (true_distance_pearson)."

title "Twenty cities from a table of their distances, by classical scaling"
unroll embed data/city-distances.csv -m mds --metric precomputed -o $out/cities.csv
tail -n +2 $out/cities.csv | awk -F, '{ print (-$2) "," (-$3) "," substr($1, 1, 1) }' | plot
echo "Marks are initials: Lisbon and Madrid in the west, Kyiv in the east. Distances do not tell where north is: it was turned."

title "1797 handwritten digits, 8 x 8 pixels each"
unroll embed data/digits.csv.gz -m pca -d 2 --label-column digit -o $out/digits_pca.csv --save $out/digits.unroll \
  --json >$out/digits_pca.json
explained <$out/digits_pca.json
tail -n +2 $out/digits_pca.csv | plot
echo "Marks are the digits, which the method was not told."
unroll neighbors data/digits.csv.gz --label-column digit -k 10

title "The model places new rows where it would have placed them in training"
unroll transform $out/digits.unroll data/digits.csv.gz --label-column digit -o $out/digits_again.csv
cmp $out/digits_pca.csv $out/digits_again.csv
echo "The same rows give the same coordinates, bit for bit."

printf '\nFiles are in %s. Next: ./run --help\n' "$PWD/$out"
