// Decodes arbitrary bytes as watches: no crash, and the same result for any chunks.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/watch_reader.h"
#include "apimachinery/codec/testing/fuzz_chunks.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec {
namespace {

// Conditions stand in for a Status, as a type that differs from the objects'.
using Object = kube::kitchen::sink::v1::Sink;
using Status = kube::kitchen::base::v1::Condition;
using Reader = WatchReader<Object, Status>;

struct Outcome {
  absl::Status status;
  std::vector<std::string> events;
  bool between = false;
};

Outcome Read(const internal::StreamInput& input, uint8_t chunks) {
  Outcome outcome;
  SharingStore store;
  SharedDecoder decoder({}, &store);
  Reader reader(input.is_json ? ContentType::kJson : ContentType::kProtobuf, decoder,
                {.max_event_bytes = 2000});
  internal::AppendInChunks(input.body, chunks, [&](absl::string_view chunk) {
    outcome.status = reader.Append(chunk, [&](WatchFrame<Object, Status> event) {
      if (!event.unexpected_kind.empty()) {
        KUBE_CHECK(event.object == nullptr && event.status == nullptr);
        outcome.events.push_back(event.unexpected_kind);
        return absl::OkStatus();
      }
      KUBE_CHECK((event.object == nullptr) != (event.status == nullptr));
      outcome.events.push_back(absl::StrCat(event.type, " ",
                                            event.object != nullptr
                                                ? *EncodeProtobuf(*event.object)
                                                : *EncodeProtobuf(*event.status)));
      return absl::OkStatus();
    });
    return outcome.status.ok();
  });
  outcome.between = reader.IsBetweenEvents();
  return outcome;
}

void Check(const internal::StreamInput& input) {
  const Outcome outcome = Read(input, input.chunks);
  const Outcome at_once = Read(input, 255);
  KUBE_CHECK(outcome.status == at_once.status) << outcome.status.ToString() << "\n"
                                               << at_once.status.ToString();
  KUBE_CHECK(outcome.events == at_once.events);
  KUBE_CHECK(!outcome.status.ok() || outcome.between == at_once.between);
}

}  // namespace
}  // namespace kube::codec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::codec::Check(kube::codec::internal::StreamInput(data, size));
  return 0;
}
