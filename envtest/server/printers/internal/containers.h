#ifndef ENVTEST_SERVER_PRINTERS_INTERNAL_CONTAINERS_H_
#define ENVTEST_SERVER_PRINTERS_INTERNAL_CONTAINERS_H_

#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "envtest/server/printers/internal/row.h"

namespace kube::envtest::printers::internal {

// Two cells: the names and the images of the containers.
void PrintContainers(const List<api::core::v1::Container>& containers, Row& row);

}  // namespace kube::envtest::printers::internal

#endif  // ENVTEST_SERVER_PRINTERS_INTERNAL_CONTAINERS_H_
