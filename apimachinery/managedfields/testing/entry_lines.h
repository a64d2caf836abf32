#ifndef APIMACHINERY_MANAGEDFIELDS_TESTING_ENTRY_LINES_H_
#define APIMACHINERY_MANAGEDFIELDS_TESTING_ENTRY_LINES_H_

#include <string>
#include <vector>

#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"

// Entries of metadata.managedFields as lines that tests can read. A line is
//
//   MANAGER OPERATION APIVERSION SUBRESOURCE SECONDS FIELDS
//
// where "-" stands for an absent subresource or time, and the seconds are those since 1970:
// `ctl Apply apps/v1 - 100 {"f:spec":{"f:replicas":{}}}`.
namespace kube::managedfields {

// Returns the entries of the lines: a null list if there are no lines.
List<api::meta::v1::ManagedFieldsEntry> ParseEntryLines(const std::vector<std::string>& lines);

std::vector<std::string> EntryLines(const List<api::meta::v1::ManagedFieldsEntry>& entries);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TESTING_ENTRY_LINES_H_
