#include "apimachinery/codec/stream/list_format.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"

namespace kube::codec::internal {

absl::Status ListTarget::ItemError(size_t index, size_t offset, const absl::Status& status) const {
  return base::Annotate(status, absl::StrCat("decode ", list.type_name(), ": items[", index,
                                             "] (from byte ", offset, ")"));
}

absl::Status ListTarget::Error(absl::string_view cause, size_t offset) const {
  return absl::InvalidArgumentError(
      absl::StrCat("decode ", list.type_name(), ": ", cause, " (byte ", offset, ")"));
}

}  // namespace kube::codec::internal
