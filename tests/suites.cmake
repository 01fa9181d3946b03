# Writes a ctest for each suite of a test program, for sla_test: PROGRAM, NAME, WORKING_DIRECTORY, EACH (a filter of gtest: tests that
# are ctests of their own), LABELS and the FILE to write. One process runs a suite; of many tests, several run a part each.
cmake_minimum_required(VERSION 3.25)
set(tests_at_once 12)
set(timeout 600)  # for that many, on a slow machine under a sanitizer

execute_process(COMMAND ${PROGRAM} --gtest_list_tests "--gtest_filter=*-${EACH}" WORKING_DIRECTORY ${WORKING_DIRECTORY}
  OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[][;]" "_" listed "${listed}")  # values of parameters, of which nothing is read here
string(REPLACE "\n" ";" listed "${listed}")
set(suites)
foreach(line IN LISTS listed)
  if(line MATCHES "^([^ ]+)\\.( +#.*)?$")
    set(suite ${CMAKE_MATCH_1})
    list(APPEND suites ${suite})
    set(count_of_${suite} 0)
  elseif(line MATCHES "^  ")
    math(EXPR count_of_${suite} "${count_of_${suite}} + 1")
  endif()
endforeach()

set(script)
foreach(suite IN LISTS suites)
  math(EXPR parts "(${count_of_${suite}} + ${tests_at_once} - 1) / ${tests_at_once}")
  foreach(part RANGE 1 ${parts})
    set(name ${NAME}.${suite})
    set(share)
    if(parts GREATER 1)
      math(EXPR index "${part} - 1")
      string(APPEND name ".${part}of${parts}")
      set(share "ENVIRONMENT \"GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index}\"")
    endif()
    string(APPEND script "add_test([[${name}]] [[${PROGRAM}]] [[--gtest_filter=${suite}.*-${EACH}]])\n"
      "set_tests_properties([[${name}]] PROPERTIES WORKING_DIRECTORY [[${WORKING_DIRECTORY}]]\n"
      "  TIMEOUT ${timeout} LABELS \"${LABELS}\" ${share})\n")
  endforeach()
endforeach()
file(WRITE ${FILE} "${script}")
