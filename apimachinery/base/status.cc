#include "apimachinery/base/status.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::base {

absl::Status Annotate(const absl::Status& status, absl::string_view context) {
  if (status.ok() || context.empty()) return status;
  absl::Status annotated(status.code(), status.message().empty()
                                            ? std::string(context)
                                            : absl::StrCat(context, ": ", status.message()));
  status.ForEachPayload([&](absl::string_view type_url, const absl::Cord& payload) {
    annotated.SetPayload(type_url, payload);
  });
  return annotated;
}

absl::Status JoinErrors(absl::Span<const absl::Status> errors) {
  const absl::Status* first = nullptr;
  bool same_code = true;
  std::vector<absl::string_view> messages;
  for (const absl::Status& error : errors) {
    if (error.ok()) continue;
    if (first == nullptr) first = &error;
    same_code = same_code && error.code() == first->code();
    if (!absl::c_linear_search(messages, error.message())) messages.push_back(error.message());
  }
  if (first == nullptr) return absl::OkStatus();
  if (messages.size() == 1 && same_code) return *first;
  return absl::Status(same_code ? first->code() : absl::StatusCode::kUnknown,
                      messages.size() == 1 ? std::string(messages[0])
                                           : absl::StrCat("[", absl::StrJoin(messages, ", "), "]"));
}

}  // namespace kube::base
