#include "codegen/crds/known_formats.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace kube::codegen {

const absl::string_view kQuantityPattern =
    R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)";

// The formats of apiextensions-apiserver's formats.go in Kubernetes 1.34, which ignores dashes.
bool IsKnownFormat(absl::string_view type, absl::string_view format) {
  static constexpr absl::string_view kOfStrings[] = {
      "bsonobjectid", "byte",     "cidr",     "creditcard",  "date",         "datetime",
      "duration",     "email",    "hexcolor", "hostname",    "ipv4",         "ipv6",
      "isbn",         "isbn10",   "isbn13",   "k8slongname", "k8sshortname", "mac",
      "password",     "rgbcolor", "ssn",      "uri",         "uuid",         "uuid3",
      "uuid4",        "uuid5"};
  if (type == "integer") return format == "int32" || format == "int64";
  if (type == "number") return format == "float" || format == "double";
  if (!type.empty() && type != "string") return false;
  const std::string name = absl::StrReplaceAll(format, {{"-", ""}});
  return std::find(std::begin(kOfStrings), std::end(kOfStrings), name) != std::end(kOfStrings);
}

}  // namespace kube::codegen
