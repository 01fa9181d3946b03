// LineReader: lines that a person types, with editing and a history that outlives the program; from a pipe, plain lines.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace sla::prompt {

class LineReader {
public:
    virtual ~LineReader() = default;
    // What is typed is thrown away by Ctrl+C: an empty line, and was_cancelled(). Nothing at the end of input.
    virtual std::optional<std::string> read(const std::string& prompt) = 0;
    [[nodiscard]] virtual bool was_cancelled() const { return false; }
    // Kept for the arrow keys, and in the history's file.
    virtual void remember(const std::string& /*entry*/) {}
    [[nodiscard]] virtual bool is_for_people() const { return false; }
};

// With editing when both standard input and output are a terminal. `history` is the name of a file in the user's state folder.
std::unique_ptr<LineReader> make_line_reader(const std::string& history);

}  // namespace sla::prompt
