#include "envtest/fake/action.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::fake {

using unstructured::Value;

bool Action::Matches(absl::string_view other_verb, absl::string_view other_resource) const {
  const size_t slash = other_resource.find('/');
  if (!absl::EqualsIgnoreCase(other_verb, verb)) return false;
  if (!absl::EqualsIgnoreCase(other_resource.substr(0, slash), resource.resource)) return false;
  if (slash == absl::string_view::npos) return true;
  return absl::EqualsIgnoreCase(other_resource.substr(slash + 1), subresource);
}

absl::Status Action::SetBody(absl::string_view json) {
  KUBE_ASSIGN_OR_RETURN(Value object, unstructured::ParseJson(json), "decode object");
  KUBE_ASSIGN_OR_RETURN(const Value sent, unstructured::ParseJson(body), "decode request body");
  for (const char* member : {"kind", "apiVersion"}) {
    const Value* value = sent.Find(member);
    if (value != nullptr) object.object()->insert_or_assign(member, *value);
  }
  KUBE_ASSIGN_OR_RETURN(body, unstructured::EncodeJson(object), "encode object");
  return absl::OkStatus();
}

}  // namespace kube::fake
