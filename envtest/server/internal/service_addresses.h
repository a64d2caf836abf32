#ifndef ENVTEST_SERVER_INTERNAL_SERVICE_ADDRESSES_H_
#define ENVTEST_SERVER_INTERNAL_SERVICE_ADDRESSES_H_

#include <atomic>
#include <cstdint>

#include "api/core/v1/types.kube.h"

namespace kube::envtest::internal {

// Gives new services their addresses and node ports: the next ones, none of them twice, up to the
// end of the range, where they begin anew. Those that services ask for are not kept apart from
// them. Thread-safe.
class ServiceAddresses {
 public:
  void Assign(api::core::v1::Service& service);

 private:
  std::atomic<uint32_t> next_address_ = 0;
  std::atomic<uint32_t> next_port_ = 0;
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_INTERNAL_SERVICE_ADDRESSES_H_
