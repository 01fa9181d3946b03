// A marked program with a behaviour for every test; says what it offered on stdout, one "name number" a line.
#include <sla/marker.h>

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

SLA_CHANNEL(main_channel, "test.main");
SLA_CHANNEL(child_channel, "test.child");
SLA_CHANNEL(handler_channel, "test.shared");
SLA_CHANNEL_WITH(flight_channel, "test.flight", "", SLA_OVERWRITE, 1024);
SLA_CHANNEL(text_channel, "test.text");
SLA_CHANNEL(span_channel, "test.span");
SLA_CHANNEL_WITH(rdtscp_channel, "test.rdtscp", "", SLA_DROP_NEWEST, 0, SLA_RDTSCP);
SLA_CHANNEL_WITH(fence_channel, "test.fence", "", SLA_DROP_NEWEST, 0, SLA_LFENCE_RDTSC);

namespace {

volatile std::sig_atomic_t stop_asked = 0;
volatile std::sig_atomic_t handled = 0;

void say(const char* what, unsigned long long number) {
    std::printf("%s %llu\n", what, number);
    std::fflush(stdout);
}

// burst CHANNELS THREADS EVENTS: every thread writes EVENTS on each channel, in turns, as fast as it can.
int burst(const std::vector<std::string>& words) {
    unsigned long channels = std::stoul(words.at(0));
    unsigned long threads = std::stoul(words.at(1));
    unsigned long events = std::stoul(words.at(2));
    std::vector<sla_channel*> opened;
    for (unsigned long i = 0; i < channels; i++) opened.push_back(sla_channel_open(("burst." + std::to_string(i)).c_str()));
    std::vector<std::thread> running;
    for (unsigned long t = 0; t < threads; t++) {
        running.emplace_back([&opened, events] {
            for (unsigned long e = 0; e < events; e++) {
                for (sla_channel* channel : opened) SLA_TICK(channel, e);
            }
        });
    }
    for (std::thread& thread : running) thread.join();
    say("offered", channels * threads * events);
    return 0;
}

// count N: N values on test.main, then ends by SIGKILL.
int count_and_die(const std::vector<std::string>& words) {
    unsigned long n = std::stoul(words.at(0));
    for (unsigned long i = 0; i < n; i++) SLA_VALUE(main_channel, i);
    say("offered", n);
    raise(SIGKILL);
    return 0;
}

// steady: one value a millisecond on test.main until SIGTERM; says the last one.
int steady(const std::vector<std::string>&) {
    std::signal(SIGTERM, [](int) { stop_asked = 1; });
    unsigned long i = 0;
    say("running", 1);
    for (; !stop_asked; i++) {
        SLA_VALUE(main_channel, i);
        usleep(1000);
    }
    say("offered", i);
    return 0;
}

// early N: stamps a moment before it looks for the agent, records it, then N values.
int early(const std::vector<std::string>& words) {
    unsigned long n = std::stoul(words.at(0));
    const std::uint64_t moment = sla_now();
    sla_attach();
    sla_record_at(main_channel, SLA_CODE_TICK, moment, 0, 0, 0);
    for (unsigned long i = 0; i < n; i++) SLA_VALUE(main_channel, i);
    say("offered", n);
    return 0;
}

// grow N: bursts on test.main until its ring has been replaced by one that holds N; waits for SIGTERM, writes N more.
int grow(const std::vector<std::string>& words) {
    std::signal(SIGTERM, [](int) { stop_asked = 1; });
    unsigned long n = std::stoul(words.at(0));
    unsigned long i = 0;
    while (main_channel[0].own.mask + 1 < n && i < 200'000'000) {
        for (unsigned long end = i + 300'000; i < end; i++) SLA_VALUE(main_channel, i);
        usleep(20'000);  // long enough for an agent with nothing to do to look away for longer than a burst takes
    }
    usleep(200'000);
    say("before", i);
    while (!stop_asked) usleep(1000);
    for (unsigned long end = i + n; i < end; i++) SLA_VALUE(main_channel, i);
    say("offered", i);
    return 0;
}

// pace SECONDS RATE: RATE values a second on test.main, a millisecond's worth at a time.
int pace(const std::vector<std::string>& words) {
    unsigned long milliseconds = std::stoul(words.at(0)) * 1000;
    unsigned long each = std::stoul(words.at(1)) / 1000;
    unsigned long value = 0;
    for (unsigned long i = 0; i < milliseconds; i++) {
        for (unsigned long j = 0; j < each; j++) SLA_VALUE(main_channel, value++ * 7919 % 1000003);
        usleep(1000);
    }
    say("offered", value);
    return 0;
}

// fork N: N values in the parent, then N in the child, then N in the parent again.
int fork_twice(const std::vector<std::string>& words) {
    unsigned long n = std::stoul(words.at(0));
    for (unsigned long i = 0; i < n; i++) SLA_VALUE(main_channel, i);
    pid_t child = fork();
    if (child == 0) {
        for (unsigned long i = 0; i < n; i++) SLA_VALUE(child_channel, i);
        for (unsigned long i = 0; i < n; i++) SLA_VALUE(main_channel, i);
        _exit(0);
    }
    for (unsigned long i = 0; i < n; i++) SLA_VALUE(main_channel, i);
    int status = 0;
    waitpid(child, &status, 0);
    say("offered", n);
    return status;
}

// signals N: the main thread marks test.shared N times while a timer's handler marks it as well.
int signals(const std::vector<std::string>& words) {
    unsigned long n = std::stoul(words.at(0));
    SLA_TICK(handler_channel, 0);  // attach outside the handler
    struct sigaction action {};
    action.sa_handler = [](int) {
        int saved = errno;
        SLA_BEGIN(handler_channel, handled);
        SLA_TEXT(text_channel, "in a handler");
        handled = handled + 1;
        errno = saved;
    };
    sigaction(SIGALRM, &action, nullptr);
    itimerval often{{0, 50}, {0, 50}};
    setitimer(ITIMER_REAL, &often, nullptr);
    for (unsigned long i = 1; i < n; i++) SLA_TICK(handler_channel, i);
    itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    say("main", n);
    say("handler", static_cast<unsigned long long>(handled));
    return 0;
}

// flight N: N values into a flight recorder of 1024, then waits for SIGTERM.
int flight(const std::vector<std::string>& words) {
    unsigned long n = std::stoul(words.at(0));
    for (unsigned long i = 0; i < n; i++) SLA_VALUE(flight_channel, i);
    say("offered", n);
    return 0;
}

unsigned char* find_segment() {
    std::FILE* maps = std::fopen("/proc/self/maps", "r");
    char line[512];
    unsigned char* base = nullptr;
    while (maps && std::fgets(line, sizeof line, maps)) {
        if (std::strstr(line, "sla-segment")) base = reinterpret_cast<unsigned char*>(std::strtoull(line, nullptr, 16));
    }
    if (maps) std::fclose(maps);
    return base;
}

// scribble SEED whole|part: attaches, then fills everything that is shared with random bytes, again and again until SIGTERM:
// the header, all descriptors, the rings' headers and their slots; as a part the front of the last two, and now and then
// only.
int scribble(const std::vector<std::string>& words) {
    std::srand(static_cast<unsigned>(std::stoul(words.at(0))));
    const bool whole = words.at(1) == "whole";
    std::signal(SIGTERM, [](int) { stop_asked = 1; });
    for (int i = 0; i < 100; i++) SLA_TICK(main_channel, i);
    unsigned char* base = find_segment();
    if (!base) return 1;
    struct Region {
        unsigned long begin;
        unsigned long bytes;
    };
    const std::vector<Region> regions{{0, 64},
                                      {0, SLA_CHANNEL_OFFSET},
                                      {SLA_CHANNEL_OFFSET, 4096},
                                      {SLA_CHANNEL_OFFSET, SLA_RING_OFFSET - SLA_CHANNEL_OFFSET},
                                      {SLA_RING_OFFSET, 4096},
                                      {SLA_RING_OFFSET, whole ? SLA_ARENA_OFFSET - SLA_RING_OFFSET : 1UL << 20},
                                      {SLA_ARENA_OFFSET, 65536},
                                      {SLA_ARENA_OFFSET, whole ? SLA_ARENA_BYTES : 1UL << 20}};
    say("scribbling", 1);
    while (!stop_asked) {
        for (const Region& region : regions) {
            for (int i = 0; i < (whole ? 4096 : 256); i++) {
                const unsigned long at = (static_cast<unsigned long>(std::rand()) << 15 ^ std::rand()) % region.bytes;
                base[region.begin + at] = static_cast<unsigned char>(std::rand());
            }
        }
        usleep(whole ? 500 : 50'000);
    }
    _exit(0);
}

// rename: one program that gives its descriptors new names as fast as it can, each counting losses, until SIGTERM.
int rename_channels(const std::vector<std::string>&) {
    std::signal(SIGTERM, [](int) { stop_asked = 1; });
    for (int i = 0; i < 100; i++) SLA_TICK(main_channel, i);
    unsigned char* base = find_segment();
    if (!base) return 1;
    auto* header = reinterpret_cast<sla_segment_header*>(base);
    auto* descriptors = reinterpret_cast<sla_channel_descriptor*>(base + SLA_CHANNEL_OFFSET);
    say("renaming", 1);
    for (unsigned long round = 0; !stop_asked; round++) {
        for (unsigned i = 0; i < SLA_MAX_CHANNELS; i++) {
            std::snprintf(descriptors[i].name, sizeof descriptors[i].name, "renamed.%lu.%u", round, i);
            descriptors[i].lost_no_ring++;
        }
        header->channel_count = SLA_MAX_CHANNELS;
        header->lost_without_ring++;
        usleep(2000);
    }
    _exit(0);
}

// threads ROUNDS: short-lived threads one after the other, each with three values; rings are used again.
int short_threads(const std::vector<std::string>& words) {
    unsigned long rounds = std::stoul(words.at(0));
    for (unsigned long i = 0; i < rounds; i++) {
        std::thread([i] {
            for (unsigned long j = 0; j < 3; j++) SLA_VALUE(main_channel, i * 3 + j);
        }).join();
        if (i % 16 == 0) usleep(2000);
    }
    say("offered", rounds * 3);
    return 0;
}

// names: channels with every sort of name.
int names(const std::vector<std::string>&) {
    std::string longest(400, 'x');
    for (const std::string& name : {std::string("größe.λ.日本語"), std::string("with space, and \"quotes\""), longest,
                                    longest + "y", std::string("")}) {
        SLA_TICK(sla_channel_open(name.c_str()), 1);
    }
    SLA_TEXT(text_channel, "kurz");
    SLA_TEXT(text_channel, (std::string(111, 'a') + "ö and more").c_str());
    SLA_TEXT(text_channel, nullptr);
    SLA_VALUE(main_channel, -5);
    SLA_VALUE(main_channel, 18446744073709551615ull);
    SLA_VALUE(main_channel, 2.5);
    SLA_LEVEL(main_channel, 7);
    return 0;
}

long long raw_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

// stamped N: N empty sections on each of test.span, test.rdtscp and test.fence.
int stamped(const std::vector<std::string>& words) {
    unsigned long n = std::stoul(words.at(0));
    for (sla_channel* channel : {span_channel, rdtscp_channel, fence_channel}) {
        for (unsigned long i = 0; i < n; i++) {
            SLA_BEGIN(channel);
            SLA_END(channel);
        }
    }
    say("offered", 6 * n);
    return 0;
}

// clocked N: N values a millisecond apart on test.main, each in a span of test.span that is empty but for it; says between
// which nanoseconds of CLOCK_MONOTONIC_RAW the first and the last one lay.
int clocked(const std::vector<std::string>& words) {
    unsigned long n = std::stoul(words.at(0));
    for (unsigned long i = 0; i < n; i++) {
        long long before = raw_ns();
        SLA_BEGIN(span_channel);
        SLA_VALUE(main_channel, i);
        SLA_END(span_channel);
        long long after = raw_ns();
        if (i == 0) say("first-after", static_cast<unsigned long long>(before));
        if (i == 0) say("first-before", static_cast<unsigned long long>(after));
        if (i + 1 == n) say("last-after", static_cast<unsigned long long>(before));
        if (i + 1 == n) say("last-before", static_cast<unsigned long long>(after));
        usleep(1000);
    }
    return 0;
}

// behind N: N ticks on test.main, 10 ms apart, by a time of its own in which they are a thousand ticks apart.
int behind(const std::vector<std::string>& words) {
    unsigned long n = std::stoul(words.at(0));
    unsigned long long begin = sla_machine_now();
    for (unsigned long i = 0; i < n; i++) {
        sla_own_clock(begin + i * 1000);
        SLA_TICK(main_channel);
        usleep(10000);
    }
    return 0;
}

const std::map<std::string, std::function<int(const std::vector<std::string>&)>> kBehaviours = {
    {"burst", burst},
    {"count-and-die", count_and_die},
    {"steady", steady},
    {"fork", fork_twice},
    {"signals", signals},
    {"flight", flight},
    {"scribble", scribble},
    {"threads", short_threads},
    {"rename", rename_channels},
    {"names", names},
    {"pace", pace},
    {"grow", grow},
    {"clocked", clocked},
    {"stamped", stamped},
    {"early", early},
    {"behind", behind}};

}  // namespace

int main(int argc, char** argv) {
    auto behaviour = kBehaviours.find(argc > 1 ? argv[1] : "");
    if (behaviour == kBehaviours.end()) return 2;
    return behaviour->second({argv + 2, argv + argc});
}
