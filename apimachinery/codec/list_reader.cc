#include "apimachinery/codec/list_reader.h"

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/internal/list_format.h"
#include "apimachinery/codec/shared_decoder.h"
#include "apimachinery/types/internal/message.h"

namespace kube::codec::internal {
namespace {

const kube::internal::Field& ItemsOf(const kube::internal::Message& list) {
  for (size_t i = 0; i < list.field_count; ++i) {
    const kube::internal::Field& field = list.fields[i];
    if (list.field_name(field) == "items" && field.shape == kube::internal::Shape::kList &&
        field.kind == kube::internal::Kind::kMessage) {
      return field;
    }
  }
  KUBE_CHECK(false) << list.type_name() << " is no list of objects";
  return list.fields[0];
}

}  // namespace

absl::Status ListTarget::ItemError(size_t index, size_t offset, const absl::Status& status) const {
  return base::Annotate(status, absl::StrCat("decode ", list.type_name(), ": items[", index,
                                             "] (from byte ", offset, ")"));
}

absl::Status ListTarget::Error(absl::string_view cause, size_t offset) const {
  return absl::InvalidArgumentError(
      absl::StrCat("decode ", list.type_name(), ": ", cause, " (byte ", offset, ")"));
}

ListReaderCore::ListReaderCore(ContentType content_type, SharedDecoder& decoder,
                               const kube::internal::Message& list, char* header,
                               size_t max_item_bytes) {
  const ListTarget target = {decoder, list, ItemsOf(list), header, max_item_bytes};
  format_ = content_type == ContentType::kJson ? MakeJsonListFormat(target)
                                               : MakeProtobufListFormat(target);
}

ListReaderCore::~ListReaderCore() = default;

absl::Status ListReaderCore::Append(absl::string_view bytes, OnListItem on_item) {
  if (status_.ok()) status_ = format_->Append(bytes, on_item);
  return status_;
}

absl::Status ListReaderCore::Finish() {
  if (status_.ok()) status_ = format_->Finish();
  return status_;
}

}  // namespace kube::codec::internal
