// All that one run saves and goes back to, and what its PC is: whoever sets the run up puts it together.
//
// One thread, the machine's, the guest standing still.
#pragma once

#include "emu/snapshot/snapshot_file.h"
#include "proto/base/result.h"

#include <functional>
#include <string>
#include <vector>

namespace sla::snapshot {

class Subject {
public:
    // What must be alike here and there.
    void describe(std::string name, std::string value) { description_.emplace_back(std::move(name), std::move(value)); }
    // The same of what older snapshots do not say; `kNone`: there is none here.
    static constexpr const char* kNone = "none";
    void describe_newer(const std::string& name, std::string value) {
        newer_.push_back(name);
        describe(name, std::move(value));
    }
    // The same of what takes long to find out, such as a disk's contents: asked for when it is needed.
    void describe_later(std::string name, std::function<Result<std::string>()> value) {
        later_.emplace_back(std::move(name), std::move(value));
    }
    void add(Visit part) { parts_.push_back(std::move(part)); }
    // Why it cannot be saved, as a sentence; the first counts.
    void cannot(const std::string& why) {
        if (unsaved_.empty()) unsaved_ = why;
    }
    // Runs behind each load that was done, in this order. A sentence that it gives is for who loads; empty: none.
    void on_loaded(std::function<std::string()> action) { on_loaded_.push_back(std::move(action)); }

    // Why it cannot be saved; empty: it can.
    [[nodiscard]] const std::string& unsaved() const { return unsaved_; }
    // All of its parts.
    void visit(bus::StateVisitor& state) const {
        for (const Visit& part : parts_) part(state);
    }

    Result<void> save(const std::string& path) const;
    // What does not fit leaves everything as it was. Gives lines to know beside: what could not be compared, what begins anew.
    Result<std::string> load(const std::string& path);

private:
    [[nodiscard]] Result<Description> description() const;
    std::string leave_out_unsaid(const SnapshotFile& file, Description& here) const;

    Description description_;
    std::vector<std::string> newer_;  // names in there
    std::vector<std::pair<std::string, std::function<Result<std::string>()>>> later_;
    std::vector<Visit> parts_;
    std::string unsaved_;
    std::vector<std::function<std::string()>> on_loaded_;
};

// Tells two contents apart: their size, and a checksum.
std::string summary_of(std::span<const std::uint8_t> bytes);
std::string summary_of(std::uint64_t bytes, std::uint64_t checksum);

}  // namespace sla::snapshot
