// What is in an archive of `sla archive`, as rows of the event table.
#pragma once

#include "tests/support/process.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sla::support {

// "worker" of "worker/77", as a whole capture's table calls one of several programs of that name; a part of it does not know of
// the others.
inline std::string without_process(const std::string& source) {
    const std::size_t slash = source.rfind('/');
    const bool has_process = slash != std::string::npos && slash + 1 < source.size() &&
                             source.find_first_not_of("0123456789", slash + 1) == std::string::npos;
    return has_process ? source.substr(0, slash) : source;
}

// "tick,time_ns,source,thread,channel,kind,value,text" of each line of `sla table --format csv` behind the first; texts hold no commas.
inline std::vector<std::string> bare_rows(const std::string& csv) {
    constexpr int kBehindText = 9;
    std::vector<std::string> rows;
    std::istringstream in(csv);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::size_t end = 0;
        for (int i = 0; i < kBehindText; ++i) end = line.find(',', end) + 1;
        const std::size_t begin = line.find(',') + 1;
        std::string row = line.substr(begin, end - 1 - begin);
        const std::size_t source = row.find(',', row.find(',') + 1) + 1;
        const std::size_t behind = row.find(',', source);
        row.replace(source, behind - source, without_process(row.substr(source, behind - source)));
        rows.push_back(std::move(row));
    }
    return rows;
}

// Of every part, in order of names: of one host and capture that is the order of time.
inline std::vector<std::string> rows_of_lake(const std::string& sla, const std::string& lake, const std::string& scratch) {
    std::vector<std::string> parts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(lake)) {
        if (entry.path().extension() == ".parquet") parts.push_back(entry.path());
    }
    std::sort(parts.begin(), parts.end());
    std::vector<std::string> rows;
    for (const std::string& part : parts) {
        std::filesystem::remove(scratch);
        Process import({sla, "import", part, "-o", scratch});
        if (import.wait().code != 0) throw std::runtime_error(part + ": " + import.errors());
        Process table({sla, "table", scratch, "--format", "csv"});
        if (table.wait().code != 0) throw std::runtime_error(part + ": " + table.errors());
        const auto more = bare_rows(table.output());
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

}  // namespace sla::support
