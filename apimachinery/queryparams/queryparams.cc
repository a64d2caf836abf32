#include "apimachinery/queryparams/queryparams.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/micro_time.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/parse.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"

namespace kube::queryparams::internal {

namespace {

using kube::table::Field;
using kube::table::Kind;
using kube::table::Message;
using kube::table::Shape;

// Go embeds TypeMeta without a JSON name, and query parameters omit fields without one.
bool IsTypeMeta(absl::string_view name, const Field& field) {
  return field.number == 0 && (name == "apiVersion" || name == "kind");
}

std::string ToText(const String& text) { return std::string(text.data(), text.size()); }
std::string ToText(bool value) { return value ? "true" : "false"; }
std::string ToText(int32_t value) { return absl::StrCat(value); }
std::string ToText(int64_t value) { return absl::StrCat(value); }
std::string ToText(double value) { return text::FormatGeneral(value); }
template <typename T>
std::string ToText(const T& time) {  // Time, MicroTime
  return time.IsZero() ? "" : time.ToString();
}

// Adds the fields of one struct to the parameters.
class Encoder {
 public:
  explicit Encoder(Values& values) : values_(values) {}

  void Struct(const char* base, const Message& message) {
    for (size_t i = 0; i < message.field_count; ++i) {
      const Field& field = message.fields[i];
      const absl::string_view name = message.field_name(field);
      if ((field.flags & kube::table::kNoJson) != 0 || IsTypeMeta(name, field)) continue;
      Member(base + field.offset, message, field, std::string(name));
    }
  }

 private:
  template <typename T>
  void Leaf(const char* member, const Field& field, const std::string& name) {
    const bool omit_empty = (field.flags & kube::table::kOmitEmpty) != 0;
    if (field.shape == Shape::kValue) {
      Add(name, *reinterpret_cast<const T*>(member), omit_empty);
    } else if (field.shape == Shape::kOpt) {
      // An optional field that is set is sent even if its value is empty.
      const auto& value = *reinterpret_cast<const Opt<T>*>(member);
      if (value.has_value()) {
        values_[name].push_back(ToText(*value));
      } else if (!omit_empty) {
        values_[name].push_back("");
      }
    }
  }

  // Handles types of which lists are parameters, too.
  template <typename T>
  void Value(const char* member, const Field& field, const std::string& name) {
    if (field.shape != Shape::kList) return Leaf<T>(member, field, name);
    const bool omit_empty = (field.flags & kube::table::kOmitEmpty) != 0;
    for (const T& element : *reinterpret_cast<const List<T>*>(member)) {
      Add(name, element, omit_empty);
    }
  }

  template <typename T>
  void Add(const std::string& name, const T& value, bool omit_empty) {
    if (!omit_empty || value != T()) values_[name].push_back(ToText(value));
  }

  void SubStruct(const char* member, const Message& sub, const Field& field) {
    if (field.shape == Shape::kBox) {
      const char* boxed = *reinterpret_cast<const char* const*>(member);
      if (boxed != nullptr) Struct(boxed, sub);
    } else if (field.shape == Shape::kValue) {
      const bool zero = std::all_of(member, member + sub.size, [](char c) { return c == 0; });
      if (!zero || (field.flags & kube::table::kOmitEmpty) == 0) Struct(member, sub);
    }
  }

  void Member(const char* member, const Message& message, const Field& field,
              const std::string& name) {
    switch (field.kind) {
      case Kind::kString:
        return Value<String>(member, field, name);
      case Kind::kBool:
        return Value<bool>(member, field, name);
      case Kind::kInt32:
        return Value<int32_t>(member, field, name);
      case Kind::kInt64:
        return Value<int64_t>(member, field, name);
      case Kind::kDouble:
        return Value<double>(member, field, name);
      case Kind::kTime:
        return Leaf<Time>(member, field, name);
      case Kind::kMicroTime:
        return Leaf<MicroTime>(member, field, name);
      case Kind::kMessage:
        return SubStruct(member, *message.sub(field), field);
      default:
        return;  // Go's structs for these kinds have no fields with a JSON name.
    }
  }

  Values& values_;
};

absl::Status NumberError(absl::string_view function, absl::string_view text,
                         absl::string_view cause) {
  std::string message = absl::StrCat("strconv.", function, ": parsing ");
  text::AppendQuoted(message, text);
  return absl::InvalidArgumentError(absl::StrCat(message, ": ", cause));
}

bool AreDigits(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
}

// As Go's `strconv.ParseInt(text, 10, 64)`.
absl::StatusOr<int64_t> ParseInt(absl::string_view text) {
  absl::string_view digits = text;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) digits.remove_prefix(1);
  if (!AreDigits(digits)) return NumberError("ParseInt", text, "invalid syntax");
  int64_t value = 0;
  if (!absl::SimpleAtoi(text, &value)) return NumberError("ParseInt", text, "value out of range");
  return value;
}

// As Go's `strconv.ParseUint(text, 10, 16)`.
absl::StatusOr<int32_t> ParsePort(absl::string_view text) {
  if (!AreDigits(text)) return NumberError("ParseUint", text, "invalid syntax");
  int32_t value = 0;
  if (!absl::SimpleAtoi(text, &value) || value > UINT16_MAX) {
    return NumberError("ParseUint", text, "value out of range");
  }
  return value;
}

// Sets a field of type T or Opt<T>.
template <typename T>
void Store(char* member, const Field& field, T value) {
  if (field.shape == Shape::kOpt) {
    *reinterpret_cast<Opt<T>*>(member) = std::move(value);
  } else if (field.shape == Shape::kValue) {
    *reinterpret_cast<T*>(member) = std::move(value);
  }
}

template <typename T>
absl::Status StoreParsed(char* member, const Field& field, const absl::StatusOr<T>& value) {
  if (value.ok()) Store(member, field, *value);
  return value.status();
}

absl::Status StoreNumbers(char* member, const std::vector<std::string>& texts) {
  List<int32_t> numbers;
  for (const std::string& text : texts) {
    for (const absl::string_view part : absl::StrSplit(text, ',')) {
      KUBE_ASSIGN_OR_RETURN(const int32_t number, ParsePort(part), "cannot convert to []int32");
      numbers.push_back(number);
    }
  }
  *reinterpret_cast<List<int32_t>*>(member) = std::move(numbers);
  return absl::OkStatus();
}

absl::Status StoreList(char* member, const Field& field, const std::vector<std::string>& texts) {
  if (field.kind == Kind::kInt32) return StoreNumbers(member, texts);
  if (field.kind == Kind::kString) {
    auto& list = *reinterpret_cast<List<String>*>(member);
    list.clear();
    for (const std::string& text : texts) list.push_back(text);
  }
  return absl::OkStatus();
}

// Older clients send a zero time as JSON does, "null".
bool IsZeroTime(absl::string_view text) { return text.empty() || text == "null"; }

// `texts` must not be empty.
absl::Status StoreMember(char* member, const Field& field, const std::vector<std::string>& texts) {
  if (field.shape == Shape::kList) return StoreList(member, field, texts);
  const std::string& text = texts[0];
  switch (field.kind) {
    case Kind::kString:
      Store<String>(member, field, text);
      return absl::OkStatus();
    case Kind::kBool:
      Store(member, field, text != "0" && !absl::EqualsIgnoreCase(text, "false"));
      return absl::OkStatus();
    case Kind::kInt64:
      return StoreParsed(member, field, ParseInt(text));
    case Kind::kTime:
      return StoreParsed(member, field, IsZeroTime(text) ? Time() : ParseTime(text));
    case Kind::kMicroTime:
      return StoreParsed(member, field, IsZeroTime(text) ? MicroTime() : ParseMicroTime(text));
    default:
      return absl::OkStatus();  // no options have fields of these kinds
  }
}

// Sets the string fields of an optional struct, which is created only if one of them is not empty.
// Upstream has a function for the only case, the preconditions of DeleteOptions.
absl::Status DecodeSubStruct(const Values& values, void* options, const Message& message,
                             const Field& field) {
  const Message& sub = *message.sub(field);
  for (size_t i = 0; i < sub.field_count; ++i) {
    const absl::string_view name = sub.field_name(sub.fields[i]);
    const auto it = values.find(name);
    if (sub.fields[i].kind != Kind::kString || it == values.end() || it->second.empty() ||
        it->second[0].empty()) {
      continue;
    }
    const std::string path = absl::StrCat(message.field_name(field), ".", name);
    KUBE_RETURN_IF_ERROR(codec::SetPath(options, message, path, it->second[0]));
  }
  return absl::OkStatus();
}

}  // namespace

Values EncodeParameters(const void* options, const Message& message) {
  Values values;
  Encoder(values).Struct(static_cast<const char*>(options), message);
  return values;
}

absl::Status DecodeParameters(const Values& values, void* options, const Message& message) {
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    const absl::string_view name = message.field_name(field);
    if ((field.flags & kube::table::kNoJson) != 0 || IsTypeMeta(name, field)) continue;
    if (field.shape == Shape::kBox) {
      KUBE_RETURN_IF_ERROR(DecodeSubStruct(values, options, message, field));
      continue;
    }
    const auto it = values.find(name);
    if (it == values.end() || it->second.empty()) continue;
    KUBE_RETURN_IF_ERROR(
        StoreMember(static_cast<char*>(options) + field.offset, field, it->second));
  }
  return absl::OkStatus();
}

}  // namespace kube::queryparams::internal
