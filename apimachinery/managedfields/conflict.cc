#include "apimachinery/managedfields/conflict.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/list.h"

namespace kube::managedfields {
namespace {

namespace metav1 = api::meta::v1;

constexpr absl::string_view kCausePrefix = "conflict with ";

// Times are not shown: they are not part of the identity (apimachinery: `printManager`).
std::string Describe(const ManagerId& manager) {
  std::string description = text::Quoted(manager.name);
  if (!manager.subresource.empty()) {
    absl::StrAppend(&description, " with subresource ", text::Quoted(manager.subresource));
  }
  if (manager.operation == Operation::kUpdate) {
    absl::StrAppend(&description, " using ", manager.api_version);
  }
  return description;
}

// Returns the conflicts in the order of the texts of their managers.
std::vector<const ManagerConflict*> SortedByManager(const std::vector<ManagerConflict>& conflicts) {
  std::vector<std::pair<std::string, const ManagerConflict*>> named;
  named.reserve(conflicts.size());
  for (const ManagerConflict& conflict : conflicts) {
    named.emplace_back(conflict.manager.ToString(), &conflict);
  }
  std::sort(named.begin(), named.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const ManagerConflict*> sorted;
  sorted.reserve(named.size());
  for (const auto& [name, conflict] : named) sorted.push_back(conflict);
  return sorted;
}

}  // namespace

absl::Status ConflictError(const std::vector<ManagerConflict>& conflicts) {
  const std::vector<const ManagerConflict*> sorted = SortedByManager(conflicts);
  List<metav1::StatusCause> causes;
  std::string grouped;
  for (const ManagerConflict* conflict : sorted) {
    const std::string manager = Describe(conflict->manager);
    absl::StrAppend(&grouped, grouped.empty() ? "" : "\n", "conflicts with ", manager, ":");
    conflict->fields.VisitPaths([&](const Path& path) {
      const std::string field = PathText(path);
      absl::StrAppend(&grouped, "\n- ", field);
      causes.push_back({.reason = metav1::kCauseTypeFieldManagerConflict,
                        .message = absl::StrCat(kCausePrefix, manager),
                        .field = field});
    });
  }
  const std::string message =
      causes.size() == 1
          ? absl::StrCat("Apply failed with 1 conflict: ", causes[0].message.view(), ": ",
                         causes[0].field.view())
          : absl::StrCat("Apply failed with ", causes.size(), " conflicts: ", grouped);
  return errors::ApplyConflict(std::move(causes), message);
}

std::vector<ApplyConflict> ApplyConflicts(const absl::Status& status) {
  const std::optional<metav1::Status> answer = errors::StatusOf(status);
  if (!answer || answer->reason != metav1::kStatusReasonConflict || !answer->details) return {};
  std::vector<ApplyConflict> conflicts;
  for (const metav1::StatusCause& cause : answer->details->causes) {
    if (cause.reason != metav1::kCauseTypeFieldManagerConflict) continue;
    const absl::string_view manager = absl::StripPrefix(cause.message.view(), kCausePrefix);
    conflicts.push_back(
        {.manager = std::string(manager), .field = std::string(cause.field.view())});
  }
  return conflicts;
}

}  // namespace kube::managedfields
