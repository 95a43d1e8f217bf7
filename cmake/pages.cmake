# Manual pages and completion scripts, which the command itself prints: cmake -D command=... -D folder=... -P pages.cmake
function(printed file)
  execute_process(COMMAND ${command} ${ARGN} OUTPUT_FILE ${folder}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder}/man1 ${folder}/bash ${folder}/zsh ${folder}/fish)
printed(man1/unroll.1 __man)
# The verbs are what can be completed behind the command's name.
execute_process(COMMAND ${command} __complete "" OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[a-z]+" verbs "${lines}")
foreach(verb ${verbs})
  string(STRIP "${verb}" verb)
  printed(man1/unroll-${verb}.1 __man ${verb})
endforeach()
printed(bash/unroll completion bash)
printed(zsh/_unroll completion zsh)
printed(fish/unroll.fish completion fish)
