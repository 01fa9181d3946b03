#include "agent/daemon/shots/shot_actions.h"

#include "agent/daemon/shots/shot_file.h"
#include "proto/capture/pieces/capture_series.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

namespace sla::daemon {
namespace {

constexpr std::size_t kMostKnownFiles = 100'000;  // of a series; what is older is left to people
constexpr auto kLookAtChildren = std::chrono::milliseconds(200);

}  // namespace

ShotActions::~ShotActions() {
    finish();
}

void ShotActions::add(shots::ShotOrder order) {
    if (!order.actions.reach_outside()) return;
    std::lock_guard lock(mutex_);
    if (waiting_.size() == kMaxWaiting) {
        report_(order.shot.trigger_name(), "shot " + std::to_string(order.shot.number()) +
                                               " has no file and no command: a thousand others wait for theirs");
        return;
    }
    waiting_.push_back(std::move(order));
    if (const std::string problem = start_thread(); !problem.empty()) {
        report_(waiting_.back().shot.trigger_name(),
                "shot " + std::to_string(waiting_.back().shot.number()) + " has no file and no command: " + problem);
        waiting_.pop_back();
    }
    changed_.notify_all();
}

// What was wrong, or empty. Under the lock.
std::string ShotActions::start_thread() {
    if (thread_.joinable()) return "";
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error& error) {
        return std::string("no thread for it: ") + error.what();
    }
    return "";
}

void ShotActions::finish() {
    {
        std::lock_guard lock(mutex_);
        finishing_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void ShotActions::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        while (waiting_.empty()) {
            if (finishing_) return;
            if (commands_.any()) {
                changed_.wait_for(lock, kLookAtChildren);
            } else {
                changed_.wait(lock);
            }
            lock.unlock();
            report_ends();
            lock.lock();
        }
        const shots::ShotOrder order = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        carry_out(order);
        lock.lock();
    }
}

void ShotActions::report_ends() {
    for (const ShotCommands::Failure& failure : commands_.reap()) report_(failure.trigger, failure.problem);
}

void ShotActions::carry_out(const shots::ShotOrder& order) {
    std::string file;
    for (const std::string& path : order.actions.snapshots) {
        const std::string written = write_file(order, path);
        if (file.empty()) file = written;
    }
    report_ends();
    for (const std::vector<std::string>& words : order.actions.commands) {
        const std::string problem = commands_.start(words, order.shot, file);
        if (!problem.empty()) report_(order.shot.trigger_name(), problem);
    }
}

// The file's name, empty when it could not be written.
std::string ShotActions::write_file(const shots::ShotOrder& order, const std::string& path) {
    const Result<Series*> series = series_of(path);
    if (!series) {
        report_(order.shot.trigger_name(), series.error().message);
        return "";
    }
    const std::uint64_t number = std::max((*series)->last + 1, order.shot.number());
    const std::string name = numbered(path, number);
    const Result<ShotFacts> facts = write_shot_file(name, order, retention_, [this] {
        std::lock_guard lock(mutex_);
        return finishing_;
    });
    if (!facts) {
        report_(order.shot.trigger_name(), facts.error().message);
        return "";
    }
    spdlog::info("shot {} of {}: {} events in {}", order.shot.number(), order.shot.trigger_name(), facts->events, name);
    if (!facts->is_whole) {
        report_(order.shot.trigger_name(), "the window of shot " + std::to_string(order.shot.number()) +
                                               " was not held whole any more: give the agent more --memory, or make the "
                                               "window smaller");
    }
    (*series)->last = number;
    std::deque<std::string>& files = (*series)->files;
    files.push_back(name);
    if (files.size() > kMostKnownFiles) files.pop_front();
    while (order.actions.keep != 0 && files.size() > order.actions.keep) {
        std::remove(files.front().c_str());
        files.pop_front();
    }
    return name;
}

// An agent that is started again, a trigger that is set again and another that has the same name for its files write over none.
Result<ShotActions::Series*> ShotActions::series_of(const std::string& path) {
    const auto known = series_.find(path);
    if (known != series_.end()) return &known->second;
    const auto numbers = capture::numbers_of_series(path.ends_with(".sla") ? path : path + ".sla");
    if (!numbers) return numbers.error();
    Series& series = series_[path];
    for (const std::uint64_t number : *numbers) {
        series.last = number;
        series.files.push_back(numbered(path, number));
    }
    return &series;
}

}  // namespace sla::daemon
