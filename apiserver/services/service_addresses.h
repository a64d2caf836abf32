#ifndef APISERVER_SERVICES_SERVICE_ADDRESSES_H_
#define APISERVER_SERVICES_SERVICE_ADDRESSES_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"

namespace kube::apiserver::internal {

// Allocates the addresses and node ports of services: the next ones of the range, which starts
// again when it is used up. It does not avoid those that services ask for, so they may be allocated
// twice (kube-apiserver: `pkg/registry/core/service/storage`). Thread-safe.
class ServiceAddresses {
 public:
  // Fills in what a new service needs. Returns a 422 if its addresses and families do not match.
  absl::Status Assign(api::core::v1::Service& service);
  // Fills in what `service`, an update of `old`, leaves out or needs in addition. Returns the 422
  // of Assign, or a 500 if two ports have the same node port.
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
