// What a program understands on its command line: commands, options, words; with their help and their errors.
//
//     common::Command app("sla", "Soft logic analyzer.");
//     common::Command& table = app.add_command("table", "Write the events as a table");
//     table.add_option("--format", format, "csv, tsv or json").value_name("FORMAT");
//     table.action([&] { return write(format); });
//     return app.run(argc, argv);
//
// CLI11 does the work, behind this header: its templates cost ten seconds of every file that sees them, so one does.
#pragma once

#include "proto/base/exit_codes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class Option;
}

namespace sla::common {

// As --help, completion scripts and manual pages want to know them.
struct OptionFacts {
    std::vector<std::string> names;  // "-o", "--format"; empty: positional
    std::string value;               // "FORMAT"; empty: a flag
    std::string description;         // with the value's range and default, and which options it goes with
    std::string title;               // it stands under
    bool required = false;
    bool many = false;                 // values, or repeatable
    std::vector<std::string> choices;  // of the value, when they are few and known
};

struct CommandFacts {
    std::string name;  // "trigger"; of a part of it "trigger set"
    std::string description;
    std::string footer;
    std::string title;  // it stands under
    std::vector<OptionFacts> options;
    std::vector<CommandFacts> parts;  // commands of its own, as `sla trigger set`

    // The last word of the name.
    [[nodiscard]] std::string word() const { return name.substr(name.rfind(' ') + 1); }
};

struct Unit {
    std::string name;
    double factor;
};

// One option, flag or positional word; a handle as light as a pointer, good as long as its command.
class Option {
public:
    // What stands for the value in --help; else N of a whole number, NUMBER of any other, TEXT. One that begins with an amount (TIME, DURATION, SIZE, PERCENT, RATE), CAPTURE or
    // ADDRESS is not to be left empty: `--for "$UNSET"` is an error, not a recording without an end, and `check "$UNSET"` does
    // not judge what the agent holds instead of a file.
    Option value_name(const std::string& name) const;
    // The title it stands under in --help; none: it works, but is in no help.
    Option group(const std::string& title) const;
    Option required() const;
    // --help shows the value that the variable has now.
    Option show_default() const;
    // Repeatable, one value each time: the word behind it is a positional one.
    Option one_each() const;
    // So many values in all.
    Option count(int least, int most) const;
    Option excludes(const Option& other) const;
    Option needs(const Option& other) const;

    // What a value has to be. Ranges include both ends and stand in --help.
    Option one_of(const std::vector<std::string>& words) const;
    Option range(double least, double most) const;
    Option at_most(double most) const;  // from 0; not shown in --help
    Option positive() const;
    Option not_negative() const;
    // "16MiB" for a number of bytes, as parse_size() reads it.
    Option as_size() const;
    // "500ms" for 0.5, when ms is 0.001; `name` is what is counted.
    Option units(const std::vector<Unit>& units, const std::string& name) const;
    // What shells may complete; other values are as good.
    Option suggest(const std::vector<std::string>& words) const;

private:
    friend class Command;
    struct Record;
    explicit Option(Record& record) : record_(&record) {}
    Record* record_;
};

// A program, or one of its commands. Variables that options are bound to outlive it; those not typed keep their value.
class Command {
public:
    static constexpr int kWrongUse = exits::kWrongUse;  // exit code

    Command(const std::string& program, const std::string& description);
    ~Command();
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    // The title in --help under which the commands stand that are added from now on.
    void title_commands(const std::string& title);
    // A command that has commands wants one of them.
    Command& add_command(const std::string& name, const std::string& description);
    // Works, but is in no help.
    void hide();
    void footer(const std::string& text);
    // --version
    void version(const std::string& text);

    // `names` as in "-o,--output"; without dashes it is a positional word, "--address,address" is both. A value is a string,
    // an int, a 32- or 64-bit unsigned number, one of these that may be absent, a float or double, or a vector of strings or
    // 32-bit numbers; others do not link. A number that does not fit its variable is an error, and so is one with something
    // behind it.
    template <typename Value>
    Option add_option(const std::string& names, Value& value, const std::string& help);
    Option add_flag(const std::string& names, bool& value, const std::string& help);
    // Of this command and of all that have been added to it, so that it may stand anywhere.
    void add_flag_everywhere(const std::string& names, bool& value, const std::string& help);
    void add_option_everywhere(const std::string& names, std::string& value, const std::string& value_name,
                               const std::string& help);

    // What it does: int perform(), which gives the program's exit code.
    template <typename Run>
    void action(Run perform) {
        set_action(std::make_unique<ActionOf<Run>>(std::move(perform)));
    }

    // Parses and acts. 0 after --help and --version that could be written (else 3), kWrongUse after an error, which stands on
    // stderr and begins with the program's name. What an action throws comes through.
    int run(int argc, const char* const* argv);
    int run(std::vector<std::string> words);
    // For what no option can say by itself: the same kind of message, gives kWrongUse.
    [[nodiscard]] int wrong_use(const std::string& message) const;

    // In the order in which they were added; without what is hidden.
    [[nodiscard]] CommandFacts facts() const;

private:
    struct Action {
        virtual ~Action() = default;
        virtual int run() = 0;
    };
    template <typename Run>
    struct ActionOf final : Action {
        explicit ActionOf(Run given) : own(std::move(given)) {}
        int run() override { return own(); }
        Run own;
    };
    struct Parts;

    explicit Command(std::unique_ptr<Parts> parts);
    void set_action(std::unique_ptr<Action> action);
    void check_sizes();
    [[nodiscard]] const Command& chosen() const;
    [[nodiscard]] const Command& program() const;
    // "sla trigger set"
    [[nodiscard]] std::string path() const;
    [[nodiscard]] std::string unknown_word() const;
    [[nodiscard]] CommandFacts facts(const std::string& before) const;

    std::unique_ptr<Parts> parts_;
};

}  // namespace sla::common
