// Number checks: limits on how many events there were, how many a second, and how many were lost.
#pragma once

#include "viewer/analysis/limits/verdict.h"
#include "viewer/store/session.h"

#include <vector>

namespace sla::analysis {

// Of all these lanes together.
Finding check_number(const store::Session& session, const Limit& limit, const Selection& range,
                     const std::vector<const store::Lane*>& lanes);

}  // namespace sla::analysis
