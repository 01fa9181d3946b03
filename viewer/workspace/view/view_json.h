// The parts of a ViewState as JSON. Reading: whatever is not as it should be is as if it were not there.
#pragma once

#include "viewer/workspace/view/view_state.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

nlohmann::json json_of(const timeline::LaneArrangement& lanes);
nlohmann::json json_of(const Annotations& annotations);
nlohmann::json json_of(const std::vector<timeline::TickRange>& folds);
nlohmann::json json_of(const StatisticsOptions& options);
nlohmann::json json_of(const ShownPlace& shown);
nlohmann::json json_of(const std::vector<KeptQuestion>& questions);

// Null when there is no such part.
const nlohmann::json& part(const nlohmann::json& from, const char* name);
std::string text_in(const nlohmann::json& from, const char* name);
bool flag_in(const nlohmann::json& from, const char* name);
std::optional<std::uint64_t> number_in(const nlohmann::json& from, const char* name);

timeline::LaneArrangement arrangement_in(const nlohmann::json& from);
Annotations annotations_in(const nlohmann::json& from);
std::vector<timeline::TickRange> folds_in(const nlohmann::json& from);
StatisticsOptions statistics_options_in(const nlohmann::json& from);
ShownPlace shown_in(const nlohmann::json& from);
std::vector<KeptQuestion> questions_in(const nlohmann::json& from);
std::optional<timeline::Cursor> cursor_in(const nlohmann::json& from, const char* name);

}  // namespace sla::workspace
