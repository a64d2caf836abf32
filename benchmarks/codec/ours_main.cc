// ours MODE FOLDER SET FORMAT: measures this library. Modes: sharing, what a cache does; block, the
// same without a SharingStore; value, objects that are handed out by value.
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
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/internal/decode.h"
#include "apimachinery/codec/shared_decoder.h"
#include "apimachinery/codec/sharing_store.h"
#include "benchmarks/codec/meter.h"
#include "benchmarks/codec/records.h"

namespace kube::benchmarks {
namespace {

using api::core::v1::Pod;
using codec::internal::Encoding;

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

Pod DecodeValue(absl::string_view bytes, Encoding encoding) {
  Pod pod;
  Check(codec::internal::DecodeInto(reinterpret_cast<char*>(&pod), Pod::kMessage, encoding, bytes,
                                    {}));
  return pod;
}

// What any mode can do with a pod by value: the copy of a cached one, and what is sent.
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
  if (bytes == 0) std::exit(1);  // It is used.
}

void MeasureShared(const Records& records, Encoding encoding, bool sharing) {
  std::optional<codec::SharingStore> store;
  if (sharing) store.emplace();
  codec::SharedDecoder decoder({}, sharing ? &*store : nullptr);
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
  if (mode == "value") {
    MeasureByValue(*records, encoding);
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
