# SPDX-License-Identifier: Apache-2.0
# cmake -DDIST=viewer/dist -DOUT=viewer_data.cpp -P embed.cmake
# Writes the built page's style and script as C++ byte arrays, so that the build needs no node.
set(text "// Made from ${DIST} by embed.cmake.\n#include \"reports/viewer_data.h\"\n\n")
string(APPEND text "namespace fw::reports {\nnamespace {\n")
foreach(kind css js)
  file(READ ${DIST}/viewer.${kind} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  # Lines of a readable length; compilers are slow on very long ones.
  string(REGEX REPLACE "(('....',)('....',)('....',)('....',)('....',)('....',)('....',)('....',))"
    "\\1\n" bytes "${bytes}")
  string(APPEND text "constexpr char ${kind}_bytes[] = {\n${bytes}\n'\\0'};\n")
endforeach()
string(APPEND text "}  // namespace\n")
foreach(kind css js)
  string(APPEND text "std::string_view viewer_${kind}() {\n"
    "  return {${kind}_bytes, sizeof(${kind}_bytes) - 1};\n}\n")
endforeach()
string(APPEND text "}  // namespace fw::reports\n")
file(WRITE ${OUT} "${text}")
