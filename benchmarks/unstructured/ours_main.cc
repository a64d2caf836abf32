// ours MODE FOLDER SET: measures this library. Modes: "sharing", as a cache works; "block", the
// same without a SharingStore; "value", for objects passed by value.
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
#include "api/apps/v1/types.kube.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/list_reader.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"
#include "benchmarks/codec/meter.h"
#include "benchmarks/codec/records.h"

namespace kube::benchmarks {
namespace {

using api::apps::v1::Deployment;
using unstructured::Unstructured;
using unstructured::UnstructuredList;

void Check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

int64_t SumOfSizes(const std::vector<absl::string_view>& records) {
  int64_t bytes = 0;
  for (const absl::string_view record : records) bytes += static_cast<int64_t>(record.size());
  return bytes;
}

Unstructured DecodeValue(absl::string_view bytes) {
  Unstructured object;
  Check(codec::DecodeInto(reinterpret_cast<char*>(&object), Unstructured::kMessage,
                          codec::Encoding::kJson, bytes, {}));
  return object;
}

// The parts for an object by value, which every mode has: a copy of a cached object, and encoding.
void MeasureValues(const Records& records, Meter& meter) {
  std::vector<Unstructured> objects(records.pods.size());
  for (size_t i = 0; i < objects.size(); ++i) {
    objects[i] = DecodeValue(records.pods[i]);
    const absl::StatusOr<std::string> text = codec::EncodeJson(objects[i]);
    Check(text.status());
    if (absl::string_view(*text) != records.pods[i]) Check(absl::DataLossError("encode: differs"));
  }
  std::vector<Unstructured> copies(objects.size());
  meter.Time({{"copy",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) copies[i] = Unstructured(objects[i]);
               }},
              {"copy_destroy", [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) Unstructured gone(std::move(copies[i]));
               }}});
  size_t bytes = 0;
  meter.Time({{"encode",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   const absl::StatusOr<std::string> text = codec::EncodeJson(objects[i]);
                   Check(text.status());
                   bytes += text->size();
                 }
               },
               SumOfSizes(records.pods)}});
  if (bytes == 0) std::exit(1);  // uses the result
}

// Decodes the list of all objects from pieces, as a connection delivers them.
void ReadList(absl::string_view body, codec::SharedDecoder& decoder,
              std::vector<std::shared_ptr<const Unstructured>>& objects) {
  constexpr size_t kChunk = size_t{64} << 10;
  codec::ListReader<UnstructuredList, Unstructured> reader(codec::ContentType::kJson, decoder);
  size_t count = 0;
  for (; !body.empty(); body.remove_prefix(std::min(body.size(), kChunk))) {
    Check(reader.Append(body.substr(0, kChunk), [&](std::shared_ptr<const Unstructured> object) {
      objects[count++] = std::move(object);
      return absl::OkStatus();
    }));
  }
  Check(reader.Finish().status());
}

void MeasureShared(const Records& records, bool sharing) {
  std::optional<codec::SharingStore> store;
  if (sharing) store.emplace();
  codec::SharedDecoder decoder({}, sharing ? &*store : nullptr);
  std::vector<std::shared_ptr<const Unstructured>> objects(records.pods.size());
  const auto decode = [&](size_t i) {
    absl::StatusOr<std::shared_ptr<const void>> object =
        decoder.DecodeAny(Unstructured::kMessage, codec::Encoding::kJson, records.pods[i]);
    Check(object.status());
    return std::static_pointer_cast<const Unstructured>(*std::move(object));
  };
  Meter meter(records.pods.size());
  meter.Memory([&] {
    for (size_t i = 0; i < objects.size(); ++i) objects[i] = decode(i);
  });
  std::vector<std::shared_ptr<const Unstructured>> fresh(Meter::kBatch);
  meter.Time({{"decode",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) fresh[i - begin] = decode(i);
               },
               SumOfSizes(records.pods)},
              {"destroy", [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) objects[i] = std::move(fresh[i - begin]);
               }}});
  meter.Time({{"decode_list", [&](size_t, size_t) { ReadList(records.list, decoder, objects); },
               static_cast<int64_t>(records.list.size())}},
             objects.size());
  objects.clear();
  MeasureValues(records, meter);
  std::cout << meter.report().ToJson() << std::endl;
}

void MeasureByValue(const Records& records) {
  std::vector<Unstructured> objects(records.pods.size());
  Meter meter(records.pods.size());
  meter.Memory([&] {
    for (size_t i = 0; i < objects.size(); ++i) objects[i] = DecodeValue(records.pods[i]);
  });
  std::vector<Unstructured> fresh(Meter::kBatch);
  meter.Time({{"decode",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   fresh[i - begin] = DecodeValue(records.pods[i]);
                 }
               },
               SumOfSizes(records.pods)},
              {"destroy", [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   objects[i] = Unstructured();
                   objects[i] = std::move(fresh[i - begin]);
                 }
               }}});
  std::cout << meter.report().ToJson() << std::endl;
}

void MeasureConversion(const Records& records) {
  std::vector<unstructured::Value> values(records.pods.size());
  std::vector<Deployment> typed(records.pods.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = DecodeValue(records.pods[i]).object;
  Meter meter(records.pods.size());
  meter.Time({{"to_typed", [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   absl::StatusOr<Deployment> deployment =
                       unstructured::FromValue<Deployment>(values[i]);
                   Check(deployment.status());
                   typed[i] = *std::move(deployment);
                 }
               }}});
  meter.Time({{"from_typed", [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   absl::StatusOr<unstructured::Value> value = unstructured::ToValue(typed[i]);
                   Check(value.status());
                   values[i] = *std::move(value);
                 }
               }}});
  std::cout << meter.report().ToJson() << std::endl;
}

int Main(absl::string_view mode, absl::string_view folder, absl::string_view set) {
  const absl::StatusOr<Records> records = OpenRecords(absl::StrCat(folder, "/", set, ".json"));
  Check(records.status());
  if (set == "deployments") {
    MeasureConversion(*records);
  } else if (mode == "value") {
    MeasureByValue(*records);
  } else {
    MeasureShared(*records, mode == "sharing");
  }
  return 0;
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  if (argc != 4) {
    std::cerr << "usage: ours MODE FOLDER SET\n";
    return 2;
  }
  return kube::benchmarks::Main(argv[1], argv[2], argv[3]);
}
