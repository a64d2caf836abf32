#ifndef APISERVER_REGISTRY_ACCOUNT_ADMISSION_H_
#define APISERVER_REGISTRY_ACCOUNT_ADMISSION_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

// The admission plugin ServiceAccount of kube-apiserver: gives a pod that is being created the
// service account "default" if it names none, a volume with a token of its account, and the
// account's secrets for pulling images. Other objects stay as they are. Returns a 403, with
// upstream's message, if the account does not exist, or if the pod uses a secret that it may not
// (kube-apiserver: `plugin/pkg/admission/serviceaccount`). Unlike upstream, it does not wait a
// second for an account that a controller will create, and does not check ephemeral containers.
// `namespace_name` is that of the request. It may be called again with its own result. Thread-safe
// for different objects.
absl::Status AdmitAccount(const Storage& storage, const Resource& resource,
                          absl::string_view namespace_name, Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_ACCOUNT_ADMISSION_H_
