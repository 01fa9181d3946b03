#include "tests/bench/reader_beside.h"

#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <utility>

namespace sla::bench {

namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;

[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(3);
}

}  // namespace

double cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

void stay_on(std::size_t core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

ReaderBeside::ReaderBeside(const std::string& kind, const std::string& directory)
    : path_(directory + "/sla-beside-" + std::to_string(getpid()) + ".sla") {
    if (kind == "recorded") {
        auto made = capture::CaptureWriter::create(path_);
        if (!made) give_up(made.error().message);
        writer_.emplace(std::move(made).value());
        cursor_.is_recorder = true;
    } else if (kind == "viewer") {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) != 0) give_up("no pair of sockets to be had");
        emptying_ = std::thread([this] {
            stay_on(std::thread::hardware_concurrency() > 1 ? 1 : 0);
            std::vector<char> bytes(kReadBytes);
            while (read(ends_[1], bytes.data(), bytes.size()) > 0) {
            }
        });
    }
}

ReaderBeside::~ReaderBeside() {
    if (emptying_.joinable()) {
        close(ends_[0]);
        emptying_.join();
        close(ends_[1]);
    }
    if (writer_) unlink(path_.c_str());
}

double ReaderBeside::take(retain::Retention& retention) {
    if (!writer_ && !emptying_.joinable()) return 0;
    const double before = cpu_ns();
    bool goes_on = true;
    do {
        deliveries_.clear();
        goes_on = retention.read(cursor_, kReadBytes, deliveries_);
        for (const retain::Delivery& delivery : deliveries_) is_good_ = is_good_ && pass_on(delivery);
    } while (goes_on && !deliveries_.empty());
    return cpu_ns() - before;
}

bool ReaderBeside::pass_on(const retain::Delivery& delivery) {
    if (writer_) return writer_->append(delivery.message(), delivery.frame_facts()).ok();
    std::string_view left = *delivery.frame;
    while (!left.empty()) {
        const ssize_t sent = send(ends_[0], left.data(), left.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        left.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

}  // namespace sla::bench
