#include "emu/snapshot/state_writer.h"

#include "proto/base/check.h"

namespace sla::snapshot {

bool StateWriter::begin(std::string_view section, bool) {
    sections_.push_back({std::string(section), {}});
    return true;
}

void StateWriter::memory(std::string_view name, std::span<std::uint8_t> bytes) {
    memory_.push_back({sections_.back().name + "." + std::string(name), bytes});
}

void StateWriter::sectors(bus::BlockMap& written, std::uint64_t end) {
    if (!shares_) return StateVisitor::sectors(written, end);
    shared_.push_back({sections_.back().name, written});
}

void StateWriter::put(std::uint64_t number) {
    for (unsigned i = 0; i < 8; ++i) sections_.back().fields.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

void StateWriter::put_name(std::string_view name) {
    SLA_CHECK(!sections_.empty() && name.size() < 256);
    std::vector<std::uint8_t>& fields = sections_.back().fields;
    fields.push_back(static_cast<std::uint8_t>(name.size()));
    fields.insert(fields.end(), name.begin(), name.end());
}

void StateWriter::number(std::string_view name, std::uint64_t& value, unsigned) {
    put_name(name);
    put(value);
}

void StateWriter::bytes(std::string_view name, std::span<std::uint8_t> values) {
    put_name(name);
    put(values.size());
    sections_.back().fields.insert(sections_.back().fields.end(), values.begin(), values.end());
}

}  // namespace sla::snapshot
