# add_sanitized_twin(PROGRAM PREFIX LABEL): the tests of PROGRAM once more, under AddressSanitizer and
# UndefinedBehaviorSanitizer where the library reads what comes from outside: tables, options, model files. Only those folders
# are compiled again. All other objects, those of the tests too, are the ones that PROGRAM has; so this takes a tenth of a
# sanitized build, which ./test --sanitized makes, and which covers the rest of what a model passes through (kernels,
# graphs, projections, clusters). In such a build there is no need of twins. Sanitized objects come first: of an inline function the
# linker takes the first copy.
option(UNROLL_SANITIZED_TWINS "Also test what reads files of others under sanitizers" ON)
set(sanitized_folders core data)

if(UNROLL_SANITIZED_TWINS AND NOT UNROLL_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(sanitizers -fsanitize=address,undefined,float-cast-overflow)
  file(GLOB sanitized_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
  foreach(folder ${sanitized_folders})
    file(GLOB in_folder CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
    list(APPEND sanitized_sources ${in_folder})
  endforeach()
  add_library(unroll_sanitized_objects OBJECT ${sanitized_sources})
  target_link_libraries(unroll_sanitized_objects PUBLIC unroll_objects)
  target_include_directories(unroll_sanitized_objects SYSTEM PRIVATE ${UNROLL_OPENBLAS_INCLUDE})
  # Not optimised, they compile in a third of the time, and run three times as long: of inputs that are much alike, the
  # twins try one in seventeen (tests/support/sampled.h).
  target_compile_options(unroll_sanitized_objects PRIVATE -O0 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all
    -U_FORTIFY_SOURCE ${sanitizers})
  # What they need to be linked, without the objects.
  add_library(unroll_sanitized_links INTERFACE)
  target_link_libraries(unroll_sanitized_links INTERFACE unroll_objects)
  target_link_options(unroll_sanitized_links INTERFACE ${sanitizers})
  compile_together(unroll_sanitized_objects ${sanitized_sources})
  if(UNROLL_PRECOMPILE)
    target_precompile_headers(unroll_sanitized_objects PRIVATE ${PROJECT_SOURCE_DIR}/src/precompiled.h)
  endif()
  # By folder, as compile_together names them, or by file.
  list(JOIN sanitized_folders "|" folders_pattern)
  set(plain_objects "$<FILTER:$<TARGET_OBJECTS:unroll_objects>,EXCLUDE,unroll_objects[.]dir/([.]/)?((Unity/unity_)?(${folders_pattern})[_/]|Unity/unity_src_|[^/]*$)>")
endif()

function(add_sanitized_twin program prefix label)
  if(TARGET unroll_sanitized_objects)
    add_executable(${program}_sanitized $<TARGET_OBJECTS:unroll_sanitized_objects> $<TARGET_OBJECTS:${program}>
      ${plain_objects})
    set_target_properties(${program}_sanitized PROPERTIES LINKER_LANGUAGE CXX
      BUILD_RPATH $<TARGET_PROPERTY:unroll,BUILD_RPATH>)
    target_link_libraries(${program}_sanitized PRIVATE unroll_sanitized_links ${ARGN})
    if(NOT label STREQUAL "fuzz")
      target_link_libraries(${program}_sanitized PRIVATE unroll_eigen_reference GTest::gtest_main)
      discover_suites(${program}_sanitized PREFIX ${prefix} LABELS ${label} sanitized ENVIRONMENT UNROLL_TRY_ONE_IN=17)
    endif()
  endif()
endfunction()
