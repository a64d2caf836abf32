// Decodes arbitrary bytes as protobuf: no crash, no hang; all decoders agree, and the result
// survives encoding and decoding.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/envelope.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/decode_every_way.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::codec::internal {
namespace {

void CheckMessage(const oracle::KitchenType& type, absl::string_view wire) {
  const absl::StatusOr<std::string> first = DecodeEveryWay(*type.message, wire);
  if (!first.ok()) return;
  const absl::StatusOr<std::string> second = DecodeEveryWay(*type.message, *first);
  KUBE_CHECK_OK(second.status());
  KUBE_CHECK(*second == *first);
}

void CheckEnvelope(const oracle::KitchenType& type, absl::string_view body) {
  const PaddedBuffer buffer(body);
  const absl::StatusOr<codec::Envelope> envelope = codec::ParseEnvelope(buffer.view());
  SampleObject object(*type.message);
  const absl::Status decoded =
      codec::DecodeEnvelopeInto(object.get(), *type.message, buffer.view(), DecodeOptions{});
  KUBE_CHECK(envelope.ok() || !decoded.ok());
  if (!decoded.ok()) return;
  std::string again;
  KUBE_CHECK_OK(
      AppendKubernetesProtobuf(again, object.get(), *type.message,
                               {.api_version = envelope->api_version, .kind = envelope->kind}));
  const PaddedBuffer padded(again);
  const absl::StatusOr<codec::Envelope> other = codec::ParseEnvelope(padded.view());
  KUBE_CHECK_OK(other.status());
  KUBE_CHECK(other->kind == envelope->kind && other->api_version == envelope->api_version);
}

// The first byte says which type it is.
void CheckAll(absl::string_view input) {
  if (input.empty()) return;
  const absl::Span<const oracle::KitchenType> types = oracle::KitchenTypes();
  const oracle::KitchenType& type = types[static_cast<uint8_t>(input[0]) % types.size()];
  input.remove_prefix(1);
  CheckMessage(type, input);
  CheckEnvelope(type, input);
  absl::string_view event_type;
  absl::string_view event_body;
  const PaddedBuffer buffer(input);
  (void)codec::ParseWatchEvent(buffer.view(), event_type, event_body);
}

}  // namespace
}  // namespace kube::codec::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::codec::internal::CheckAll(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
