#include "viewer/formats/table/json_reader.h"

#include "proto/base/text.h"
#include "viewer/formats/table/json_objects.h"
#include "viewer/formats/table/table_import.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sla::formats {

namespace {

using Json = nlohmann::json;

// One object's members as texts, a field each; numbers as they stand in the file, since a time as a double loses picoseconds.
class Members final : public Json::json_sax_t {
public:
    // Names as they came first; those that are new since the last call are behind.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }

    // Empty: it was read. What is wrong with it else.
    std::string read(std::string_view object) {
        for (std::string& field : fields_) field.clear();
        problem_.clear();
        depth_ = 0;
        if (!Json::sax_parse(object.begin(), object.end(), this) && problem_.empty()) problem_ = "it is no JSON object";
        return problem_;
    }

    bool null() override { return put(""); }
    bool boolean(bool value) override { return put(value ? "1" : "0"); }
    bool number_integer(std::int64_t value) override { return put(std::to_string(value)); }
    bool number_unsigned(std::uint64_t value) override { return put(std::to_string(value)); }
    bool number_float(double, const std::string& text) override { return put(text); }
    bool string(std::string& value) override { return put(std::move(value)); }
    bool binary(Json::binary_t&) override { return wrong(); }
    bool start_object(std::size_t) override { return ++depth_ == 1 || wrong(); }
    bool start_array(std::size_t) override { return wrong(); }
    bool end_object() override { return true; }
    bool end_array() override { return true; }
    bool key(std::string& name) override {
        const auto [at, is_new] = places_.try_emplace(name, names_.size());
        if (is_new) {
            if (names_.size() == kMostNames) return wrong("its objects have too many different members");
            names_.push_back(name);
            fields_.emplace_back();
        }
        place_ = at->second;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

private:
    static constexpr std::size_t kMostNames = 1000;
    bool wrong(const char* what = "it is no object of names with numbers and texts") {
        problem_ = what;
        return false;
    }
    bool put(std::string value) {
        if (depth_ == 0) return wrong();
        fields_[place_] = std::move(value);
        return true;
    }

    std::vector<std::string> names_;
    std::vector<std::string> fields_;
    std::unordered_map<std::string, std::size_t> places_;
    std::size_t place_ = 0;
    int depth_ = 0;
    std::string problem_;
};

}  // namespace

bool is_json_table(std::string_view text) {
    const Progress none;
    std::istringstream in{std::string(text)};
    JsonObjects objects(in, none);
    const auto whole = objects.next();
    const std::string_view object = whole ? *whole : text;  // its end may not have been read
    if (trimmed(text.starts_with('[') ? text.substr(1) : text, " \t\r\n").substr(0, 1) != "{") return false;
    const auto has = [&](std::string_view member) { return object.find(member) != std::string_view::npos; };
    return has("\"channel\":") && (has("\"tick\":") || has("\"time")) && !has("\"ph\":");
}

Result<void> import_json(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress) {
    JsonObjects objects(in, progress);
    Members row;
    std::optional<CsvColumns> columns;
    std::optional<TableImport> import;
    while (const auto object = objects.next()) {
        const auto wrong = [&](const std::string& what) { return wrong_in_line(objects.number(), what); };
        if (const std::string problem = row.read(*object); !problem.empty())
            return wrong(problem + "; a table as JSON is an object an event");
        if (!columns) {
            columns.emplace(row.names());
            if (!columns->has(CsvColumn::kTick) && !columns->has(CsvColumn::kTime))
                return wrong("no member is called tick, time, time_ns or the like");
            if (!columns->has(CsvColumn::kChannel)) return wrong("no member is called channel");
            import.emplace(sink, notes, *columns, "json");
        }
        while (columns->count() < row.names().size()) columns->add(row.names()[columns->count()]);
        if (auto taken = import->row(row.fields(), objects.number()); !taken.ok()) return taken;
    }
    if (!objects.problem().ok()) return objects.problem();
    if (!import) return damaged("it has no rows");
    import->finish();
    return {};
}

}  // namespace sla::formats
