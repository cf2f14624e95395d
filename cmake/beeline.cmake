# The vocabulary of this build: one library per folder under src, one test program per folder.

option(BEELINE_BENCH "Build the benchmarks" OFF)
option(BEELINE_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(BEELINE_STRIP "Keep the debug information of the server in a file beside it" OFF)
option(BEELINE_UNITY "Compile the files of a target together: a whole build costs less, a change more" OFF)
set(BEELINE_SANITIZE "" CACHE STRING "Sanitizers for our code: address,undefined or thread")

find_program(BEELINE_CCACHE ccache)
if(BEELINE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${BEELINE_CCACHE}")
endif()

if(BEELINE_SANITIZE)
  add_compile_options(-fsanitize=${BEELINE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${BEELINE_SANITIZE})
  if(BEELINE_SANITIZE STREQUAL "thread")
    # ThreadSanitizer does not support fences. Asio has an optional one around each handler, and one
    # where its last reference is released, about which g++ warns.
    add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
    add_compile_options(-Wno-tsan)
  endif()
  if(BEELINE_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

set(BEELINE_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wswitch-enum -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns of overlaps in the concatenation of strings that do not exist (GCC bug 105651).
  list(APPEND BEELINE_WARNINGS -Wno-restrict)
endif()

# How many files of a target are compiled together with BEELINE_UNITY. Compiling a file is mostly
# compiling what it includes and instantiates, so large batches are better, as long as two cores are
# busy until the end.
set(BEELINE_UNITY_BATCH 16 CACHE STRING "How many files of a target are compiled together at most")

# beeline_unite(<target>): with BEELINE_UNITY, compiles the files of the target in even batches.
function(beeline_unite target)
  if(NOT BEELINE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  math(EXPR batches "(${count} + ${BEELINE_UNITY_BATCH} - 1) / ${BEELINE_UNITY_BATCH}")
  math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ treats an included .cc file as a header.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# beeline_precompile(<target> <header>): reads the header once for all files of a target. ccache is
# not used, because it cannot detect a stale precompiled header. With BEELINE_UNITY there are too
# few files for this to be worthwhile.
function(beeline_precompile target header)
  if(BEELINE_UNITY)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE "${header}")
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
endfunction()

# beeline_library(<name> SOURCES ... [DEPS ...] [PRIVATE_DEPS ...]): the library of src/<name>. The
# dependencies named here are the arrows of docs/architecture.md; tools/check_layers checks the
# includes against the same arrows.
function(beeline_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(beeline_${name} STATIC ${arg_SOURCES})
  target_include_directories(beeline_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src")
  target_compile_options(beeline_${name} PRIVATE ${BEELINE_WARNINGS})
  target_link_libraries(beeline_${name} PUBLIC ${arg_DEPS} PRIVATE ${arg_PRIVATE_DEPS})
  beeline_unite(beeline_${name})
endfunction()

# beeline_strip(<target>): with BEELINE_STRIP, moves the debug information of a program into <program>.debug
# beside it, where debuggers look for it.
function(beeline_strip target)
  if(NOT BEELINE_STRIP)
    return()
  endif()
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND ${CMAKE_OBJCOPY} --only-keep-debug $<TARGET_FILE:${target}> $<TARGET_FILE:${target}>.debug
    COMMAND ${CMAKE_OBJCOPY} --strip-all --add-gnu-debuglink=$<TARGET_FILE:${target}>.debug
      $<TARGET_FILE:${target}>)
endfunction()

# beeline_test(<name> SOURCES ... [DEPS ...] [SHARDS <n>]): one gtest program and one test of ctest;
# with SHARDS, n tests that each run a share of a program that would delay the others.
function(beeline_test name)
  cmake_parse_arguments(arg "" "SHARDS" "SOURCES;DEPS" ${ARGN})
  if(BEELINE_FUZZ)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${BEELINE_WARNINGS})
  target_link_libraries(${name} PRIVATE ${arg_DEPS} GTest::gtest GTest::gtest_main)
  beeline_unite(${name})
  if(NOT arg_SHARDS)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    return()
  endif()
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${name}_${shard} COMMAND ${name})
    # Long tests begin first.
    set_tests_properties(${name}_${shard} PROPERTIES TIMEOUT 900 COST 100
      WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()
