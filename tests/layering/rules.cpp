#include "tests/layering/rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace sla::layering {
namespace {

constexpr std::array<std::string_view, 4> kFloors = {"proto", "agent", "viewer", "emu"};

using Arrows = std::map<std::string, std::vector<std::string>, std::less<>>;

std::vector<std::string> after(std::vector<std::string> before, const std::vector<std::string>& more) {
    before.insert(before.end(), more.begin(), more.end());
    return before;
}

// Panels stand beside each other: what one asks of another goes through the workspace's document.
void draw_window(Arrows& map, const std::vector<std::string>& below) {
    map["viewer/workspace"] = below;
    map["viewer/ui/widgets"] = after(below, {"viewer/workspace"});
    map["viewer/ui/commands"] = after(below, {"viewer/workspace", "viewer/ui/widgets"});
    const std::vector<std::string> panels = after(map["viewer/ui/commands"], {"viewer/ui/commands"});
    map["viewer/ui/app"] = panels;
    for (const char* room : {"viewer/ui/timeline", "viewer/ui/tables", "viewer/ui/inspector", "viewer/ui/dialogs"}) {
        map[room] = panels;
        map["viewer/ui/app"].push_back(room);
    }
}

void add_emu(Arrows& map) {
    map["emu/bus"] = {"proto/base"};
    map["emu/device"] = {"proto/base", "emu/bus"};
    map["emu/machine"] = {"proto/base", "proto/time", "emu/bus", "emu/device"};
    map["emu/cpu"] = {"proto/base", "proto/common/disassembly", "emu/bus"};
    map["emu/pmc"] = {"proto/base", "proto/common", "emu/bus", "emu/cpu"};
    map["emu/tap"] = {"proto/base", "proto/ring", "proto/wire", "proto/common/symbols", "emu/bus", "agent/marker"};
    map["emu/vmm"] = {"proto/base", "emu/bus", "emu/device", "emu/machine", "emu/cpu", "emu/pmc", "emu/tap"};
    map["emu/snapshot"] = {"proto/base", "emu/bus"};
    map["emu/history"] = after(map["emu/vmm"], {"emu/vmm", "emu/snapshot"});
    map["emu/control"] = after(map["emu/history"], {"emu/history", "proto/common", "proto/common/trigger",
                                                    "proto/common/symbols", "proto/common/disassembly"});
    map["emu/gdb"] = after(map["emu/control"], {"emu/control", "proto/wire"});
    map["emu/guest"] = {"proto/base"};
}

// Only what a room may look at; itself is understood. "proto" stands for every room of proto, "room/*" for a room and those
// within it.
const Arrows& arrows() {
    static const Arrows kArrows = [] {
        Arrows map;
        map["proto/base"] = {};
        map["proto/common"] = {"proto/base"};
        map["proto/common/symbols"] = {"proto/base"};
        map["proto/common/disassembly"] = {"proto/base"};
        map["proto/common/prompt"] = {"proto/base"};
        map["proto/common/clock"] = {"proto/base", "proto/time"};
        map["proto/time"] = {"proto/base"};
        map["proto/ring"] = {"proto/base"};
        map["proto/wire"] = {"proto/base", "proto/time", "proto/ring"};
        map["proto/common/trigger"] = {"proto/base", "proto/common", "proto/time", "proto/ring", "proto/wire"};
        map["proto/common/tls"] = {"proto/base", "proto/wire"};
        map["proto/capture"] = {"proto/base", "proto/time", "proto/ring", "proto/wire"};
        map["proto/fleet"] = {"proto/base", "proto/time", "proto/wire"};
        map["agent/marker"] = {"proto/base", "proto/ring"};
        map["agent/example"] = {"agent/marker", "proto/common"};
        const auto row = [&map](std::string_view floor, const std::vector<std::string>& rooms) {
            std::vector<std::string> before = {"proto"};
            for (const std::string& room : rooms) {
                const std::string path = std::string(floor) + "/" + room;
                map[path] = before;
                before.push_back(path);
            }
        };
        row("agent",
            {"source", "linux", "drain", "shots", "retain", "publish", "stream", "service", "peers", "member", "daemon"});
        // ingest fills the store, so it is the one that knows the other.
        row("viewer", {"store", "ingest", "analysis", "timeline"});
        map["viewer/ingest"].push_back("viewer/process");  // ssh
        map["viewer/ingest"].push_back("viewer/fleet");
        map["viewer/fleet"] = {"proto/base", "proto/capture", "proto/fleet", "proto/wire"};
        const std::vector<std::string> events = {"proto", "viewer/store", "viewer/analysis"};
        map["viewer/formats"] = events;
        for (const char* format :
             {"table", "chrome", "ctf", "vcd", "sla", "sr", "perfetto", "trace_cmd", "perf_script", "parquet"}) {
            map[std::string("viewer/formats/") + format] = after(events, {"viewer/formats"});
        }
        // trace-cmd reads its own files; all formats are one library.
        for (const char* room : {"viewer/formats", "viewer/formats/trace_cmd"}) map[room].push_back("viewer/process");
        map["viewer/formats/catalog"] = after(events, {"viewer/formats/*"});
        map["viewer/sql"] = after(events, {"viewer/formats"});
        map["viewer/capture_tools"] = after(events, {"viewer/ingest"});
        map["viewer/archive"] = after(events, {"viewer/formats", "viewer/formats/parquet"});
        map["viewer/process"] = {"proto/base"};
        map["viewer/counters"] = {"proto/base", "proto/common", "proto/wire", "proto/ring", "viewer/store"};
        map["viewer/report"] = after(events, {"viewer/timeline", "viewer/formats"});
        const std::vector<std::string> below =
            after(events, {"viewer/fleet", "viewer/ingest", "viewer/timeline", "viewer/formats/*", "viewer/process",
                           "viewer/capture_tools", "viewer/counters", "viewer/sql"});
        map["viewer/cli"] = after(below, {"viewer/report", "viewer/sql", "viewer/archive"});
        draw_window(map, below);
        add_emu(map);
        return map;
    }();
    return kArrows;
}

bool starts_with_any(std::string_view text, const std::vector<std::string_view>& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [text](std::string_view p) { return text.starts_with(p); });
}

bool is_system_header(std::string_view header) {
    return header.find('/') == std::string_view::npos ||
           starts_with_any(header, {"sys/", "linux/", "asm/", "netinet/", "arpa/"});
}

}  // namespace

std::optional<std::string> room_of(std::string_view path) {
    const std::size_t first = path.find('/');
    if (first == std::string_view::npos) return std::nullopt;
    if (std::find(kFloors.begin(), kFloors.end(), path.substr(0, first)) == kFloors.end()) return std::nullopt;
    const std::size_t second = path.find('/', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    // A room within a room is one of its own where the arrows name it.
    for (std::size_t end = path.rfind('/'); end > second && end != std::string_view::npos; end = path.rfind('/', end - 1)) {
        if (arrows().contains(path.substr(0, end))) return std::string(path.substr(0, end));
    }
    return std::string(path.substr(0, second));
}

bool may_include(std::string_view from, std::string_view to) {
    if (from == to) return true;
    const auto found = arrows().find(from);
    if (found == arrows().end()) return false;
    const std::string_view floor = to.substr(0, to.find('/'));
    const auto lets = [&](std::string_view allowed) {
        if (!allowed.ends_with("/*")) return allowed == to || allowed == floor;
        allowed.remove_suffix(2);
        return to == allowed || (to.starts_with(allowed) && to[allowed.size()] == '/');
    };
    return std::any_of(found->second.begin(), found->second.end(), lets);
}

std::optional<std::string> library_objection(std::string_view path, std::string_view header) {
    if (header.starts_with("CLI/") && path != "proto/common/command_parts.h") {
        return "CLI11 takes ten seconds to compile: proto/common/command_parts.h alone includes it, others command_line.h";
    }
    const std::optional<std::string> room = room_of(path);
    if (!room) return std::nullopt;
    if (starts_with_any(header, {"openssl/", "boost/asio/ssl"}) && *room != "proto/common/tls") {
        return "OpenSSL and Asio's TLS are seen by proto/common/tls only: include its transport.h";
    }
    if (header == "sla/ring_abi.h") {
        if (may_include(*room, "proto/ring")) return std::nullopt;
        return "<sla/ring_abi.h> belongs to proto/ring, which " + *room + " may not include";
    }
    if (header.starts_with("sla/")) {
        if (may_include(*room, "agent/marker")) return std::nullopt;
        return *room + " may not call markers: only user programs and emu/tap do";
    }
    if (*room == "agent/marker") {
        if (is_system_header(header)) return std::nullopt;
        return "agent/marker lives in other people's programs and may include system headers only";
    }
    if (*room != "emu/cpu" && *room != "proto/common/disassembly" && header.starts_with("Zydis/")) {
        return "code is taken apart in emu/cpu and shown by proto/common/disassembly only: include emu/cpu/instruction.h";
    }
    if (!room->starts_with("viewer/ui/") && starts_with_any(header, {"imgui", "GLFW/", "GL/", "EGL/", "GLES"})) {
        return "the window (ImGui, GLFW, OpenGL, EGL) lives in viewer/ui only";
    }
    if (starts_with_any(*room, {"proto/base", "proto/ring"}) && !is_system_header(header)) {
        return "the lowest rooms of proto are linked into other people's programs and need no library";
    }
    return std::nullopt;
}

std::optional<std::string> room_of_target(std::string_view target) {
    if (target == "sla_marker") return "agent/marker";
    if (target == "sla_ring_abi") return "proto/ring";
    for (const auto& [room, allowed] : arrows()) {
        std::string name = "sla_" + room;
        std::replace(name.begin(), name.end(), '/', '_');
        if (name == target) return room;
    }
    return std::nullopt;
}

}  // namespace sla::layering
