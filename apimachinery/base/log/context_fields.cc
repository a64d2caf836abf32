#include "apimachinery/base/log/context_fields.h"

#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/internal/field_list.h"
#include "apimachinery/base/log/log_record.h"

namespace kube {

Context WithLogFields(const Context& parent, absl::Span<const log::Field> fields) {
  return fields.empty() ? parent : log::internal::FieldList::Attach(parent, fields);
}

}  // namespace kube
