#include "agent/member/member.h"

#include "proto/base/random_id.h"
#include "proto/fleet/buckets.h"
#include "proto/fleet/names.h"
#include "proto/fleet/streams.h"
#include "proto/fleet/talk.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/utf8.h"

#include <sla/ring_abi.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace sla::member {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kStep{100};
constexpr milliseconds kBetweenConnects{1000};
constexpr seconds kBetweenLooksAlone{2};    // for hosts,
constexpr seconds kBetweenLooks{10};        // in a small fleet
constexpr seconds kBetweenLooksOfMany{60};  // each look at a thousand hosts is 40 KB
constexpr std::size_t kMany = 64;
constexpr milliseconds kAnswerTime{1000};  // of the servers: nobody is served meanwhile
constexpr milliseconds kLastWords{500};

std::uint64_t now_tick() {
    return time::read_stamp() & SLA_TICK_MASK;
}

std::string peer_clock_frame(const peers::PeerReading& news) {
    const time::PeerReport& report = news.report;
    wire::Frame frame;
    wire::PeerClock& out = *frame.mutable_peer_clock();
    out.set_host(news.host);
    out.set_boot_id(wire::to_utf8(news.boot_id));
    out.set_tick(report.reading.tick);
    out.set_peer_tick(report.reading.peer_tick);
    out.set_error_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(report.reading.error_ns, 0)));
    out.set_round_trip_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(report.round_trip_ns, 0)));
    out.set_exchanges(report.exchanges);
    out.set_lost(report.lost);
    out.set_drift_ppb(report.drift_ppb);
    out.set_drift_error_ppb(report.drift_error_ppb);
    out.set_problem(report.problem);
    return wire::encode_frame(frame);
}

}  // namespace

Member::Member(const Options& options, double nominal_hz, retain::Retention& retention, Calls calls)
    : options_(options),
      retention_(retention),
      calls_(std::move(calls)),
      clock_(nominal_hz),
      transport_(options.self, now_tick),
      pinger_(transport_, random_id()),
      control_(options.self.host, options.control, calls_.apply),
      shots_({options.self, options.capture, now_tick(), options.control != fleet::Control::kNone,
              [this](const std::string& host, const std::string& boot) { return pinger_.readings_of(host, boot); },
              calls_.say, fleet::now_utc_ns},
             retention, clock_),
      twins_(options.capture) {
    transport_.set_rate(nominal_hz);
}

Member::~Member() {
    finish();
}

void Member::start() {
    thread_ = std::thread([this] { run(); });
}

void Member::stop() {
    if (!thread_.joinable()) return;
    {
        std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    woken_.notify_one();
    thread_.join();
}

void Member::finish() {
    stop();
    if (std::exchange(is_finished_, true)) return;
    send_answers();
    send(shots_.finish(now_tick()));
    if (unsent_.lost() > 0)
        spdlog::warn(
            "{} messages about shots did not get to the fleet: its servers could not be reached, or did not take them",
            unsent_.lost());
    if (connection_) (void)natsConnection_FlushTimeout(connection_->get(), kLastWords.count());
    detach();
}

void Member::on_shot(const wire::Shot& shot) {
    shots_.on_own(shot);
    std::lock_guard lock(mutex_);
    is_awake_ = true;
    woken_.notify_one();
}

void Member::wait() {
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, kStep, [this] { return is_awake_ || is_ending_; });
    is_awake_ = false;
}

void Member::run() {
    for (;;) {
        {
            std::lock_guard lock(mutex_);
            if (is_ending_) break;
        }
        const Time now = std::chrono::steady_clock::now();
        connect(now);
        look_for_hosts(now);
        const auto clock = clock_.view();
        transport_.set_rate(clock->map.ticks_per_second());
        report_clocks(pinger_.step(now_tick(), clock->map));
        send_answers();
        send(shots_.step(now, now_tick()));
        wait();
    }
    stop_listening();
}

void Member::stop_listening() {
    fired_.reset();
    orders_.reset();
    transport_.detach();
}

void Member::detach() {
    stop_listening();
    connection_.reset();
}

void Member::connect(Time now) {
    if (connection_ && connection_->is_closed()) detach();
    if (connection_ || now < next_connect_) return;
    next_connect_ = now + kBetweenConnects;
    const Result<void> attached = attach();
    if (!attached) detach();
    const std::string problem = attached ? "" : attached.error().message;
    if (problem == reported_) return;
    reported_ = problem;
    if (!problem.empty()) spdlog::warn("the fleet's agents cannot be reached: {}; it is tried again every second", problem);
}

Result<void> Member::attach() {
    fleet::ConnectOptions options;
    options.servers = options_.servers;
    options.credentials = options_.credentials;
    options.client = "sla-agent " + options_.self.host + ", control";
    options.api_wait = kAnswerTime;
    options.sends_at_once = true;
    auto connection = fleet::Connection::open(options);
    if (!connection) return connection.error();
    connection_ = std::move(*connection);
    next_look_ = {};
    if (Result<void> peers = transport_.attach(*connection_); !peers) return peers;
    const Identity& self = options_.self;
    const std::string subject = fleet::talk_subject(self.fleet, fleet::Talk::kControl, self.host);
    auto orders = fleet::Listener::open(*connection_, subject, [this, subject](const fleet::Received& message) {
        if (fleet::is_question_to(subject, message)) control_.on_message(message);
    });
    if (!orders) return orders.error();
    orders_ = std::move(*orders);
    auto fired = fleet::Listener::open(*connection_, fleet::talk_subject(self.fleet, fleet::Talk::kShot, "*"),
                                       [this](const fleet::Received& message) { shots_.on_message(message); });
    if (!fired) return fired.error();
    fired_ = std::move(*fired);
    return {};
}

// Who is in the registry. What is no host of it is left out, and so are those beyond what a fleet may have.
void Member::look_for_hosts(Time now) {
    if (!connection_ || now < next_look_ || !connection_->is_connected()) return;
    Result<std::vector<std::string>> keys = fleet::keys_of(*connection_, fleet::hosts_bucket(options_.self.fleet));
    next_look_ = now + kBetweenLooks;
    if (!keys) return;
    std::erase_if(*keys, [](const std::string& key) { return !fleet::is_token(key); });  // as the settings' key
    if (keys->size() <= 1) next_look_ = now + kBetweenLooksAlone;
    if (keys->size() > kMany) next_look_ = now + kBetweenLooksOfMany;
    transport_.set_hosts(std::move(*keys));
    const Result<fleet::RunEntry> own = fleet::newest_run_of(*connection_, options_.self.fleet, options_.self.host);
    if (!own) return;
    if (const std::optional<std::string> twin = twins_.see(*own)) calls_.say(*twin);
}

void Member::report_clocks(const std::vector<peers::PeerReading>& news) {
    for (const peers::PeerReading& one : news) retention_.announce(peer_clock_frame(one), retain::Topic::kPeer);
}

void Member::send_answers() {
    for (const ControlHandler::Reply& reply : control_.take_answers()) {
        if (connection_) (void)fleet::publish(*connection_, reply.to, reply.body);
    }
}

// What cannot be sent now is sent when the cluster is there again; what is only said again is not.
void Member::send(const ShotHandler::Outgoing& outgoing) {
    const Identity& self = options_.self;
    const std::string subject = fleet::talk_subject(self.fleet, fleet::Talk::kShot, self.host);
    for (const std::string& shot : outgoing.shots) unsent_.add(subject, shot);
    for (const fleet::ShotEntry& entry : outgoing.entries) {
        const std::string key = fleet::shot_key(entry.shot, entry.host);
        unsent_.replace("$KV." + fleet::shots_bucket(self.fleet) + "." + key, entry.json());
    }
    for (const fleet::ShotEntry& entry : outgoing.first_words) {
        const std::string key = fleet::shot_key(entry.shot, entry.host);
        unsent_.add_first_word("$KV." + fleet::shots_bucket(self.fleet) + "." + key, entry.json());
    }
    if (!connection_ || !connection_->is_connected()) return;
    unsent_.send([this](const std::string& to, const std::string& body, bool is_first_word) {
        return (is_first_word ? fleet::publish_first(*connection_, to, body) : fleet::publish(*connection_, to, body)).ok();
    });
    for (const std::string& shot : outgoing.again) (void)fleet::publish(*connection_, subject, shot);
}

}  // namespace sla::member
