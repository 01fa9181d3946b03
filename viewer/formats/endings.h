// The ending of a file's name, and what it promises.
#pragma once

#include "proto/base/result.h"

#include <initializer_list>
#include <string_view>

namespace sla::formats {

// "json" of "a/b.json"; empty when there is none, or what follows the last dot is no ending ("tmp.XkQ2b8sPq0", "run.12").
std::string_view ending_of(std::string_view path);

// Whether the name ends in one of these, or promises nothing; else an error that says what the file will be: "a picture is a
// PNG: name it .png". For `-`, devices and the like nothing is promised.
Result<void> check_ending(std::string_view path, std::initializer_list<std::string_view> endings, std::string_view rule);

// A capture's name may end in anything but in what another format is known by.
Result<void> check_capture_name(std::string_view path);

}  // namespace sla::formats
