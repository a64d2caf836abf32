#include "apimachinery/types/raw.h"

#include <ostream>

#include "absl/strings/string_view.h"
#include "apimachinery/types/envelope_prefix.h"

namespace kube {
namespace {

constexpr absl::string_view kCborPrefix("\xd9\xd9\xf7", 3);
constexpr absl::string_view kJson = "application/json";

bool HasPrefix(absl::string_view text, absl::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::ostream& Print(std::ostream& out, const internal::RawValue& value) {
  return out << (value.is_null() ? absl::string_view("null") : value.view());
}

}  // namespace

// runtime.RawExtension.guessContentType, which does not distinguish protobuf from unknown contents.
absl::string_view RawExtension::content_type() const {
  if (is_null()) return kJson;
  if (HasPrefix(view(), kEnvelopePrefix)) return "application/vnd.kubernetes.protobuf";
  if (HasPrefix(view(), kCborPrefix)) return "application/cbor";
  constexpr absl::string_view kJsonBegins = "\t\r\n {[ntf\"-0123456789";
  return !empty() && kJsonBegins.find(*data()) != absl::string_view::npos ? kJson : "";
}

std::ostream& operator<<(std::ostream& out, const RawJson& json) { return Print(out, json); }

std::ostream& operator<<(std::ostream& out, const RawExtension& extension) {
  if (extension.content_type() == kJson) return Print(out, extension);
  return out << extension.size() << " bytes";
}

std::ostream& operator<<(std::ostream& out, const FieldsV1& fields) { return Print(out, fields); }

}  // namespace kube
