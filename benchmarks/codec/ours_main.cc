// ours MODE FOLDER SET FORMAT: measures this library. Modes: "sharing", as a cache works; "block",
// the same without a SharingStore; "value", for objects passed by value; "projected", as a cache
// that drops managedFields.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/list_reader.h"
#include "benchmarks/codec/meter.h"
#include "benchmarks/codec/mixed.h"
#include "benchmarks/codec/records.h"

namespace kube::benchmarks {
namespace {

using api::core::v1::Pod;
using api::core::v1::PodList;
using codec::Encoding;

void Check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

int64_t SumOfSizes(const std::vector<absl::string_view>& pods) {
  int64_t bytes = 0;
  for (const absl::string_view pod : pods) bytes += static_cast<int64_t>(pod.size());
  return bytes;
}

// Returns the bytes before a PodList of `size` bytes: "k8s", a zero byte, and tag and length of the
// field raw of runtime.Unknown.
std::string EnvelopeStart(size_t size) {
  std::string start("k8s\0\x12", 5);
  for (; size >= 0x80; size >>= 7) start += static_cast<char>(size | 0x80);
  start += static_cast<char>(size);
  return start;
}

Pod DecodeValue(absl::string_view bytes, Encoding encoding) {
  Pod pod;
  Check(codec::DecodeInto(reinterpret_cast<char*>(&pod), Pod::kMessage, encoding, bytes, {}));
  return pod;
}

// The parts for a pod by value, which every mode has: a copy of a cached pod, and encoding.
void MeasureValues(const Records& records, Encoding encoding, Meter& meter) {
  std::vector<Pod> pods(records.pods.size());
  for (size_t i = 0; i < pods.size(); ++i) pods[i] = DecodeValue(records.pods[i], encoding);
  std::vector<Pod> copies(pods.size());
  std::vector<Pod> old(pods.size());
  meter.Time({{"copy",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) copies[i] = Pod(pods[i]);
               }},
              {"copy_destroy", [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) Pod gone(std::move(copies[i]));
               }}});
  size_t bytes = 0;
  meter.Time({{"encode",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   const absl::StatusOr<std::string> text = encoding == Encoding::kJson
                                                                ? codec::EncodeJson(pods[i])
                                                                : codec::EncodeProtobuf(pods[i]);
                   Check(text.status());
                   bytes += text->size();
                 }
               },
               SumOfSizes(records.pods)}});
  if (bytes == 0) std::exit(1);  // uses the result
}

// Decodes the list of all pods from pieces, as a connection delivers them.
void ReadList(absl::string_view body, codec::ContentType content_type,
              codec::SharedDecoder& decoder, std::vector<std::shared_ptr<const void>>& pods) {
  constexpr size_t kChunk = size_t{64} << 10;
  codec::ListReader<PodList, Pod> reader(content_type, decoder);
  size_t count = 0;
  const auto keep = [&](std::shared_ptr<const Pod> pod) {
    pods[count++] = std::move(pod);
    return absl::OkStatus();
  };
  const auto append = [&](absl::string_view bytes) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kChunk))) {
      Check(reader.Append(bytes.substr(0, kChunk), keep));
    }
  };
  if (content_type == codec::ContentType::kProtobuf) append(EnvelopeStart(body.size()));
  append(body);
  Check(reader.Finish().status());
}

void MeasureShared(const Records& records, Encoding encoding, bool sharing,
                   const codec::DecodeOptions& options = {}) {
  std::optional<codec::SharingStore> store;
  if (sharing) store.emplace();
  codec::SharedDecoder decoder(options, sharing ? &*store : nullptr);
  std::vector<std::shared_ptr<const void>> pods(records.pods.size());
  const auto decode = [&](size_t i) {
    absl::StatusOr<std::shared_ptr<const void>> pod =
        decoder.DecodeAny(Pod::kMessage, encoding, records.pods[i]);
    Check(pod.status());
    return *std::move(pod);
  };
  Meter meter(records.pods.size());
  meter.Memory([&] {
    for (size_t i = 0; i < pods.size(); ++i) pods[i] = decode(i);
  });
  std::vector<std::shared_ptr<const void>> fresh(Meter::kBatch);
  meter.Time({{"decode",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) fresh[i - begin] = decode(i);
               },
               SumOfSizes(records.pods)},
              {"destroy", [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) pods[i] = std::move(fresh[i - begin]);
               }}});
  const auto content_type =
      encoding == Encoding::kJson ? codec::ContentType::kJson : codec::ContentType::kProtobuf;
  meter.Time(
      {{"decode_list", [&](size_t, size_t) { ReadList(records.list, content_type, decoder, pods); },
        static_cast<int64_t>(records.list.size())}},
      pods.size());
  pods.clear();
  MeasureValues(records, encoding, meter);
  std::cout << meter.report().ToJson() << std::endl;
}

void MeasureByValue(const Records& records, Encoding encoding) {
  std::vector<Pod> pods(records.pods.size());
  Meter meter(records.pods.size());
  meter.Memory([&] {
    for (size_t i = 0; i < pods.size(); ++i) pods[i] = DecodeValue(records.pods[i], encoding);
  });
  std::vector<Pod> fresh(Meter::kBatch);
  meter.Time({{"decode",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   fresh[i - begin] = DecodeValue(records.pods[i], encoding);
                 }
               },
               SumOfSizes(records.pods)},
              {"destroy", [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   pods[i] = Pod();
                   pods[i] = std::move(fresh[i - begin]);
                 }
               }}});
  std::cout << meter.report().ToJson() << std::endl;
}

int Main(absl::string_view mode, absl::string_view folder, absl::string_view set,
         absl::string_view format) {
  const absl::StatusOr<Records> records = OpenRecords(absl::StrCat(folder, "/", set, ".", format));
  Check(records.status());
  const Encoding encoding = format == "json" ? Encoding::kJson : Encoding::kProtobuf;
  if (set == "M") {
    MeasureMixed(*records, encoding, mode);
  } else if (mode == "value") {
    MeasureByValue(*records, encoding);
  } else if (mode == "projected") {
    const absl::StatusOr<codec::Projection> projection =
        codec::Projection::Make<Pod>({.drop = {"metadata.managedFields"}});
    Check(projection.status());
    MeasureShared(*records, encoding, true, {.projection = &*projection});
  } else {
    MeasureShared(*records, encoding, mode == "sharing");
  }
  return 0;
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  if (argc != 5) {
    std::cerr << "usage: ours MODE FOLDER SET FORMAT\n";
    return 2;
  }
  return kube::benchmarks::Main(argv[1], argv[2], argv[3], argv[4]);
}
