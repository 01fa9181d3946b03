#include "viewer/capture_tools/merged_recordings.h"

#include "proto/base/how_many.h"
#include "proto/wire/frame_codec.h"
#include "viewer/capture_tools/notice.h"

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
            for (MergeInput* input : group) {
                if (input->as_part().extent.is_cut) input->stand_alone();
            }
            out_.remarks.push_back(names_of(group) +
                                   " are of one recording, but their lanes stand side by side: " + planned.error().message);
            return;
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
        if (planned->end_tick && group.size() == inputs_.size())
            out_.whole = MergedRecordings::Whole{group.front()->recording(), *planned->end_tick};
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

    // Files of a recording that was rotated: rows of a channel are in them in the order of their ordinals, whatever the times in
    // them are, for a channel's batch comes to the file that is written when it is closed.
    void put_in_order(const Group& group) {
        const auto starts_alike = [&](const MergeInput* input) {
            return input->names().origin().start_tick == group.front()->names().origin().start_tick;
        };
        if (!std::all_of(group.begin(), group.end(), starts_alike)) return;
        std::map<const MergeInput*, std::set<const MergeInput*>> behind;
        for (auto& [channel, rows] : rows_of_channels(group)) {
            std::sort(rows.begin(), rows.end(), [](const Rows& a, const Rows& b) { return a.first < b.first; });
            for (std::size_t i = 1; i < rows.size(); ++i) {
                if (rows[i - 1].end <= rows[i].first) behind[rows[i].input].insert(rows[i - 1].input);
            }
        }
        if (!can_wait(group, behind)) return;
        for (const auto& [input, before] : behind) out_.behind[input].assign(before.begin(), before.end());
        out_.remarks.push_back(names_of(group) + " are files of one recording: one again");
        share_clock(group);
    }

    // Of a channel in a file: ordinals.
    struct Rows {
        const MergeInput* input = nullptr;
        std::uint64_t first = 0;
        std::uint64_t end = 0;
    };
    static std::map<ChannelId, std::vector<Rows>> rows_of_channels(const Group& group) {
        std::map<ChannelId, std::vector<Rows>> out;
        for (const MergeInput* input : group) {
            for (const capture::CaptureIndex::Lane& lane : input->as_part().index->lanes()) {
                const auto& last = lane.summaries.back();
                out[lane.channel].push_back({input, lane.summaries.front().first_index, last.first_index + last.rows});
            }
        }
        return out;
    }

    // No file waits for itself by way of others; damaged ones may say so.
    static bool can_wait(const Group& group, const std::map<const MergeInput*, std::set<const MergeInput*>>& behind) {
        std::set<const MergeInput*> free;
        for (bool is_more = true; std::exchange(is_more, false);) {
            for (const MergeInput* input : group) {
                if (free.contains(input)) continue;
                const auto waits = behind.find(input);
                const bool may = waits == behind.end() || std::all_of(waits->second.begin(), waits->second.end(),
                                                                      [&](const auto* one) { return free.contains(one); });
                is_more |= may && free.insert(input).second;
            }
        }
        return free.size() == group.size();
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
