#include "viewer/report/html.h"

#include "viewer/formats/markup_text.h"

#include <cctype>

namespace sla::report {

namespace {

// The window's colours (viewer/ui/widgets/theme.cpp): safe for colour-blind eyes, shape shows kind as well.
constexpr std::string_view kStyle = R"(<style>
:root{color-scheme:light dark;--back:#fff;--panel:#f3f5f8;--line:#d3d9e1;--text:#1c2229;--dim:#5a6572;--loss:#c4302b;
--l0:#1374b0;--l1:#a86f00;--l2:#007a58;--l3:#7d7400;--l4:#a84c80;--l5:#b44a00}
@media(prefers-color-scheme:dark){:root{--back:#14171c;--panel:#1b1f26;--line:#2a303a;--text:#d7dce3;--dim:#8a93a0;--loss:#f25c54;
--l0:#56b4e9;--l1:#e69f00;--l2:#1db487;--l3:#f0e442;--l4:#d98db8;--l5:#e5762e}}
body{background:var(--back);color:var(--text);font:14px/1.5 system-ui,"DejaVu Sans",sans-serif;margin:2rem auto;max-width:1240px;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 .3rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}p{margin:.3rem 0;color:var(--dim)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .7rem;text-align:left;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--dim);font-weight:600}td.n,th.n{text-align:right}.lost{color:var(--loss)}
svg{display:block;background:var(--panel);border:1px solid var(--line);border-radius:4px}
svg text{font:12px system-ui,"DejaVu Sans",sans-serif;fill:var(--text)}svg .dim{fill:var(--dim);font-size:11px}
.grid{stroke:var(--line);stroke-width:1}.gap{fill:var(--loss);fill-opacity:.25;stroke:var(--loss)}.kept{fill:var(--dim);fill-opacity:.15;stroke:var(--dim)}
.cards{display:flex;flex-wrap:wrap;gap:1rem}.card{min-width:0}
.c0{--c:var(--l0)}.c1{--c:var(--l1)}.c2{--c:var(--l2)}.c3{--c:var(--l3)}.c4{--c:var(--l4)}.c5{--c:var(--l5)}
.tick,.edge,.step{stroke:var(--c);fill:none;stroke-width:1}.bar{fill:var(--c);fill-opacity:.55;stroke:var(--c)}.band{fill:var(--c);fill-opacity:.4}
.unknown{stroke:var(--dim);stroke-dasharray:2 3;fill:none}
@media print{body{margin:0;max-width:none}}
</style>
)";

bool is_number(std::string_view text) {
    bool digit = false;
    for (const char c : text) {
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            digit = true;
        } else if (c != '.' && c != '-' && c != ' ') {
            return text.empty() || (digit && text.find(' ') != std::string_view::npos && text.size() < 24);
        }
    }
    return true;
}

}  // namespace

std::string table(const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& rows) {
    std::vector<bool> numbers(names.size(), !rows.empty());
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) numbers[i] = numbers[i] && is_number(row[i]);
    }
    std::string out = "<div class=scroll><table><tr>";
    const auto cell = [&](const char* tag, std::size_t column, const std::string& text) {
        out += std::string("<") + tag + (numbers[column] ? " class=n>" : ">") + formats::markup_text(text);
    };
    for (std::size_t i = 0; i < names.size(); ++i) cell("th", i, names[i]);
    for (const auto& row : rows) {
        out += "\n<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) cell("td", i, row[i]);
    }
    return out + "\n</table></div>\n";
}

std::string page_head(const std::string& title) {
    return "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n<meta name=viewport "
           "content=\"width=device-width\">\n<title>" +
           formats::markup_text(title) + "</title>\n" + std::string(kStyle) + "</head><body>\n<h1>" +
           formats::markup_text(title) + "</h1>\n";
}

}  // namespace sla::report
