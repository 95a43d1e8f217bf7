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
  say "installing ${missing[*]}"
  mkdir -p "$root/build"
  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } </dev/null &>"$log"; then
    tail -n 20 "$log" >&2
    say "apt-get failed; all it said is in $log"
    return 1
  fi
}

# quietly NAME LOG COMMAND...: runs it with its output in the log: a progress line on a terminal, all of it on failure.
quietly() {
  local name=$1 log=$2 line
  shift 2
  if [[ -t 2 ]]; then
    "$@" 2>&1 | tee "$log" | while IFS= read -r line; do
      printf '\r\e[Kunroll: building %s %.60s' "$name" "$line" >&2
    done
    local status=${PIPESTATUS[0]}
    printf '\r\e[K' >&2
  else
    local status=0
    "$@" &>"$log" || status=$?
  fi
  ((status == 0)) && return
  grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" | head -n 60 >&2 || true
  say "building $name failed; all of it is in $log"
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
    quietly "$preset" "$folder/configure.log" cmake --preset "$preset" "${options[@]}" &&
      quietly "$preset" "$folder/build.log" cmake --build "$folder" --target "$target" &&
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
