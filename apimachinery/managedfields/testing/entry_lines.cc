#include "apimachinery/managedfields/testing/entry_lines.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/time.h"

namespace kube::managedfields {

using api::meta::v1::ManagedFieldsEntry;

List<ManagedFieldsEntry> ParseEntryLines(const std::vector<std::string>& lines) {
  List<ManagedFieldsEntry> entries;
  for (const std::string& line : lines) {
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(' ', 5));
    KUBE_CHECK_EQ(parts.size(), 6u) << line;
    ManagedFieldsEntry entry = {.manager = parts[0],
                                .operation = parts[1],
                                .api_version = parts[2],
                                .fields_type = "FieldsV1",
                                .fields_v1 = FieldsV1(parts[5])};
    if (parts[3] != "-") entry.subresource = parts[3];
    int64_t seconds = 0;
    if (parts[4] != "-") {
      KUBE_CHECK(absl::SimpleAtoi(parts[4], &seconds)) << line;
      entry.time = Time::FromUnixSeconds(seconds);
    }
    entries.push_back(entry);
  }
  return entries;
}

std::vector<std::string> EntryLines(const List<ManagedFieldsEntry>& entries) {
  std::vector<std::string> lines;
  for (const ManagedFieldsEntry& entry : entries) {
    const std::string seconds =
        entry.time.has_value() ? absl::StrCat(entry.time->ToUnixSeconds()) : "-";
    lines.push_back(absl::StrCat(entry.manager.view(), " ", entry.operation.view(), " ",
                                 entry.api_version.view(), " ",
                                 entry.subresource.empty() ? "-" : entry.subresource.view(), " ",
                                 seconds, " ", entry.fields_v1->view()));
  }
  return lines;
}

}  // namespace kube::managedfields
