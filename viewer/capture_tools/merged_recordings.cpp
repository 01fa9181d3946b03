#include "viewer/capture_tools/merged_recordings.h"

#include "proto/base/how_many.h"
#include "proto/wire/frame_codec.h"
#include "viewer/capture_tools/notice.h"
#include "viewer/capture_tools/rotated_files.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace sla::capture_tools {

namespace {

using Group = std::vector<MergeInput*>;  // of one recording

bool says_what_only_tells(const std::string& bytes) {
    wire::Frame frame;
    return wire::parse_message(bytes, frame) && frame.has_notice() && frame.notice().text().ends_with(kOnlyTells);
}

// What stands before the rows of all parts, once: each says all of it, as far as it was known then.
std::vector<std::string> head_of(const Part& part, bool leads, std::set<std::string>& said) {
    std::vector<std::string> head;
    std::vector<std::string> own;
    for (const std::string& bytes : part.index->lasting()) {
        if (said.contains(bytes) || (!leads && says_what_only_tells(bytes))) continue;
        head.push_back(bytes);
        own.push_back(bytes);
    }
    said.insert(std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
    return head;
}

// Two files that are no parts, beside parts: rotated ones, of which nobody knows in which the rows of a moment are.
Result<PartPlan> plan(const Group& group, const std::vector<Part>& parts) {
    const auto whole = std::count_if(parts.begin(), parts.end(), [](const Part& part) { return !part.extent.is_cut; });
    if (whole > 1)
        return invalid_input("several files of the recording are no parts that were cut out, as of a rotated one");
    for (const MergeInput* input : group) {
        if (input->names().origin().start_tick != group.front()->names().origin().start_tick)
            return invalid_input("they count their times from different moments");
    }
    return plan_parts(parts);
}

class Matcher {
public:
    Matcher(MergeInputs& inputs, MergedIds& ids) : inputs_(inputs), ids_(ids) {}

    Result<MergedRecordings> run() {
        std::map<std::uint64_t, Group> groups;
        for (const auto& input : inputs_) groups[input->recording()].push_back(input.get());
        for (auto& [recording, group] : groups) {
            const auto is_cut = [](const MergeInput* input) { return input->as_part().extent.is_cut; };
            if (group.size() < 2) continue;
            std::any_of(group.begin(), group.end(), is_cut) ? put_together(group) : put_in_order(group);
        }
        for (const auto& input : inputs_) input->forget_index();
        for (const auto& input : inputs_) {
            if (Result<void> matched = match(*input); !matched) return matched.error();
        }
        return std::move(out_);
    }

private:
    void put_together(Group& group) {
        std::stable_sort(group.begin(), group.end(), [](const MergeInput* a, const MergeInput* b) {
            return a->as_part().extent.from < b->as_part().extent.from;
        });
        std::vector<Part> parts;
        for (const MergeInput* input : group) parts.push_back(input->as_part());
        auto planned = plan(group, parts);
        if (!planned) {
            out_.remarks.push_back(names_of(group) +
                                   " are of one recording, but their lanes stand side by side: " + planned.error().message);
            return stand_apart(group);
        }
        std::vector<std::vector<std::string>> heads = heads_of(group, parts);
        for (std::size_t i = 0; i < group.size(); ++i) {
            group[i]->take_part(std::move(planned->shares[i]), std::move(heads[i]));
            for (const std::size_t before : planned->behind[i]) out_.behind[group[i]].push_back(group[before]);
        }
        out_.remarks.push_back(names_of(group) + " are parts of one recording: one again");
        if (planned->holes > 0) {
            out_.remarks.push_back("between the parts time is missing: " + how_many(planned->holes, "gap row") +
                                   " 'left out' in its place");
        }
        share_clock(group);
        if (!planned->end_tick || group.size() != inputs_.size()) return;
        const PartFile file{planned->file, planned->file_until == store::kNever};
        out_.whole = MergedRecordings::Whole{group.front()->recording(), *planned->end_tick, file, planned->file_until};
    }

    // But parts of one file become one.
    void stand_apart(const Group& group) {
        std::map<std::uint32_t, Group> files;
        for (MergeInput* input : group) {
            const PartExtent extent = input->as_part().extent;
            if (!extent.is_cut) continue;
            input->stand_alone();
            if (extent.file != 0) files[extent.file].push_back(input);
        }
        for (auto& [file, parts] : files) {
            if (parts.size() < 2 || parts.size() == group.size()) continue;
            for (MergeInput* part : parts) part->stand_apart(parts.front()->numbering());
            put_together(parts);
        }
    }

    // In the order in which they will be sent, that of the inputs: a source is said before its channels.
    [[nodiscard]] std::vector<std::vector<std::string>> heads_of(const Group& group, const std::vector<Part>& parts) const {
        std::vector<std::vector<std::string>> heads(group.size());
        std::set<std::string> said;
        for (const auto& input : inputs_) {
            const auto at = std::find(group.begin(), group.end(), input.get());
            if (at == group.end()) continue;
            const auto i = static_cast<std::size_t>(at - group.begin());
            heads[i] = head_of(parts[i], i == 0, said);
        }
        return heads;
    }

    // Files of a recording that was rotated.
    void put_in_order(Group& group) {
        const auto starts_alike = [&](const MergeInput* input) {
            return input->names().origin().start_tick == group.front()->names().origin().start_tick;
        };
        if (!std::all_of(group.begin(), group.end(), starts_alike)) return;
        const auto before = files_before(group);
        if (!before) return;
        for (const auto& [input, others] : *before) out_.behind[input].assign(others.begin(), others.end());
        std::vector<std::string> missing = mark_missing_files(group);
        out_.missing.insert(out_.missing.end(), missing.begin(), missing.end());
        out_.remarks.push_back(names_of(group) + " are files of one recording: one again");
        share_clock(group);
    }

    // Who has read its clocks most often speaks for all.
    void share_clock(const Group& group) {
        const MergeInput* best = *std::max_element(group.begin(), group.end(), [](const auto* a, const auto* b) {
            return a->names().snapshots().size() < b->names().snapshots().size();
        });
        for (const MergeInput* input : group) {
            out_.clock_of[input] = best;
            auto& [first, last] = stamps_.try_emplace(best, store::kNever, 0).first->second;
            first = std::min(first, input->first_tick());
            last = std::max(last, input->last_tick());
        }
    }

    Result<void> match(MergeInput& input) {
        const auto shared = out_.clock_of.find(&input);
        const MergeInput* of = shared == out_.clock_of.end() ? &input : shared->second;
        auto found = clocks_.find(of);
        if (found == clocks_.end()) {
            const auto stamps = stamps_.try_emplace(of, of->first_tick(), of->last_tick()).first->second;
            auto clock = of->find_clock(*inputs_.front(), stamps.first, stamps.second);
            if (!clock) return clock.error();
            found = clocks_.emplace(of, std::move(*clock)).first;
        }
        input.match(found->second, ids_);
        return {};
    }

    static std::string names_of(const Group& group) {
        constexpr std::size_t kNamed = 8;
        std::string out;
        for (std::size_t i = 0; i < std::min(group.size(), kNamed); ++i) {
            if (i > 0) out += i + 1 < group.size() ? ", " : " and ";
            out += "'" + group[i]->path() + "'";
        }
        return group.size() <= kNamed ? out : out + " and " + std::to_string(group.size() - kNamed) + " more";
    }

    MergeInputs& inputs_;  // the first is the reference
    MergedIds& ids_;
    std::map<const MergeInput*, std::pair<std::uint64_t, std::uint64_t>> stamps_;  // first and last that a clock is for
    std::map<const MergeInput*, ingest::ClockMatch> clocks_;
    MergedRecordings out_;
};

}  // namespace

Result<MergedRecordings> match_recordings(MergeInputs& inputs, MergedIds& ids) {
    return Matcher(inputs, ids).run();
}

}  // namespace sla::capture_tools
