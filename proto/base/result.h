// Result<T>: what a call on the outside world (sockets, files, peers, frames) gives back.
//
// Holds either a value or an Error whose message already says what failed, on what, and what to do about it.
// Reading the value of a failed Result is a bug and stops the program.
#pragma once

#include "proto/base/check.h"

#include <string>
#include <utility>
#include <variant>

namespace sla {

enum class ErrorCode {
    kInvalidInput,  // the caller gave something unusable: exit code 2
    kNotFound,      // the answer is "no such thing": exit code 1
    kDamaged,       // bytes from outside do not mean what they should
    kUnavailable,   // the outside world failed or refused: exit code 3
};

struct Error {
    ErrorCode code = ErrorCode::kUnavailable;
    std::string message;
};

template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & { return checked(); }
    const T& value() const& { return const_cast<Result*>(this)->checked(); }
    T&& value() && { return std::move(checked()); }
    T& operator*() & { return checked(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &checked(); }
    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const {
        SLA_CHECK(!ok());
        return *std::get_if<1>(&state_);
    }

private:
    T& checked() {
        SLA_CHECK(ok());
        return *std::get_if<0>(&state_);
    }
    std::variant<T, Error> state_;
};

// A call that either did its work or says why not.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), failed_(true) {}

    [[nodiscard]] bool ok() const { return !failed_; }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] const Error& error() const {
        SLA_CHECK(failed_);
        return error_;
    }

private:
    Error error_;
    bool failed_ = false;
};

inline Error invalid_input(std::string message) {
    return {ErrorCode::kInvalidInput, std::move(message)};
}
inline Error not_found(std::string message) {
    return {ErrorCode::kNotFound, std::move(message)};
}
inline Error damaged(std::string message) {
    return {ErrorCode::kDamaged, std::move(message)};
}
inline Error unavailable(std::string message) {
    return {ErrorCode::kUnavailable, std::move(message)};
}

// The exit code that the command-line contract gives to an error.
int exit_code(const Error& error);

// "MESSAGE: strerror(errno_value)" as an Error of kind kUnavailable.
Error system_error(std::string message, int errno_value);

}  // namespace sla
