// The house's arrows: which room may include and link which. No circles.
//
// A room is named by its path, "viewer/store". What a floor's drawing orders in a row may look at everything before it in
// the row; what it does not order (the emulator's rooms) must still be free of circles, see SourceTree's graph in checks.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sla::layering {

// "viewer/store" of "viewer/store/lane.h"; nothing for files of no room, and for everything in tests/.
std::optional<std::string> room_of(std::string_view path);

// Whether a file of room `from` may include a file of room `to`.
bool may_include(std::string_view from, std::string_view to);

// Why a library's header must stay out of a file, or nothing when it may be there. `header` is what stands between < and >.
std::optional<std::string> library_objection(std::string_view path, std::string_view header);

// The room of a target named sla_FLOOR_ROOM, or of the marker library; nothing for other words.
std::optional<std::string> room_of_target(std::string_view target);

}  // namespace sla::layering
