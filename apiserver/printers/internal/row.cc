#include "apiserver/printers/internal/row.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/duration/human_duration.h"
#include "apimachinery/meta/table.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/micro_time.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"

namespace kube::printers::internal {

void Row::Text(absl::string_view text) { row_.cells.push_back(meta::TextCell(text)); }
void Row::Number(int64_t number) { row_.cells.push_back(RawJson(absl::StrCat(number))); }
void Row::Bool(bool value) { row_.cells.push_back(RawJson(value ? "true" : "false")); }
void Row::Age(Time time) { Text(AgeOf(time, now_)); }

void Row::Complete(absl::string_view reason, absl::string_view message) {
  row_.conditions.push_back(
      {.type = "Completed", .status = "True", .reason = reason, .message = message});
}

absl::StatusOr<api::meta::v1::TableRow> Row::Take() {
  if (!error_.ok()) return error_;
  return std::move(row_);
}

std::string AgeOf(Time time, absl::Time now) { return duration::Age(time, now); }

std::string AgeOf(const MicroTime& time, absl::Time now) {
  return time.IsZero() ? std::string(kUnknown) : duration::HumanDuration(now - time.ToAbslTime());
}

absl::string_view OrElse(absl::string_view text, absl::string_view otherwise) {
  return text.empty() ? otherwise : text;
}

std::string Join(const List<String>& texts) {
  return absl::StrJoin(
      texts, ",", [](std::string* out, const String& text) { absl::StrAppend(out, text.view()); });
}

std::string FirstThree(const std::vector<std::string>& texts) {
  constexpr size_t kShown = 3;
  if (texts.size() <= kShown) return absl::StrJoin(texts, ",");
  return absl::StrCat(absl::StrJoin(texts.begin(), texts.begin() + kShown, ","), " + ",
                      texts.size() - kShown, " more...");
}

}  // namespace kube::printers::internal
