// SharedValue: a large value of which copies cost nothing, until one of them becomes another.
//
// What is shared never changes: edit() gives a copy of one's own. Owner: one thread.
#pragma once

#include <memory>
#include <utility>

namespace sla::workspace {

template <typename T>
class SharedValue {
public:
    SharedValue() = default;
    SharedValue(T value) : value_(std::make_shared<const T>(std::move(value))) {}  // NOLINT(google-explicit-constructor)

    const T& operator*() const { return value_ == nullptr ? none() : *value_; }
    const T* operator->() const { return &**this; }
    // Costs a copy, each time.
    T& edit() {
        auto own = std::make_shared<T>(**this);
        T& value = *own;
        value_ = std::move(own);
        return value;
    }
    // They are one in memory.
    [[nodiscard]] bool is_shared_with(const SharedValue& other) const { return value_ == other.value_; }
    bool operator==(const SharedValue& other) const { return is_shared_with(other) || **this == *other; }
    bool operator==(const T& other) const { return **this == other; }

private:
    static const T& none() {
        static const T kNone{};
        return kNone;
    }
    std::shared_ptr<const T> value_;  // null: as it is made
};

}  // namespace sla::workspace
