#ifndef CONTROLLER_TESTING_INTERNAL_LOGGED_OBJECT_H_
#define CONTROLLER_TESTING_INTERNAL_LOGGED_OBJECT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_options.h"

// What audits read from a logged request and from an object. Pure functions.
namespace kube::controller::internal {

// Returns whether the request is the operator's.
bool IsOperators(const apiserver::LoggedRequest& request, const AuditOptions& options);
// Returns whether the request is an update or a patch of an object or of its status that has
// succeeded and was no dry run.
bool IsSuccessfulUpdate(const apiserver::LoggedRequest& request);
// Returns whether the request has created an object.
bool IsCreation(const apiserver::LoggedRequest& request);
// Returns whether the resource is that of events, or of leases, which operators write all the time.
bool IsEvent(const apiserver::LoggedRequest& request);
bool IsLease(const apiserver::LoggedRequest& request);

// Returns "deployments.apps" for a resource and its group.
std::string ResourceName(absl::string_view resource, absl::string_view group);
// Returns "deployments.apps default/web", or "deployments.apps default/" if the request is about no
// single object, and "" for a path without a resource.
std::string ObjectText(const apiserver::LoggedRequest& request);
// Returns the same for an object.
std::string ObjectText(absl::string_view resource, const unstructured::Value& object);
// Returns whether the request is about one object.
bool NamesObject(const apiserver::LoggedRequest& request);
// Returns "events Website default/blog" for an event about that object; "" if the event is unknown.
std::string EventText(const apiserver::LoggedRequest& request);
// Returns the user and, if there is one, the program.
std::string WriterText(const apiserver::LoggedRequest& request);

// Returns a member of the object's metadata, or "".
std::string MetadataText(const unstructured::Value& object, absl::string_view field);
std::vector<std::string> Finalizers(const unstructured::Value& object);
// Returns the owner reference that is the controller, or null.
const unstructured::Value* ControllerOf(const unstructured::Value& object);
// Returns the object, or its status, as JSON, without what each write changes: resourceVersion,
// generation, managed fields and the times of conditions.
std::string ContentText(const unstructured::Value& object, bool status);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_LOGGED_OBJECT_H_
