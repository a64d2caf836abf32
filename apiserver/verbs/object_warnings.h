#ifndef APISERVER_VERBS_OBJECT_WARNINGS_H_
#define APISERVER_VERBS_OBJECT_WARNINGS_H_

#include "absl/strings/string_view.h"
#include "apiserver/call/call.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// What the object itself gives reason to say; `old` is null for a creation.
void AddWarnings(const Object& object, const Object* old, Call& call);

// The names of pods are those of hosts, which are DNS labels, although a pod's may be longer. Of a
// generated name nothing is known before the object is made.
void AddNameWarning(absl::string_view name, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_OBJECT_WARNINGS_H_
