#ifndef APISERVER_TRACKING_RESET_FIELDS_H_
#define APISERVER_TRACKING_RESET_FIELDS_H_

#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/field_set.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// Returns which fields a write to `subresource` of the resource does not own, because the server
// resets them: the status, for a write to the object itself. "" is the object itself. As upstream,
// a write to pods/resize or pods/ephemeralcontainers owns all that it tried to change: the
// strategies have filters for them, which nobody asks for (kube-apiserver: `GetResetFields` of the
// strategies in `pkg/registry`). The filters are made once.
const managedfields::FieldFilter& ResetFieldsOf(const Resource& resource,
                                                absl::string_view subresource);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TRACKING_RESET_FIELDS_H_
