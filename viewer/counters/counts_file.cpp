#include "viewer/counters/counts_file.h"

#include <nlohmann/json.hpp>

namespace sla::counters {

namespace {

using nlohmann::json;

const json* part(const json& from, const char* name, json::value_t type) {
    const auto found = from.find(name);
    return found == from.end() || found->type() != type ? nullptr : &*found;
}

Error not_ours() {
    return damaged("these are no counts of sla-emu's: is another version of it installed beside this one?");
}

bool is_number(const json& value) {
    return value.is_number_unsigned();
}

Result<void> add_values(const std::string& section, const Event& event, const json& from, SectionTable& table) {
    const json* values = part(from, "values", json::value_t::array);
    const json* grain = part(from, "grain", json::value_t::number_unsigned);
    const json* cut_off = part(from, "cut_off", json::value_t::number_unsigned);  // where numbers are rounded
    if (values == nullptr) return not_ours();
    for (const json& pair : *values) {
        if (!pair.is_array() || pair.size() != 2 || !is_number(pair[0]) || !is_number(pair[1])) return not_ours();
        table.add(section, event, pair[0].get<std::uint64_t>(), pair[1].get<std::uint64_t>());
    }
    if (grain != nullptr && cut_off != nullptr)
        table.rounded(section, event, grain->get<std::uint64_t>(), cut_off->get<std::uint64_t>());
    return {};
}

Result<void> add_section(const json& section, std::span<const Event> events, SectionTable& table) {
    if (!section.is_object()) return not_ours();
    const json* name = part(section, "name", json::value_t::string);
    const json* counted = part(section, "events", json::value_t::object);
    const json* unfinished = part(section, "unfinished", json::value_t::number_unsigned);
    if (name == nullptr || counted == nullptr || unfinished == nullptr) return not_ours();
    const auto text = name->get<std::string>();
    const auto open = unfinished->get<std::uint64_t>();
    for (const Event& event : events) {
        if (event.world != World::kPentium) continue;
        const std::string key = common::select_text(static_cast<std::uint8_t>(event.select));
        const json* values = part(*counted, key.c_str(), json::value_t::object);
        if (values == nullptr) continue;
        table.missed(text, event, open, "had not ended");
        if (auto added = add_values(text, event, *values, table); !added.ok()) return added;
    }
    return {};
}

}  // namespace

Result<void> add_counts(std::string_view text, std::span<const Event> events, SectionTable& table) {
    const json root = json::parse(text.begin(), text.end(), nullptr, false);
    if (!root.is_object()) return not_ours();
    const json* cpu = part(root, "cpu", json::value_t::string);
    const json* how = part(root, "events", json::value_t::object);
    const json* sections = part(root, "sections", json::value_t::array);
    if (cpu == nullptr || how == nullptr || sections == nullptr) return not_ours();
    for (const Event& event : events) {
        if (event.world != World::kPentium) continue;
        const auto select = static_cast<std::uint8_t>(event.select);
        const json* word = part(*how, common::select_text(select).c_str(), json::value_t::string);
        if (word == nullptr) return not_ours();
        const auto offer = word->get<std::string>();
        const bool elsewhere =
            offer == "not offered" && common::pentium_events()[select].offer != common::Offer::kNotOffered;
        table.describe(event, offer,
                       elsewhere ? "the CPU " + cpu->get<std::string>() + " does not count it; --cpu x86emu does" : "");
    }
    for (const json& section : *sections) {
        if (auto added = add_section(section, events, table); !added.ok()) return added;
    }
    return {};
}

}  // namespace sla::counters
