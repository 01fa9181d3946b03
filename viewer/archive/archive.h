// Archive: a folder of Parquet files that captures are added to, each row once (README.md). One owner, one thread; one writer
// of a folder at a time, which a lock sees to.
#pragma once

#include "proto/base/result.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/archive/manifest.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <functional>
#include <string>

namespace sla::archive {

struct AddPlan {
    std::string host;     // as it is called in the folder; other characters than letters, digits, _ and - become -
    std::string capture;  // likewise
    std::uint64_t until = store::kNever;  // ticks before it are final
    std::uint64_t part_rows = std::uint64_t{8} << 20;
    bool whole_parts = false;        // a part that is not full waits for a later run
    std::function<bool()> is_sound;  // asked behind each part: false, rows could not be read, drops it. May be empty
};

struct AddReport {
    std::uint64_t parts = 0;  // new
    std::uint64_t rows = 0;
    Manifest manifest;
};

class Archive {
public:
    // Makes the folder when it is not there. kUnavailable: another program writes to it.
    static Result<Archive> open(const std::string& folder);
    Archive(Archive&& other) noexcept;
    Archive& operator=(Archive&&) = delete;
    ~Archive();

    // What the session has and the folder has not.
    Result<AddReport> add(const store::Session& session, const AddPlan& plan, const analysis::Progress& progress = {});

private:
    Archive(std::string folder, int lock) : folder_(std::move(folder)), lock_(lock) {}
    Result<void> remove_unlisted(const Manifest& manifest) const;

    std::string folder_;
    int lock_ = -1;
};

}  // namespace sla::archive
