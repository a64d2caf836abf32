#ifndef ENVTEST_FAKE_ACTION_H_
#define ENVTEST_FAKE_ACTION_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/message_type.h"

namespace kube::fake {

// A request that a client has sent to a fake::Clientset. (client-go: `testing.Action` and its
// variants for each verb)
//
// A value. Thread-compatible.
struct Action {
  // One of get, list, watch, create, update, patch, delete, deletecollection.
  // (client-go: `GetVerb`; its fake calls the last one "delete-collection")
  std::string verb = {};
  // If the request has no resource, as for /version, all fields but `verb` and `path` are empty.
  // (client-go: `GetResource`)
  schema::GroupVersionResource resource = {};
  std::string subresource = {};  // such as "status"
  // Empty for all namespaces and for cluster-scoped resources. (client-go: `GetNamespace`)
  std::string namespace_name = {};
  // The name in the path: empty for create, list, watch and deletecollection.
  // (client-go: `GetName`)
  std::string name = {};

  // Path and query of the URL, such as "/api/v1/namespaces/prod/pods" and "labelSelector",
  // "fieldManager", "dryRun". (client-go: `GetListRestrictions`, `GetCreateOptions` and others)
  std::string path = {};
  queryparams::Values query = {};

  // The body in JSON: the object of create and update, the options of delete, the patch of patch.
  // (client-go: `GetObject`, `GetDeleteOptions`, `GetPatch`)
  std::string body = {};
  // Set for patch only. (client-go: `GetPatchType`)
  std::optional<patch::PatchType> patch_type = {};

  // Returns whether the action has this verb and resource, ignoring case. "deployments" includes
  // its subresources; "deployments/status" means only that one. As in client-go, "*" has no special
  // meaning.
  bool Matches(absl::string_view verb, absl::string_view resource) const;

  // Returns the body of a create or update as a T. Returns INVALID_ARGUMENT if it is not one.
  template <ApiStruct T>
  absl::StatusOr<T> Object() const {
    return codec::DecodeJson<T>(body);
  }

  // Replaces the object that is sent; for reactors. Returns INVALID_ARGUMENT if it cannot be
  // encoded.
  template <ApiStruct T>
  absl::Status SetObject(const T& object) {
    KUBE_ASSIGN_OR_RETURN(std::string json, codec::EncodeJson(object), "encode object");
    return SetBody(json);
  }

 private:
  // Replaces the body, keeping kind and apiVersion of the present one.
  absl::Status SetBody(absl::string_view json);
};

}  // namespace kube::fake

#endif  // ENVTEST_FAKE_ACTION_H_
