# Flags of our own targets only; a user of the installed library inherits none of them. No fast-math: it would
# remove the checks for NaN and let the compiler reorder sums.
add_library(unroll_compile_options INTERFACE)
target_compile_features(unroll_compile_options INTERFACE cxx_std_20)
target_compile_options(unroll_compile_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -ffp-contract=off $<$<BOOL:${UNROLL_WERROR}>:-Werror> $<$<BOOL:${UNROLL_NATIVE}>:-march=native>)
# False alarms of g++ 12 about text + std::string (GCC bug 105651).
target_compile_options(unroll_compile_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# The same about AVX-512 intrinsics (GCC bug 105593), which Eigen uses where the machine has them.
set(UNROLL_EIGEN_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
target_compile_definitions(unroll_compile_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

# The readers take files from anywhere: cheap guards stay on in what is shipped.
target_compile_options(unroll_compile_options INTERFACE -fstack-protector-strong
  $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
target_link_options(unroll_compile_options INTERFACE -Wl,-z,relro,-z,now)

if(UNROLL_SANITIZE)
  target_compile_options(unroll_compile_options INTERFACE -fsanitize=${UNROLL_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(unroll_compile_options INTERFACE -fsanitize=${UNROLL_SANITIZE})
endif()

# What most sources include is parsed once: a third of the time. Only with g++, so that clang finds an include that is
# missing, and not with ccache, which does not keep what was compiled so.
set(UNROLL_PRECOMPILE OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  set(UNROLL_PRECOMPILE ON)
endif()
