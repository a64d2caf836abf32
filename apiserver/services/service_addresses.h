#ifndef APISERVER_SERVICES_SERVICE_ADDRESSES_H_
#define APISERVER_SERVICES_SERVICE_ADDRESSES_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"

namespace kube::apiserver::internal {

// Gives services their addresses and node ports: the next ones of the range, which begins anew when
// it is used up. The addresses and ports that services ask for are not kept apart from them.
// Thread-safe. (pkg/registry/core/service/storage)
class ServiceAddresses {
 public:
  // Fills in what a new service needs. 422 with its Status if its addresses and families do not fit
  // together.
  absl::Status Assign(api::core::v1::Service& service);
  // Fills in what `service`, an update of `old`, leaves out or needs besides. 422 as Assign; 500 if
  // two ports have the same node port.
  absl::Status Reassign(const api::core::v1::Service& old, api::core::v1::Service& service);

 private:
  void AddClusterIp(api::core::v1::Service& service);
  void AddNodePorts(api::core::v1::Service& service);
  void AddHealthCheckPort(api::core::v1::Service& service);
  int32_t NextPort();

  std::atomic<uint32_t> next_address_ = 0;
  std::atomic<uint32_t> next_port_ = 0;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SERVICES_SERVICE_ADDRESSES_H_
