#ifndef APISERVER_VERBS_OBJECT_WARNINGS_H_
#define APISERVER_VERBS_OBJECT_WARNINGS_H_

#include "absl/strings/string_view.h"
#include "apiserver/call/call.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// Adds the warnings that the object gives reason for. `old` is null for a create.
void AddWarnings(const Object& object, const Object* old, Call& call);

// Adds a warning if a pod's name cannot be its hostname: names may be longer than the DNS labels
// that hostnames must be. Call it when a generated name is known.
void AddNameWarning(absl::string_view name, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_OBJECT_WARNINGS_H_
