// What is open: opened, given up again, closed, opened again.
#include "viewer/ui/app.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::size_t kMostClosed = 20;

}  // namespace

void App::open(std::unique_ptr<Feed> feed) {
    auto desk = std::make_unique<Desk>(std::move(feed), settings_.motion);
    const bool nothing = this->desk().feed->session().lanes().empty();
    const FeedState state = this->desk().feed->status().state;
    if (nothing && state != FeedState::kLive && state != FeedState::kLoading) {
        errors_.forget(desks_[shown_].get());
        desks_[shown_] = std::move(desk);
        return;
    }
    desks_.push_back(std::move(desk));
    shown_ = desks_.size() - 1;
}

bool App::show_open(const std::string& target) {
    for (std::size_t i = 0; i < desks_.size(); ++i) {
        if (target.empty() || desks_[i]->feed->target() != target) continue;
        shown_ = i;
        if (desks_[i]->feed->status().state == FeedState::kLost) desks_[i]->feed->run();
        return true;
    }
    return false;
}

void App::open(const std::string& target) {
    if (show_open(target)) return;
    std::unique_ptr<Feed> feed = open_feed(target, settings_.memory());
    const FeedStatus status = feed->status();
    if (status.state == FeedState::kLost && !feed->can_run()) return tell_unopened(target, feed->target(), status.message);
    if (show_open(feed->target())) return;  // by another path
    const std::size_t before = shown_;
    open(std::move(feed));
    desk().on_trial = true;
    desk().opened_from = before;
}

// Nothing is open that was not before; what was typed can be mended. `again` is "" of what never can be opened.
void App::tell_unopened(const std::string& typed, const std::string& again, const std::string& why) {
    errors_.add({why.empty() ? typed + " cannot be opened" : why, Weight::kError, nullptr, again});
    sources_box_.suggest(typed);
}

// An agent that never answered leaves no empty source behind.
void App::end_trials() {
    for (std::size_t i = 0; i < desks_.size(); ++i) {
        Desk& desk = *desks_[i];
        const FeedStatus status = desk.feed->status();
        if (!desk.on_trial || status.state == FeedState::kConnecting) continue;
        desk.on_trial = false;
        if (status.state != FeedState::kLost || !desk.feed->can_run() || !desk.feed->session().lanes().empty()) continue;
        const std::size_t before = desk.opened_from;
        const bool shown = i == shown_;
        const std::string target = desk.feed->target();
        remove(i);
        if (shown) shown_ = std::min(before, desks_.size() - 1);
        tell_unopened(target, target, status.message);
        return;
    }
}

void App::remove(std::size_t at) {
    errors_.forget(desks_[at].get());
    desks_.erase(desks_.begin() + static_cast<std::ptrdiff_t>(at));
    if (desks_.empty()) desks_.push_back(std::make_unique<Desk>(no_feed(), settings_.motion));
    if (shown_ > at || shown_ == desks_.size()) --shown_;
}

void App::close_shown() {
    if (keeping_) static_cast<void>(desk().keep().ok());
    if (const std::string target = feed().target(); !target.empty()) {
        std::erase(closed_, target);
        closed_.push_back(target);
        if (closed_.size() > kMostClosed) closed_.erase(closed_.begin());
    }
    remove(shown_);
}

void App::reopen() {
    if (closed_.empty()) return errors_.notice("Nothing was closed that could be opened again");
    const std::string target = std::move(closed_.back());
    closed_.pop_back();
    open(target);
}

void App::grant_desks(const Requests& requests) {
    if (requests.show_desk < desks_.size()) shown_ = requests.show_desk;
    if (requests.desk_steps != 0 && desks_.size() == 1) errors_.notice("Nothing else is open");
    shown_ = (shown_ + desks_.size() + static_cast<std::size_t>(requests.desk_steps)) % desks_.size();
    if (requests.close_anyway || (requests.close_desk && lost_by_closing(desk()).empty())) {
        close_shown();
    } else if (requests.close_desk) {
        close_box_.open();
    }
    if (requests.quit_anyway) quit_ = true;
    if (requests.quit) quit();
    if (requests.reopen_desk) reopen();
    if (requests.open) open(*requests.open);
    if (requests.start_demo) start_demo();
}

// The first that would lose something is shown, and asked about. Who has read that and closes the window again means it.
void App::quit() {
    constexpr double kReadSeconds = 1;
    if (const double asked = close_box_.asks_to_quit(); asked > 0) {
        quit_ = asked >= kReadSeconds;
        return;
    }
    const auto losing =
        std::find_if(desks_.begin(), desks_.end(), [](const auto& desk) { return !lost_by_closing(*desk).empty(); });
    quit_ = losing == desks_.end();
    if (quit_) return;
    shown_ = static_cast<std::size_t>(losing - desks_.begin());
    close_box_.open(CloseBox::What::kAll);
}

void App::start_demo() {
    if (demo_ == nullptr) {
        auto demo = Demo::start();
        if (!demo) return errors_.add(demo.error().message);
        demo_ = std::move(*demo);
    }
    open(demo_->address());
    desk().passing = feed().target() == demo_->address();
}

}  // namespace sla::ui
