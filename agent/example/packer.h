// Compresses blocks with zstd and proves each one by unpacking it again. One per thread; it keeps its contexts.
#pragma once

#include <zstd.h>

#include <memory>
#include <string>
#include <string_view>

namespace sla::example {

class Packer {
public:
    Packer();

    // One complete zstd frame.
    std::string pack(std::string_view text, int level);

    // Whether the frame unpacks to exactly this text.
    bool verify(std::string_view frame, std::string_view text);

private:
    struct Free {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
        void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
    };
    std::unique_ptr<ZSTD_CCtx, Free> packing_;
    std::unique_ptr<ZSTD_DCtx, Free> unpacking_;
    std::string unpacked_;
};

}  // namespace sla::example
