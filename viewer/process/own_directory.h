// OwnDirectory: a directory for files that nobody needs any more once we have ended. It goes with its owner; what a killed
// process left is removed by the next one that makes a directory of the same kind in the same place.
//
//     PARENT/sla-KIND-XXXXXX/owner.lock     locked as long as its owner lives; the kernel frees it
//                           /agent.lock     the same of an agent that we run there, which may live a little longer
//
// Files in it are ours alone: copies, logs, sockets, what was measured by the way. What people asked for is written elsewhere.
#pragma once

#include "proto/base/result.h"

#include <string>

namespace sla::process {

class OwnDirectory {
public:
    // Closed to others. `kind` is a word.
    static Result<OwnDirectory> make(const std::string& parent, const std::string& kind);
    OwnDirectory(OwnDirectory&& other) noexcept;
    OwnDirectory& operator=(OwnDirectory&&) = delete;
    ~OwnDirectory();

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    OwnDirectory(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

    std::string path_;  // empty: moved away
    int lock_;
};

}  // namespace sla::process
