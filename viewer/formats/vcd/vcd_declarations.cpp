#include "viewer/formats/vcd/vcd_declarations.h"

#include "proto/base/how_many.h"
#include "proto/time/tick_rate.h"
#include "viewer/formats/number_text.h"
#include "viewer/formats/percent.h"
#include "viewer/formats/source_facts.h"
#include "viewer/formats/stamp_errors.h"

#include <algorithm>

namespace sla::formats {

namespace {

constexpr std::size_t kMaxVariables = 1 << 20;
constexpr std::size_t kDeepest = 1000;

}  // namespace

Result<void> VcdDeclarations::section(const std::string& name) {
    auto words = words_.up_to_end();
    if (!words.ok()) return words.error();
    if (name == "$timescale") return timescale(*words);
    if (name == "$comment") return comment(*words);
    if (name == "$upscope" && !scopes_.empty()) scopes_.pop_back();
    if (name == "$scope") {
        if (scopes_.size() >= kDeepest) return words_.wrong("scopes are nested too deeply");
        scopes_.push_back(words->empty() ? "" : words->back());
    }
    if (name == "$var") return variable(*words);
    return {};
}

void VcdDeclarations::note(Notes& notes) const {
    if (other_names_ > 0)
        notes.push_back(how_many(other_names_, "further name") + " of signals that have one already, '" + other_name_ +
                        "' for instance, " + (other_names_ == 1 ? "is" : "are") + " left out");
}

const VcdDeclarations::Variable* VcdDeclarations::find(const std::string& code) const {
    const auto found = variables_.find(code);
    return found == variables_.end() ? nullptr : &found->second;
}

Result<void> VcdDeclarations::timescale(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += word;
    const std::size_t unit = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = read_number<std::uint64_t>(std::string_view(text).substr(0, unit));
    const std::string name = text.substr(unit);
    if (!number || !time_.set_unit(*number, name)) return words_.wrong("'" + text.substr(0, 40) + "' is not a timescale");
    if (!ours_) sink_.set_clock({0, time_.ticks_per_second(), 0, 0});
    return {};
}

Result<void> VcdDeclarations::comment(const std::vector<std::string>& words) {
    if (words.size() == 6 && words[0] == "sla-clock") return clock(words);
    if (words.size() == 5 && words[0] == "sla-lane") return our_lane(words);
    if (words.size() == 5 && words[0] == "sla-var") return our_variable(words);
    if (words.size() == 2 && words[0] == "sla-stamps" && ours_) {
        read_stamp_errors(words[1], clock_);
        sink_.set_clock(clock_);
    }
    if (words.size() == 2 && words[0] == "sla-sources") read_source_facts(words[1], sink_);
    if (words.size() == 3 && words[0] == "sla-open") {
        const Variable* const found = find(words[1]);
        const auto open = read_number<std::uint64_t>(words[2]);
        if (found != nullptr && open) lane(*found).set_open(*open);
    }
    return {};
}

Result<void> VcdDeclarations::clock(const std::vector<std::string>& words) {
    const auto origin = read_number<std::uint64_t>(words[1]);
    const auto hz = read_number<double>(words[2]);
    const auto error = read_number<double>(words[3]);
    const auto realtime = read_number<std::int64_t>(words[4]);
    const auto zero = read_number<std::int64_t>(words[5]);
    if (!origin || !hz || !time::is_tick_rate(*hz) || !error || !(*error >= 0 && *error <= 1e9) || !realtime || !zero)
        return words_.wrong("the clock in the comment cannot be read");
    ours_ = true;
    time_.count_ps_from(*zero);
    clock_ = {*origin, *hz, *error, *realtime};
    sink_.set_clock(clock_);
    return {};
}

Result<void> VcdDeclarations::our_lane(const std::vector<std::string>& words) {
    const auto number = read_number<std::size_t>(words[1]);
    if (!number || *number != lanes_.size()) return words_.wrong("the lanes in the comments are not in order");
    return add_lane(sink_.source(percent_decoded(words[2])), percent_decoded(words[3]));
}

Result<void> VcdDeclarations::our_variable(const std::vector<std::string>& words) {
    const auto lane = read_number<std::size_t>(words[2]);
    const auto role = read_number<std::uint8_t>(words[3]);
    const auto code = read_number<std::uint8_t>(words[4]);
    if (!lane || *lane >= lanes_.size() || !role || *role > static_cast<int>(VcdMeaning::kLost) || !code || *code > 15 ||
        variables_.size() >= kMaxVariables)
        return words_.wrong("a variable in the comments makes no sense");
    variables_[words[1]] = {*lane, {static_cast<VcdMeaning>(*role), *code, 64}};
    return {};
}

// Without its formatter: that makes texts of details, which a VCD has not.
Result<void> VcdDeclarations::add_lane(std::uint32_t source, std::string_view name) {
    const auto channel = sink_.channel(source, name);
    if (!channel.ok()) return channel.error();
    lanes_.emplace_back(sink_, *channel);
    return {};
}

// $var TYPE SIZE CODE NAME [RANGE] $end
Result<void> VcdDeclarations::variable(const std::vector<std::string>& words) {
    if (words.size() < 4) return words_.wrong("a $var needs type, size, code and name");
    if (variables_.count(words[2]) != 0) {  // one of ours, or another name of the same signal
        if (!ours_ && other_names_++ == 0) other_name_ = words[3];
        return {};
    }
    if (variables_.size() >= kMaxVariables) return words_.wrong("there are too many variables");
    const auto size = read_number<std::uint32_t>(words[1]);
    if (!size) return words_.wrong("'" + words[1].substr(0, 40) + "' is not the size of a variable");
    std::string name;
    for (const std::string& scope : scopes_) name += scope + ".";
    if (name.size() > 4096) return words_.wrong("a name is too long");
    name += words[3];
    name = unlike_others(name, words);
    VcdPart part{VcdMeaning::kAny, 0, *size};
    part.is_signed = words[0] == "integer";
    part.is_event = words[0] == "event";
    if (auto added = add_lane(sink_.source("vcd"), name); !added.ok()) return added;
    variables_[words[2]] = {lanes_.size() - 1, part};
    return {};
}

// Bits and parts of a vector are signals of their own: "d [0]" and "n [7:4]"; "bus [7:0]" is all of it.
std::string VcdDeclarations::unlike_others(std::string name, const std::vector<std::string>& words) {
    std::string range;
    for (std::size_t i = 4; i < words.size(); ++i) range += words[i];
    if (!range.empty() && !range.ends_with(":0]")) name += range;
    if (!names_.insert(name).second) name += "#" + words[2];  // its code is its own
    return name;
}

}  // namespace sla::formats
