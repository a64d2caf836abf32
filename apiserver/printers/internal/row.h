#ifndef APISERVER_PRINTERS_INTERNAL_ROW_H_
#define APISERVER_PRINTERS_INTERNAL_ROW_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/micro_time.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"

namespace kube::printers::internal {

inline constexpr absl::string_view kNone = "<none>";
inline constexpr absl::string_view kUnset = "<unset>";
inline constexpr absl::string_view kUnknown = "<unknown>";

// Builds a row; cells are added from left to right. Thread-compatible.
class Row {
 public:
  explicit Row(absl::Time now) : now_(now) {}

  absl::Time now() const { return now_; }

  void Text(absl::string_view text);
  void Number(int64_t number);
  void Bool(bool value);
  // Adds the time since `time`.
  void Age(Time time);

  // Adds the condition that the object is done (apimachinery: `metav1.RowCompleted`).
  void Complete(absl::string_view reason, absl::string_view message);

  // Makes Take return an error: the object cannot be shown.
  void Fail(absl::Status error) { error_ = std::move(error); }

  // Returns the row, or the error of Fail.
  absl::StatusOr<api::meta::v1::TableRow> Take();

 private:
  const absl::Time now_;
  api::meta::v1::TableRow row_;
  absl::Status error_;
};

// Return a text such as "5m12s", or "<unknown>" for the zero time.
std::string AgeOf(Time time, absl::Time now);
std::string AgeOf(const MicroTime& time, absl::Time now);

// Returns `text`, or `otherwise` if it is empty.
absl::string_view OrElse(absl::string_view text, absl::string_view otherwise);

// Joins texts with commas.
std::string Join(const List<String>& texts);

// Joins the first three texts and the number of the others: "a,b,c + 2 more...".
std::string FirstThree(const std::vector<std::string>& texts);

}  // namespace kube::printers::internal

#endif  // APISERVER_PRINTERS_INTERNAL_ROW_H_
