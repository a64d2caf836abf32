#ifndef CONTROLLER_MANIFESTS_INTERNAL_OBJECTS_H_
#define CONTROLLER_MANIFESTS_INTERNAL_OBJECTS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "controller/manifests/install_options.h"

namespace kube::manifests::internal {

using Object = Map<unstructured::Value>;
using Array = List<unstructured::Value>;

// An object of an installation, and the file of the tree in which it stands.
struct Placed {
  // Below config/: "rbac/role.yaml".
  std::string file = {};
  Object object = {};
  // Whether it is installed. If not, it is only in the tree.
  bool installed = true;
};
using PlacedObjects = std::vector<Placed>;

// The names of an installation. All begin with that of the program.
struct Names {
  std::string program = {};
  std::string namespace_name = {};

  // Returns "website-operator-" and the suffix.
  std::string With(absl::string_view suffix) const;
  std::string account() const { return With("controller-manager"); }
  std::string webhook_service() const { return With("webhook-service"); }
  // The name by which API servers call the admission webhooks.
  std::string webhook_host() const { return webhook_service() + "." + namespace_name + ".svc"; }
  std::string conversion_service() const { return With("conversion-service"); }
  // The name by which API servers call the conversions.
  std::string conversion_host() const {
    return conversion_service() + "." + namespace_name + ".svc";
  }
  std::string mutating_configuration() const { return With("mutating-webhook-configuration"); }
  std::string validating_configuration() const { return With("validating-webhook-configuration"); }
  std::string metrics_service() const { return With("controller-manager-metrics-service"); }
  std::string serving_certificate() const { return With("serving-cert"); }
  std::string certificate_secret() const { return With("webhook-server-cert"); }
};

// Returns an object with the label of the program. `namespace_name` may be empty.
Object MakeObject(const Names& names, absl::string_view api_version, absl::string_view kind,
                  absl::string_view name, absl::string_view namespace_name);

// Returns the labels by which services and policies select the pods.
Object PodLabels(const Names& names);

Array Texts(const std::vector<std::string>& texts);

// The parts of an installation. `names` are complete, and so are the options.
PlacedObjects RbacObjects(const Names& names, const ProgramFacts& program,
                          const InstallOptions& options);
PlacedObjects ManagerObjects(const Names& names, const ProgramFacts& program,
                             const InstallOptions& options);
PlacedObjects NetworkObjects(const Names& names, const ProgramFacts& program,
                             const InstallOptions& options);

}  // namespace kube::manifests::internal

#endif  // CONTROLLER_MANIFESTS_INTERNAL_OBJECTS_H_
