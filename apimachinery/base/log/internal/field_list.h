#ifndef APIMACHINERY_BASE_LOG_INTERNAL_FIELD_LIST_H_
#define APIMACHINERY_BASE_LOG_INTERNAL_FIELD_LIST_H_

#include <forward_list>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log_record.h"

namespace kube::log::internal {

// Returns `inherited` without the fields whose keys `own` has, and then `own`.
std::vector<Field> Merge(absl::Span<const Field> inherited, absl::Span<const Field> own);

// The log fields that a Context carries, as copies: a Field itself only refers to its texts.
// Immutable, so thread-safe. A context knows this type by name alone, so that it depends on no log.
class FieldList {
 public:
  explicit FieldList(absl::Span<const Field> fields);
  FieldList(const FieldList&) = delete;
  FieldList& operator=(const FieldList&) = delete;

  // Returns a context below `parent` that carries the fields of `parent` and `fields`, merged.
  static Context Attach(const Context& parent, absl::Span<const Field> fields);

  // Returns the fields that `ctx` carries. They are valid as long as `ctx`.
  static absl::Span<const Field> Of(const Context& ctx);

 private:
  absl::string_view Keep(absl::string_view text);
  Value Keep(const Value& value);

  std::string text_;  // all texts; reserved at once, because the fields refer to it
  std::forward_list<absl::Status> statuses_;
  std::vector<Field> fields_;
};

}  // namespace kube::log::internal

#endif  // APIMACHINERY_BASE_LOG_INTERNAL_FIELD_LIST_H_
