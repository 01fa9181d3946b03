#include "viewer/formats/parquet/page_codec.h"

#include <zstd.h>

#include <new>

namespace sla::formats::parquet {

namespace {

constexpr int kCompression = 1;

}  // namespace

PageCodec::PageCodec() : context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
}

void PageCodec::Free::operator()(ZSTD_CCtx_s* context) const {
    ZSTD_freeCCtx(context);
}

Result<std::string_view> PageCodec::compress(std::string_view page) {
    if (const std::size_t most = ZSTD_compressBound(page.size()); compressed_.size() < most) compressed_.resize(most);
    const std::size_t size =
        ZSTD_compressCCtx(context_.get(), compressed_.data(), compressed_.size(), page.data(), page.size(), kCompression);
    if (ZSTD_isError(size) != 0) return unavailable(std::string("zstd: ") + ZSTD_getErrorName(size));
    return std::string_view(compressed_).substr(0, size);
}

}  // namespace sla::formats::parquet
