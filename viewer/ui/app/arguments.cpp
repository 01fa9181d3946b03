#include "viewer/ui/app/arguments.h"

#include "proto/base/size.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "viewer/ingest/remote/credentials.h"
#include "viewer/ui/app/app.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace sla::ui {

namespace {

Result<void> parse_pixels(const std::string& text, int& width, int& height) {
    char rest = 0;
    const bool two = std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) == 2;
    if (!two || width < 320 || height < 240 || width > 16384 || height > 16384) {
        return invalid_input("--size wants WIDTHxHEIGHT in pixels, from 320x240 to 16384x16384, not \"" + text + "\"");
    }
    return {};
}

Result<void> parse_time(const std::string& text, std::optional<std::int64_t>& ps) {
    if (text.empty()) return {};
    const Result<std::int64_t> parsed = time::parse_duration(text);
    if (!parsed) return parsed.error();
    ps = *parsed;
    return {};
}

Result<void> take_format(const Arguments& arguments, PictureOptions& options) {
    if (arguments.format.empty()) return {};
    if (arguments.export_table.empty())
        return invalid_input(
            "--format is of the table that --export-table writes; to show a file that is no capture, make one "
            "of it first: sla import --format " +
            arguments.format + " FILE -o F.sla");
    const Result<formats::Format> format = formats::parse_format(arguments.format);
    if (!format) return format.error();
    options.table_format = *format;
    return {};
}

Result<void> take_questions(const std::vector<std::string>& texts, QuestionForm form, std::vector<KeptQuestion>& questions) {
    for (const std::string& text : texts) {
        const Result<KeptQuestion> question = workspace::parse_kept_question(text, form);
        if (!question) return question.error();
        if (!workspace::keep_question(questions, *question))
            return invalid_input("there is no room for the question " + question->name + ": " +
                                 workspace::space_for_questions());
    }
    return {};
}

// What a program without a window shows and writes.
void describe_picture(common::Command& app, Arguments& arguments, const common::Option& headless) {
    app.add_option("--cursor-a", arguments.cursor_a, "Place cursor A").value_name("TIME").needs(headless);
    app.add_option("--cursor-b", arguments.cursor_b, "Place cursor B").value_name("TIME").needs(headless);
    app.add_option("--focus", arguments.focus, "Show this channel's statistics").value_name("CHANNEL").needs(headless);
    app.add_option("--channel", arguments.channels, "Only lanes of this name or pattern, as in 'irq.*' (repeatable)")
        .value_name("GLOB")
        .one_each()
        .needs(headless);
    app.add_flag("--lanes-only", arguments.lanes_only, "Without the tables below and what is measured beside")
        .needs(headless);
    app.add_option("--lane", arguments.lanes,
                   "Draw the answer to this question in SQL as a lane, from columns tick and value, level or "
                   "text, or begin_tick and end_tick (repeatable)")
        .value_name("NAME=SQL")
        .one_each()
        .needs(headless);
    app.add_option("--column", arguments.columns,
                   "A column of the table by an expression in SQL, as in 'double=value * 2' (repeatable)")
        .value_name("NAME=SQL")
        .one_each()
        .needs(headless);
}

}  // namespace

void describe(common::Command& app, Arguments& arguments) {
    app.add_option("capture", arguments.targets,
                   "Captures: files, the name, folder or 'pattern' (in quotes) of a rotated one's files, "
                   "fleet:nats://SERVER/FLEET[/HOST[/CAPTURE]] (without HOST all of its hosts), - for one that is piped in, "
                   "or agents' addresses "
                   "(unix:PATH, ssh:HOST, tls:HOST:PORT, "
                   "tcp:HOST:PORT); "
                   "nothing: your agent")
        .value_name("CAPTURE|ADDRESS");
    app.add_option("--token-file", sla::ingest::token_file(),
                   "For tls: addresses, the token in this file (mode 0600); default: SLA_TOKEN or SLA_TOKEN_FILE")
        .value_name("FILE");
    const common::Option headless = app.add_flag("--headless", arguments.headless, "Draw into memory; needs no display");
    app.add_flag("--bench", arguments.bench, "On a capture: measure a tour through it and print the figures")
        .needs(headless);
    app.add_option("--wait", arguments.wait,
                   "Seconds to wait, at most, for an agent to answer, and on a large capture until all lanes, and the "
                   "strip above them, are exact (30)")
        .range(0.0, 86400.0)
        .value_name("SECONDS")
        .needs(headless);
    app.add_option("--frames", arguments.frames, "On an agent: frames to run once it has answered, 60 a second")
        .range(1, 1'000'000)
        .value_name("N")
        .needs(headless);
    app.add_option("--screenshot", arguments.screenshot, "Write the last frame to this PNG")
        .value_name("F.png")
        .needs(headless);
    app.add_option(
           "--export-table", arguments.export_table,
           "Write the table as `sla table` does, then go on; in a window that of what is named first, of an agent what has "
           "come when its first channels do")
        .value_name("F.csv");
    app.add_option("--format", arguments.format,
                   "With --export-table: csv, tsv, json, jsonl or text, whatever the file's name ends in")
        .value_name("FORMAT")
        .suggest({"csv", "tsv", "json", "jsonl", "text"});
    app.add_option(
           "--history", arguments.history,
           "Of an agent that has run for long, at first so much of the past, or all; what is older is fetched when you "
           "look there (30s)")
        .value_name("TIME|all");
    app.add_option("--memory", arguments.memory,
                   "For live rows: what they may take in memory, at least 64MiB (48MiB as long as the disk keeps up, else a "
                   "quarter of the machine's, 2GiB at most); beside it some 10 kB for each channel, those of programs "
                   "that have ended, too")
        .value_name("SIZE");
    app.add_option("--spill", arguments.spill,
                   "Where older live rows go that do not fit, in a file without a name ($TMPDIR or /var/tmp)")
        .value_name("DIRECTORY");
    app.add_option("--size", arguments.size, "Of the window or picture").value_name("WxH").show_default();
    app.add_option("--scale", arguments.scale, "Of text and controls; default: what the display asks for")
        .range(0.5, 4.0)
        .value_name("FACTOR");
    app.add_option("--theme", arguments.theme, "dark or light").one_of({"dark", "light"});
    app.add_option("--from", arguments.from, "Show from this time, counted from the capture's start").value_name("TIME");
    app.add_option("--to", arguments.to, "Show to this time").value_name("TIME");
    describe_picture(app, arguments, headless);
}

std::string first_target(const Arguments& arguments) {
    return arguments.targets.empty() ? std::string() : arguments.targets.front();
}

Result<void> set_live_data(const Arguments& arguments, workspace::Settings& settings) {
    if (!arguments.spill.empty()) settings.spill_directory = arguments.spill;
    if (arguments.history == "all") settings.history_seconds = 0;
    if (!arguments.history.empty() && arguments.history != "all") {
        const Result<std::int64_t> ps = time::parse_duration(arguments.history);
        if (!ps) return invalid_input("--history wants a time, as 30s, or all: " + ps.error().message);
        if (*ps <= 0) return invalid_input("--history " + arguments.history + ": a window begins with some time, or all");
        settings.history_seconds = static_cast<std::uint64_t>(
            std::max<std::int64_t>(1, (*ps + time::kPicosecondsPerSecond - 1) / time::kPicosecondsPerSecond));
    }
    if (arguments.memory.empty()) return {};
    const Result<std::uint64_t> bytes = parse_size(arguments.memory);
    if (!bytes) return bytes.error();
    if (*bytes < SourceMemory::kMinBytes)
        return invalid_input("--memory wants 64MiB at least, not \"" + arguments.memory + "\"");
    settings.memory_mib = *bytes >> 20;
    return {};
}

Result<PictureOptions> picture_options(const Arguments& arguments) {
    PictureOptions options;
    options.target = first_target(arguments);
    options.png = arguments.screenshot;
    options.table_file = arguments.export_table;
    if (Result<void> format = take_format(arguments, options); !format) return format.error();
    options.frames = arguments.frames;
    options.wait_seconds = arguments.wait;
    options.scale = arguments.scale > 0 ? arguments.scale : 1.0F;
    options.settings.theme = arguments.theme == "light" ? ThemeName::kLight : ThemeName::kDark;
    if (Result<void> size = parse_pixels(arguments.size, options.width, options.height); !size) return size.error();
    if (Result<void> memory = set_live_data(arguments, options.settings); !memory) return memory.error();
    if (Result<void> from = parse_time(arguments.from, options.from_ps); !from) return from.error();
    if (Result<void> to = parse_time(arguments.to, options.to_ps); !to) return to.error();
    if (options.from_ps && options.to_ps && *options.from_ps >= *options.to_ps)
        return invalid_input("--from " + arguments.from + " is not before --to " + arguments.to);
    if (Result<void> a = parse_time(arguments.cursor_a, options.cursor_a_ps); !a) return a.error();
    if (Result<void> b = parse_time(arguments.cursor_b, options.cursor_b_ps); !b) return b.error();
    options.focus = arguments.focus;
    options.channels = arguments.channels;
    options.inspector = options.table = !arguments.lanes_only;
    if (Result<void> lanes = take_questions(arguments.lanes, QuestionForm::kLane, options.questions); !lanes)
        return lanes.error();
    if (Result<void> columns = take_questions(arguments.columns, QuestionForm::kColumn, options.questions); !columns)
        return columns.error();
    return options;
}

}  // namespace sla::ui
