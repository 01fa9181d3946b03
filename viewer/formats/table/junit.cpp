#include "viewer/formats/table/junit.h"

#include "viewer/formats/markup_text.h"

#include <algorithm>

namespace sla::formats {

namespace {

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + markup_text(value) + "\"";
}

std::string case_text(const JunitCase& one) {
    std::string out = "    <testcase" + attribute("classname", one.group) + attribute("name", one.name);
    if (one.outcome == CaseOutcome::kPassed) return out + "/>\n";
    const std::string element = one.outcome == CaseOutcome::kFailed ? "failure" : "error";
    return out + ">\n      <" + element + attribute("message", one.message) + "/>\n    </testcase>\n";
}

}  // namespace

Result<void> write_junit(const std::string& suite, const std::vector<JunitCase>& cases, Output& output) {
    const auto count = [&](CaseOutcome outcome) {
        return std::to_string(
            std::count_if(cases.begin(), cases.end(), [&](const auto& one) { return one.outcome == outcome; }));
    };
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite";
    out += attribute("name", suite) + attribute("tests", std::to_string(cases.size()));
    out += attribute("failures", count(CaseOutcome::kFailed)) + attribute("errors", count(CaseOutcome::kError)) + ">\n";
    for (const JunitCase& one : cases) out += case_text(one);
    out += "  </testsuite>\n</testsuites>\n";
    if (auto written = output.write(out); !written.ok()) return written.error();
    return output.finish();
}

}  // namespace sla::formats
