#ifndef EXAMPLES_TESTING_OBJECTS_H_
#define EXAMPLES_TESTING_OBJECTS_H_

#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

// Sends the objects of YAML files to a server, in their order. Objects that name no namespace are
// in "default". Errors name the file and the line of the document.
namespace examples {

// Creates the objects as `kubectl create -f` does, and gives those that have a status that status.
absl::Status CreateObjects(const kube::Context& ctx, const kube::rest::Client& client,
                           const std::string& path);

// Does what other users of the server could do while a program runs. For each document:
//
// * With the member `$patch: delete`, deletes the object.
// * With a status, merges the status into that of the object, which must exist.
// * Otherwise merges the document into the object, or creates the object if it does not exist.
absl::Status ApplyChanges(const kube::Context& ctx, const kube::rest::Client& client,
                          const std::string& path);

}  // namespace examples

#endif  // EXAMPLES_TESTING_OBJECTS_H_
