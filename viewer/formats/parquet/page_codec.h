// PageCodec: zstd for pages, one after the other, without new memory for each. One owner.
#pragma once

#include "proto/base/result.h"

#include <memory>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;

namespace sla::formats::parquet {

class PageCodec {
public:
    PageCodec();
    // Until the next one.
    Result<std::string_view> compress(std::string_view page);
    // Empty, for the caller to make a page in.
    std::string& page() {
        page_.clear();
        return page_;
    }

private:
    struct Free {
        void operator()(ZSTD_CCtx_s* context) const;
    };
    std::unique_ptr<ZSTD_CCtx_s, Free> context_;
    std::string page_;
    std::string compressed_;
};

}  // namespace sla::formats::parquet
