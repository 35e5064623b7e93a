# SPDX-License-Identifier: Apache-2.0
# One library per folder, and its tests beside it. Sources are globbed so that adding a policy,
# property, mutant or report is adding files, not editing CMake.

add_library(fw_options INTERFACE)
target_include_directories(fw_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(fw_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  # g++ 12 sees overlapping copies in std::string's own code (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_definitions(fw_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(FW_SANITIZE)
  target_compile_options(fw_options INTERFACE
    -fsanitize=${FW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # Instrumented code misleads g++ 12's flow analysis (seen in Boost.Graph's own headers).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(fw_options INTERFACE -fsanitize=${FW_SANITIZE})
endif()
if(FW_COVERAGE)
  target_compile_options(fw_options INTERFACE --coverage -O0)
  target_link_options(fw_options INTERFACE --coverage)
endif()

# fw_library(NAME FOLDER [FAULTS] [LINK lib...]): library NAME from FOLDER/*.cpp without the tests.
# With FAULTS the same sources are also built as NAME_faulty with the seeded faults compiled in
# (FW_FAULTS=1); only the mutants program links that.
function(fw_library name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "FAULTS" "" "LINK;FAULTY_LINK")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz)\\.cpp$")
  set(kinds "${name}")
  if(arg_FAULTS)
    list(APPEND kinds "${name}_faulty")
  endif()
  foreach(kind IN LISTS kinds)
    if(sources)
      add_library(${kind} STATIC ${sources})
      set(scope PUBLIC)
    else()
      add_library(${kind} INTERFACE)
      set(scope INTERFACE)
    endif()
    target_link_libraries(${kind} ${scope} fw_options)
    if(kind STREQUAL "${name}_faulty")
      target_compile_definitions(${kind} ${scope} FW_FAULTS=1)
      target_link_libraries(${kind} ${scope} ${arg_FAULTY_LINK})
      if(NOT arg_FAULTY_LINK)
        target_link_libraries(${kind} ${scope} ${arg_LINK})
      endif()
    else()
      target_link_libraries(${kind} ${scope} ${arg_LINK})
    endif()
  endforeach()
endfunction()

# fw_tests(NAME FOLDER [LABEL label] [LINK lib...]): program NAME from FOLDER/*_test.cpp, its cases
# registered with ctest one by one.
function(fw_tests name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "LABEL" "LINK")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE fw_options ${arg_LINK} GTest::gtest GTest::gtest_main)
  # The shared material lies beside the checkout on some machines; tests that read it say so when it
  # is absent.
  target_compile_definitions(${name} PRIVATE FW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL} TIMEOUT 600)
endfunction()
