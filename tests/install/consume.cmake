# Builds and runs the program in consumer/ against the library, in one of three ways: the installed package through
# CMake or through pkg-config, or our source tree as a subdirectory. In the last, unless the whole is wanted, the program
# is not linked: its object and two of ours show that all is found and told to the compiler.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
foreach(variable CXXFLAGS CPPFLAGS LDFLAGS)
  unset(ENV{${variable}})
endforeach()

# Nothing of our own flags: no optimisation and the oldest instruction set.
set(flags -O0)
if(processor MATCHES "^(x86_64|AMD64)$")
  list(APPEND flags -march=x86-64 -mno-avx)
endif()
list(JOIN flags " " flags_text)

set(prefix ${work}/prefix)
if(NOT way STREQUAL "add_subdirectory")
  run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
  # Moved after it was installed: nothing in it may remember where it was.
  file(RENAME ${prefix} ${work}/moved)
  set(prefix ${work}/moved)
endif()

# What people read comes along; the command prints pages and scripts by itself, so they are not empty either.
if(NOT way STREQUAL "add_subdirectory" AND EXISTS ${prefix}/bin/unroll)
  foreach(file man/man1/unroll.1 man/man1/unroll-embed.1 man/man1/unroll-graph.1 doc/unroll/README.md
      doc/unroll/docs/isomap.md doc/unroll/docs/images/overview.png doc/unroll/examples/long_work.cpp
      bash-completion/completions/unroll zsh/site-functions/_unroll fish/vendor_completions.d/unroll.fish)
    if(NOT EXISTS ${prefix}/share/${file})
      message(FATAL_ERROR "share/${file} was not installed")
    endif()
    file(SIZE ${prefix}/share/${file} size)
    if(size LESS 100)
      message(FATAL_ERROR "share/${file} has ${size} bytes")
    endif()
  endforeach()
endif()

set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
if(way STREQUAL "pkg_config")
  file(GLOB_RECURSE pc ${prefix}/unroll.pc)
  get_filename_component(pc_directory ${pc} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${pc_directory})
  execute_process(COMMAND pkg-config --cflags --libs "unroll = ${version}" OUTPUT_VARIABLE found
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(found UNIX_COMMAND "${found}")
  get_filename_component(library_directory ${pc_directory} DIRECTORY)
  run(${compiler} -std=c++20 ${flags} ${consumer}/main.cpp -o ${work}/consumer ${found}
    -Wl,-rpath,${library_directory})
  run(${work}/consumer ${version})
else()
  set(launcher_option)
  if(launcher)
    set(launcher_option -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher})
  endif()
  run(${CMAKE_COMMAND} -G Ninja -S ${consumer} -B ${work}/build -D way=${way} -D whole=${whole}
    -D UNROLL_COMPILE_TOGETHER=OFF  # so that a part of the library has a target
    -D unroll_source=${source} -D unroll_version=${version} -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${compiler} -D "CMAKE_CXX_FLAGS=${flags_text}" -D CMAKE_BUILD_TYPE=None ${launcher_option})
  if(whole OR NOT way STREQUAL "add_subdirectory")
    run(${CMAKE_COMMAND} --build ${work}/build)
    run(${work}/build/consumer ${version})
  else()
    set(ours unroll/src/CMakeFiles/unroll_objects.dir)
    run(${CMAKE_COMMAND} --build ${work}/build --target CMakeFiles/consumer.dir/main.cpp.o ${ours}/version.cpp.o
      ${ours}/linalg/blas.cpp.o)
  endif()
endif()
