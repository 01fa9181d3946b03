#include "agent/linux/symbols/uprobes.h"

#include "agent/linux/events/owner_name.h"
#include "agent/linux/events/task_table.h"
#include "agent/linux/tracefs/tracefs.h"
#include "proto/base/text.h"
#include "proto/common/symbols/symbols.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>

namespace sla::linux {
namespace {

constexpr const char* kProbePrefix = "sla";
constexpr char kProbeSeparator = '_';

struct Typed {
    std::string path, what, arguments;
};

// PATH:WHAT[ ARGUMENTS]; the path may hold colons no less than spaces may part arguments.
Result<Typed> take_apart(const std::string& typed) {
    Typed parts;
    const std::size_t space = typed.find(' ', typed.rfind('/') == std::string::npos ? 0 : typed.find(':'));
    if (space != std::string::npos) parts.arguments = typed.substr(space + 1);
    const std::string place = typed.substr(0, space);
    const std::size_t colon = place.find(':', place.rfind('/') == std::string::npos ? 0 : place.rfind('/'));
    if (colon == std::string::npos || colon == 0 || colon + 1 == place.size())
        return invalid_input("'" + typed + "' is not PATH:FUNCTION, PATH:PROVIDER:PROBE or PATH:0xOFFSET");
    parts.path = place.substr(0, colon);
    parts.what = place.substr(colon + 1);
    return parts;
}

std::string hex(std::uint64_t number) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

std::string with_arguments(const std::string& command, const std::string& arguments) {
    return arguments.empty() ? command : command + " " + arguments;
}

Error no_such_function(const ProgramFile& file, const std::string& name) {
    std::string message = file.path + " has no function '" + name + "'";
    if (file.functions.empty() && file.stripped) {
        return not_found(message +
                         ": it is stripped and exports nothing; hook an offset (PATH:0x1234), or install its debug symbols");
    }
    if (file.stripped)
        return not_found(message + ": it is stripped, only the " + std::to_string(file.functions.size()) +
                         " functions it exports can be named; see: sla probes " + file.path);
    return not_found(message + "; see: sla probes " + file.path);
}

Result<std::vector<ProbeLine>> plan_usdt(const ProgramFile& file, const Typed& typed, const std::string& event,
                                         const std::string& group) {
    const std::size_t colon = typed.what.find(':');
    const std::string provider = typed.what.substr(0, colon);
    const std::string name = typed.what.substr(colon + 1);
    std::vector<ProbeLine> lines;
    for (const UsdtProbe& probe : file.probes) {  // one probe may stand in several places
        if (probe.provider != provider || probe.name != name) continue;
        ProbeLine line;
        line.event = event + "_" + std::to_string(lines.size());
        const std::string semaphore = probe.semaphore_offset != 0 ? "(" + hex(probe.semaphore_offset) + ")" : "";
        line.command =
            with_arguments("p:" + group + "/" + line.event + " " + file.path + ":" + hex(probe.file_offset) + semaphore,
                           typed.arguments.empty() ? usdt_arguments(probe.arguments) : typed.arguments);
        line.lane = "linux.usdt." + lane_part(provider) + "." + lane_part(name);
        lines.push_back(std::move(line));
    }
    if (lines.empty()) return not_found(file.path + " has no USDT probe " + typed.what + "; see: sla probes " + file.path);
    return lines;
}

Result<std::vector<ProbeLine>> plan_offset(const ProgramFile& file, const Typed& typed, const std::string& event,
                                           const std::string& group) {
    const auto number = whole_number<std::uint64_t>(std::string_view(typed.what).substr(2), 16);
    if (!number) return invalid_input("'" + typed.what + "' is not an offset as in 0x1510");
    const std::uint64_t offset = *number;
    if (!file.is_code(offset)) {
        std::string parts;
        for (const auto& [begin, after] : file.code) parts += (parts.empty() ? "" : ", ") + hex(begin) + ".." + hex(after);
        return invalid_input("offset " + typed.what + " of " + file.path + " is not code; its code is at " + parts);
    }
    ProbeLine line{event, with_arguments("p:" + group + "/" + event + " " + file.path + ":" + hex(offset), typed.arguments),
                   "linux.function." + lane_part(file.path.substr(file.path.rfind('/') + 1)) + "+" + hex(offset),
                   ProbeEdge::kTick};
    return std::vector<ProbeLine>{line};
}

}  // namespace

std::string usdt_arguments(const std::string& note) {
    static const std::map<std::string, std::string> kRegisters = [] {
        std::map<std::string, std::string> names;
        for (const char* letter : {"a", "b", "c", "d"}) {
            const std::string one = letter;
            for (const std::string& name : {"r" + one + "x", "e" + one + "x", one + "x", one + "l"}) names[name] = one + "x";
        }
        for (const char* pair : {"si", "di", "bp", "sp"}) {
            const std::string two = pair;
            for (const std::string& name : {"r" + two, "e" + two, two, two + "l"}) names[name] = two;
        }
        for (int i = 8; i < 16; i++) {
            const std::string number = "r" + std::to_string(i);
            for (const char* ending : {"", "d", "w", "b"}) names[number + ending] = number;
        }
        return names;
    }();
    std::istringstream words(note);
    std::string out;
    int position = 0;
    for (std::string word; words >> word;) {
        position++;
        const std::size_t at = word.find('@');
        const int bytes = static_cast<int>(std::strtol(word.c_str(), nullptr, 10));
        if (at == std::string::npos ||
            (std::abs(bytes) != 1 && std::abs(bytes) != 2 && std::abs(bytes) != 4 && std::abs(bytes) != 8))
            continue;
        const std::string place = word.substr(at + 1);
        const std::size_t percent = place.find('%');
        const std::size_t end = place.find(')');
        if (percent == std::string::npos || place.find(',') != std::string::npos) continue;  // constants, scaled indices
        const auto found = kRegisters.find(place.substr(percent + 1, end == std::string::npos ? end : end - percent - 1));
        if (found == kRegisters.end()) continue;
        std::string fetch = "%" + found->second;
        if (end != std::string::npos) {
            const std::string offset = place.substr(0, place.find('('));
            fetch = (offset.starts_with("-") ? offset : "+" + (offset.empty() ? "0" : offset)) + "(" + fetch + ")";
        }
        out += (out.empty() ? "arg" : " arg") + std::to_string(position) + "=" + fetch + ":" + (bytes < 0 ? "s" : "u") +
               std::to_string(std::abs(bytes) * 8);
    }
    return out;
}

std::string hook_cost(const std::string& path, std::uint64_t file_offset) {
    std::ifstream in(path, std::ios::binary);
    std::array<unsigned char, 5> code{};
    in.seekg(static_cast<std::streamoff>(file_offset));
    in.read(reinterpret_cast<char*>(code.data()), code.size());
    constexpr std::array<unsigned char, 5> kNop5 = {0x0f, 0x1f, 0x44, 0x00, 0x00};
    if (code == kNop5) return "0.3 us";
    const bool pushes = (code[0] >= 0x50 && code[0] <= 0x57) || (code[0] == 0x41 && code[1] >= 0x50 && code[1] <= 0x57);
    return pushes ? "0.6 us" : "2-4 us";  // single-stepped
}

Result<std::vector<ProbeLine>> plan_uprobe(const std::string& typed, const std::string& group, std::size_t number) {
    auto parts = take_apart(typed);
    if (!parts) return parts.error();
    // By the user's own rights: access() leaves capabilities, which the helper has for the kernel's files, out of account.
    if (::access(parts->path.c_str(), R_OK) != 0 && errno == EACCES)
        return system_error("cannot read " + parts->path, errno);
    auto file = read_program_file(parts->path);
    if (!file) return file.error();
    const std::string event = "e" + std::to_string(number);
    if (parts->what.find(':') != std::string::npos && parts->what.find("::") == std::string::npos)
        return plan_usdt(*file, *parts, event, group);
    if (parts->what.starts_with("0x")) return plan_offset(*file, *parts, event, group);
    std::string name = parts->what;
    const bool entry_only = name.ends_with("%entry");
    const bool return_only = name.ends_with("%return");
    if (entry_only || return_only) name.resize(name.rfind('%'));
    const Function* function = file->find_function(name);
    if (function == nullptr) return no_such_function(*file, name);
    const std::string readable = symbol::readable_name(function->name);
    const std::string lane = "linux.function." + lane_part(readable.substr(0, readable.find('(')));
    const std::string place = " " + file->path + ":" + hex(function->file_offset);
    std::vector<ProbeLine> lines;
    if (!return_only) {
        const std::string command = with_arguments("p:" + group + "/" + event + place, parts->arguments);
        lines.push_back({event, command, lane, entry_only ? ProbeEdge::kTick : ProbeEdge::kBegin});
    }
    if (!entry_only) {
        const std::string back = "r" + std::to_string(number);
        lines.push_back({back, "r:" + group + "/" + back + place + " rv=$retval:s64", return_only ? lane + ".return" : lane,
                         return_only ? ProbeEdge::kTick : ProbeEdge::kEnd});
    }
    return lines;
}

UprobeSet::UprobeSet(const std::string& tracefs, std::string group)
    : control_(tracefs + "/dynamic_events"), group_(std::move(group)) {}

Result<std::unique_ptr<UprobeSet>> UprobeSet::create(const std::string& tracefs, const std::vector<std::string>& typed) {
    std::unique_ptr<UprobeSet> set(new UprobeSet(tracefs, own_name(kProbePrefix, kProbeSeparator)));
    for (std::size_t i = 0; i < typed.size(); i++) {
        auto lines = plan_uprobe(typed[i], set->group_, i);
        if (!lines) return lines.error();
        for (ProbeLine& line : *lines) {
            if (Result<void> made = write_control(set->control_, line.command + "\n", WriteMode::kAppend); !made) {
                if (made.error().message.starts_with("no permission")) return made.error();
                return invalid_input(
                    "the kernel does not take the probe '" + typed[i] + "' (" + line.command +
                    "); is it at the "
                    "beginning of an instruction, and are its arguments written as in a=%di:u64 s=+0(%si):ustring?");
            }
            set->lines_.push_back(std::move(line));
        }
    }
    return set;
}

UprobeSet::~UprobeSet() {
    for (const ProbeLine& line : lines_)
        (void)write_control(control_, "-:" + group_ + "/" + line.event + "\n", WriteMode::kAppend);
}

void UprobeSet::sweep(const std::string& tracefs) {
    const auto all = read_control(tracefs + "/dynamic_events");
    if (!all) return;
    std::istringstream lines(*all);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(':');
        const std::size_t slash = line.find('/', colon);
        const std::size_t space = line.find(' ');
        if (colon == std::string::npos || slash == std::string::npos || slash > space) continue;
        if (!is_abandoned(line.substr(colon + 1, slash - colon - 1), kProbePrefix, kProbeSeparator)) continue;
        const std::string name = line.substr(colon + 1, space - colon - 1);
        (void)write_control(tracefs + "/dynamic_events", "-:" + name + "\n", WriteMode::kAppend);
    }
}

}  // namespace sla::linux
