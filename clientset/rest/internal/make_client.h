#ifndef CLIENTSET_REST_INTERNAL_MAKE_CLIENT_H_
#define CLIENTSET_REST_INTERNAL_MAKE_CLIENT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/transport.h"

namespace kube::rest::internal {

// MakeClient with these instead of those that the configuration describes; neither is null.
// config.wrap_transport is put around the transport.
absl::StatusOr<Client> MakeClientWith(const Config& config,
                                      std::shared_ptr<Authenticator> authenticator,
                                      std::shared_ptr<Transport> transport);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_MAKE_CLIENT_H_
