#ifndef APISERVER_PRINTERS_INTERNAL_CONTAINERS_H_
#define APISERVER_PRINTERS_INTERNAL_CONTAINERS_H_

#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apiserver/printers/internal/row.h"

namespace kube::printers::internal {

// Appends two cells: the names and the images of the containers.
void PrintContainers(const List<api::core::v1::Container>& containers, Row& row);

}  // namespace kube::printers::internal

#endif  // APISERVER_PRINTERS_INTERNAL_CONTAINERS_H_
