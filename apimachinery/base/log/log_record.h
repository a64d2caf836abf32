#ifndef APIMACHINERY_BASE_LOG_LOG_RECORD_H_
#define APIMACHINERY_BASE_LOG_LOG_RECORD_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/source_location.h"

// The values, fields and records of log messages, and the two formats that sinks write. For authors
// of sinks; to log, include log.h.
namespace kube::log {

enum class Severity { kInfo, kWarning, kError };

// The name of an object as the value of a field: "NAMESPACE/NAME" or "NAME" as text,
// {"name":…,"namespace":…} in JSON. klog: `KRef`.
struct ObjectRef {
  absl::string_view namespace_name;
  absl::string_view name;
};
inline ObjectRef KRef(absl::string_view namespace_name, absl::string_view name) {
  return {namespace_name, name};
}

// The value of a field. Numbers, bools, strings, statuses, durations, times, object names and
// secrets convert to it; pointers, characters and enums do not. It refers to strings and statuses
// without a copy, so it is valid until the end of the full expression, that is, during the log
// call. A status is written as "CODE: message"; if it carries an API server's Status, as its
// message alone. A Secret becomes `<redacted>`.
class Value {
 public:
  using Variant = std::variant<bool, int64_t, uint64_t, double, absl::string_view,
                               const absl::Status*, absl::Duration, absl::Time, ObjectRef>;

  // NOLINTBEGIN(google-explicit-constructor): fields are written as {"count", 3}
  template <std::integral T>
  requires(!std::same_as<T, char>) constexpr Value(T value) {
    if constexpr (std::same_as<T, bool>) {
      variant_ = value;
    } else if constexpr (std::is_signed_v<T>) {
      variant_ = static_cast<int64_t>(value);
    } else {
      variant_ = static_cast<uint64_t>(value);
    }
  }
  template <std::floating_point T>
  constexpr Value(T value) : variant_(static_cast<double>(value)) {}
  template <typename T>
  requires std::convertible_to<const T&, absl::string_view>
  constexpr Value(const T& text) : variant_(static_cast<absl::string_view>(text)) {}
  Value(const absl::Status& status) : variant_(&status) {}
  Value(absl::Duration duration) : variant_(duration) {}
  Value(absl::Time time) : variant_(time) {}
  Value(ObjectRef object) : variant_(object) {}
  Value(const base::Secret&) : variant_(base::Secret::kRedacted) {}
  // NOLINTEND(google-explicit-constructor)

  const Variant& variant() const { return variant_; }

 private:
  Variant variant_;
};

// A key and its value. Keys are lowerCamelCase words, as in Kubernetes; they are written without
// escaping in text.
struct Field {
  absl::string_view key;
  Value value;
};

// A log message. It refers to all its parts without copies: a sink that keeps it must format it
// first.
struct Record {
  Severity severity = Severity::kInfo;
  int verbosity = 0;  // the n of V(n); 0 for warnings and errors
  absl::Time time = {};
  base::SourceLocation where = {};
  absl::string_view message = {};
  const absl::Status* error = nullptr;  // from Error(); may be null or OK
  absl::Span<const Field> fields = {};
};

// Returns klog's line, with a line feed at the end. Local time, microseconds, process number:
//
//   I1121 03:53:39.123456   12345 reflector.cc:42] "synced informer" resource="pods" count=3
//
// A value with line feeds is spread over several lines. If keys are equal, the last one counts.
std::string FormatText(const Record& record);

// Returns the same line without header and line feed, for sinks that write their own header.
std::string FormatTextBody(const Record& record);

// Returns a JSON object and a line feed, as Kubernetes components write with --logging-format=json:
// `{"ts":1700538819123.456,"caller":"informers/reflector.cc:42","msg":"…","v":0,"count":3}`.
//
// An error has "err" and no "v". A warning, which Kubernetes components do not write, has
// "severity":"warning".
std::string FormatJson(const Record& record);

}  // namespace kube::log

#endif  // APIMACHINERY_BASE_LOG_LOG_RECORD_H_
