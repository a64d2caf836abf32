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

// What is wrong with the members of an object, each with its place: what an API server answers with
// "Invalid" (422). (pkg/util/validation/field)
//
//   ErrorList errors;
//   if (replicas < 0) {
//     errors.push_back(Invalid(Path("spec").Child("replicas"), int64_t{replicas},
//                              "must be greater than or equal to 0"));
//   }
//   return ToAggregate(errors);  // spec.replicas: Invalid value: -1: must be greater than ...
//
// All texts are upstream's, byte for byte. All are plain values: thread-compatible.
namespace kube::validation::field {

// Why a value is wrong. The causes of a metav1.Status have the same. (field.ErrorType)
enum class ErrorType : uint8_t {
  kNotFound,      // it names something that is not there
  kRequired,      // it is absent, and must not be
  kDuplicate,     // it must be unique
  kInvalid,       // malformed, or out of bounds
  kNotSupported,  // none of an enumeration
  kForbidden,     // well-formed, but not allowed now
  kTooLong,
  kTooMany,
  kTooFew,
  kTooShort,
  kInternal,     // not the user's mistake
  kTypeInvalid,  // not of the type that the schema says
};

// "FieldValueInvalid": the reason of a metav1.StatusCause.
absl::string_view CauseType(ErrorType type);
// "Invalid value": what messages say. (ErrorType.String)
absl::string_view ToString(ErrorType type);
std::ostream& operator<<(std::ostream& out, ErrorType type);

// A value that is not told, because it is long or secret. (field.OmitValueType)
struct OmittedValue {
  friend bool operator==(OmittedValue, OmittedValue) { return true; }
};
// A value of another type than the simple ones: its JSON, as encoding/json writes it.
struct JsonValue {
  std::string json;
  friend bool operator==(const JsonValue&, const JsonValue&) = default;
};
// The value that is wrong. A text is written as Go's %q does. A string of a named type, such as an
// operator or a UID, is a JsonValue: see JsonText.
using BadValue = std::variant<OmittedValue, std::string, int64_t, double, bool, JsonValue>;

// The JSON of a text, of a list or of a struct of the API.
JsonValue JsonText(absl::string_view text);
// Of an empty list "null", as of Go's nil one.
JsonValue JsonTexts(absl::Span<const std::string> texts);
// What has no JSON, such as a Quantity that is none, is null.
JsonValue JsonOf(const void* value, kube::table::Type type);
template <typename T>
JsonValue JsonOf(const T& value) {
  return JsonOf(&value, kube::table::TypeOf<T>());
}

struct Error {
  ErrorType type = ErrorType::kInvalid;
  // The path's text.
  std::string field = {};
  BadValue bad_value = {};
  std::string detail = {};
  // Which rule found it, as "format=k8s-label-key", for tests; no message shows it.
  std::string origin = {};

  // "spec.replicas: Invalid value: -1: must be positive". (Error.Error)
  std::string ToString() const;
  // The same without the field. (Error.ErrorBody)
  std::string Body() const;

  friend bool operator==(const Error&, const Error&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Error& error);
};

Error TypeInvalid(const Path& path, BadValue value, absl::string_view detail);
Error NotFound(const Path& path, BadValue value);
Error Required(const Path& path, absl::string_view detail);
Error Duplicate(const Path& path, BadValue value);
Error Invalid(const Path& path, BadValue value, absl::string_view detail);
// `valid` is listed in the message, in its order; empty, nothing is.
Error NotSupported(const Path& path, BadValue value, absl::Span<const absl::string_view> valid);
Error Forbidden(const Path& path, absl::string_view detail);
// A negative limit is not told.
Error TooLong(const Path& path, int max_bytes);
Error TooLongCharacters(const Path& path, int max_characters);
Error TooShort(const Path& path, BadValue value, int min_characters);
// A negative number of items is not told.
Error TooMany(const Path& path, int items, int max_items);
Error TooFew(const Path& path, int items, int min_items);
Error InternalError(const Path& path, absl::string_view cause);

using ErrorList = std::vector<Error>;

// Adds `more` at the end.
void Append(ErrorList& errors, ErrorList more);

// Sets the origin of all.
ErrorList WithOrigin(ErrorList errors, absl::string_view origin);

// OK for none; otherwise INVALID_ARGUMENT with the message, or with several different ones as
// "[first, second]". (ErrorList.ToAggregate)
absl::Status ToAggregate(const ErrorList& errors);

// Those for which `matches` is false. As upstream, of errors with the same message only the first
// stays. (ErrorList.Filter, with NewErrorTypeMatcher for a type)
ErrorList FilterOut(const ErrorList& errors, absl::FunctionRef<bool(const Error&)> matches);

}  // namespace kube::validation::field

#endif  // APIMACHINERY_VALIDATION_FIELD_ERROR_H_
