#ifndef APIMACHINERY_VALIDATION_FIELD_ERROR_H_
#define APIMACHINERY_VALIDATION_FIELD_ERROR_H_

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/table/message.h"
#include "apimachinery/validation/field_path.h"

// Errors of the members of an object, each with its path: what an API server answers with "Invalid"
// (422) (client-go: `pkg/util/validation/field`).
//
//   ErrorList errors;
//   if (replicas < 0) {
//     errors.push_back(Invalid(Path("spec").Child("replicas"), replicas, "must not be negative"));
//   }
//   return ToAggregate(errors);  // spec.replicas: Invalid value: -1: must not be negative
//
// All texts are upstream's, byte for byte. All types are plain values: thread-compatible. Functions
// are pure: thread-safe.
namespace kube::validation::field {

// Why a value is wrong. The causes in a metav1.Status use the same types. (client-go:
// `field.ErrorType`)
enum class ErrorType : uint8_t {
  kNotFound,      // it refers to something that does not exist
  kRequired,      // it is absent, but required
  kDuplicate,     // it must be unique
  kInvalid,       // malformed, or out of bounds
  kNotSupported,  // not one of the enumeration's values
  kForbidden,     // well-formed, but not allowed now
  kTooLong,
  kTooMany,
  kTooFew,
  kTooShort,
  kInternal,     // not the user's mistake
  kTypeInvalid,  // not of the type in the schema
};

// Returns the reason for a metav1.StatusCause: "FieldValueInvalid".
absl::string_view CauseType(ErrorType type);
// Returns the name in messages: "Invalid value" (client-go: `ErrorType.String`).
absl::string_view ToString(ErrorType type);
std::ostream& operator<<(std::ostream& out, ErrorType type);

// A value that is not shown, because it is long or secret (client-go: `field.OmitValueType`).
struct OmittedValue {
  friend bool operator==(OmittedValue, OmittedValue) { return true; }
};
// A value of any other type, as the JSON that encoding/json writes.
struct JsonValue {
  std::string json;
  friend bool operator==(const JsonValue&, const JsonValue&) = default;
};
// The wrong value. A std::string is printed as Go's %q does. For a string of a named type, such as
// an operator or a UID, use a JsonValue: see JsonText.
using BadValue = std::variant<OmittedValue, std::string, int64_t, double, bool, JsonValue>;

// Return the JSON of a string, of a list of strings, or of any API value.
JsonValue JsonText(absl::string_view text);
// An empty list is "null", like Go's nil slice.
JsonValue JsonTexts(absl::Span<const std::string> texts);
// A value without JSON, such as a Quantity whose text is not a quantity, becomes null.
JsonValue JsonOf(const void* value, kube::table::Type type);
template <typename T>
JsonValue JsonOf(const T& value) {
  return JsonOf(&value, kube::table::TypeOf<T>());
}

// One error (client-go: `field.Error`).
struct Error {
  ErrorType type = ErrorType::kInvalid;
  // The text of the path.
  std::string field = {};
  BadValue bad_value = {};
  std::string detail = {};
  // The rule that found the error, such as "format=k8s-label-key", for tests. Messages do not show
  // it.
  std::string origin = {};

  // Returns "spec.replicas: Invalid value: -1: must be positive" (client-go: `Error.Error`).
  std::string ToString() const;
  // Returns the same without the field (client-go: `Error.ErrorBody`).
  std::string Body() const;

  friend bool operator==(const Error&, const Error&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Error& error);
};

// Make an error of the type that the name says.
Error TypeInvalid(const Path& path, BadValue value, absl::string_view detail);
Error NotFound(const Path& path, BadValue value);
Error Required(const Path& path, absl::string_view detail);
Error Duplicate(const Path& path, BadValue value);
Error Invalid(const Path& path, BadValue value, absl::string_view detail);
// The message lists `valid` in its order, unless it is empty.
Error NotSupported(const Path& path, BadValue value, absl::Span<const absl::string_view> valid);
Error Forbidden(const Path& path, absl::string_view detail);
// A negative limit is not shown in the message.
Error TooLong(const Path& path, int max_bytes);
Error TooLongCharacters(const Path& path, int max_characters);
Error TooShort(const Path& path, BadValue value, int min_characters);
// A negative number of items is not shown in the message.
Error TooMany(const Path& path, int items, int max_items);
Error TooFew(const Path& path, int items, int min_items);
Error InternalError(const Path& path, absl::string_view cause);

using ErrorList = std::vector<Error>;

// Appends `more` to `errors`.
void Append(ErrorList& errors, ErrorList more);

// Sets the origin of all errors.
ErrorList WithOrigin(ErrorList errors, absl::string_view origin);

// Returns OK if there are no errors. Otherwise returns INVALID_ARGUMENT with the message of the
// error, or with "[first, second]" if there are several different messages. (client-go:
// `ErrorList.ToAggregate`)
absl::Status ToAggregate(const ErrorList& errors);

// Returns the errors for which `matches` is false. As upstream, only the first of several errors
// with the same message is kept. (client-go: `ErrorList.Filter`, with `NewErrorTypeMatcher` for a
// type)
ErrorList FilterOut(const ErrorList& errors, absl::FunctionRef<bool(const Error&)> matches);

}  // namespace kube::validation::field

#endif  // APIMACHINERY_VALIDATION_FIELD_ERROR_H_
