#include "tests/support/trace_dat.h"

#include "proto/base/check.h"

#include <algorithm>
#include <string_view>

namespace sla::support {

namespace {

constexpr std::size_t kPage = 4096;

constexpr std::string_view kPageHead =
    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
constexpr std::string_view kEventHead =
    "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
    "\tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n\tdata max type_len  == 28\n";
constexpr std::string_view kPing =
    "name: ping\nID: 77\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
    "\tfield:int number;\toffset:8;\tsize:4;\tsigned:1;\n\n"
    "print fmt: \"number=%d\", REC->number\n";
constexpr std::string_view kTasks = "41 worker\n42 other\n";

void put(std::string& out, std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i));
}

void put_sized(std::string& out, std::string_view text) {
    put(out, text.size(), 8);
    out += text;
}

void put_name(std::string& out, std::string_view name) {
    out += name;
    out += '\0';
}

std::string page_of(const std::vector<Ping>& events) {
    constexpr std::uint64_t kThreeWords = 3;  // an event's data
    std::string data;
    std::uint64_t last = events.front().ns;
    for (const Ping& event : events) {
        put(data, kThreeWords | (event.ns - last) << 5, 4);
        put(data, 77, 4);
        put(data, static_cast<std::uint32_t>(event.pid), 4);
        put(data, static_cast<std::uint32_t>(event.number), 4);
        last = event.ns;
    }
    std::string page;
    put(page, events.front().ns, 8);
    put(page, data.size(), 8);
    page += data;
    SLA_CHECK(page.size() <= kPage);
    page.resize(kPage);
    return page;
}

}  // namespace

std::string trace_dat(const std::vector<std::vector<Ping>>& cores) {
    std::string out = "\x17\x08\x44tracing6";
    put(out, 0, 2);  // the version ends; little-endian
    put(out, 8, 1);  // bytes of a long
    put(out, kPage, 4);
    put_name(out, "header_page");
    put_sized(out, kPageHead);
    put_name(out, "header_event");
    put_sized(out, kEventHead);
    put(out, 0, 4);  // formats of ftrace's own events
    put(out, 1, 4);  // systems
    put_name(out, "sla");
    put(out, 1, 4);  // events of it
    put_sized(out, kPing);
    put(out, 0, 4);  // of kallsyms
    put(out, 0, 4);  // of printk formats
    put_sized(out, kTasks);
    put(out, cores.size(), 4);
    put_name(out, "options  ");
    put(out, 0, 2);  // the last one
    put_name(out, "flyrecord");
    const std::size_t first = (out.size() + 16 * cores.size() + kPage - 1) / kPage * kPage;
    for (std::size_t core = 0; core < cores.size(); ++core) {
        put(out, first + core * kPage, 8);
        put(out, kPage, 8);
    }
    out.resize(first);
    for (const std::vector<Ping>& events : cores) out += page_of(events);
    return out;
}

}  // namespace sla::support
