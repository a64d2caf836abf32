// Decodes arbitrary input with a SharingStore: the objects must equal those decoded without one.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec {
namespace {

using Object = kube::kitchen::sink::v1::Sink;

std::string Protobuf(const void* object) {
  return *EncodeProtobuf(*static_cast<const Object*>(object));
}

class Test {
 public:
  explicit Test(codec::Encoding encoding)
      : encoding_(encoding), store_({.max_bytes = 20000}), decoder_({}, &store_) {}

  // Decodes each object several times. In JSON its last byte is missing at first, as if it arrived
  // in pieces.
  void Decode(absl::string_view bytes) {
    const PaddedBuffer buffer(bytes);
    if (encoding_ == codec::Encoding::kJson && bytes.size() > 1) {
      const PaddedBuffer part(bytes.substr(0, bytes.size() - 1));
      (void)decoder_.DecodeJsonPrefix(Object::kMessage, part.view());
    }
    for (int i = 0; i < 3; ++i) DecodeOnce(buffer);
  }

  // Checks that the objects have not changed, and that the store is empty when they are gone.
  void Finish() {
    for (const Kept& kept : kept_) KUBE_CHECK(Protobuf(kept.object.get()) == kept.protobuf);
    kept_.clear();
    store_.Sweep();
    KUBE_CHECK_EQ(store_.statistics().values, 0);
    KUBE_CHECK_EQ(store_.statistics().bytes, 0);
  }

 private:
  struct Kept {
    std::shared_ptr<const void> object;
    std::string protobuf;
  };

  void DecodeOnce(const PaddedBuffer& buffer) {
    Object value;
    const absl::Status status = codec::DecodeInto(reinterpret_cast<char*>(&value), Object::kMessage,
                                                  encoding_, buffer.view(), DecodeOptions{});
    absl::StatusOr<std::shared_ptr<const void>> shared =
        decoder_.DecodeAny(Object::kMessage, encoding_, buffer.view());
    KUBE_CHECK(shared.status() == status) << shared.status().ToString() << "\n"
                                          << status.ToString();
    if (!status.ok()) return;
    Kept kept = {*std::move(shared), Protobuf(&value)};
    KUBE_CHECK(Protobuf(kept.object.get()) == kept.protobuf);
    kept_.push_back(std::move(kept));
    if (kept_.size() > 16) kept_.pop_front();
  }

  const codec::Encoding encoding_;
  SharingStore store_;
  SharedDecoder decoder_;
  std::deque<Kept> kept_;
};

// The byte 0xfe, which is rare in both formats, separates objects.
void Check(absl::string_view input) {
  if (input.empty()) return;
  Test test((input[0] & 1) != 0 ? codec::Encoding::kJson : codec::Encoding::kProtobuf);
  input.remove_prefix(1);
  for (size_t end = 0; end != absl::string_view::npos; input.remove_prefix(end + 1)) {
    end = input.find('\xfe');
    test.Decode(input.substr(0, end));
    if (end == absl::string_view::npos) break;
  }
  test.Finish();
}

}  // namespace
}  // namespace kube::codec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::codec::Check(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
