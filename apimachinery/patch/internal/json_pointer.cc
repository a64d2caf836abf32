#include "apimachinery/patch/internal/json_pointer.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/internal/edited_value.h"

namespace kube::patch::internal {
namespace {

// In one pass, so that "~01" is "~1".
std::string Unescape(absl::string_view part) {
  return absl::StrReplaceAll(part, {{"~1", "/"}, {"~0", "~"}});
}

absl::Status NotFound(absl::string_view pointer) {
  return absl::NotFoundError(absl::StrCat("doc is missing path \"", pointer, "\""));
}

// Parses as strconv.Atoi does, except that there is no special message for numbers that are too
// large.
absl::StatusOr<int64_t> ParseNumber(absl::string_view key) {
  absl::string_view digits = key;
  // Go accepts either sign, from_chars only a minus.
  if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') digits.remove_prefix(1);
  int64_t number = 0;
  const std::from_chars_result result =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || result.ec != std::errc() || result.ptr != digits.data() + digits.size()) {
    return absl::InvalidArgumentError(absl::StrCat("invalid index \"", key, "\""));
  }
  return number;
}

}  // namespace

absl::StatusOr<size_t> ParseIndex(absl::string_view key, size_t size) {
  KUBE_ASSIGN_OR_RETURN(int64_t index, ParseNumber(key));
  const auto count = static_cast<int64_t>(size);
  if (index >= count || index < -count) {
    return absl::OutOfRangeError(
        absl::StrCat("index ", key, " is out of range, list has ", size, " elements"));
  }
  return static_cast<size_t>(index < 0 ? index + count : index);
}

absl::StatusOr<JsonPlace> FindPlace(EditedValue& root, absl::string_view pointer) {
  const std::vector<absl::string_view> parts = absl::StrSplit(pointer, '/');
  if (parts.size() < 2) return NotFound(pointer);
  EditedValue* holder = &root;
  for (size_t i = 1; i + 1 < parts.size(); ++i) {
    const absl::StatusOr<EditedValue*> next = Get({holder, Unescape(parts[i])});
    if (!next.ok() || *next == nullptr) return NotFound(pointer);
    holder = *next;
    if (!holder->is_object() && !holder->is_list()) return NotFound(pointer);
  }
  return JsonPlace{holder, Unescape(parts.back())};
}

absl::StatusOr<EditedValue*> Get(const JsonPlace& place) {
  if (place.holder->is_object()) return place.holder->FindMember(place.key);
  KUBE_ASSIGN_OR_RETURN(const size_t index, ParseIndex(place.key, place.holder->size()));
  return place.holder->Element(index);
}

absl::Status Add(const JsonPlace& place, EditedValue value) {
  EditedValue& holder = *place.holder;
  if (holder.is_object()) {
    holder.SetMember(place.key, std::move(value));
    return absl::OkStatus();
  }
  if (place.key == "-") {
    holder.InsertElement(holder.size(), std::move(value));
    return absl::OkStatus();
  }
  // The index may be the size, which inserts at the end.
  KUBE_ASSIGN_OR_RETURN(const size_t index, ParseIndex(place.key, holder.size() + 1));
  holder.InsertElement(index, std::move(value));
  return absl::OkStatus();
}

absl::Status Set(const JsonPlace& place, EditedValue value) {
  if (place.holder->is_object()) {
    place.holder->SetMember(place.key, std::move(value));
    return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(EditedValue * element, Get(place));
  *element = std::move(value);
  return absl::OkStatus();
}

absl::Status Remove(const JsonPlace& place) {
  EditedValue& holder = *place.holder;
  if (holder.is_object()) {
    if (holder.EraseMember(place.key)) return absl::OkStatus();
    return absl::NotFoundError(absl::StrCat("doc is missing key \"", place.key, "\""));
  }
  KUBE_ASSIGN_OR_RETURN(const size_t index, ParseIndex(place.key, holder.size()));
  holder.EraseElement(index);
  return absl::OkStatus();
}

}  // namespace kube::patch::internal
