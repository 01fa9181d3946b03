// Files written whole or not at all: under a temporary name beside their own until they are complete, so that there is never half
// of one under its name, and what stood there before stays until then.
#pragma once

#include "proto/base/result.h"

#include <string>
#include <string_view>

namespace sla {

// The name for what is being written, a file or a folder; removed with it unless it took its place. A link stays one: what it
// leads to is replaced. Chance makes the name, no process number: one that was killed left a file, and in a container the next
// one has the same.
class TemporaryName {
public:
    TemporaryName() = default;  // of nothing
    // `ending`: of the temporary name, for who chooses a format by it.
    explicit TemporaryName(const std::string& path, std::string_view ending = {});
    TemporaryName(TemporaryName&& other) noexcept;
    TemporaryName& operator=(TemporaryName&& other) noexcept;
    ~TemporaryName();

    [[nodiscard]] bool empty() const { return temporary_.empty(); }
    [[nodiscard]] const std::string& path() const { return temporary_; }
    // A descriptor for writing; -1 and errno. A file that it is to replace has its rights kept, as far as `mode` goes.
    [[nodiscard]] int create(unsigned mode) const;
    // The same, empty, for who writes it by its name: that finds the rights in place. Nothing where it cannot be created.
    void reserve(unsigned mode) const;
    // kInvalidInput: a device, a pipe or a socket stands there, and stays. Who works long asks before.
    [[nodiscard]] Result<void> check_place() const;
    Result<void> take_its_place();
    void remove();

private:
    std::string place_;
    std::string temporary_;
};

// A whole file at once. `doing` is for people: "write the settings to".
Result<void> replace_file(const std::string& path, std::string_view bytes, const std::string& doing = "write");
// The same, for its owner alone, and on the disk when it is done.
Result<void> replace_private_file(const std::string& path, std::string_view bytes);

}  // namespace sla
