#include "viewer/workspace/sql/asking.h"

#include "viewer/ingest/caches.h"
#include "viewer/ingest/open.h"

#include <utility>

namespace sla::workspace {

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{512} << 20;

// Fills a session with the capture, in the job.
using Load = std::function<Result<void>(store::Session&, const JobRunner::Control&)>;

Result<void> do_work(const Load& load, const Asking::Work& work, const JobRunner::Control& control) {
    store::Session session;
    if (auto loaded = load(session, control); !loaded.ok()) return loaded;
    sql::EngineOptions options;
    options.memory_bytes = kMemory;
    options.go_on = [&control] { return !control.is_cancelled(); };
    const auto engine = sql::Engine::open({{"capture", &session}}, options);
    return engine.ok() ? work(**engine, session) : Result<void>(engine.error());
}

Load loader_of(DataSource& source) {
    const std::string target = source.target();
    if (source.status().state == SourceState::kLoading && !target.empty())
        return [target](store::Session& session, const JobRunner::Control& control) {
            ingest::LoadOptions options;
            options.progress = [&control](double) { return !control.is_cancelled(); };
            return ingest::load(target, session, options);
        };
    return [view = source.session().view()](store::Session& session, const JobRunner::Control&) -> Result<void> {
        view.open(session, ingest::kWalkCache);
        return {};
    };
}

}  // namespace

void Asking::begin(DataSource& source, Work work) {
    cancel();
    outcome_ = std::make_shared<std::string>();
    job_ = JobRunner::shared().start("answering a question", [to = outcome_, load = loader_of(source),
                                                              work = std::move(work)](JobRunner::Control& control) {
        if (auto done = do_work(load, work, control); !done.ok()) *to = done.error().message;
    });
}

std::optional<Result<void>> Asking::poll() {
    if (outcome_ == nullptr || job_.is_running()) return std::nullopt;
    const auto outcome = std::exchange(outcome_, nullptr);
    if (job_.ran_out_of_memory()) return Result<void>(unavailable("there is not enough memory for this question"));
    return outcome->empty() ? Result<void>() : Result<void>(unavailable(*outcome));
}

void Asking::cancel() {
    job_ = {};
    outcome_.reset();
}

std::string Asking::words() const {
    return outcome_ != nullptr ? "asking\xE2\x80\xA6" : "";
}

}  // namespace sla::workspace
