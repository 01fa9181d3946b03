// Which files a capture's name stands for.
//
//   rec.sla            that file; when there is none, the series rec-0001.sla, rec-0002.sla, ... (CaptureSeries)
//   folder             every *.sla in it
//   'rec-000[4-6]*'    every file that matches, if none has just this name
//
// Several files are one capture when they are pieces of one run: ids, ordinals and ticks go on from one to the next.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::capture {

// In order of their numbers: rec-9999.sla is before rec-10000.sla. At least one; a name of nothing is given back as it is, for
// whoever opens it to complain.
Result<std::vector<std::string>> find_pieces(const std::string& name);

// Opens the first chunk of each. An error says that they are of several runs, and which are of one.
Result<void> check_one_run(const std::string& name, const std::vector<std::string>& files);

// Of files that `find_pieces` found it is none any more: a recording that goes on removes its oldest, also while it is opened. As
// long as nothing was read of it that is no damage.
[[nodiscard]] bool has_gone(const std::string& file);

// "rec-0002.sla is missing" when the number of `next` does not follow on that of `file`; empty: it does, or they have none.
std::string missing_between(const std::string& file, const std::string& next);

}  // namespace sla::capture
