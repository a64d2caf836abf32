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

// A row in the making: cells are added from left to right. Thread-compatible.
class Row {
 public:
  explicit Row(absl::Time now) : now_(now) {}

  absl::Time now() const { return now_; }

  void Text(absl::string_view text);
  void Number(int64_t number);
  void Bool(bool value);
  // Since `time`.
  void Age(Time time);

  // That the object is done. (metav1.RowCompleted)
  void Complete(absl::string_view reason, absl::string_view message);

  // There is no row, nor a table.
  void Fail(absl::Status error) { error_ = std::move(error); }

  // Ends the row.
  absl::StatusOr<api::meta::v1::TableRow> Take();

 private:
  const absl::Time now_;
  api::meta::v1::TableRow row_;
  absl::Status error_;
};

// "5m12s"; "<unknown>" of the zero time.
std::string AgeOf(Time time, absl::Time now);
std::string AgeOf(const MicroTime& time, absl::Time now);

// `text`, or `otherwise` where it is empty.
absl::string_view OrElse(absl::string_view text, absl::string_view otherwise);

// Separated by commas.
std::string Join(const List<String>& texts);

// The first three of `texts` and how many there are beyond: "a,b,c + 2 more...".
std::string FirstThree(const std::vector<std::string>& texts);

}  // namespace kube::printers::internal

#endif  // APISERVER_PRINTERS_INTERNAL_ROW_H_
