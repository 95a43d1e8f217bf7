# compile_together(TARGET source...): compiles up to twelve sources of a folder at a time. What they include is most of what
# the compiler reads, so this saves a third of the CPU time, and a change compiles at most twelve files. Names in anonymous
# namespaces must then differ within a folder. Sources with flags of their own are not touched.
#
# clang compiles each source alone, so that somebody finds an include that is missing.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(together_default ON)
else()
  set(together_default OFF)
endif()
option(UNROLL_COMPILE_TOGETHER "Compile several sources of a folder at a time" ${together_default})

function(compile_together target)
  if(NOT UNROLL_COMPILE_TOGETHER)
    return()
  endif()
  # -Wshadow would compare names of different files; clang's build has that warning.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#pragma GCC diagnostic ignored \"-Wshadow\"")
  foreach(source ${ARGN})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(NOT options)
      get_filename_component(folder ${source} DIRECTORY)
      get_filename_component(folder ${folder} NAME)
      math(EXPR batch "${count_${folder}} + 0")
      math(EXPR count_${folder} "${batch} + 1")
      math(EXPR batch "${batch} / 12")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
    endif()
  endforeach()
endfunction()
