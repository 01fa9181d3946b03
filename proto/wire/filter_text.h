// Filters as people type and read them.
//
//   FILTER := CONDITION (',' CONDITION)* | 'none'           CONDITION := 'value' CMP NUMBER | 'value' 'in' NUMBER '..'
//   NUMBER CMP    := '<' '<=' '>' '>=' '==' '!='                                 | 'every' N
//
// At most one condition on the value and one 'every'. A number with a point or an exponent makes the comparison one of
// floating-point numbers. "value > 100, every 10" keeps every tenth of those above 100.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/control.pb.h"

#include <string>
#include <string_view>

namespace sla::wire {

Result<Filter> parse_filter(std::string_view text);

// What parse_filter reads again as the same filter; empty: everything passes.
std::string filter_text(const Filter& filter);

// A filter from outside that no parser made: what is wrong with it, or empty.
std::string filter_problem(const Filter& filter);

}  // namespace sla::wire
