#include "proto/base/result.h"

#include "proto/base/exit_codes.h"

#include <system_error>

namespace sla {

int exit_code(const Error& error) {
    switch (error.code) {
        case ErrorCode::kInvalidInput: return exits::kWrongUse;
        case ErrorCode::kNotFound: return exits::kNo;
        case ErrorCode::kDamaged:
        case ErrorCode::kUnavailable: break;
    }
    return exits::kOutsideFailed;
}

Error system_error(std::string message, int errno_value) {
    message += ": ";
    message += std::generic_category().message(errno_value);
    return unavailable(std::move(message));
}

}  // namespace sla
