#ifndef CONTROLLER_TESTING_INTERNAL_LOGGED_REQUESTS_H_
#define CONTROLLER_TESTING_INTERNAL_LOGGED_REQUESTS_H_

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"

// Makes entries of the log for the tests of audits.
namespace kube::controller::internal {

// Returns the JSON value of a text; a text that is not JSON is a null value.
unstructured::Value Json(absl::string_view text);

// Returns a successful request of the user "op" about a config map in the namespace default. Its
// code is 201 for a create, else 200; updates have sent a resourceVersion, and writes have changed
// the object. `after` is the time since the Unix epoch.
apiserver::LoggedRequest Logged(absl::string_view verb, absl::string_view name,
                                absl::Duration after = absl::ZeroDuration());
// Sets the object that the request has written.
void SetObject(apiserver::LoggedRequest& request, absl::string_view json);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_LOGGED_REQUESTS_H_
