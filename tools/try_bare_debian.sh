#!/usr/bin/env bash
# Tries the two commands where nothing is prepared: makes a Debian 12 with git and nothing else in a folder, clones this
# repository's HEAD into it, and runs ./run and ./test there, or the commands given. Needs root and mmdebstrap.
#
#   tools/try_bare_debian.sh [-s SOURCES] [-c APT_CONF] [-r] FOLDER [COMMAND...]
#
#   -s SOURCES   where packages come from: an apt sources file (default: /etc/apt/sources.list or debian.sources)
#   -c APT_CONF  a file with apt options that the new system needs, such as a proxy
#   -r           use the system that FOLDER already holds, with what was installed in it; only clone again
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

usage() { sed -n '2,/^set/{/^set/d;s/^# \?//;p}' "${BASH_SOURCE[0]}" >&2; exit 2; }

sources=
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
  if [[ -s $file ]]; then sources=$file; fi
done
apt_options=()
reuse=false
while getopts s:c:r option; do
  case $option in
    s) sources=$OPTARG ;;
    c) apt_options+=("--aptopt=$OPTARG") ;;
    r) reuse=true ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
if (($# == 0)) || [[ -z $sources ]]; then usage; fi
folder=$1
shift
(($# > 0)) || set -- ./run "./run --version" ./test

timed() {
  local started=$SECONDS status=0
  "$@" || status=$?
  echo "== $((SECONDS - started)) s, exit code $status: ${timed_as:-$*}"
  return "$status"
}

if ! $reuse; then
  [[ ! -e $folder ]] || { echo "$folder exists; remove it, or use it with -r" >&2; exit 2; }
  timed mmdebstrap --quiet --variant=minbase --include=git "${apt_options[@]}" bookworm "$folder" "$sources"
fi
cp /etc/resolv.conf "$folder/etc/resolv.conf"
rm -rf "$folder/root/unroll"
git clone --quiet --no-hardlinks "$repository" "$folder/root/unroll"

trap 'umount "$folder/proc" "$folder/sys" "$folder/dev/pts" "$folder/dev"' EXIT
mount -t proc proc "$folder/proc"
mount -t sysfs sysfs "$folder/sys" # MPI looks for the cores there
mount --bind /dev "$folder/dev"
mount -t devpts devpts "$folder/dev/pts"

failed=0
for command in "$@"; do
  timed_as=$command
  timed env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    chroot "$folder" bash -c "cd /root/unroll && $command" || failed=1
done
exit "$failed"
