// Options: what they are called, and what their values have to be.
#include "proto/base/size.h"
#include "proto/common/command_parts.h"
#include "proto/common/number_words.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <type_traits>

namespace sla::common {

namespace {

std::string range_text(double least, double most) {
    char text[64];
    std::snprintf(text, sizeof text, "%.15g to %.15g", least, most);
    return text;
}

template <typename Fits>
CLI::Validator that(const std::string& what, Fits fits) {
    const auto objection = [what, fits](const std::string& word) {
        double number = 0;
        const bool good = CLI::detail::lexical_cast(word, number) && fits(number);
        return good ? std::string() : "'" + word + "' is not " + what;
    };
    return CLI::Validator(objection, "");
}

// What one value of an option is.
template <typename Value>
struct ElementOf {
    using Type = Value;
};
template <typename Value>
struct ElementOf<std::optional<Value>> {
    using Type = Value;
};
template <typename Value>
struct ElementOf<std::vector<Value>> {
    using Type = Value;
};

bool must_say_something(const std::string& value_name) {
    const std::string first = value_name.substr(0, value_name.find_first_of("|,. "));
    const auto names = {"TIME", "DURATION", "SIZE", "PERCENT", "RATE", "CAPTURE", "ADDRESS"};
    return std::find(names.begin(), names.end(), first) != names.end();
}

CLI::Validator within(double least, double most) {
    return that("from " + range_text(least, most), [=](double number) { return number >= least && number <= most; });
}

template <typename Element>
const char* name_of_values() {
    if constexpr (std::is_integral_v<Element>) return "N";
    return std::is_floating_point_v<Element> ? "NUMBER" : "TEXT";
}

}  // namespace

Option Option::value_name(const std::string& name) const {
    record_->option->type_name(name);
    if (must_say_something(name)) {
        const auto objection = [name](const std::string& word) {
            return word.empty() ? "an empty value is no " + name : std::string();
        };
        record_->option->check(CLI::Validator(objection, ""));
    }
    return *this;
}

Option Option::group(const std::string& title) const {
    record_->option->group(title);
    return *this;
}

Option Option::required() const {
    record_->option->required();
    return *this;
}

Option Option::show_default() const {
    record_->option->capture_default_str();
    record_->tells_default = true;
    return *this;
}

Option Option::one_each() const {
    record_->option->allow_extra_args(false);
    return *this;
}

Option Option::count(int least, int most) const {
    record_->option->expected(least, most);
    return *this;
}

Option Option::excludes(const Option& other) const {
    record_->option->excludes(other.record_->option);
    return *this;
}

Option Option::needs(const Option& other) const {
    record_->option->needs(other.record_->option);
    return *this;
}

Option Option::one_of(const std::vector<std::string>& words) const {
    const auto objection = [words](const std::string& word) {
        if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
        return "'" + word + "' is none of " + CLI::detail::join(words, ", ");
    };
    record_->option->check(CLI::Validator(objection, ""));
    record_->option->type_name(CLI::detail::join(words, "|"));
    return suggest(words);
}

Option Option::range(double least, double most) const {
    record_->option->check(within(least, most));
    record_->limits = range_text(least, most);
    return *this;
}

Option Option::at_most(double most) const {
    record_->option->check(within(0, most));
    return *this;
}

Option Option::positive() const {
    record_->option->check(that("above 0", [](double number) { return number > 0; }));
    return *this;
}

Option Option::not_negative() const {
    record_->option->check(that("0 or above", [](double number) { return number >= 0; }));
    return *this;
}

Option Option::as_size() const {
    const auto in_bytes = [](std::string& word) {
        const auto bytes = parse_size(word);
        if (!bytes.ok()) return bytes.error().message;
        word = std::to_string(*bytes);
        return std::string();
    };
    record_->option->transform(CLI::Validator(in_bytes, ""));
    return *this;
}

Option Option::units(const std::vector<Unit>& units, const std::string& name) const {
    std::map<std::string, double> factors;
    for (const Unit& unit : units) factors[unit.name] = unit.factor;
    CLI::AsNumberWithUnit with_unit(factors, CLI::AsNumberWithUnit::CASE_SENSITIVE, name);
    record_->option->transform(with_unit.description(""))->type_name(name);
    return *this;
}

Option Option::suggest(const std::vector<std::string>& words) const {
    record_->choices = words;
    return *this;
}

template <typename Value>
Option Command::add_option(const std::string& names, Value& value, const std::string& help) {
    Option::Record& record = parts_->options.emplace_back(parts_->app->add_option(names, value, help));
    using Element = typename ElementOf<Value>::Type;
    record.option->type_name(name_of_values<Element>());
    if constexpr (std::is_arithmetic_v<Element>) {
        record.option->transform(CLI::Validator(read_number<Element>, ""));
        record.size_problem = out_of_range<Element>;
    }
    return Option(record);
}

template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, std::uint32_t&, const std::string&);
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, float&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::uint32_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::uint64_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<int>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::uint32_t>&, const std::string&);

Option Command::add_flag(const std::string& names, bool& value, const std::string& help) {
    parts_->options.emplace_back(parts_->app->add_flag(names, value, help));
    return Option(parts_->options.back());
}

void Command::add_flag_everywhere(const std::string& names, bool& value, const std::string& help) {
    add_flag(names, value, help);
    for (const auto& command : parts_->commands) command->add_flag_everywhere(names, value, help);
}

void Command::add_option_everywhere(const std::string& names, std::string& value, const std::string& value_name,
                                    const std::string& help) {
    add_option(names, value, help).value_name(value_name);
    for (const auto& command : parts_->commands) command->add_option_everywhere(names, value, value_name, help);
}

}  // namespace sla::common
