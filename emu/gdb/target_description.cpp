#include "emu/gdb/target_description.h"

#include <fmt/format.h>

namespace sla::gdb {

namespace {

constexpr const char* kFlags = R"(<flags id="eflags_set" size="4"><field name="CF" start="0" end="0"/>
<field name="" start="1" end="1"/><field name="PF" start="2" end="2"/><field name="AF" start="4" end="4"/>
<field name="ZF" start="6" end="6"/><field name="SF" start="7" end="7"/><field name="TF" start="8" end="8"/>
<field name="IF" start="9" end="9"/><field name="DF" start="10" end="10"/><field name="OF" start="11" end="11"/>
<field name="NT" start="14" end="14"/><field name="RF" start="16" end="16"/><field name="VM" start="17" end="17"/>
</flags>
)";

std::string registers(std::size_t from, std::size_t to) {
    std::string text;
    for (std::size_t i = from; i < to; ++i) {
        const Register& one = kRegisters[i];
        text +=
            fmt::format("<reg name=\"{}\" bitsize=\"{}\" type=\"{}\" regnum=\"{}\"/>\n", one.name, one.bits, one.type, i);
    }
    return text;
}

}  // namespace

std::string target_xml(bool code16) {
    return fmt::format(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
        "<architecture>{}</architecture>\n<feature name=\"org.gnu.gdb.i386.core\">\n{}{}</feature>\n"
        "<feature name=\"sla.system\">\n{}</feature>\n</target>\n",
        code16 ? "i8086" : "i386", kFlags, registers(0, kFirstSystem), registers(kFirstSystem, kRegisters.size()));
}

}  // namespace sla::gdb
