#include "proto/fleet/streams.h"

#include "proto/fleet/buckets.h"
#include "proto/fleet/names.h"
#include "proto/fleet/questions.h"
#include "proto/fleet/stored_answer.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

namespace sla::fleet {
namespace {

constexpr std::size_t kQuestionsAtOnce = 64;
constexpr std::chrono::seconds kPatience{5};  // as with other answers of JetStream

// In no order; what is gone by the time that it is asked for is left out. The leader is asked: another server may have fallen
// behind, and would leave out what was written last. A thousand keys on one machine: 50 ms.
Result<void> each_value(const Connection& connection, const std::string& bucket,
                        const std::function<void(const std::string& key, std::string_view value)>& see) {
    const Result<std::vector<std::string>> keys = keys_of(connection, bucket);
    if (!keys) return keys.error();
    AnswerPace pace;
    Questions questions(connection, pace, kPatience, kQuestionsAtOnce);
    Result<void> problem;
    const std::uint64_t before = connection.complaints();
    for (const std::string& key : *keys) {
        const std::string subject = "$KV." + bucket + "." + key;
        StreamQuestion question = ask_newest("KV_" + bucket, subject);
        questions.ask(std::move(question.subject), std::move(question.body),
                      [&, subject](natsStatus status, natsMsg* answer) {
                          if (status != NATS_OK) {
                              problem = connection.error("cannot read " + subject, status, before);
                              return true;
                          }
                          const auto length = static_cast<std::size_t>(natsMsg_GetDataLength(answer));
                          const Result<NewestMessage> newest = parse_newest({natsMsg_GetData(answer), length});
                          if (newest && !newest->body.empty())
                              see(key, newest->body);  // an empty one says that the key was deleted
                          if (!newest && newest.error().code != ErrorCode::kNotFound)
                              problem = unavailable("cannot read " + subject + ": " + newest.error().message);
                          return true;
                      });
    }
    static_cast<void>(questions.run([&] { return problem.ok(); }));
    return problem;
}

// A host may write its own keys only; what it says of others there is nothing of theirs.
bool is_key_of(std::string_view key, const RunEntry& run) {
    return key == run.host || key == capture_key(run.host, run.capture);
}

}  // namespace

Result<FleetSettings> settings_of(const Connection& connection, const std::string& fleet) {
    const auto not_set_up = [&](const Error& error) {
        if (error.code != ErrorCode::kNotFound) return error;
        return not_found("there is no fleet '" + fleet +
                         "' there: set it up with `sla fleet setup` (or is it another name?)");
    };
    Result<KeyValue> hosts = open_bucket(connection, hosts_bucket(fleet));
    if (!hosts) return not_set_up(hosts.error());
    Result<std::string> json = value_of(connection, *hosts, kSettingsKey);
    if (!json) return not_set_up(json.error());
    return parse_settings(*json);
}

Result<ShardState> state_of(const Connection& connection, const std::string& fleet, std::uint32_t shard) {
    ShardState state;
    state.shard = shard;
    state.stream = stream_name(fleet, shard);
    StreamInfo info;
    jsErrCode code = static_cast<jsErrCode>(0);
    const std::uint64_t before = connection.complaints();
    const natsStatus status = js_GetStreamInfo(info.out(), connection.jetstream(), state.stream.c_str(), nullptr, &code);
    if (status != NATS_OK) return connection.error("cannot look at the stream " + state.stream, status, before, code);
    state.messages = info->State.Msgs;
    state.bytes = info->State.Bytes;
    state.max_bytes = info->Config->MaxBytes > 0 ? static_cast<std::uint64_t>(info->Config->MaxBytes) : 0;
    state.first_sequence = info->State.FirstSeq;
    state.last_sequence = info->State.LastSeq;
    state.deleted = info->State.NumDeleted;
    state.first_time_ns = info->State.FirstTime;
    state.last_time_ns = info->State.LastTime;
    state.max_age_ns = info->Config->MaxAge;
    state.replicas = static_cast<std::uint32_t>(std::max<std::int64_t>(info->Config->Replicas, 0));
    if (info->Cluster == nullptr) return state;
    if (info->Cluster->Leader != nullptr) state.leader = info->Cluster->Leader;
    for (int i = 0; i < info->Cluster->ReplicasLen; ++i) {
        const jsPeerInfo& peer = *info->Cluster->Replicas[i];
        if (peer.Offline || !peer.Current) state.lagging.emplace_back(peer.Name);
    }
    return state;
}

Result<RunEntry> newest_run_of(const Connection& connection, const std::string& fleet, const std::string& host) {
    const Result<KeyValue> hosts = open_bucket(connection, hosts_bucket(fleet));
    if (!hosts) return hosts.error();
    const Result<std::string> json = value_of(connection, *hosts, host);
    if (!json) return json.error();
    Result<RunEntry> run = parse_run(*json);
    if (run && !is_key_of(host, *run)) return damaged("the entry of the host '" + host + "' is another's");
    return run;
}

Result<std::vector<RunEntry>> runs_in(const Connection& connection, const std::string& bucket) {
    std::vector<RunEntry> runs;
    const Result<void> read = each_value(connection, bucket, [&](const std::string& key, std::string_view json) {
        if (key == kSettingsKey) return;
        Result<RunEntry> run = parse_run(json);
        if (run && is_key_of(key, *run)) runs.push_back(std::move(*run));
    });
    if (!read) return read.error();
    std::sort(runs.begin(), runs.end(), [](const RunEntry& a, const RunEntry& b) {
        return std::tie(a.host, a.started_ns, a.capture) < std::tie(b.host, b.started_ns, b.capture);
    });
    return runs;
}

Result<std::vector<ShotEntry>> shots_of(const Connection& connection, const std::string& fleet) {
    std::vector<ShotEntry> shots;
    const Result<void> read =
        each_value(connection, shots_bucket(fleet), [&](const std::string& key, std::string_view json) {
            Result<ShotEntry> shot = parse_shot_entry(json);
            if (shot && key == shot_key(shot->shot, shot->host)) shots.push_back(std::move(*shot));
        });
    if (!read) return read.error();
    std::sort(shots.begin(), shots.end(),
              [](const ShotEntry& a, const ShotEntry& b) { return std::tie(a.shot, a.host) < std::tie(b.shot, b.host); });
    return shots;
}

}  // namespace sla::fleet
