#include "agent/linux/symbols/process_symbols.h"

#include "proto/base/text.h"
#include "proto/base/whole_file.h"
#include "proto/common/symbols/symbols.h"

#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <utility>

namespace sla::linux {
namespace {

constexpr std::uint64_t kKernelHalf = std::uint64_t{1} << 63;
constexpr auto kMapAge = std::chrono::milliseconds(100);  // before it is read again
constexpr std::size_t kMaxProcesses = 4096;
constexpr std::size_t kMaxPlaces = 100'000;  // of one process
constexpr std::size_t kMaxFiles = 1000;      // with some thousand names each
constexpr std::string_view kDeleted = " (deleted)";

bool take_hex(std::string_view& text, std::uint64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

std::string_view take_word(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    return word;
}

// Empty where it cannot be read.
std::string read_text(const std::string& path) {
    Result<std::string> text = read_whole_file(path);
    return text ? std::move(*text) : std::string();
}

std::string read_link(const std::string& path) {
    std::error_code none;
    return std::filesystem::read_symlink(path, none).string();
}

std::string last_part(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

// Where the file's own address 0 lies in the process.
std::optional<std::uint64_t> bias_of(const ProgramFile& file, const std::vector<Mapping>& mappings) {
    for (const Mapping& mapping : mappings) {
        if (mapping.path != file.path) continue;
        for (const LoadedPart& part : file.parts) {
            if (part.offset >= mapping.offset && part.offset - mapping.offset < mapping.end - mapping.begin)
                return mapping.begin + (part.offset - mapping.offset) - part.address;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<Mapping> parse_mappings(std::string_view text) {
    std::vector<Mapping> mappings;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        Mapping mapping;
        if (!take_hex(line, mapping.begin) || !line.starts_with('-')) continue;
        line.remove_prefix(1);
        if (!take_hex(line, mapping.end) || mapping.end <= mapping.begin) continue;
        take_word(line);  // permissions
        std::string_view offset = take_word(line);
        if (!take_hex(offset, mapping.offset)) continue;
        take_word(line);  // device
        take_word(line);  // inode
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        mapping.path = line;
        mappings.push_back(std::move(mapping));
    }
    return mappings;
}

std::vector<Function> parse_kernel_symbols(std::string_view text) {
    std::vector<Function> functions;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        Function function;
        if (!take_hex(line, function.address) || function.address == 0) continue;
        const std::string_view type = take_word(line);
        if (type.size() != 1 || std::string_view("tTwW").find(type[0]) == std::string_view::npos) continue;
        function.name = take_word(line);
        functions.push_back(std::move(function));
    }
    std::sort(functions.begin(), functions.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
    for (std::size_t i = 0; i + 1 < functions.size(); i++)
        functions[i].size = functions[i + 1].address - functions[i].address;
    return functions;
}

ProcessSymbols::Identity ProcessSymbols::identity_of(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return {};
    return {info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size), info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

const ProgramFile* ProcessSymbols::file_of(const Identity& identity, const std::string& path) {
    if (identity == Identity()) return nullptr;
    if (files_.size() >= kMaxFiles) files_.clear();
    auto [at, is_new] = files_.try_emplace(identity);
    if (is_new) {
        if (auto file = read_program_below(path)) at->second = std::make_unique<ProgramFile>(std::move(*file));
    }
    return at->second.get();
}

// What stands at the path when it is asked for first, by a map that is new then: of a program that was built anew since it
// started the map says "(deleted)". Later it may be built anew as often as it likes.
const ProgramFile* ProcessSymbols::file_of(pid_t pid, const std::string& path) {
    Process& process = processes_[pid];
    if (!process.files.contains(path)) {
        const Clock::time_point now = Clock::now();
        if (now - process.read_at >= kMapAge && read_map(pid, process)) process.read_at = now;
        const bool runs_it = std::any_of(process.mappings.begin(), process.mappings.end(),
                                         [&](const Mapping& each) { return each.path == path; });
        process.files[path] = runs_it ? identity_of(process.root + path) : Identity();
    }
    return file_of(process.files[path], process.root + path);
}

// False: it has ended, or is closed to us; what is known of it stays.
bool ProcessSymbols::read_map(pid_t pid, Process& process) {
    const std::string proc = "/proc/" + std::to_string(pid);
    auto mappings = parse_mappings(read_text(proc + "/maps"));
    if (mappings.empty()) return false;
    process.mappings = std::move(mappings);
    const std::string theirs = read_link(proc + "/ns/mnt");
    process.root = theirs.empty() || theirs == read_link("/proc/self/ns/mnt") ? "" : proc + "/root";
    return true;
}

const Mapping* ProcessSymbols::mapping_of(pid_t pid, std::uint64_t address) {
    if (processes_.size() > kMaxProcesses) processes_.clear();
    Process& process = processes_[pid];
    const auto find = [&]() -> const Mapping* {
        const auto holds = [&](const Mapping& each) { return address >= each.begin && address < each.end; };
        auto found = std::find_if(process.mappings.begin(), process.mappings.end(), holds);
        return found == process.mappings.end() ? nullptr : &*found;
    };
    if (const Mapping* mapping = find()) return mapping;
    const Clock::time_point now = Clock::now();
    if (now - process.read_at < kMapAge) return nullptr;
    process.read_at = now;
    if (!read_map(pid, process)) return nullptr;
    process.places.clear();
    process.files.clear();
    return find();
}

void ProcessSymbols::read_kernel() {
    if (!std::exchange(kernel_read_, true)) kernel_.functions = parse_kernel_symbols(read_text("/proc/kallsyms"));
}

std::string ProcessSymbols::kernel_name(std::uint64_t address) {
    read_kernel();
    const Function* function = kernel_.function_at(address);
    return function == nullptr ? "kernel" : "kernel:" + function->name;
}

std::string ProcessSymbols::name(pid_t pid, std::uint64_t address) {
    if (address >= kKernelHalf) return kernel_name(address);
    const Mapping* found = mapping_of(pid, address);
    if (found == nullptr) return "?";
    const Mapping mapping = *found;  // the map may be read again
    const std::string program = mapping.path.empty() ? "anonymous memory" : last_part(mapping.path);
    const ProgramFile* file = mapping.path.starts_with('/') ? file_of(pid, mapping.path) : nullptr;
    if (file == nullptr) return program;
    const std::uint64_t offset = address - mapping.begin + mapping.offset;
    for (const LoadedPart& part : file->parts) {
        if (offset < part.offset || offset - part.offset >= part.bytes) continue;
        const Function* function = file->function_at(offset - part.offset + part.address);
        if (function != nullptr) return program + ":" + symbol::readable_name(function->name);
    }
    return program;
}

const std::string& ProcessSymbols::place_of(pid_t pid, std::uint64_t address) {
    static const std::string kUnknown = "?";
    const auto& known_places = processes_[pid].places;
    if (auto known = known_places.find(address); known != known_places.end()) return known->second;
    std::string place = name(pid, address);
    if (place == "?") return kUnknown;  // may be mapped a moment later
    auto& places = processes_[pid].places;
    if (places.size() >= kMaxPlaces) places.clear();
    return places[address] = std::move(place);
}

Result<FoundSymbol> ProcessSymbols::find(pid_t pid, const std::string& symbol) {
    const std::string process = "process " + std::to_string(pid);
    if (::kill(pid, 0) != 0 && errno == ESRCH) return not_found("there is no " + process + "; it may have ended");
    if (symbol.starts_with("0x")) {
        std::string_view digits = std::string_view(symbol).substr(2);
        FoundSymbol found;
        if (!take_hex(digits, found.address) || !digits.empty())
            return invalid_input("'" + symbol + "' is no address: 0x and hexadecimal digits");
        return found;
    }
    const auto mappings = parse_mappings(read_text("/proc/" + std::to_string(pid) + "/maps"));
    if (mappings.empty())
        return unavailable("no permission: what " + process +
                           " has mapped is closed to this user; run as its user or as root");
    std::error_code unknown;  // the first mapping need not be the program's
    const std::string own = std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", unknown).string();
    if (unknown) return unavailable("cannot tell what program " + process + " runs: " + unknown.message());
    if (own.ends_with(kDeleted))
        return not_found("the program of " + process + ", " + own.substr(0, own.size() - kDeleted.size()) +
                         ", was deleted or built anew while it runs; start it again, or give 0xADDRESS");
    auto program = read_program_file(own);
    if (!program) return program.error();
    const auto bias = bias_of(*program, mappings);
    if (const Function* function = program->find_function(symbol); function != nullptr && bias)
        return FoundSymbol{function->address + *bias, 0};
    if (const Variable* variable = program->find_variable(symbol); variable != nullptr && bias)
        return FoundSymbol{variable->address + *bias, variable->size};
    return not_found(
        own + " has no variable or function '" + symbol + "'" +
        (program->stripped ? "; it is stripped: build it with symbols, or give 0xADDRESS" : "; nm lists what it has"));
}

}  // namespace sla::linux
