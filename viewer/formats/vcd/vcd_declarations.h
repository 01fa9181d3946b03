// VcdDeclarations: what a value change dump declares in its sections: the timescale, scopes and variables, and in comments of
// `sla export` its clock, sources and lanes. They may come anywhere in the file.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/vcd/vcd_read_lane.h"
#include "viewer/formats/vcd/vcd_time.h"
#include "viewer/formats/vcd/vcd_words.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sla::formats {

class VcdDeclarations {
public:
    struct Variable {
        std::size_t lane = 0;
        VcdPart part;
    };

    // Both outlive it.
    VcdDeclarations(VcdWords& words, CaptureSink& sink) : words_(words), sink_(sink) {}

    // Behind its `$name`, up to its $end.
    Result<void> section(const std::string& name);
    // What was left out.
    void note(Notes& notes) const;

    // Null: there is none of that code.
    [[nodiscard]] const Variable* find(const std::string& code) const;
    [[nodiscard]] VcdReadLane& lane(const Variable& variable) { return lanes_[variable.lane]; }
    [[nodiscard]] std::vector<VcdReadLane>& lanes() { return lanes_; }
    [[nodiscard]] VcdTime& time() { return time_; }
    [[nodiscard]] bool has_any() const { return !variables_.empty(); }
    // It comes from `sla export`.
    [[nodiscard]] bool is_ours() const { return ours_; }

private:
    Result<void> timescale(const std::vector<std::string>& words);
    Result<void> comment(const std::vector<std::string>& words);
    Result<void> clock(const std::vector<std::string>& words);
    Result<void> our_lane(const std::vector<std::string>& words);
    Result<void> our_variable(const std::vector<std::string>& words);
    Result<void> variable(const std::vector<std::string>& words);
    Result<void> add_lane(std::uint32_t source, std::string_view name);
    std::string unlike_others(std::string name, const std::vector<std::string>& words);

    VcdWords& words_;
    CaptureSink& sink_;
    std::vector<std::string> scopes_;
    std::vector<VcdReadLane> lanes_;
    std::unordered_map<std::string, Variable> variables_;  // by their codes
    bool ours_ = false;
    SinkClock clock_;  // of our file
    VcdTime time_;
    std::set<std::string> names_;
    std::uint64_t other_names_ = 0;
    std::string other_name_;  // the first
};

}  // namespace sla::formats
