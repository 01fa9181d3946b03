#include "viewer/workspace/sql/asking.h"

#include "proto/wire/address.h"
#include "viewer/analysis/selection.h"
#include "viewer/ingest/caches.h"
#include "viewer/ingest/open.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <utility>

namespace sla::workspace {

// A file of ours for as long as somebody reads it.
struct Asking::CopiedFile {
    CopiedFile() {
        static std::atomic<int> number = 0;
        std::error_code error;
        path = (std::filesystem::temp_directory_path(error) / fmt::format("sla-question-{}-{}.sla", getpid(), ++number))
                   .string();
    }
    ~CopiedFile() { unlink(path.c_str()); }
    CopiedFile(const CopiedFile&) = delete;
    CopiedFile& operator=(const CopiedFile&) = delete;

    std::string path;
};

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{512} << 20;

Result<void> do_work(const std::function<Result<void>(store::Session&)>& load, const Asking::Work& work,
                     const JobRunner::Control& control) {
    store::Session session;
    if (auto loaded = load(session); !loaded.ok()) return loaded;
    sql::EngineOptions options;
    options.memory_bytes = kMemory;
    options.go_on = [&control] { return !control.is_cancelled(); };
    const auto engine = sql::Engine::open({{"capture", &session}}, options);
    return engine.ok() ? work(**engine, session) : Result<void>(engine.error());
}

}  // namespace

void Asking::begin(DataSource& source, Work work) {
    cancel();
    work_ = std::move(work);
    const std::string target = source.target();
    if (const auto loader = source.make_loader(ingest::kWalkCache)) {
        return start([loader](store::Session& session) -> Result<void> {
            loader(session);
            return {};
        });
    }
    const bool is_file = !target.empty() && !wire::looks_like_address(target);
    if (!is_file) return copy(source);
    start([target](store::Session& session) { return ingest::load(target, session); });
}

// What lies in the window's memory grows and has one reader; a file of it does not.
void Asking::copy(DataSource& source) {
    auto all = analysis::select(source.session(), {});
    if (!all.ok()) {
        refused_ = all.error();
        return;
    }
    file_ = std::make_shared<CopiedFile>();
    copy_ = std::make_unique<ExportJob>(source.session(), std::move(*all),
                                        formats::ExportOptions{formats::ExportFormat::kSla, 0}, file_->path);
}

void Asking::start(const Load& load) {
    outcome_ = std::make_shared<std::string>();
    job_ = JobRunner::shared().start("answering a question",
                                     [to = outcome_, load, work = std::exchange(work_, {})](JobRunner::Control& control) {
                                         if (auto done = do_work(load, work, control); !done.ok())
                                             *to = done.error().message;
                                     });
}

std::optional<Result<void>> Asking::step(std::chrono::milliseconds budget) {
    if (refused_) {
        const Error why = *std::exchange(refused_, std::nullopt);
        return Result<void>(why);
    }
    if (copy_ != nullptr && !copy_->step(budget)) {
        const auto copied = std::exchange(copy_, nullptr);
        const auto file = std::exchange(file_, nullptr);
        if (!copied->result()->ok())
            return Result<void>(unavailable("the rows could not be copied: " + copied->result()->error().message));
        start([file](store::Session& session) { return ingest::load(file->path, session); });
    }
    if (outcome_ == nullptr || job_.is_running()) return std::nullopt;
    const auto outcome = std::exchange(outcome_, nullptr);
    if (job_.ran_out_of_memory()) return Result<void>(unavailable("there is not enough memory for this question"));
    return outcome->empty() ? Result<void>() : Result<void>(unavailable(*outcome));
}

void Asking::cancel() {
    copy_.reset();
    file_.reset();
    job_ = {};
    outcome_.reset();
    refused_.reset();
}

std::string Asking::words() const {
    if (copy_ != nullptr) {
        return copy_->all() == 0
                   ? "copying what the agent sent\xE2\x80\xA6"
                   : fmt::format("copying what the agent sent, {:.0f} %",
                                 100.0 * static_cast<double>(copy_->done()) / static_cast<double>(copy_->all()));
    }
    return outcome_ != nullptr ? "asking\xE2\x80\xA6" : "";
}

}  // namespace sla::workspace
