#include "emu/bus/state_visitor.h"

namespace sla::bus {

std::string StateVisitor::joined(std::string_view first, std::string_view second) {
    std::string out(first);
    return out.append(second);
}

std::string StateVisitor::numbered(std::string_view name, std::size_t number) {
    return joined(name, std::to_string(number));
}

void StateVisitor::sectors(BlockMap& written, std::uint64_t end) {
    std::uint64_t count = written.size();
    field("written_sectors", count, end);
    std::size_t next = 0;
    const auto sector = [&](std::uint64_t& number, BlockMap::Block& bytes) {
        part(std::to_string(next++), [&] {
            field("sector", number, end - 1);
            field("bytes", bytes);
        });
    };
    if (!loads()) {
        return written.for_each([&](std::uint64_t number, BlockMap::Block bytes) { sector(number, bytes); });
    }
    written.clear();
    while (next < count) {
        std::uint64_t number = end;
        BlockMap::Block bytes{};
        sector(number, bytes);
        if (number == end) return;  // refused
        written.at(number) = bytes;
    }
}

}  // namespace sla::bus
