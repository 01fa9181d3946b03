// The files that the window reads besides captures: arrangements, keys, settings. Whatever is taken over must be written
// back to the same again.
#include "viewer/ui/commands/keymap.h"
#include "viewer/workspace/settings.h"
#include "viewer/workspace/view/view_file.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto state = sla::workspace::parse_view(text, 1);
    if (state) {
        const auto again = sla::workspace::parse_view(sla::workspace::view_text(*state, 1), 1);
        if (!again) std::abort();
    }
    sla::ui::Keymap keys;
    if (keys.apply(text)) {
        sla::ui::Keymap again;
        if (!again.apply(keys.text())) std::abort();
        if (again.text() != keys.text()) std::abort();
    }
    static_cast<void>(sla::workspace::parse_settings(text).ok());
    return 0;
}
