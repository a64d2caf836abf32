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

// What a client has asked a fake::Clientset to do: a request, read. (client-go's testing.Action and
// its forms for each verb, in one)
//
// A value. Thread-compatible.
struct Action {
  // get, list, watch, create, update, patch, delete, deletecollection. (GetVerb; client-go's fake
  // calls the last one "delete-collection")
  std::string verb = {};
  // Without a resource, as of /version, all but `verb` and `path` is empty. (GetResource)
  schema::GroupVersionResource resource = {};
  std::string subresource = {};  // "status"
  // Empty: of all namespaces, or of what is in none. (GetNamespace)
  std::string namespace_name = {};
  // As the path has it: empty of create, list, watch and deletecollection. (GetName)
  std::string name = {};

  // Of the URL: "/api/v1/namespaces/prod/pods"; and what the options have become: "labelSelector",
  // "fieldManager", "dryRun". (GetListRestrictions, GetCreateOptions and so on)
  std::string path = {};
  queryparams::Values query = {};

  // What was sent, in JSON: of create and update the object, of delete the options, of patch what
  // GetPatch gives. (GetObject, GetDeleteOptions, GetPatch)
  std::string body = {};
  // Of patch. (GetPatchType)
  std::optional<patch::PatchType> patch_type = {};

  // Whether it is that verb of that resource: Matches("update", "deployments"), also of its
  // subresources; Matches("update", "deployments/status") of that one alone. Case does not matter.
  // As upstream, a "*" means nothing here.
  bool Matches(absl::string_view verb, absl::string_view resource) const;

  // What was sent, as a T: the object of create or update. INVALID_ARGUMENT: it is none.
  template <ApiStruct T>
  absl::StatusOr<T> Object() const {
    return codec::DecodeJson<T>(body);
  }

  // For reactors: sends that instead. INVALID_ARGUMENT: it cannot be encoded.
  template <ApiStruct T>
  absl::Status SetObject(const T& object) {
    KUBE_ASSIGN_OR_RETURN(std::string json, codec::EncodeJson(object), "encode the object");
    return SetBody(json);
  }

 private:
  // Keeps kind and apiVersion of what was sent.
  absl::Status SetBody(absl::string_view json);
};

}  // namespace kube::fake

#endif  // ENVTEST_FAKE_ACTION_H_
