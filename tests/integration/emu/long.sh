#!/bin/sh
# The full forms of what the tests of the emulated PC do in short, one after the other:
#   sh tests/integration/emu/long.sh [determinism|storm|memtest|instructions|chips]...     default: all
#
#   chips         a million port accesses of each chip, compared with QEMU's (Debian's qemu-system-x86)
#   determinism   SeaBIOS and GRUB up to a typed command, over 100 M instructions, twice on each repeatable CPU: one hash
#   memtest       memtest86+ through one full pass over 6 MB (it starts with no less) by the host's clock, without an error; 9 to 15 minutes
#   instructions  a million random instructions of each class on unicorn and x86emu, compared with the host's own processor
#   storm         10 M writes to port 80h on each CPU: the capture has every one
set -eu
cd "$(dirname "$0")/../../.."
cmake --preset dev >/dev/null
cmake --build build/dev --target integration_emu
filter=""
instructions=""
chips=""
for what in ${*:-determinism storm memtest instructions chips}; do
    case $what in
        determinism) filter="$filter:Cpu/Repeats.*" ;;
        memtest) filter="$filter:Software.Memtest86Passes*" ;;
        instructions) instructions=1 ;;
        chips) chips=1 ;;
        storm) filter="$filter:Cpu/Storm.*" ;;
        *) echo "long.sh: there is no '$what'; there are determinism, storm, memtest, instructions and chips." >&2; exit 2 ;;
    esac
done
if [ -n "$instructions" ]; then
    cmake --build build/dev --target integration_instructions
    SLA_INSTRUCTION_CASES=1000000 nice build/dev/tests/integration_instructions
fi
if [ -n "$chips" ]; then
    cmake --build build/dev --target integration_chips
    SLA_CHIP_ACCESSES=1000000 nice build/dev/tests/integration_chips
fi
[ -n "$filter" ] || exit 0
SLA_EMU_LONG=1 exec build/dev/tests/integration_emu --gtest_filter="${filter#:}"
