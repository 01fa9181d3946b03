// The words and numbers that a filter's text is made of.
#pragma once

#include "proto/base/result.h"
#include "viewer/analysis/filter/event_filter.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::analysis {

struct FilterToken {
    std::string text;
    bool quoted = false;
    std::size_t at = 0;  // in the filter's text
};

Result<std::vector<FilterToken>> filter_tokens(std::string_view text);

// Part of a name or a number, where it is not quoted.
bool is_filter_word(char c);

std::optional<EventFilter::Number> filter_number(std::string_view text);

// What is wrong at this place of the filter's text.
Error unclear_filter(const std::string& what, std::size_t at);

}  // namespace sla::analysis
