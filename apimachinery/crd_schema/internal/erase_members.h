#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_ERASE_MEMBERS_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_ERASE_MEMBERS_H_

#include <string>
#include <vector>

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema::internal {

// Erases the members with these names, which must be in ascending order, in one pass. Erasing them
// one by one would move all later members each time, and clients send objects of a hundred thousand
// members.
void EraseMembers(Map<unstructured::Value>& object, const std::vector<std::string>& names);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_ERASE_MEMBERS_H_
