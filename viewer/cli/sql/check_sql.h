// `sla check --sql`: questions whose answer is a verdict.
//
//   SELECT count(*) = 0, max(width_ns) FROM spans WHERE channel = 'isr' AND width_ns > ns('50us')
//          verdict       measured (may be left out)                       of the first row: not 0 pass, 0 fail, null or no
//                                                                         row cannot tell
//
// A question sees what is there: when events were lost, counted or not, or the file is damaged its answer is "cannot tell",
// unless it reads `gaps` or `captures` and so judges losses itself.
#pragma once

#include "viewer/cli/text/verdicts.h"

#include <string>
#include <vector>

namespace sla::cli {

struct SqlVerdict {
    Reported reported;
    formats::Field measured;
};

// "4 events were lost" with `of` behind "events"; empty: nothing is missing.
std::string losses_in_words(const store::Session& session, const std::string& of = "");

Result<std::vector<SqlVerdict>> judge_questions(const store::Session& session, const std::string& capture,
                                                const std::vector<std::string>& questions);

}  // namespace sla::cli
