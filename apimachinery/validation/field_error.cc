#include "apimachinery/validation/field_error.h"

#include <cstddef>
#include <iterator>
#include <ostream>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/string.h"

namespace kube::validation::field {
namespace {

struct TypeTexts {
  absl::string_view cause;
  absl::string_view text;
};

// In the order of ErrorType.
constexpr TypeTexts kTypes[] = {
    {"FieldValueNotFound", "Not found"},
    {"FieldValueRequired", "Required value"},
    {"FieldValueDuplicate", "Duplicate value"},
    {"FieldValueInvalid", "Invalid value"},
    {"FieldValueNotSupported", "Unsupported value"},
    {"FieldValueForbidden", "Forbidden"},
    {"FieldValueTooLong", "Too long"},
    {"FieldValueTooMany", "Too many"},
    {"FieldValueTooFew", "Too few"},
    {"FieldValueTooShort", "Too short"},
    {"InternalError", "Internal error"},
    {"FieldValueTypeInvalid", "Invalid value"},
};

bool ShowsValue(ErrorType type) {
  switch (type) {
    case ErrorType::kRequired:
    case ErrorType::kForbidden:
    case ErrorType::kTooLong:
    case ErrorType::kTooShort:
    case ErrorType::kInternal:
      return false;
    default:
      return true;
  }
}

struct ValueWriter {
  std::string& out;

  void operator()(OmittedValue) const {}
  void operator()(const std::string& text) const {
    out += ": ";
    text::AppendQuoted(out, text);
  }
  void operator()(int64_t number) const { absl::StrAppend(&out, ": ", number); }
  void operator()(double number) const { absl::StrAppend(&out, ": ", text::FormatGeneral(number)); }
  void operator()(bool flag) const { absl::StrAppend(&out, flag ? ": true" : ": false"); }
  void operator()(const JsonValue& value) const { absl::StrAppend(&out, ": ", value.json); }
};

Error Make(ErrorType type, const Path& path, BadValue value, absl::string_view detail) {
  return {.type = type,
          .field = path.ToString(),
          .bad_value = std::move(value),
          .detail = std::string(detail)};
}

// Returns "before 3 items" or "before 1 item".
std::string Counted(absl::string_view before, int count, absl::string_view unit) {
  return absl::StrCat(before, " ", count, " ", unit, count == 1 ? "" : "s");
}

// Upstream shows this for a value that is too long.
constexpr absl::string_view kNotShown = "<value omitted>";

Error LongerThan(const Path& path, int max, absl::string_view unit) {
  const std::string detail =
      max >= 0 ? Counted("may not be more than", max, unit) : "value is too long";
  return Make(ErrorType::kTooLong, path, std::string(kNotShown), detail);
}

}  // namespace

absl::string_view CauseType(ErrorType type) { return kTypes[static_cast<size_t>(type)].cause; }
absl::string_view ToString(ErrorType type) { return kTypes[static_cast<size_t>(type)].text; }
std::ostream& operator<<(std::ostream& out, ErrorType type) { return out << ToString(type); }

JsonValue JsonText(absl::string_view text) { return JsonOf(String(text)); }

JsonValue JsonTexts(absl::Span<const std::string> texts) {
  if (texts.empty()) return {"null"};
  const std::string items = absl::StrJoin(
      texts, ",",
      [](std::string* out, const std::string& text) { absl::StrAppend(out, JsonText(text).json); });
  return {absl::StrCat("[", items, "]")};
}

JsonValue JsonOf(const void* value, kube::table::Type type) {
  JsonValue result;
  if (!codec::AppendJsonValue(result.json, value, type).ok()) result.json = "null";
  return result;
}

std::string Error::ToString() const { return absl::StrCat(field, ": ", Body()); }

std::string Error::Body() const {
  std::string body(field::ToString(type));
  if (ShowsValue(type)) std::visit(ValueWriter{body}, bad_value);
  if (!detail.empty()) absl::StrAppend(&body, ": ", detail);
  return body;
}

std::ostream& operator<<(std::ostream& out, const Error& error) { return out << error.ToString(); }

Error TypeInvalid(const Path& path, BadValue value, absl::string_view detail) {
  return Make(ErrorType::kTypeInvalid, path, std::move(value), detail);
}

Error NotFound(const Path& path, BadValue value) {
  return Make(ErrorType::kNotFound, path, std::move(value), "");
}

Error Required(const Path& path, absl::string_view detail) {
  return Make(ErrorType::kRequired, path, std::string(), detail);
}

Error Duplicate(const Path& path, BadValue value) {
  return Make(ErrorType::kDuplicate, path, std::move(value), "");
}

Error Invalid(const Path& path, BadValue value, absl::string_view detail) {
  return Make(ErrorType::kInvalid, path, std::move(value), detail);
}

Error NotSupported(const Path& path, BadValue value, absl::Span<const absl::string_view> valid) {
  std::string detail;
  for (absl::string_view text : valid) {
    absl::StrAppend(&detail, detail.empty() ? "supported values: " : ", ");
    text::AppendQuoted(detail, text);
  }
  return Make(ErrorType::kNotSupported, path, std::move(value), detail);
}

Error Forbidden(const Path& path, absl::string_view detail) {
  return Make(ErrorType::kForbidden, path, std::string(), detail);
}

Error TooLong(const Path& path, int max_bytes) { return LongerThan(path, max_bytes, "byte"); }

Error TooLongCharacters(const Path& path, int max_characters) {
  return LongerThan(path, max_characters, "character");
}

Error TooShort(const Path& path, BadValue value, int min_characters) {
  const std::string detail = min_characters >= 0
                                 ? Counted("must be at least", min_characters, "character")
                                 : "value is too short";
  return Make(ErrorType::kTooShort, path, std::move(value), detail);
}

Error TooMany(const Path& path, int items, int max_items) {
  const std::string detail =
      max_items >= 0 ? Counted("must have at most", max_items, "item") : "has too many items";
  const BadValue value = items >= 0 ? BadValue(int64_t{items}) : BadValue(OmittedValue());
  return Make(ErrorType::kTooMany, path, value, detail);
}

Error TooFew(const Path& path, int items, int min_items) {
  const std::string detail =
      min_items >= 0 ? Counted("must have at least", min_items, "item") : "has too few items";
  return Make(ErrorType::kTooFew, path, int64_t{items}, detail);
}

Error InternalError(const Path& path, absl::string_view cause) {
  return Make(ErrorType::kInternal, path, std::string(cause), cause);
}

void Append(ErrorList& errors, ErrorList more) {
  errors.insert(errors.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

ErrorList WithOrigin(ErrorList errors, absl::string_view origin) {
  for (Error& error : errors) error.origin = std::string(origin);
  return errors;
}

absl::Status ToAggregate(const ErrorList& errors) {
  if (errors.empty()) return absl::OkStatus();
  absl::flat_hash_set<std::string> seen;
  std::string all;
  for (const Error& error : errors) {
    const auto [message, added] = seen.insert(error.ToString());
    if (added) absl::StrAppend(&all, all.empty() ? "" : ", ", *message);
  }
  return absl::InvalidArgumentError(seen.size() == 1 ? all : absl::StrCat("[", all, "]"));
}

ErrorList FilterOut(const ErrorList& errors, absl::FunctionRef<bool(const Error&)> matches) {
  absl::flat_hash_set<std::string> seen;
  ErrorList rest;
  for (const Error& error : errors) {
    if (seen.insert(error.ToString()).second && !matches(error)) rest.push_back(error);
  }
  return rest;
}

}  // namespace kube::validation::field
