#include "agent/service/log.h"

#include "agent/service/stderr_sink.h"
#include "proto/base/control_characters.h"

#include <spdlog/details/os.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/spdlog.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace sla::service {
namespace {

bool journal_is_set_up = false;  // before there are threads

char priority_of(spdlog::level::level_enum level) {
    switch (level) {
        case spdlog::level::critical: return '2';
        case spdlog::level::err: return '3';
        case spdlog::level::warn: return '4';
        case spdlog::level::info: return '6';
        default: return '7';
    }
}

class PriorityFlag : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
        for (const char letter : {'<', priority_of(message.level), '>'}) out.push_back(letter);
    }
    [[nodiscard]] std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
        return std::make_unique<PriorityFlag>();
    }
};

// What was said, on one line: names from strangers stand in it.
class HarmlessText : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
        const std::string text = without_control({message.payload.data(), message.payload.size()}, '?');
        out.append(text.data(), text.data() + text.size());
    }
    [[nodiscard]] std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
        return std::make_unique<HarmlessText>();
    }
};

void set_default_logger(const std::string& program, bool with_colors) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(program, std::make_shared<StderrSink>(with_colors)));
}

}  // namespace

bool stderr_is_journal(const Environment& environment) {
    const auto stream = environment("JOURNAL_STREAM");
    struct stat info {};
    if (!stream || ::fstat(STDERR_FILENO, &info) != 0) return false;
    return *stream == std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino);
}

std::string error_prefix() {
    return journal_is_set_up ? "<3>" : "";
}

void set_up_log(const std::string& program, bool for_journal, bool quiet) {
    journal_is_set_up = for_journal;
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<PriorityFlag>('*').add_flag<HarmlessText>('v');
    formatter->set_pattern(for_journal ? "%*%v" : program + ": %^%l%$: %v");
    if (for_journal) {
        set_default_logger(program, false);
    } else {
        const char* const plain = std::getenv("NO_COLOR");
        const bool has_colors = plain == nullptr || *plain == '\0';
        set_default_logger(program, has_colors && ::isatty(STDERR_FILENO) == 1 && spdlog::details::os::is_color_terminal());
    }
    spdlog::default_logger()->set_formatter(std::move(formatter));
    spdlog::set_level(quiet ? spdlog::level::warn : spdlog::level::info);
}

}  // namespace sla::service
