#ifndef APISERVER_CRD_SCHEMA_INTERNAL_ERASE_MEMBERS_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_ERASE_MEMBERS_H_

#include <string>
#include <vector>

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema::internal {

// Erases the members of these names, which ascend, in one pass. Each erase of a Map moves all that
// stands behind: clients send objects of a hundred thousand members.
void EraseMembers(Map<unstructured::Value>& object, const std::vector<std::string>& names);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_ERASE_MEMBERS_H_
