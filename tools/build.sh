# shellcheck shell=bash
# What ./run, ./test and bench/run share: packages, and quiet builds. To be sourced with $root set.
# Everything said here goes to stderr: stdout belongs to the program that ./run runs.

: "${root:?}"

say() { echo "unroll: $*" >&2; }

# packages PURPOSE...: the names in tools/packages.txt for these purposes.
packages() {
  local purpose names
  while read -r purpose names; do
    if [[ " $* " == *" $purpose "* ]]; then echo "$names"; fi
  done <"$root/tools/packages.txt"
}

# yield_blas [SUDO]: Debian lets the serial OpenBLAS, which is not safe under threads, precede other BLAS libraries. We need
# it for ourselves alone, and give it the lowest precedence: it is the BLAS of other programs only where they have no other.
# An update of its package sets the precedence back.
yield_blas() {
  local name path link
  for name in $(update-alternatives --get-selections | awk '/^lib(blas|lapack)\.so\.3/ { print $1 }'); do
    link=$(update-alternatives --query "$name" | awk '/^Link:/ { print $2; exit }')
    path=$(update-alternatives --list "$name" | grep /openblas-serial/) || continue
    "$@" update-alternatives --quiet --install "$link" "$name" "$path" 1
  done
}

# install_packages PURPOSE...: installs those that are missing; asks nothing of the network when none is.
install_packages() {
  local package missing=() present sudo=() log=$root/build/apt.log
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system; assuming that you have: $(packages "$@" | xargs)"
    return
  fi
  # shellcheck disable=SC2046,SC2016  # a list of words; dpkg-query's own variables
  present=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $(packages "$@") 2>/dev/null || true)
  for package in $(packages "$@"); do
    grep -qx "installed $package" <<<"$present" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  if ((EUID != 0)); then
    command -v sudo >/dev/null || { say "please install as root: apt-get install ${missing[*]}"; return 1; }
    sudo=(sudo)
  fi
  # Where it was before us, its place is its owner's choice.
  local had_serial
  had_serial=$(dpkg-query -W -f '${db:Status-Status}' libopenblas0-serial 2>/dev/null || true)
  say "installing ${missing[*]}"
  mkdir -p "$root/build"
  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  quietly "reading the lists of packages" "$log" "${apt[@]}" update &&
    quietly "installing packages" "$log" "${apt[@]}" install --no-install-recommends "${missing[@]}" || return
  if [[ $had_serial != installed ]]; then yield_blas "${sudo[@]}"; fi
}

# show_progress NAME: reads what a command says and tells how far it is: at once on a terminal, else every 10 seconds.
show_progress() {
  local name=$1 line step="" started=$SECONDS told=$SECONDS
  while true; do
    if IFS= read -r -t 10 line; then
      # ninja counts its steps: "[12/238] Building ...".
      [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && step=", step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    elif (($? <= 128)); then
      break # the end; above 128 it was the time
    fi
    if [[ -t 2 ]]; then
      printf '\r\e[Kunroll: %s%s, %d s' "$name" "$step" "$((SECONDS - started))" >&2
    elif ((SECONDS - told >= 10)); then
      say "$name$step, $((SECONDS - started)) s"
      told=$SECONDS
    fi
  done
  [[ ! -t 2 ]] || printf '\r\e[K' >&2
}

# quietly NAME LOG COMMAND...: runs it with its output in the log; tells how far it is, and on failure what went wrong.
quietly() {
  local name=$1 log=$2 status=0
  shift 2
  "$@" 2>&1 </dev/null | tee "$log" | show_progress "$name" || status=${PIPESTATUS[0]}
  ((status == 0)) && return
  grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" | tail -n 60 >&2 || true
  say "$name failed; all of it is in $log"
  return "$status"
}

# build PRESET TARGET [CMAKE_OPTION...]: configures and builds. One build at a time in a source tree.
build() {
  local preset=$1 target=$2 folder=$root/build/$1 options=("${@:3}")
  if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  mkdir -p "$folder"
  (
    flock 9
    touch "$folder/.building"
    cd "$root" || exit # where the presets are
    quietly "configuring $preset" "$folder/configure.log" cmake --preset "$preset" "${options[@]}" &&
      quietly "building $preset" "$folder/build.log" cmake --build "$folder" --target "$target" &&
      mv "$folder/.building" "$folder/.built"
  ) 9>"$root/build/.lock"
}

# built PRESET: whether nothing has changed since it was last built. Looks at times alone and starts no build tool.
built() {
  local stamp=$root/build/$1/.built
  [[ -e $stamp && -x $root/build/$1/bin/unroll ]] &&
    [[ -z $(find "$root"/{CMakeLists.txt,CMakePresets.json,VERSION,cmake,include,src,apps,web,tools/packages.txt} \
      -newer "$stamp" -print -quit) ]]
}

# build_command: the release build of the unroll command, after installing what that takes, unless it is built.
build_command() {
  built release && return
  install_packages build
  # A build folder that ./test has configured keeps its tests; a new one needs none.
  local options=()
  [[ -e $root/build/release/CMakeCache.txt ]] || options+=(-DUNROLL_BUILD_TESTS=OFF)
  build release bin/unroll "${options[@]}"
}
