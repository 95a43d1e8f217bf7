#!/usr/bin/env bash
# Checks that the objects of the SIMD kernels define no weak symbol. An inline function or a template of the standard
# library, compiled here for AVX-512, could be the copy that the linker keeps for the whole program: it would then die
# with SIGILL on an older CPU.
#
# Usage: check_kernels.sh OBJECT...
set -euo pipefail

(($# > 0)) || { echo "check_kernels: no objects given"; exit 2; }
symbols=$(nm --defined-only --demangle --print-file-name "$@")
weak=$(grep -E ':[0-9a-f]+ [WVuwv] ' <<<"$symbols") || exit 0
echo "weak symbols, which may be chosen for the whole program:"
echo "$weak"
exit 1
