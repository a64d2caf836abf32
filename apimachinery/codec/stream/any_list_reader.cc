#include "apimachinery/codec/stream/any_list_reader.h"

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/list_format.h"
#include "apimachinery/table/message.h"

namespace kube::codec {
namespace {

const kube::table::Field& ItemsOf(const kube::table::Message& list) {
  for (size_t i = 0; i < list.field_count; ++i) {
    const kube::table::Field& field = list.fields[i];
    if (list.field_name(field) == "items" && field.shape == kube::table::Shape::kList &&
        field.kind == kube::table::Kind::kMessage) {
      return field;
    }
  }
  KUBE_CHECK(false) << list.type_name() << " is not a list of objects";
  return list.fields[0];
}

}  // namespace

AnyListReader::AnyListReader(ContentType content_type, SharedDecoder& decoder,
                             const kube::table::Message& list, void* header,
                             const ListReaderOptions& options) {
  const internal::ListTarget target = {decoder, list, ItemsOf(list), static_cast<char*>(header),
                                       options.max_item_bytes};
  format_ = content_type == ContentType::kJson ? internal::MakeJsonListFormat(target)
                                               : internal::MakeProtobufListFormat(target);
}

AnyListReader::~AnyListReader() = default;

absl::Status AnyListReader::Append(
    absl::string_view bytes, absl::FunctionRef<absl::Status(std::shared_ptr<const void>)> on_item) {
  if (status_.ok()) status_ = format_->Append(bytes, on_item);
  return status_;
}

absl::Status AnyListReader::Finish() {
  if (status_.ok()) status_ = format_->Finish();
  return status_;
}

}  // namespace kube::codec
