// While a list of 100 MB arrives in small pieces, no more than one item is in memory.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/list_reader.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace {

// The largest allocation requested from `new`, which all buffers use.
size_t g_largest_new = 0;

}  // namespace

void* operator new(size_t bytes) {
  g_largest_new = std::max(g_largest_new, bytes);
  void* memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace kube::codec {
namespace {

namespace sink = kube::kitchen::sink::v1;

// Cuts its input into chunks of 16 KiB.
class Chunks {
 public:
  explicit Chunks(ListReader<sink::SinkList, sink::Sink>& reader) : reader_(reader) {
    chunk_.reserve(kSize);
  }

  void Append(absl::string_view bytes) {
    while (!bytes.empty()) {
      const size_t size = std::min(bytes.size(), kSize - chunk_.size());
      chunk_.append(bytes.data(), size);
      bytes.remove_prefix(size);
      if (chunk_.size() == kSize) Flush();
    }
  }
  void Flush() {
    const absl::Status status = reader_.Append(chunk_, [this](std::shared_ptr<const sink::Sink>) {
      ++items_;
      return absl::OkStatus();
    });
    ASSERT_TRUE(status.ok()) << status;
    chunk_.clear();
  }

  size_t items() const { return items_; }

 private:
  static constexpr size_t kSize = size_t{16} << 10;

  ListReader<sink::SinkList, sink::Sink>& reader_;
  std::string chunk_;
  size_t items_ = 0;
};

std::string Varint(size_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

TEST(ListMemoryTest, IsThatOfAnItem) {
  constexpr size_t kBody = 100'000'000;
  sink::Sink item;
  item.metadata.name = "a name";
  for (int i = 0; i < 20; ++i) {
    item.metadata.annotations[absl::StrCat("key-", i)] = std::string(500, 'x');
  }
  for (const bool is_json : {true, false}) {
    SharedDecoder decoder;
    ListReader<sink::SinkList, sink::Sink> reader(
        is_json ? ContentType::kJson : ContentType::kProtobuf, decoder);
    Chunks chunks(reader);
    const std::string bytes = is_json ? *EncodeJson(item) : *EncodeProtobuf(item);
    const std::string field =
        is_json ? absl::StrCat(bytes, ",") : absl::StrCat("\x12", Varint(bytes.size()), bytes);
    const size_t count = kBody / field.size();
    g_largest_new = 0;
    chunks.Append(
        is_json ? R"({"items":[)"
                : absl::StrCat(absl::string_view("k8s\0\x12", 5), Varint(count * field.size())));
    for (size_t i = 0; i < count; ++i) chunks.Append(field);
    if (is_json) chunks.Append(absl::StrCat(bytes, "]}"));
    chunks.Flush();
    EXPECT_TRUE(reader.Finish().ok());
    EXPECT_EQ(chunks.items(), count + (is_json ? 1 : 0));
    EXPECT_GT(g_largest_new, size_t{16} << 10);
    EXPECT_LT(g_largest_new, size_t{64} << 10);
  }
}

}  // namespace
}  // namespace kube::codec
