#include "agent/publish/publisher.h"

#include "proto/common/tls/secret.h"
#include "proto/fleet/names.h"
#include "proto/fleet/streams.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace sla::publish {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kLongestWait{250};  // answers, and what is written, wake before
constexpr milliseconds kBetweenConnects{1000};
constexpr milliseconds kBetweenGreetings{2000};
constexpr seconds kEndTime{5};
constexpr std::size_t kBootLetters = 8;  // enough to tell a machine's starts apart

}  // namespace

Result<std::unique_ptr<Publisher>> Publisher::start(const Options& wanted, retain::Retention& retention,
                                                    Surroundings around) {
    Options options = wanted;
    if (options.host.empty()) options.host = fleet::to_token(around.machine);
    if (options.spool_folder.empty()) options.spool_folder = default_spool(options.fleet);
    Result<std::unique_ptr<Spool>> spool = Spool::open(options.spool_folder, options.spool_bytes);
    if (!spool) return spool.error();
    Run run;
    run.started_ns = fleet::now_utc_ns();
    run.capture = fleet::new_id(run.started_ns);
    run.host = options.host;
    run.boot = fleet::to_token(around.boot.substr(0, kBootLetters));
    run.agent = around.agent;
    run.pid = static_cast<std::uint32_t>(::getpid());
    run.secret = tls::make_token();
    std::unique_ptr<Publisher> publisher(new Publisher(options, std::move(around), std::move(*spool), run, retention));
    publisher->take_over_earlier();
    if (Result<void> begun = publisher->spool_->begin(run); !begun) return begun.error();
    spdlog::info("publishing to {}, fleet {}, as {}, capture {}; spool {}", options.servers.text(), options.fleet, run.host,
                 run.capture, options.spool_folder);
    publisher->recording_.start();
    publisher->thread_ = std::thread([raw = publisher.get()] { raw->run(); });
    return publisher;
}

Publisher::Publisher(const Options& options, Surroundings around, std::unique_ptr<Spool> spool, Run run,
                     retain::Retention& retention)
    : options_(options),
      around_(std::move(around)),
      spool_(std::move(spool)),
      box_(AnswerBox::make()),
      recording_(*spool_, run.capture, retention,
                 {around_.say, [this] { box_.wake(); }, [this] { return memory_.load(std::memory_order_relaxed); }}),
      capture_(run.capture) {
    connect_.servers = options.servers;
    connect_.credentials = options.credentials;
    connect_.client = "sla-agent " + run.host;
    shipments_.push_back(std::make_unique<Shipment>(*spool_, std::move(run), around_.nominal_hz, around_.say));
    update_figures();
}

Publisher::~Publisher() {
    finish();
}

void Publisher::take_over_earlier() {
    std::vector<std::string> odd;
    for (Run& run : spool_->left(odd)) {
        auto shipment = std::make_unique<Shipment>(*spool_, std::move(run), around_.nominal_hz, around_.say);
        shipment->take_over();
        shipments_.push_back(std::move(shipment));
    }
    for (const std::string& folder : odd)
        around_.say("what is left in the spool cannot be published, it stays there: " + folder);
}

void Publisher::finish() {
    recording_.join();
    is_ending_.store(true, std::memory_order_release);  // pairs with run's acquire, within one wait: all is recorded
    box_.wake();
    if (thread_.joinable()) thread_.join();
}

Figures Publisher::figures() {
    std::lock_guard lock(mutex_);
    return figures_;
}

void Publisher::run() {
    std::optional<Time> end;
    for (;;) {
        const Time now = std::chrono::steady_clock::now();
        const bool is_ending = is_ending_.load(std::memory_order_acquire);  // pairs with finish's release
        const Recording::State live = recording_.state();                   // the last one when we are ending
        shipments_.front()->set_written(live.pieces, live.has_ended);
        handle_answers(now);
        const bool is_done = settle(now);
        update_figures();
        log_problem(now);
        connect(now);  // also of an agent that ends at once: it tries one time
        if (is_ending) {
            end = end.value_or(now + kEndTime);
            const bool is_hopeless = !sender_ || !sender_->connection().is_connected();
            if (is_hopeless || now >= *end) {
                if (!end_live_run()) leave_live_run();
                break;
            }
            if (is_done && end_live_run()) break;
        }
        send(now);
        report_to_registry(now);
        box_.wait(std::min(kLongestWait, options_.report_every));
    }
    if (sender_) sender_->flush(seconds(1));
    drop_connection();
    const Figures last = figures();
    spdlog::info("{} events published, {} dropped, {} left in the spool", last.published, last.dropped, last.left);
}

Shipment* Publisher::find(const fleet::MessageId& id) {
    for (const auto& shipment : shipments_) {
        if (shipment->run().capture == id.capture) return shipment.get();
    }
    return nullptr;
}

void Publisher::fail(const std::string& why, Time now, milliseconds pause) {
    problem_ = why;
    quiet_until_ = std::max(quiet_until_, now + pause);
}

void Publisher::handle_answers(Time now) {
    for (const Answer& answer : box_.take()) {
        const std::optional<OnTheWay::Answered> sent = on_the_way_.take(answer);
        Shipment* const shipment = find(answer.id);
        if (answer.at != 0) {
            problem_.clear();
            next_.messages++;
            next_.bytes += sent ? sent->bytes : 0;
            if (sent && sent->is_in_new_stream) begin_stream_anew(sent->shard);
            if (shipment != nullptr) shipment->acknowledge(answer.id, answer.at);
            continue;
        }
        next_.resent++;
        if (shipment != nullptr) shipment->give_back(answer.id);
        const std::string complaint = sender_ && sent ? sender_->connection().complaint_about(
                                                            subject_of(answer.id, sent->shard).text(), sent->complaints)
                                                      : "";
        fail("a message was not accepted: " + answer.why + (complaint.empty() ? "" : "; " + complaint), now, kAfterFailure);
    }
}

// True when nothing is left to do; the live run stays until its recording has ended.
bool Publisher::settle(Time now) {
    for (auto at = shipments_.begin() + 1; at != shipments_.end();) {
        const bool is_reported = (*at)->settle() && report_for_good(entry_of(**at, nullptr), false, now);
        if (!is_reported) {
            ++at;
            continue;
        }
        (*at)->forget();
        spdlog::info("capture {} of an earlier agent is published: {} events", (*at)->run().capture, (*at)->events());
        at = shipments_.erase(at);
    }
    const bool is_live_done = shipments_.front()->settle();
    return is_live_done && shipments_.size() == 1;
}

void Publisher::drop_connection() {
    sender_.reset();
    settings_.reset();
    unlisted_ = {};
    for (const fleet::MessageId& id : on_the_way_.give_up()) {
        if (Shipment* const shipment = find(id)) shipment->give_back(id);
    }
}

void Publisher::connect(Time now) {
    if (sender_ && sender_->connection().is_closed()) {
        problem_ = "the servers closed the connection: " + sender_->connection().last_complaint();
        drop_connection();
    }
    if (now < next_connect_) return;
    if (!sender_) {
        next_connect_ = now + kBetweenConnects;
        Result<std::unique_ptr<Sender>> sender = Sender::open(connect_, box_);
        if (!sender) {
            problem_ = sender.error().message;
            return;
        }
        sender_ = std::move(*sender);
    }
    if (!settings_ && !greet()) next_connect_ = now + kBetweenGreetings;
}

// How the fleet is set up.
bool Publisher::greet() {
    const fleet::Connection& connection = sender_->connection();
    if (connection.max_payload() < (std::uint64_t{1} << 20)) {
        problem_ = fmt::format(
            "the servers take messages of {} bytes only: 1048576 are needed (max_payload in their configuration)",
            connection.max_payload());
        return false;
    }
    Result<fleet::FleetSettings> settings = fleet::settings_of(connection, options_.fleet);
    if (!settings) {
        problem_ = settings.error().message;
        return false;
    }
    settings_ = *settings;
    problem_.clear();
    return true;
}

fleet::Subject Publisher::subject_of(const fleet::MessageId& id, std::uint32_t shard) const {
    return {options_.fleet, shard, id.host, id.capture, id.kind};
}

// In turn, so that what an earlier agent left and what is recorded now both get on.
void Publisher::send(Time now) {
    if (!sender_ || !settings_ || now < quiet_until_ || !sender_->connection().is_connected()) return;
    std::size_t idle = 0;
    while (idle < shipments_.size() && on_the_way_.count() < Sender::kWindowMessages &&
           on_the_way_.bytes() < Sender::kWindowBytes) {
        turn_ = (turn_ + 1) % shipments_.size();
        idle = send_one(*shipments_[turn_]) ? 0 : idle + 1;
        if (now < quiet_until_) return;
    }
}

bool Publisher::send_one(Shipment& shipment) {
    const std::optional<Piece::Outgoing> message = shipment.next();
    if (!message) return false;
    const fleet::MessageId& id = message->headers.id;
    const std::uint32_t shard = fleet::shard_of(id.host, settings_->shards);
    const std::uint64_t complaints = sender_->connection().complaints();
    if (Result<void> sent = sender_->send(subject_of(id, shard).text(), *message); !sent) {
        shipment.give_back(id);
        fail(sent.error().message, std::chrono::steady_clock::now(), kAfterFailure);
        return false;
    }
    on_the_way_.add(id, {message->body.size(), shard, complaints});
    return true;
}

}  // namespace sla::publish
