#include "codegen/parameter.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::codegen {

absl::StatusOr<Parameter> ParseParameter(absl::string_view text) {
  Parameter parameter;
  if (text.empty()) return parameter;
  for (const absl::string_view each : absl::StrSplit(text, ',')) {
    const std::vector<std::string> parts = absl::StrSplit(each, '=');
    if (parts[0] == "clients" && parts.size() == 3) {
      parameter.clients[parts[1]].header = parts[2];
    } else if (parts[0] == "expansion" && parts.size() == 4 && parameter.clients.count(parts[1])) {
      parameter.clients[parts[1]].expansions[parts[2]] = parts[3];
    } else if (parts[0] == "crds" && parts.size() == 2) {
      parameter.crds = parts[1];
    } else if (parts[0] == "definitions" && parts.size() == 2) {
      parameter.definitions = parts[1];
    } else if (parts[0] == "informers" && parts.size() == 3) {
      parameter.informers[parts[1]].header = parts[2];
    } else if (parts[0] == "factory" && parts.size() == 2 && parameter.informers.count(parts[1])) {
      parameter.informers[parts[1]].has_factory = true;
    } else {
      return absl::InvalidArgumentError(absl::StrCat("unknown parameter \"", each, "\""));
    }
  }
  return parameter;
}

}  // namespace kube::codegen
