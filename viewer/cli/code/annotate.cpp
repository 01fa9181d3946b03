#include "viewer/cli/code/annotate.h"

#include "proto/common/disassembly/disassembly.h"
#include "proto/common/symbols/code_image.h"
#include "proto/common/symbols/file_at.h"
#include "viewer/cli/code/annotated_code.h"
#include "viewer/cli/code/guest_code.h"
#include "viewer/cli/code/host_places.h"
#include "viewer/cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace sla::cli {

namespace {

using disassembly::Mode;

constexpr const char* kGuestAddress = "x86.addr";  // proto/wire/formatter.h
constexpr std::uint64_t kMaxCode = 64 * 1024;

// What is to be shown, as typed.
struct WantedCode {
    std::string program;  // of a host's place, "program:function"; may be empty
    std::optional<std::uint16_t> selector;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

// Samples of one lane.
struct Samples {
    bool of_guest = false;
    SampledAddresses addresses;
    std::map<std::uint64_t, std::uint16_t> selectors;  // of a guest: by address, the last one
    std::uint64_t all = 0;
    std::uint64_t unplaced = 0;
};

struct Point {
    std::optional<std::uint16_t> selector;
    std::uint64_t address = 0;
};

std::optional<Point> parse_point(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto offset = symbol::hexadecimal(text.substr(colon == std::string_view::npos ? 0 : colon + 1));
    if (!offset) return std::nullopt;
    if (colon == std::string_view::npos) return Point{{}, *offset};
    const auto selector = symbol::hexadecimal(text.substr(0, colon));
    if (!selector || *selector > 0xFFFF || *offset > 0xFFFFFFFF) return std::nullopt;
    const auto of = static_cast<std::uint16_t>(*selector);
    return Point{of, symbol::segment_base(of) + *offset};
}

Result<WantedCode> parse_wanted_code(const std::string& typed, const symbol::Symbols& symbols) {
    if (const std::size_t dots = typed.find(".."); dots != std::string::npos) {
        const auto from = parse_point(std::string_view(typed).substr(0, dots));
        const auto to = parse_point(std::string_view(typed).substr(dots + 2));
        if (!from || !to || from->address >= to->address || to->address - from->address > kMaxCode) {
            return invalid_input(
                "--annotate " + typed +
                ": write a symbol, or from..to with the end behind the begin and up to 64 KB of code, as in "
                "f000:e05b..f000:e0a0 or fe05b..fe0a0 (hexadecimal)");
        }
        return WantedCode{"", from->selector, from->address, to->address};
    }
    WantedCode out;
    std::string name = typed;
    const std::size_t colon = typed.find(':');
    if (colon != std::string::npos && colon + 1 < typed.size() && typed[colon + 1] != ':') {
        out.program = typed.substr(0, colon);
        name = typed.substr(colon + 1);
    }
    auto extents = symbols.extents_of(name);
    if (extents.empty()) {
        extents = symbols.extents_of(name + "(", true);  // a C++ function, without its parameters
        if (extents.size() > 1)
            return invalid_input(
                fmt::format("--annotate {}: {} functions are called so: write one with its parameters, as "
                            "`sla places` names it",
                            typed, extents.size()));
    }
    if (extents.empty()) {
        return not_found("--annotate " + typed + ": there is no such symbol" +
                         (symbols.empty() ? "; --symbols FILE names the code"
                                          : " in what --symbols named; `sla places --by-symbol` shows those with samples"));
    }
    out.begin = extents.front().begin;
    out.end = extents.front().end;
    return out;
}

Result<symbol::CodeImage> code_image_of(const AnnotateOptions& options, const WantedCode& wanted,
                                        const std::vector<std::string>& files) {
    symbol::CodeImage code;
    for (const std::string& file : options.code) {
        if (auto added = code.add_file(file); !added.ok()) return added.error();
    }
    for (const std::string& typed : files) {
        const auto file = symbol::read_file_at(typed, "--symbols", "symbols");
        if (!file.ok()) return file.error();
        if (const auto added = code.add_elf(*file); !added.ok()) return added.error();
    }
    if (options.guest) {
        // The last instruction may reach behind the range's end.
        const std::uint64_t end = wanted.end + disassembly::kLongest;
        auto bytes = read_guest_code(static_cast<pid_t>(*options.guest), wanted.begin, end);
        if (!bytes.ok()) return bytes.error();
        code.add(wanted.begin, std::move(*bytes));
    }
    if (code.from(wanted.begin).empty()) {
        return not_found(
            fmt::format("no code is known at {:x}h: name a file with --code FILE@BASE (an ELF program by --symbols "
                        "will do), or an emulated PC that runs with --guest PROCESS",
                        wanted.begin));
    }
    return code;
}

// Those of the range; programs by the names of their files.
Samples samples_of(const store::Lane& lane, const analysis::Selection& selection, const WantedCode& wanted,
                   const symbol::Symbols& symbols, const std::set<std::string>& programs, bool fixed) {
    Samples out;
    out.of_guest = lane.channel().format == kGuestAddress;
    std::vector<HostSample> of_host;
    for (std::uint64_t i = lane.lower_bound(selection.from); i < lane.size() && lane.tick(i) < selection.until; i++) {
        if (lane[i].kind() == wire::Kind::kGap) continue;
        ++out.all;
        if (!out.of_guest) {
            of_host.push_back({lane.thread(i), lane[i].value, lane.text(i)});
            continue;
        }
        const std::uint64_t packed = lane.details(i)[1];
        const auto selector = static_cast<std::uint16_t>(packed >> 32);
        const auto offset = static_cast<std::uint32_t>(packed);
        const std::uint64_t address = std::uint64_t{symbol::segment_base(selector)} + offset;
        ++out.addresses[address];
        out.selectors[address] = selector;
    }
    for (const std::string& program : programs) {
        if (!wanted.program.empty() && wanted.program != program) continue;
        const HostPlaces found = places_in_file(of_host, program, symbols, fixed);
        for (const auto& [address, count] : found.addresses) out.addresses[address] += count;
        out.unplaced += found.unplaced;
    }
    return out;
}

CodeRange range_of(const WantedCode& wanted, const Samples& samples, const symbol::CodeImage& code, const std::string& bits,
                   std::optional<std::uint16_t>& selector) {
    CodeRange out{wanted.begin, wanted.end, code.is_64() ? Mode::k64 : Mode::k32, 0};
    selector = wanted.selector;
    const auto first = samples.selectors.lower_bound(wanted.begin);
    if (!selector && first != samples.selectors.end() && first->first < wanted.end) selector = first->second;
    out.base = symbol::segment_base(selector.value_or(0));
    if (out.base != 0) out.mode = Mode::k16;
    if (bits == "16") out.mode = Mode::k16;
    if (bits == "32") out.mode = Mode::k32;
    if (bits == "64") out.mode = Mode::k64;
    return out;
}

std::string address_text(std::uint64_t address, std::optional<std::uint16_t> selector) {
    const std::uint64_t base = symbol::segment_base(selector.value_or(0));
    if (base == 0 || address < base || address - base > 0xFFFF) return fmt::format("{:08x}", address);
    return fmt::format("{:04x}:{:04x}", *selector, address - base);
}

std::string last_part(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

void AnnotateOptions::add_to(common::Command& command) {
    command
        .add_option(
            "--annotate", what,
            "Instead of places: the code of this symbol, or of a range (f000:e05b..f000:e0a0, fe05b..fe0a0), with the "
            "samples on each instruction")
        .value_name("SYMBOL|RANGE");
    command
        .add_option("--code", code,
                    "With --annotate: code from this file, an ELF program's or raw bytes that lie at BASE (a firmware image "
                    "ends at 0x100000); ELF files of --symbols need not be named again (repeatable)")
        .value_name("FILE[@BASE]")
        .one_each();
    command.add_option("--guest", guest, "With --annotate: code from the memory of an sla-emu that runs")
        .value_name("PROCESS");
    command.add_option("--bits", bits, "With --annotate: of what mode the code is; else as its samples and files say")
        .one_of({"16", "32", "64"});
}

Result<formats::SmallTable> annotate(const AnnotateOptions& options, const analysis::Selection& selection,
                                     const symbol::Symbols& symbols, const std::vector<std::string>& files) {
    const auto wanted = parse_wanted_code(options.what, symbols);
    if (!wanted.ok()) return wanted.error();
    const auto code = code_image_of(options, *wanted, files);
    if (!code.ok()) return code.error();
    std::set<std::string> programs;  // a file may be named as both
    for (const auto* named : {&options.code, &files}) {
        for (const std::string& file : *named) programs.insert(last_part(file.substr(0, file.rfind('@'))));
    }
    formats::SmallTable table({"channel", "address", "symbol", "samples", "percent", "bytes", "instruction"});
    for (const store::Lane* lane : selection.lanes) {
        const Samples samples = samples_of(*lane, selection, *wanted, symbols, programs, code->is_fixed());
        std::optional<std::uint16_t> selector;
        const CodeRange range = range_of(*wanted, samples, *code, options.bits, selector);
        if (samples.unplaced != 0)
            remark(fmt::format("{}: {} samples of the program are in no function that its file names", lane->channel().name,
                               samples.unplaced));
        for (const CodeRow& row : annotated(*code, range, samples.addresses)) {
            const double percent =
                100.0 * static_cast<double>(row.samples) / static_cast<double>(std::max<std::uint64_t>(samples.all, 1));
            table.add({lane->channel().name, address_text(row.address, selector),
                       symbols.name_of(static_cast<std::uint32_t>(row.address)), row.samples,
                       std::round(percent * 100) / 100, row.bytes, row.instruction});
        }
    }
    return table;
}

}  // namespace sla::cli
