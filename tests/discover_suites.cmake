# discover_suites(PROGRAM PREFIX prefix LABELS label... [ENVIRONMENT name=value])
#
# One ctest entry per suite of a program of GoogleTest, named prefix.Suite or prefix.Instance/Suite: starting a process
# for each case, as gtest_discover_tests does, costs more than most cases. A suite whose name ends in Slow has the label
# slow too. The program is asked for its suites when it is linked; as long as it is not, there is one entry that fails.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(discover_suites_script ${CMAKE_CURRENT_LIST_FILE})

  function(discover_suites program)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;ENVIRONMENT" LABELS)
    set(suites ${CMAKE_CURRENT_BINARY_DIR}/${program}_suites.cmake)
    set_property(TARGET ${program} APPEND PROPERTY LINK_DEPENDS ${discover_suites_script})
    add_custom_command(TARGET ${program} POST_BUILD BYPRODUCTS ${suites} VERBATIM
      COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${program}> -D prefix=${arg_PREFIX} -D "labels=${arg_LABELS}"
        -D "environment=${arg_ENVIRONMENT}" -D output=${suites} -P ${discover_suites_script})
    file(CONFIGURE OUTPUT ${program}_include.cmake @ONLY CONTENT [[
if(EXISTS "@suites@")
  include("@suites@")
else()
  add_test(@arg_PREFIX@.NOT_BUILT "@CMAKE_COMMAND@" -E false)
  set_tests_properties(@arg_PREFIX@.NOT_BUILT PROPERTIES LABELS "@arg_LABELS@")
endif()
]])
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${program}_include.cmake)
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.25)

# Lines that are not indented are suites, "Suite." or "Suite.  # TypeParam = int"; their cases come indented.
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listing}")
if(NOT suites)
  message(FATAL_ERROR "${program} has no tests:\n${listing}")
endif()
set(entries "")
foreach(suite ${suites})
  string(REGEX REPLACE "[\n.]" "" suite ${suite})
  # Long enough for a sanitizer; it is there for tests that hang.
  set(timeout 900)
  set(suite_labels ${labels})
  # Those that take longest start first, so that no core waits for them at the end.
  set(cost 0)
  if(suite MATCHES "Slow(/|$)|CraftedModels")
    set(cost 100)
  endif()
  if(suite MATCHES "Slow(/|$)")
    set(timeout 3600)
    list(APPEND suite_labels slow)
  endif()
  string(APPEND entries "add_test([[${prefix}.${suite}]] [[${program}]] [[--gtest_filter=${suite}.*]])\n"
    "set_tests_properties([[${prefix}.${suite}]] PROPERTIES LABELS [[${suite_labels}]] TIMEOUT ${timeout} COST ${cost}\n"
    "  ENVIRONMENT [[${environment}]])\n")
endforeach()
file(WRITE ${output} "${entries}")
