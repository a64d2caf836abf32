#ifndef CONTROLLER_MANAGER_INTERNAL_OWN_ACCESS_H_
#define CONTROLLER_MANAGER_INTERNAL_OWN_ACCESS_H_

#include <vector>

#include "controller/cache/required_access.h"
#include "controller/manager/manager_options.h"
#include "webhook/registration.h"

namespace kube::controller::internal {

// Returns whether the metrics endpoint asks the API server who its readers are.
bool ReviewsTokens(const ManagerOptions& options);

// Returns what a manager with these options needs rights for by itself: events, the lease, the
// reviews of those who read the metrics, the configurations into which it writes the authority of
// its webhooks, which are `webhooks`. `options` have a name. If the cache is limited to namespaces,
// events are written in these, in that of the lease, and in those of the watches and controllers
// that have noted `noted`.
std::vector<RequiredAccess> OwnAccess(const ManagerOptions& options,
                                      const std::vector<webhook::Registration>& webhooks = {},
                                      const std::vector<RequiredAccess>& noted = {});

// Returns the rights of OwnAccess, and then the noted ones that are not among them.
std::vector<RequiredAccess> AllAccess(const ManagerOptions& options,
                                      const std::vector<webhook::Registration>& webhooks,
                                      std::vector<RequiredAccess> noted);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_OWN_ACCESS_H_
