#include "proto/base/result.h"

#include <system_error>

namespace sla {

int exit_code(const Error& error) {
    switch (error.code) {
        case ErrorCode::kInvalidInput: return 2;
        case ErrorCode::kNotFound: return 1;
        case ErrorCode::kDamaged:
        case ErrorCode::kUnavailable: return 3;
    }
    return 3;
}

Error system_error(std::string message, int errno_value) {
    message += ": ";
    message += std::generic_category().message(errno_value);
    return unavailable(std::move(message));
}

}  // namespace sla
