// How long each function of a C or C++ file is, found by following its braces.
//
// A function is a brace pair that stands in a namespace, class or file and whose head has a parameter list. Lambdas and
// local classes belong to the function around them. Its length runs from the first line of its head to its closing brace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sla::layering {

struct FunctionLength {
    std::string name;  // the identifier in front of the parameter list
    int line = 0;      // of its head, from 1
    int lines = 0;
};

std::vector<FunctionLength> functions_of(std::string_view text);

}  // namespace sla::layering
