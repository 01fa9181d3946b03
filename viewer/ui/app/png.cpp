#include "proto/base/new_file.h"
#include "viewer/ui/app/surface.h"

#include <stb_image_write.h>

#include <string>

namespace sla::ui {

Result<void> write_png(const Pixels& pixels, const std::string& path) {
    std::string png;
    const auto append = [](void* to, void* bytes, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
    };
    if (stbi_write_png_to_func(append, &png, pixels.width, pixels.height, 4, pixels.rgba.data(), pixels.width * 4) == 0)
        return unavailable("there is not enough memory for the picture " + path);
    return replace_file(path, png, "write the picture");
}

}  // namespace sla::ui
