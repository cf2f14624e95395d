# The vocabulary of this build: one library per folder under src, one test program per folder.

option(BEELINE_BENCH "Build the benchmarks" OFF)
option(BEELINE_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
set(BEELINE_SANITIZE "" CACHE STRING "Sanitizers for our code: address,undefined or thread")

find_program(BEELINE_CCACHE ccache)
if(BEELINE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${BEELINE_CCACHE}")
endif()

if(BEELINE_SANITIZE)
  add_compile_options(-fsanitize=${BEELINE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${BEELINE_SANITIZE})
  if(BEELINE_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

set(BEELINE_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wswitch-enum -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlaps in the concatenation of strings that are not there (GCC bug 105651).
  list(APPEND BEELINE_WARNINGS -Wno-restrict)
endif()

# beeline_precompile(<target> <header>): reads the header once for all files of a target. Without
# ccache, which cannot tell when a precompiled header is stale.
function(beeline_precompile target header)
  target_precompile_headers(${target} PRIVATE "${header}")
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
endfunction()

# beeline_library(<name> SOURCES ... [DEPS ...] [PRIVATE_DEPS ...]): the library of src/<name>. The
# dependencies named here are the arrows of docs/architecture.md; tools/check_layers reads the same from the includes.
function(beeline_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(beeline_${name} STATIC ${arg_SOURCES})
  target_include_directories(beeline_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src")
  target_compile_options(beeline_${name} PRIVATE ${BEELINE_WARNINGS})
  target_link_libraries(beeline_${name} PUBLIC ${arg_DEPS} PRIVATE ${arg_PRIVATE_DEPS})
endfunction()

# beeline_test(<name> SOURCES ... [DEPS ...]): one gtest program, each of its tests known to ctest.
function(beeline_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  if(BEELINE_FUZZ)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${BEELINE_WARNINGS})
  target_link_libraries(${name} PRIVATE ${arg_DEPS} GTest::gtest GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900)
  set_property(TEST ${name} PROPERTY WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
endfunction()
