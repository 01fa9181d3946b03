#include "agent/daemon/options/json_document.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace sla::daemon {
namespace {

// Looks on while a text is parsed: the parser itself takes the last of several values of one key.
class KeyWatch {
public:
    static constexpr int kDeepest = 16;  // lists and objects within each other; no configuration needs a quarter of it

    // False: what begins here is left out.
    bool on_event(int depth, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
        using Event = nlohmann::json::parse_event_t;
        if (depth > kDeepest) {
            if (problem_.empty()) problem_ = path() + ": lists and objects lie too deep within each other";
            return false;
        }
        switch (event) {
            case Event::object_start: levels_.push_back({}); break;
            case Event::array_start: levels_.push_back({true, {}, 0, {}}); break;
            case Event::key: on_key(parsed.get<std::string>()); break;
            case Event::value: on_value(); break;
            case Event::object_end:
            case Event::array_end:
                levels_.pop_back();
                on_value();
                break;
        }
        return true;
    }

    // The first that was found, with its path; empty: none.
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    struct Level {
        bool is_list = false;
        std::string key;
        std::size_t index = 0;
        std::set<std::string> keys;
    };

    void on_key(const std::string& key) {
        levels_.back().key = key;
        if (levels_.back().keys.insert(key).second || !problem_.empty()) return;
        problem_ = path() + ": this key stands twice in one object";
    }
    void on_value() {
        if (!levels_.empty() && levels_.back().is_list) levels_.back().index++;
    }
    [[nodiscard]] std::string path() const {
        std::string path;
        for (const Level& level : levels_) {
            if (level.is_list) {
                path += "[" + std::to_string(level.index) + "]";
            } else {
                path += (path.empty() ? "" : ".") + level.key;
            }
        }
        return path;
    }

    std::vector<Level> levels_;  // that are open
    std::string problem_;
};

// "NAME:LINE:COLUMN: WHY" for a byte of the text, counted from 1 as nlohmann does.
Error syntax_error(std::string_view text, const std::string& name, const nlohmann::json::parse_error& error) {
    std::string_view before = text.substr(0, std::min(error.byte > 0 ? error.byte - 1 : 0, text.size()));
    std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    std::size_t column = before.size() - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
    std::string why = error.what();
    std::size_t said = why.find("syntax error");
    return invalid_input(name + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " +
                         (said == std::string::npos ? why : why.substr(said)));
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, const std::string& name) {
    constexpr bool kWithExceptions = true;
    constexpr bool kWithComments = true;
    KeyWatch keys;
    const auto watch = [&keys](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
        return keys.on_event(depth, event, parsed);
    };
    try {
        nlohmann::json json = nlohmann::json::parse(text, watch, kWithExceptions, kWithComments);
        if (!keys.problem().empty()) return invalid_input(name + ": " + keys.problem());
        return json;
    } catch (const nlohmann::json::parse_error& error) {
        return syntax_error(text, name, error);
    } catch (const nlohmann::json::exception& error) {
        return invalid_input(name + ": " + error.what());
    }
}

}  // namespace sla::daemon
