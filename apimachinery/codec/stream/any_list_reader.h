#ifndef APIMACHINERY_CODEC_STREAM_ANY_LIST_READER_H_
#define APIMACHINERY_CODEC_STREAM_ANY_LIST_READER_H_

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

namespace internal {
class ListFormat;
}  // namespace internal

struct ListReaderOptions {
  // No item, and nothing else in the list, may be larger. Default: 256 MiB, far more than a server
  // stores; a SharedDecoder takes up to 512 MiB.
  size_t max_item_bytes = size_t{256} << 20;
};

// A ListReader of a list whose type is known only at run time, for code that is generic over types.
// Its methods are those of ListReader, but that the caller owns the list. Thread-compatible.
class AnyListReader {
 public:
  // `list` is the type of the list, and `header` a list of that type with the default value. The
  // reader fills all of it but the items; it is complete when Finish returns OK. `decoder` and
  // `header` must outlive the reader. `decoder` decodes nothing else meanwhile.
  AnyListReader(ContentType content_type, SharedDecoder& decoder, const kube::table::Message& list,
                void* header, const ListReaderOptions& options = {});
  ~AnyListReader();
  AnyListReader(const AnyListReader&) = delete;
  AnyListReader& operator=(const AnyListReader&) = delete;

  absl::Status Append(absl::string_view bytes,
                      absl::FunctionRef<absl::Status(std::shared_ptr<const void>)> on_item);
  absl::Status Finish();

 private:
  std::unique_ptr<internal::ListFormat> format_;
  absl::Status status_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_STREAM_ANY_LIST_READER_H_
