#include "apimachinery/cel/internal/library/text_search.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "apimachinery/base/text/utf8.h"

namespace kube::cel::internal {
namespace {

constexpr size_t kNowhere = absl::string_view::npos;

// Returns, for each prefix of the part, the length of its longest proper suffix that is also its
// prefix (Knuth, Morris and Pratt).
std::vector<size_t> Borders(absl::string_view part) {
  std::vector<size_t> borders(part.size(), 0);
  size_t length = 0;
  for (size_t i = 1; i < part.size(); ++i) {
    while (length > 0 && part[i] != part[length]) length = borders[length - 1];
    if (part[i] == part[length]) ++length;
    borders[i] = length;
  }
  return borders;
}

// Returns the first or the last occurrence between `from` and `last`.
size_t Search(absl::string_view text, absl::string_view part, size_t from, size_t last,
              bool is_last) {
  const std::vector<size_t> borders = Borders(part);
  size_t found = kNowhere;
  size_t length = 0;
  for (size_t i = from; i < text.size(); ++i) {
    while (length > 0 && text[i] != part[length]) length = borders[length - 1];
    if (text[i] == part[length]) ++length;
    if (length < part.size()) continue;
    const size_t place = i + 1 - part.size();
    if (place > last) break;
    found = place;
    if (!is_last) break;
    length = borders[length - 1];
  }
  return found;
}

}  // namespace

size_t FindText(absl::string_view text, absl::string_view part, size_t from) {
  // Short parts are found faster without a table, and their worst case is not bad.
  constexpr size_t kShort = 16;
  if (part.size() <= kShort) return text.find(part, from);
  return Search(text, part, std::min(from, text.size()), kNowhere, /*is_last=*/false);
}

size_t FindLastText(absl::string_view text, absl::string_view part, size_t last) {
  constexpr size_t kShort = 16;
  if (part.size() <= kShort) return text.rfind(part, last);
  return Search(text, part, 0, last, /*is_last=*/true);
}

size_t CountRunes(absl::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(text::DecodeRune(text).size);
  return count;
}

std::optional<size_t> RuneOffset(absl::string_view text, size_t index) {
  size_t offset = 0;
  for (; index > 0; --index) {
    if (offset >= text.size()) return std::nullopt;
    offset += text::DecodeRune(text.substr(offset)).size;
  }
  return offset;
}

}  // namespace kube::cel::internal
