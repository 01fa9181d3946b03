// Value change dumps. Those of `sla export` carry their clock, lanes and event codes in comments and come back as they were;
// of any other a wire is a level, a vector or real a value, an `event` a tick and a string a text.
#include "proto/base/how_many.h"
#include "proto/time/tick_rate.h"
#include "viewer/formats/number_text.h"
#include "viewer/formats/percent.h"
#include "viewer/formats/source_facts.h"
#include "viewer/formats/stamp_errors.h"
#include "viewer/formats/vcd/vcd.h"
#include "viewer/formats/vcd/vcd_read_lane.h"
#include "viewer/formats/vcd/vcd_time.h"
#include "viewer/formats/vcd/vcd_words.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace sla::formats {

namespace {

constexpr std::size_t kMaxVariables = 1 << 20;
constexpr std::size_t kDeepest = 1000;

class VcdImport {
public:
    VcdImport(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress)
        : words_(in, progress), sink_(sink), notes_(notes) {}

    Result<void> run() {
        while (const auto word = words_.next()) {
            const std::string first(*word);
            Result<void> done;
            if (first.starts_with('$')) {
                done = section(first);
            } else if (first.starts_with('#')) {
                done = time(std::string_view(first).substr(1));
            } else {
                done = change(first);
            }
            if (!done.ok()) return done;
        }
        if (!words_.problem().ok()) return words_.problem();
        for (VcdReadLane& lane : lanes_) {
            if (auto flushed = lane.flush(); !flushed.ok()) return flushed;
        }
        if (variables_.empty() && !ours_) return damaged("it declares no variables; is it a value change dump?");
        if (unknown_ > 0)
            notes_.push_back(std::to_string(unknown_) + " changes to x or z are left out: a capture has no such values");
        if (other_names_ > 0)
            notes_.push_back(how_many(other_names_, "further name") + " of signals that have one already, '" + other_name_ +
                             "' for instance, " + (other_names_ == 1 ? "is" : "are") + " left out");
        if (cut_ > 0) notes_.push_back(std::to_string(cut_) + " vectors are wider than 64 bits; their lowest 64 are kept");
        if (ours_) notes_.emplace_back("vcd does not hold threads and details of events");
        return {};
    }

private:
    struct Variable {
        std::size_t lane = 0;
        VcdPart part;
    };

    Result<void> section(const std::string& name) {
        const bool is_dump = name == "$dumpvars" || name == "$dumpall" || name == "$dumpon" || name == "$dumpoff";
        if (is_dump || name == "$end") {
            is_dump_ = is_dump;
            return {};
        }
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

    Result<void> timescale(const std::vector<std::string>& words) {
        std::string text;
        for (const std::string& word : words) text += word;
        const std::size_t unit = std::min(text.find_first_not_of("0123456789"), text.size());
        const auto number = read_number<std::uint64_t>(std::string_view(text).substr(0, unit));
        const std::string name = text.substr(unit);
        if (!number || !time_.set_unit(*number, name))
            return words_.wrong("'" + text.substr(0, 40) + "' is not a timescale");
        if (!ours_) sink_.set_clock({0, time_.ticks_per_second(), 0, 0});
        return {};
    }

    Result<void> comment(const std::vector<std::string>& words) {
        if (words.size() == 6 && words[0] == "sla-clock") {
            const auto origin = read_number<std::uint64_t>(words[1]);
            const auto hz = read_number<double>(words[2]);
            const auto error = read_number<double>(words[3]);
            const auto realtime = read_number<std::int64_t>(words[4]);
            const auto zero = read_number<std::int64_t>(words[5]);
            if (!origin || !hz || !time::is_tick_rate(*hz) || !error || !(*error >= 0 && *error <= 1e9) || !realtime ||
                !zero)
                return words_.wrong("the clock in the comment cannot be read");
            ours_ = true;
            time_.count_ps_from(*zero);
            clock_ = {*origin, *hz, *error, *realtime};
            sink_.set_clock(clock_);
        } else if (words.size() == 2 && words[0] == "sla-stamps" && ours_) {
            read_stamp_errors(words[1], clock_);
            sink_.set_clock(clock_);
        } else if (words.size() == 2 && words[0] == "sla-sources") {
            read_source_facts(words[1], sink_);
        } else if (words.size() == 5 && words[0] == "sla-lane") {
            const auto number = read_number<std::size_t>(words[1]);
            if (!number || *number != lanes_.size()) return words_.wrong("the lanes in the comments are not in order");
            const std::uint32_t source = sink_.source(percent_decoded(words[2]));
            return add_lane(source, percent_decoded(words[3]));
        } else if (words.size() == 5 && words[0] == "sla-var") {
            const auto lane = read_number<std::size_t>(words[2]);
            const auto role = read_number<std::uint8_t>(words[3]);
            const auto code = read_number<std::uint8_t>(words[4]);
            if (!lane || *lane >= lanes_.size() || !role || *role > static_cast<int>(VcdMeaning::kLost) || !code ||
                *code > 15 || variables_.size() >= kMaxVariables)
                return words_.wrong("a variable in the comments makes no sense");
            variables_[words[1]] = {*lane, {static_cast<VcdMeaning>(*role), *code, 64}};
        } else if (words.size() == 3 && words[0] == "sla-open") {
            const auto found = variables_.find(words[1]);
            const auto open = read_number<std::uint64_t>(words[2]);
            if (found != variables_.end() && open) lanes_[found->second.lane].set_open(*open);
        }
        return {};
    }

    // Without its formatter: that makes texts of details, which a VCD has not.
    Result<void> add_lane(std::uint32_t source, std::string_view name) {
        const auto channel = sink_.channel(source, name);
        if (!channel.ok()) return channel.error();
        lanes_.emplace_back(sink_, *channel);
        return {};
    }

    static std::uint64_t with_sign(std::uint64_t value, const VcdPart& part) {
        const bool minus = part.is_signed && part.size > 0 && part.size < 64 && (value >> (part.size - 1) & 1) != 0;
        return minus ? value | ~std::uint64_t{0} << part.size : value;
    }

    // $var TYPE SIZE CODE NAME [RANGE] $end
    Result<void> variable(const std::vector<std::string>& words) {
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
    std::string unlike_others(std::string name, const std::vector<std::string>& words) {
        std::string range;
        for (std::size_t i = 4; i < words.size(); ++i) range += words[i];
        if (!range.empty() && !range.ends_with(":0]")) name += range;
        if (!names_.insert(name).second) name += "#" + words[2];  // its code is its own
        return name;
    }

    Result<void> time(std::string_view text) {
        const auto number = read_number<std::uint64_t>(text);
        if (!number) return words_.wrong("'#" + std::string(text.substr(0, 40)) + "' is not a time");
        if (*number < now_) return words_.wrong("time goes backwards");
        now_ = *number;
        const auto tick = time_.tick_of(now_, sink_);
        if (!tick) return words_.wrong("this time is too far away");
        tick_ = *tick;
        return {};
    }

    Result<void> change(const std::string& word) {
        const char kind = word[0];
        const bool vector = kind == 'b' || kind == 'B' || kind == 'r' || kind == 'R' || kind == 's' || kind == 'S';
        std::string code = word.substr(1);
        std::string value = vector ? word.substr(1) : word.substr(0, 1);
        if (vector) {
            const auto next = words_.next();
            if (!next) return words_.wrong("the file ends inside a change");
            code = *next;
        } else if (std::string_view("01xXzZuUwWlLhH-").find(kind) == std::string_view::npos) {
            return words_.wrong("'" + word.substr(0, 40) + "' is no change of a value");
        }
        const auto found = variables_.find(code);
        if (found == variables_.end())
            return words_.wrong("a change of '" + code.substr(0, 40) + "', which was never declared");
        VcdChange change{tick_, 0, {}, vector ? static_cast<char>(kind | 0x20) : '1'};
        switch (change.form) {
            case 's': change.text = unescaped(value); break;
            case 'r': {
                const auto number = read_number<double>(value);
                if (!number) return words_.wrong("'" + value.substr(0, 40) + "' is not a number");
                change.value = wire::as_bits(*number);
                break;
            }
            default: {
                const auto bits = read_bits(value);
                if (!bits) {
                    if (!ours_) ++unknown_;
                    return {};
                }
                if (bits->wide) ++cut_;
                change.value = with_sign(bits->value, found->second.part);
            }
        }
        VcdReadLane& lane = lanes_[found->second.lane];
        if (!(ours_ && is_dump_)) return lane.take(found->second.part, change);
        if (found->second.part.meaning == VcdMeaning::kSpan) lane.set_open(change.value);
        return {};
    }

    VcdWords words_;
    CaptureSink& sink_;
    Notes& notes_;
    std::vector<std::string> scopes_;
    std::vector<VcdReadLane> lanes_;
    std::unordered_map<std::string, Variable> variables_;
    bool ours_ = false;
    bool is_dump_ = false;  // what comes says what holds: in one of ours it is no event
    SinkClock clock_;       // of our file
    VcdTime time_;
    std::uint64_t now_ = 0;
    std::uint64_t tick_ = 0;
    std::uint64_t unknown_ = 0;
    std::uint64_t cut_ = 0;
    std::set<std::string> names_;
    std::uint64_t other_names_ = 0;
    std::string other_name_;  // the first
};

}  // namespace

Result<void> import_vcd(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress) {
    return VcdImport(in, sink, notes, progress).run();
}

}  // namespace sla::formats
