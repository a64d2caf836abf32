// Formats with a name.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/internal/library/url.h"
#include "apimachinery/cel/internal/lists.h"
#include "apimachinery/cel/internal/time.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/validation/label.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/object_meta.h"

namespace kube::cel::internal {
namespace {

using validation::Messages;

constexpr absl::string_view kTypeName = "kubernetes.NamedFormat";

const TypePtr& FormatTypeOfKubernetes() {
  static base::NoDestructor<const TypePtr> type(StructType(kTypeName));
  return *type;
}

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

Messages ValidateDns1123Label(absl::string_view text) {
  return validation::NameIsDnsLabel(text, /*prefix=*/false);
}
Messages ValidateDns1123LabelPrefix(absl::string_view text) {
  return validation::NameIsDnsLabel(text, /*prefix=*/true);
}
Messages ValidateDns1123Subdomain(absl::string_view text) {
  return validation::NameIsDnsSubdomain(text, /*prefix=*/false);
}
Messages ValidateDns1123SubdomainPrefix(absl::string_view text) {
  return validation::NameIsDnsSubdomain(text, /*prefix=*/true);
}
Messages ValidateDns1035Label(absl::string_view text) {
  return validation::NameIsDns1035Label(text, /*prefix=*/false);
}
Messages ValidateDns1035LabelPrefix(absl::string_view text) {
  return validation::NameIsDns1035Label(text, /*prefix=*/true);
}

Messages ValidateUri(absl::string_view text) {
  const absl::StatusOr<Url> url = ParseRequestUri(text);
  return url.ok() ? Messages() : Messages{std::string(url.status().message())};
}

// The hyphens may be missing.
Messages ValidateUuid(absl::string_view text) {
  constexpr size_t kGroups[] = {8, 4, 4, 4, 12};
  bool valid = true;
  for (size_t i = 0; i < 5 && valid; ++i) {
    if (i > 0) absl::ConsumePrefix(&text, "-");
    const absl::string_view digits = text.substr(0, kGroups[i]);
    valid = digits.size() == kGroups[i] && absl::c_all_of(digits, [](char c) {
              return absl::ascii_isxdigit(static_cast<unsigned char>(c));
            });
    text.remove_prefix(digits.size());
  }
  return valid && text.empty() ? Messages() : Messages{"does not match the UUID format"};
}

Messages ValidateByte(absl::string_view text) {
  const bool complete = !text.empty() && text.size() % 4 == 0;
  if (absl::ConsumeSuffix(&text, "=")) absl::ConsumeSuffix(&text, "=");
  const bool valid =
      complete && absl::c_all_of(text, [](char c) {
        return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '/';
      });
  return valid ? Messages() : Messages{"invalid base64"};
}

Messages ValidateDate(absl::string_view text) {
  return ParseDate(text).has_value() ? Messages() : Messages{"invalid date"};
}

// Removes "12:34" from the front of a text.
bool TakeTwoNumbers(absl::string_view& text) {
  if (text.size() < 5 || !IsDigit(text[0]) || !IsDigit(text[1]) || text[2] != ':' ||
      !IsDigit(text[3]) || !IsDigit(text[4])) {
    return false;
  }
  text.remove_prefix(5);
  return true;
}

bool IsZone(absl::string_view text) {
  if (text == "z") return true;
  if (!absl::ConsumePrefix(&text, "+") && !absl::ConsumePrefix(&text, "-")) return false;
  return TakeTwoNumbers(text) && text.empty();
}

// Returns whether this is a time in lower case. As upstream, any character may stand before the
// fraction.
bool IsTime(absl::string_view text) {
  absl::string_view rest = text;
  if (!TakeTwoNumbers(rest) || rest.size() < 3 || rest[0] != ':' || !IsDigit(rest[1]) ||
      !IsDigit(rest[2]) || text.substr(0, 2) > "23" || text.substr(3, 2) > "59" ||
      text.substr(6, 2) > "59") {
    return false;
  }
  rest.remove_prefix(3);
  if (IsZone(rest)) return true;
  if (rest.empty() || rest[0] == '\n') return false;
  rest.remove_prefix(text::DecodeRune(rest).size);
  size_t digits = 0;
  while (digits < rest.size() && IsDigit(rest[digits])) ++digits;
  return digits > 0 && IsZone(rest.substr(digits));
}

// As upstream, what stands behind a second "t" is not looked at.
Messages ValidateDateTime(absl::string_view text) {
  const std::string lower = absl::AsciiStrToLower(text);
  const std::vector<absl::string_view> parts = absl::StrSplit(lower, 't');
  const bool valid = parts.size() > 1 && ParseDate(parts[0]).has_value() && IsTime(parts[1]);
  return valid ? Messages() : Messages{"invalid datetime"};
}

struct NamedFormat {
  absl::string_view function;
  absl::string_view name;
  Messages (*validate)(absl::string_view text);
  // The size of the pattern, for the calculation of costs.
  size_t pattern_size;
};

constexpr NamedFormat kFormats[] = {
    {"dns1123Label", "DNS1123Label", ValidateDns1123Label, 30},
    {"dns1123Subdomain", "DNS1123Subdomain", ValidateDns1123Subdomain, 60},
    {"dns1035Label", "DNS1035Label", ValidateDns1035Label, 30},
    {"qualifiedName", "QualifiedName", validation::IsQualifiedName, 60},
    {"dns1123LabelPrefix", "DNS1123LabelPrefix", ValidateDns1123LabelPrefix, 30},
    {"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", ValidateDns1123SubdomainPrefix, 60},
    {"dns1035LabelPrefix", "DNS1035LabelPrefix", ValidateDns1035LabelPrefix, 30},
    {"labelValue", "LabelValue", validation::IsValidLabelValue, 40},
    {"uri", "URI", ValidateUri, 1103},
    {"uuid", "uuid", ValidateUuid, 70},
    {"byte", "byte", ValidateByte, 84},
    {"date", "date", ValidateDate, 71},
    {"datetime", "datetime", ValidateDateTime, 71},
};
constexpr size_t kFormatCount = sizeof(kFormats) / sizeof(kFormats[0]);

class FormatOpaque final : public OpaqueValue {
 public:
  explicit FormatOpaque(const NamedFormat& format) : format_(format) {}

  const NamedFormat& format() const { return format_; }
  const TypePtr& type() const override { return FormatTypeOfKubernetes(); }
  Value Equals(const Value& other) const override;
  size_t cost_size() const override { return format_.pattern_size; }
  std::string ToString() const override { return std::string(format_.name); }

 private:
  const NamedFormat& format_;
};

const NamedFormat& FormatOf(const Value& value) {
  return static_cast<const FormatOpaque&>(value.opaque()).format();
}

Value FormatOpaque::Equals(const Value& other) const {
  if (!IsOpaque(other, kTypeName)) return NoSuchOverload();
  return Value::FromBool(format_.name == FormatOf(other).name);
}

Value MakeFormat(const NamedFormat& format) {
  return Value::FromOpaque(std::make_shared<const FormatOpaque>(format));
}

template <size_t index>
Value Constant(const Call&) {
  return MakeFormat(kFormats[index]);
}

Value Named(const Call& call) {
  for (const NamedFormat& format : kFormats) {
    if (format.function == call[0].text()) return Value::Optional(MakeFormat(format));
  }
  return Value::None();
}

Value Validate(const Call& call) {
  const Messages messages = FormatOf(call[0]).validate(call[1].text());
  return messages.empty() ? Value::None() : Value::Optional(StringList(messages));
}

// Adds format.<name>() for each format from `index` on.
template <size_t index>
void AddConstants(Functions& functions) {
  if constexpr (index < kFormatCount) {
    const std::string name = absl::StrCat("format.", kFormats[index].function);
    functions.AddGlobal(name, name, {}, FormatTypeOfKubernetes(), Constant<index>);
    AddConstants<index + 1>(functions);
  }
}

}  // namespace

void AddFormatFunctions(Functions& functions) {
  const TypePtr& format = FormatTypeOfKubernetes();
  functions.AddGlobal("format.named", "format-named", {StringType()}, OptionalType(format), Named);
  functions.AddMember("validate", "format-validate", {format, StringType()},
                      OptionalType(ListType(StringType())), Validate);
  AddConstants<0>(functions);
}

}  // namespace kube::cel::internal
