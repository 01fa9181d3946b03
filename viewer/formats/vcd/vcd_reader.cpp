// Value change dumps. Those of `sla export` carry their clock, lanes and event codes in comments and come back as they were;
// of any other a wire is a level, a vector or real a value, an `event` a tick and a string a text.
#include "viewer/formats/number_text.h"
#include "viewer/formats/vcd/vcd.h"
#include "viewer/formats/vcd/vcd_declarations.h"

namespace sla::formats {

namespace {

class VcdImport {
public:
    VcdImport(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress)
        : words_(in, progress), declared_(words_, sink), sink_(sink), notes_(notes) {}

    Result<void> run() {
        while (const auto word = words_.next()) {
            const std::string first(*word);
            Result<void> done;
            if (first.starts_with('$')) {
                done = section(first);
            } else if (first.starts_with('#')) {
                done = time(std::string_view(first).substr(1));
            } else {
                done = change(first);
            }
            if (!done.ok()) return done;
        }
        if (!words_.problem().ok()) return words_.problem();
        for (VcdReadLane& lane : declared_.lanes()) {
            if (auto flushed = lane.flush(); !flushed.ok()) return flushed;
        }
        if (!declared_.has_any() && !declared_.is_ours())
            return damaged("it declares no variables; is it a value change dump?");
        if (unknown_ > 0)
            notes_.push_back(std::to_string(unknown_) + " changes to x or z are left out: a capture has no such values");
        declared_.note(notes_);
        if (cut_ > 0) notes_.push_back(std::to_string(cut_) + " vectors are wider than 64 bits; their lowest 64 are kept");
        if (declared_.is_ours()) notes_.emplace_back("vcd does not hold threads and details of events");
        return {};
    }

private:
    Result<void> section(const std::string& name) {
        const bool is_dump = name == "$dumpvars" || name == "$dumpall" || name == "$dumpon" || name == "$dumpoff";
        if (!is_dump && name != "$end") return declared_.section(name);
        is_dump_ = is_dump;
        return {};
    }

    static std::uint64_t with_sign(std::uint64_t value, const VcdPart& part) {
        const bool minus = part.is_signed && part.size > 0 && part.size < 64 && (value >> (part.size - 1) & 1) != 0;
        return minus ? value | ~std::uint64_t{0} << part.size : value;
    }

    Result<void> time(std::string_view text) {
        const auto number = read_number<std::uint64_t>(text);
        if (!number) return words_.wrong("'#" + std::string(text.substr(0, 40)) + "' is not a time");
        if (*number < now_) return words_.wrong("time goes backwards");
        now_ = *number;
        const auto tick = declared_.time().tick_of(now_, sink_);
        if (!tick) return words_.wrong("this time is too far away");
        tick_ = *tick;
        return {};
    }

    Result<void> change(const std::string& word) {
        const char kind = word[0];
        const bool vector = kind == 'b' || kind == 'B' || kind == 'r' || kind == 'R' || kind == 's' || kind == 'S';
        std::string code = word.substr(1);
        std::string value = vector ? word.substr(1) : word.substr(0, 1);
        if (vector) {
            const auto next = words_.next();
            if (!next) return words_.wrong("the file ends inside a change");
            code = *next;
        } else if (std::string_view("01xXzZuUwWlLhH-").find(kind) == std::string_view::npos) {
            return words_.wrong("'" + word.substr(0, 40) + "' is no change of a value");
        }
        const VcdDeclarations::Variable* const found = declared_.find(code);
        if (found == nullptr) return words_.wrong("a change of '" + code.substr(0, 40) + "', which was never declared");
        VcdChange change{tick_, 0, {}, vector ? static_cast<char>(kind | 0x20) : '1'};
        switch (change.form) {
            case 's': change.text = unescaped(value); break;
            case 'r': {
                const auto number = read_number<double>(value);
                if (!number) return words_.wrong("'" + value.substr(0, 40) + "' is not a number");
                change.value = wire::as_bits(*number);
                break;
            }
            default: {
                const auto bits = read_bits(value);
                if (!bits) {
                    if (!declared_.is_ours()) ++unknown_;
                    return {};
                }
                if (bits->wide) ++cut_;
                change.value = with_sign(bits->value, found->part);
            }
        }
        VcdReadLane& lane = declared_.lane(*found);
        if (!(declared_.is_ours() && is_dump_)) return lane.take(found->part, change);
        if (found->part.meaning == VcdMeaning::kSpan) lane.set_open(change.value);
        return {};
    }

    VcdWords words_;
    VcdDeclarations declared_;
    CaptureSink& sink_;
    Notes& notes_;
    bool is_dump_ = false;  // what comes says what holds: in one of ours it is no event
    std::uint64_t now_ = 0;
    std::uint64_t tick_ = 0;
    std::uint64_t unknown_ = 0;
    std::uint64_t cut_ = 0;
};

}  // namespace

Result<void> import_vcd(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress) {
    return VcdImport(in, sink, notes, progress).run();
}

}  // namespace sla::formats
