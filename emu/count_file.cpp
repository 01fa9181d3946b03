#include "emu/count_file.h"

#include "emu/control/numbers.h"
#include "emu/files.h"
#include "proto/common/nearest.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>

namespace sla::emu {

namespace {

Result<vmm::CodeRange> parse_range(const std::string& text) {
    const Error wrong = invalid_input(fmt::format("--range {}: write CS:IP..CS:IP, for example f000:e05b..f000:e060", text));
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) return wrong;
    vmm::CodeRange range{text, {}, {}};
    for (auto [part, to] : {std::pair(text.substr(0, dots), &range.first), std::pair(text.substr(dots + 2), &range.end)}) {
        const auto parsed = control::parse_address(part);
        if (!parsed || !parsed->selector) return wrong;
        *to = {*parsed->selector, parsed->offset, true};
    }
    return range;
}

// Who mistyped a section sees why it is not in the file.
void warn_of_unseen(const std::vector<std::string>& asked, const std::vector<vmm::SectionCounts::Section>& counted) {
    std::vector<std::string> names;
    for (const vmm::SectionCounts::Section& section : counted) names.push_back(section.name);
    for (const std::string& channels : asked) {
        const auto selected = tap::Selection::parse(channels);
        const auto is_meant = [&](const std::string& name) { return selected && selected->takes(name); };
        if (std::none_of(names.begin(), names.end(), is_meant))
            spdlog::warn("--section {}: no span of it was seen{}", channels, common::nearest_hint(channels, names));
    }
}

void warn_of_uncounted(const std::vector<vmm::SectionCounts::Section>& counted) {
    for (const vmm::SectionCounts::Section& section : counted) {
        if (section.uncounted == 0) continue;
        spdlog::warn("--section {}: {} spans began inside {} others that were open, and are not counted", section.name,
                     section.uncounted, vmm::SectionCounts::kMaxNested);
    }
}

}  // namespace

Result<CountFile> CountFile::prepare(const RunOptions& options, tap::Sink& behind) {
    CountFile out(options, behind);
    if (options.counts.empty()) return out;
    if (auto checked = check_output("counts", options.counts); !checked) return checked.error();
    std::optional<tap::Selection> channels;
    if (!options.sections.empty()) {
        auto parsed = tap::Selection::parse(fmt::format("{}", fmt::join(options.sections, ",")));
        if (!parsed) return parsed.error();
        channels = std::move(*parsed);
    }
    std::vector<vmm::CodeRange> ranges;
    for (const std::string& text : options.ranges) {
        auto range = parse_range(text);
        if (!range) return range.error();
        ranges.push_back(std::move(*range));
    }
    out.sections_ = std::make_unique<vmm::SectionCounts>(behind, std::move(channels), std::move(ranges));
    return out;
}

Result<void> CountFile::begin(vmm::Vmm& vmm) {
    if (sections_ == nullptr) return {};
    const bool sees_all = vmm.cpu().counting() == cpu::Counting::kEverything;
    if (!options_.ranges.empty() && !sees_all) {
        return invalid_input(
            fmt::format("--range: the CPU \"{}\" does not see every instruction; use --cpu x86emu", vmm.cpu().name()));
    }
    if (vmm.cpu().counting() == cpu::Counting::kNothing) {
        spdlog::warn("--counts: the CPU \"{}\" counts no events, so none will be in '{}'; use --cpu unicorn or x86emu",
                     vmm.cpu().name(), options_.counts);
    }
    std::optional<bool> in_ring_3;
    if (options_.privilege != "both") in_ring_3 = options_.privilege == "user";
    vmm.counter_unit().count_all(in_ring_3);
    sections_->count_with(vmm.counter_unit());
    return {};
}

std::string CountFile::begin_anew(vmm::Vmm& vmm) {
    vmm.counter_unit().count_anew();
    if (sections_ == nullptr) return {};
    sections_->begin_anew();
    return "--counts: what is counted begins at the snapshot";
}

Result<void> CountFile::write(vmm::Vmm& vmm) {
    if (sections_ == nullptr) return {};
    const auto file = open_output("counts", options_.counts);
    if (!file) return file.error();
    const std::vector<vmm::SectionCounts::Section> counted = sections_->finish();
    warn_of_unseen(options_.sections, counted);
    warn_of_uncounted(counted);
    const std::string text = vmm::json_of(counted, vmm.counter_unit(), vmm.cpu().name());
    if (std::fwrite(text.data(), 1, text.size(), file->get()) == text.size() && std::fflush(file->get()) == 0) return {};
    return system_error(fmt::format("cannot write counts to '{}'", options_.counts), errno);
}

}  // namespace sla::emu
