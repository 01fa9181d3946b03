#include "proto/fleet/setup.h"

#include "proto/fleet/buckets.h"
#include "proto/fleet/names.h"
#include "proto/fleet/streams.h"
#include "proto/fleet/wanted_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

namespace sla::fleet {
namespace {

constexpr auto kElectionTime = std::chrono::seconds(10);
constexpr auto kBetweenTries = std::chrono::milliseconds(100);

using Say = std::function<void(const std::string&)>;

// Two pieces of an agent's spool. Into less hardly a message fits, and what does not is acknowledged, and gone.
constexpr std::uint64_t kLeastStreamBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kMaxStreamBytes = std::numeric_limits<std::int64_t>::max();

// The trap: what a stream may grow to is taken off the servers' disks at once, when it is made.
Error with_trap(Error error, jsErrCode code, const FleetSettings& settings) {
    if (code == JSInsufficientResourcesErr || code == JSStorageResourcesExceededErr || code == JSClusterNoPeersErr) {
        error.message += fmt::format(
            ". A stream's bytes are reserved when it is made: {} shards of {} (--bytes), {} times each, must fit what the "
            "servers may store (max_file of jetstream in their configuration, less what other streams have reserved). Name "
            "smaller --bytes, --shards or --replicas, or make max_file larger",
            settings.shards, size_in_words(settings.bytes), settings.replicas);
    }
    if (code == JSStreamReplicasNotSupportedErr || code == JSClusterNoPeersErr)
        error.message += ". Replicas need as many servers in one cluster; a single server takes --replicas 1";
    return error;
}

// Of what is sent twice within it, one is kept: longer than anybody goes on resending a message.
constexpr std::int64_t kDuplicateWindowNs = 120'000'000'000;

// The servers refuse one that is longer than messages last.
std::int64_t duplicate_window(std::int64_t lasts_ns) {
    return lasts_ns > 0 ? std::min(kDuplicateWindowNs, lasts_ns) : kDuplicateWindowNs;
}

// A server that is alone takes any number for what is there, and keeps one of each. Of what is new it says why it does not.
Result<void> check_replicas(const StreamInfo& info, const std::string& what, const FleetSettings& settings) {
    if (info->Cluster != nullptr || settings.replicas == 1) return {};
    return with_trap(unavailable(fmt::format("cannot set up {}: replicas > 1 not supported in non-clustered mode (JetStream "
                                             "error {})",
                                             what, static_cast<int>(JSStreamReplicasNotSupportedErr))),
                     JSStreamReplicasNotSupportedErr, settings);
}

Keeping keeping_of(const jsStreamConfig& config) {
    return {config.MaxAge, config.MaxBytes > 0 ? static_cast<std::uint64_t>(config.MaxBytes) : 0,
            static_cast<std::uint32_t>(std::max<std::int64_t>(config.Replicas, 0))};
}

// Of what was there before.
std::string done_in_words(const std::string& what, const std::string& changes) {
    return what + (changes.empty() ? " is there, with these settings" : " is changed: " + changes);
}

struct StreamSettings {
    std::string name;
    std::string subjects;
    std::string text;
};

Result<void> set_up_stream(const Connection& connection, const StreamSettings& wanted, const FleetSettings& settings,
                           const Say& said) {
    std::array<const char*, 1> subjects = {wanted.subjects.c_str()};
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.Name = wanted.name.c_str();
    config.Description = wanted.text.c_str();
    config.Subjects = subjects.data();
    config.SubjectsLen = static_cast<int>(subjects.size());
    config.Storage = js_FileStorage;
    config.Discard = js_DiscardOld;
    config.MaxBytes = static_cast<std::int64_t>(settings.bytes);
    config.MaxAge = settings.age_ns;
    config.Replicas = settings.replicas;
    config.Duplicates = duplicate_window(settings.age_ns);
    config.AllowDirect = true;
    jsErrCode code = static_cast<jsErrCode>(0);
    StreamInfo info;
    const bool is_there =
        js_GetStreamInfo(info.out(), connection.jetstream(), wanted.name.c_str(), nullptr, &code) == NATS_OK;
    if (Result<void> right = is_there ? check_replicas(info, "the stream " + wanted.name, settings) : Result<void>(); !right)
        return right;
    const std::string what = "the stream " + wanted.name;
    const std::string done =
        is_there ? done_in_words(what, changes_in_words(keeping_of(*info->Config), keeping_of(config))) : "made " + what;
    const std::uint64_t before = connection.complaints();
    const auto put = is_there ? js_UpdateStream : js_AddStream;
    const natsStatus status = put(info.out(), connection.jetstream(), &config, nullptr, &code);
    if (status == NATS_OK) {
        said(done);
        return {};
    }
    return with_trap(connection.error("cannot set up the stream " + wanted.name, status, before, code, wanted.name + "\""),
                     code, settings);
}

// The stream behind a bucket is brought up to how long its entries last and how often they are kept; all else of it stays. Nobody
// needs rollups, by which who may write one key could clear all others.
Result<void> update_bucket(const Connection& connection, const std::string& bucket, jsStreamConfig& config,
                           std::int64_t lasts_ns, const FleetSettings& settings) {
    if (config.MaxAge == lasts_ns && config.Replicas == settings.replicas && !config.AllowRollup) return {};
    config.AllowRollup = false;
    config.MaxAge = lasts_ns;
    config.Duplicates = duplicate_window(lasts_ns);
    config.Replicas = settings.replicas;
    StreamInfo updated;
    jsErrCode code = static_cast<jsErrCode>(0);
    const std::uint64_t before = connection.complaints();
    const natsStatus status = js_UpdateStream(updated.out(), connection.jetstream(), &config, nullptr, &code);
    if (status == NATS_OK) return {};
    return with_trap(connection.error("cannot set up the bucket " + bucket, status, before, code, bucket + "\""), code,
                     settings);
}

Result<void> make_bucket(const Connection& connection, const std::string& bucket, std::int64_t lasts_ns,
                         const FleetSettings& settings) {
    KeyValue made;
    kvConfig config;
    kvConfig_Init(&config);
    config.Bucket = bucket.c_str();
    config.History = 1;
    config.TTL = lasts_ns;
    config.StorageType = js_FileStorage;
    config.Replicas = static_cast<int>(settings.replicas);
    const std::uint64_t before = connection.complaints();
    const natsStatus status = js_CreateKeyValue(made.out(), connection.jetstream(), &config);
    if (status == NATS_OK) return {};
    return connection.error("cannot make the bucket " + bucket, status, before, static_cast<jsErrCode>(0), bucket + "\"");
}

// Entries go so long after they were last written; 0: never.
Result<void> set_up_bucket(const Connection& connection, const std::string& bucket, std::int64_t lasts_ns,
                           const FleetSettings& settings, const Say& said) {
    const std::string what = "the bucket " + bucket;
    const std::string stream = "KV_" + bucket;
    StreamInfo info;
    jsErrCode code = static_cast<jsErrCode>(0);
    const bool was_there = js_GetStreamInfo(info.out(), connection.jetstream(), stream.c_str(), nullptr, &code) == NATS_OK;
    if (!was_there) {
        if (Result<void> made = make_bucket(connection, bucket, lasts_ns, settings); !made) return made;
        const std::uint64_t before = connection.complaints();
        const natsStatus status = js_GetStreamInfo(info.out(), connection.jetstream(), stream.c_str(), nullptr, &code);
        if (status != NATS_OK) return connection.error("cannot look at " + what, status, before, code);
    }
    const Keeping before = keeping_of(*info->Config);
    const std::string changes = changes_in_words(before, {lasts_ns, before.bytes, settings.replicas});
    Result<void> done = check_replicas(info, what, settings);
    if (done) done = update_bucket(connection, bucket, *info->Config, lasts_ns, settings);
    if (done) said(was_there ? done_in_words(what, changes) : "made " + what);
    return done;
}

// What has several replicas is there when its leader is elected, half a second later: many are elected at once.
Result<void> do_all(const std::vector<std::function<Result<void>(const Say&)>>& deeds, const Say& said) {
    constexpr std::size_t kAtOnce = 16;
    struct Outcome {
        Result<void> done;
        std::vector<std::string> said;
    };
    Result<void> all;
    for (std::size_t first = 0; first < deeds.size() && all; first += kAtOnce) {
        std::vector<std::future<Outcome>> outcomes;
        for (std::size_t i = first; i < std::min(first + kAtOnce, deeds.size()); ++i) {
            outcomes.push_back(std::async([&deed = deeds[i]] {
                Outcome outcome;
                outcome.done = deed([&outcome](const std::string& words) { outcome.said.push_back(words); });
                return outcome;
            }));
        }
        for (std::future<Outcome>& made : outcomes) {
            const Outcome outcome = made.get();
            for (const std::string& words : outcome.said) said(words);
            if (all && !outcome.done) all = outcome.done;
        }
    }
    return all;
}

}  // namespace

Result<void> set_up(const Connection& connection, const std::string& fleet, const FleetSettings& settings,
                    const std::function<void(const std::string&)>& said) {
    if (settings.bytes > kMaxStreamBytes) return invalid_input("a shard has at most 8 EiB");
    if (settings.bytes != 0 && settings.bytes < kLeastStreamBytes) {
        return invalid_input(size_in_words(settings.bytes) +
                             " are too few: 16 MiB is the least that a shard may hold (--bytes 1GiB, with its unit; 0: no "
                             "limit)");
    }
    const Result<FleetSettings> before = settings_of(connection, fleet);
    if (!before && before.error().code == ErrorCode::kUnavailable) return before.error();  // how many it has is not known
    if (before && before->shards > settings.shards) {
        return invalid_input(
            fmt::format("the fleet '{}' has {} shards: with fewer, what lies in the others could not be found any more",
                        fleet, before->shards));
    }
    std::vector<std::function<Result<void>(const Say&)>> deeds;
    for (std::uint32_t shard = 0; shard < settings.shards; ++shard) {
        deeds.emplace_back([&, shard](const Say& say) {
            const StreamSettings wanted{stream_name(fleet, shard), subjects_of_shard(fleet, shard),
                                        fmt::format("SLA fleet {}, shard {} of {}", fleet, shard, settings.shards)};
            return set_up_stream(connection, wanted, settings, say);
        });
    }
    const std::int64_t lasts_ns = settings.age_ns;
    for (const auto& [bucket, age_ns] :
         {std::pair{hosts_bucket(fleet), std::int64_t{0}}, std::pair{captures_bucket(fleet), lasts_ns},
          std::pair{shots_bucket(fleet), lasts_ns}})
        deeds.emplace_back([&connection, &settings, bucket = bucket, age_ns = age_ns](const Say& say) {
            return set_up_bucket(connection, bucket, age_ns, settings, say);
        });
    if (Result<void> done = do_all(deeds, said); !done) return done;
    Result<KeyValue> hosts = open_bucket(connection, hosts_bucket(fleet));
    if (!hosts) return hosts.error();
    const std::uint64_t complaints_before = connection.complaints();
    natsStatus status = kvStore_PutString(nullptr, hosts->get(), kSettingsKey, settings.json().c_str());
    // With more replicas than before, a bucket chooses its leader anew.
    const auto until = std::chrono::steady_clock::now() + kElectionTime;
    while (status == NATS_NO_RESPONDERS && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(kBetweenTries);
        status = kvStore_PutString(nullptr, hosts->get(), kSettingsKey, settings.json().c_str());
    }
    return status == NATS_OK ? Result<void>()
                             : connection.error("cannot write down how the fleet is set up", status, complaints_before);
}

}  // namespace sla::fleet
