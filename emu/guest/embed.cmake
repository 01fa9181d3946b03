# Writes the bytes of IMAGE as a C++ source file OUTPUT that defines sla::guest::NAME.
file(READ ${IMAGE} digits HEX)
string(LENGTH "${digits}" length)
math(EXPR length "${length} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${digits}")
string(REGEX REPLACE "((0x..,){20})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"emu/guest/images.h\"\nnamespace sla::guest {\n"
  "const std::array<std::uint8_t, ${length}> ${NAME} = {\n${bytes}\n};\n}\n")
