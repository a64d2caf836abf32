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

// What is logged: values, fields, records, and the two texts that sinks write. To log, include
// log.h; this is for those who write sinks.
namespace kube::log {

enum class Severity { kInfo, kWarning, kError };

// The name of an object, for a field's value: text "NAMESPACE/NAME" (or "NAME"), in JSON
// {"name":…,"namespace":…}. Go: klog.KRef.
struct ObjectRef {
  absl::string_view namespace_name;
  absl::string_view name;
};
inline ObjectRef KRef(absl::string_view namespace_name, absl::string_view name) {
  return {namespace_name, name};
}

// A field's value: anything below converts to it. It borrows strings and statuses, so it is good
// until the end of the full expression that makes it, which is as long as a log call takes.
// A status is written as "CODE: message"; an API server's answer as its message alone.
// A Secret is redacted before anybody sees it. Not for pointers, characters and enums.
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

// Keys are lowerCamelCase words, as Kubernetes' own are; they are written as they are.
struct Field {
  absl::string_view key;
  Value value;
};

// One message. It borrows all it refers to: a sink that keeps it makes text of it first.
struct Record {
  Severity severity = Severity::kInfo;
  int verbosity = 0;  // the n of V(n); 0 for warnings and errors
  absl::Time time = {};
  base::SourceLocation where = {};
  absl::string_view message = {};
  const absl::Status* error = nullptr;  // of Error(); null or OK: none
  absl::Span<const Field> fields = {};
};

// klog's line, which ends in a line feed. Local time, microseconds, process number:
//   I1121 03:53:39.123456   12345 reflector.cc:42] "synced informer" resource="pods" count=3
// A value with line feeds is spread over lines of its own; of equal keys the last one counts.
std::string FormatText(const Record& record);

// The same without header and line feed, for sinks with headers of their own.
std::string FormatTextBody(const Record& record);

// One JSON object and a line feed, as Kubernetes' components write with --logging-format=json:
//   {"ts":1700538819123.456,"caller":"informers/reflector.cc:42","msg":"…","v":0,"count":3}
// An error has "err" and no "v". Warnings, which components do not have: "severity":"warning".
std::string FormatJson(const Record& record);

}  // namespace kube::log

#endif  // APIMACHINERY_BASE_LOG_LOG_RECORD_H_
