// What shots make the agent do beside notifying its readers: files, then commands, one order after the other, in a
// thread of its own, so that neither a slow disk nor a program that hangs holds the stream.
#pragma once

#include "agent/daemon/shots/shot_commands.h"
#include "agent/retain/retention.h"
#include "agent/shots/running_trigger.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace sla::daemon {

class ShotActions {
public:
    using Report = std::function<void(const std::string& trigger, const std::string& problem)>;

    // `report` is called in our thread and in that of add(), and must not call back. The retention must outlive this.
    ShotActions(retain::Retention& retention, Report report) : retention_(retention), report_(std::move(report)) {}
    ~ShotActions();
    ShotActions(const ShotActions&) = delete;
    ShotActions& operator=(const ShotActions&) = delete;

    // Any thread. At most kMaxWaiting wait; what comes then is left out and reported.
    void add(shots::ShotOrder order);
    // After Retention::finish: all orders are carried out, commands still running are left to themselves.
    void finish();

private:
    static constexpr std::size_t kMaxWaiting = 1000;
    std::string start_thread();
    void run();
    void carry_out(const shots::ShotOrder& order);
    std::string write_file(const shots::ShotOrder& order, const std::string& path);
    // The files that snapshots of one name are kept in.
    struct Series {
        std::uint64_t last = 0;
        std::deque<std::string> files;  // oldest first
    };
    // With those that are there from before, behind which its numbers go on.
    Result<Series*> series_of(const std::string& path);
    void report_ends();

    retain::Retention& retention_;
    const Report report_;
    ShotCommands commands_;
    std::map<std::string, Series> series_;  // by what the action said

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<shots::ShotOrder> waiting_;  // under mutex_, as the next
    bool finishing_ = false;
    std::thread thread_;
};

}  // namespace sla::daemon
