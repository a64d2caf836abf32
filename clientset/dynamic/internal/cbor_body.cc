#include "clientset/dynamic/internal/cbor_body.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/dynamic/internal/cbor_item_finder.h"
#include "clientset/dynamic/internal/exact_json.h"

namespace kube::dynamic::internal {
namespace {

using unstructured::Value;

constexpr size_t kMaxBody = size_t{512} << 20;
constexpr size_t kMaxItem = size_t{64} << 20;

absl::StatusOr<std::string> Convert(absl::string_view cbor) {
  KUBE_ASSIGN_OR_RETURN(const Value value, unstructured::ParseCbor(cbor));
  return EncodeExactJson(value);
}

class CborBody final : public watch::ByteStream {
 public:
  CborBody(std::unique_ptr<watch::ByteStream> next, bool sequence)
      : next_(std::move(next)), sequence_(sequence) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    while (true) {
      if (sequence_) {
        KUBE_ASSIGN_OR_RETURN(const size_t size, finder_.Find(buffer_));
        if (size > 0) return TakeItem(size);
      }
      if (ended_) return TakeRest();
      KUBE_ASSIGN_OR_RETURN(std::string bytes, next_->Read(ctx));
      ended_ = bytes.empty();
      const size_t limit = sequence_ ? kMaxItem : kMaxBody;
      if (bytes.size() > limit - buffer_.size()) {
        return absl::ResourceExhaustedError(
            absl::StrCat("read CBOR: larger than ", limit >> 20, " MiB"));
      }
      buffer_ += bytes;
      next_->Recycle(std::move(bytes));
    }
  }

  void Close() override { next_->Close(); }

 private:
  absl::StatusOr<std::string> TakeItem(size_t size) {
    absl::StatusOr<std::string> json = Convert(absl::string_view(buffer_).substr(0, size));
    buffer_.erase(0, size);
    finder_ = CborItemFinder();
    if (json.ok()) *json += '\n';
    return json;
  }

  // Returns the end, or the only item.
  absl::StatusOr<std::string> TakeRest() {
    if (buffer_.empty()) return std::string();
    if (sequence_) return absl::UnavailableError("read CBOR: the stream ended within an item");
    const std::string cbor = std::exchange(buffer_, std::string());
    return Convert(cbor);
  }

  const std::unique_ptr<watch::ByteStream> next_;
  const bool sequence_;
  CborItemFinder finder_;
  std::string buffer_;  // what is not converted yet
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<watch::ByteStream> MakeCborBody(std::unique_ptr<watch::ByteStream> next,
                                                bool sequence) {
  return std::make_unique<CborBody>(std::move(next), sequence);
}

}  // namespace kube::dynamic::internal
