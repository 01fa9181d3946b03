// UnnamedFile: in memory, without a name, for what a child prints (ChildOptions::output): it needs no place on a disk, and leaves
// nothing behind.
#pragma once

#include <string>

namespace sla::process {

class UnnamedFile {
public:
    UnnamedFile();
    ~UnnamedFile();
    UnnamedFile(const UnnamedFile&) = delete;
    UnnamedFile& operator=(const UnnamedFile&) = delete;

    [[nodiscard]] bool is_open() const { return fd_ >= 0; }
    // By which a child opens our descriptor.
    [[nodiscard]] std::string path() const;
    [[nodiscard]] std::string text() const;

private:
    int fd_;
};

}  // namespace sla::process
