#include "simdjson.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "benchmarks/codec/meter.h"
#include "benchmarks/codec/peers.h"

namespace kube::benchmarks {
namespace {

namespace dom = simdjson::dom;
namespace ondemand = simdjson::ondemand;

// Totals of a walk over all values.
struct Tally {
  int64_t values = 0;
  int64_t text_bytes = 0;  // bytes of strings and keys, without escapes
  double numbers = 0;

  bool operator==(const Tally&) const = default;
};

void Check(simdjson::error_code error) {
  if (error == simdjson::SUCCESS) return;
  std::fprintf(stderr, "decode: %s\n", simdjson::error_message(error));
  std::exit(1);
}

template <typename T>
T Get(simdjson::simdjson_result<T> result) {
  Check(result.error());
  return std::move(result).value_unsafe();
}

void Walk(dom::element value, Tally& tally) {
  ++tally.values;
  switch (value.type()) {
    case dom::element_type::ARRAY:
      for (const dom::element each : Get(value.get_array())) Walk(each, tally);
      break;
    case dom::element_type::OBJECT:
      for (const dom::key_value_pair field : Get(value.get_object())) {
        tally.text_bytes += static_cast<int64_t>(field.key.size());
        Walk(field.value, tally);
      }
      break;
    case dom::element_type::STRING:
      tally.text_bytes += static_cast<int64_t>(Get(value.get_string()).size());
      break;
    case dom::element_type::INT64:
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE:
      tally.numbers += Get(value.get_double());
      break;
    case dom::element_type::BOOL:
      tally.numbers += Get(value.get_bool());
      break;
    case dom::element_type::NULL_VALUE:
      break;
  }
}

// Walks a document, or a value in it.
template <typename Value>
void WalkOnDemand(Value& value, Tally& tally) {
  ++tally.values;
  switch (Get(value.type())) {
    case ondemand::json_type::array:
      for (auto each : Get(value.get_array())) {
        ondemand::value element = Get(std::move(each));
        WalkOnDemand(element, tally);
      }
      break;
    case ondemand::json_type::object:
      for (auto each : Get(value.get_object())) {
        ondemand::field field = Get(std::move(each));
        tally.text_bytes += static_cast<int64_t>(Get(field.unescaped_key()).size());
        WalkOnDemand(field.value(), tally);
      }
      break;
    case ondemand::json_type::string:
      tally.text_bytes += static_cast<int64_t>(Get(value.get_string()).size());
      break;
    case ondemand::json_type::number:
      tally.numbers += Get(value.get_double());
      break;
    case ondemand::json_type::boolean:
      tally.numbers += Get(value.get_bool());
      break;
    case ondemand::json_type::null:
      break;
  }
}

class DomReader {
 public:
  void Read(absl::string_view json, Tally& tally) {
    Walk(Get(parser_.parse(json.data(), json.size(), /*realloc_if_needed=*/false)), tally);
  }

 private:
  dom::parser parser_;
};

class OnDemandReader {
 public:
  void Read(absl::string_view json, Tally& tally) {
    ondemand::document document =
        Get(parser_.iterate(json.data(), json.size(), json.size() + simdjson::SIMDJSON_PADDING));
    WalkOnDemand(document, tally);
  }

 private:
  ondemand::parser parser_;
};

template <typename Reader>
Tally Read(const Records& records) {
  Reader reader;
  Tally tally;
  for (const absl::string_view pod : records.pods) reader.Read(pod, tally);
  return tally;
}

template <typename Reader>
void MeasureDecode(const Records& records, Meter& meter) {
  if (Read<Reader>(records) != Read<DomReader>(records)) {
    std::fprintf(stderr, "decode: the two ways of reading find different values\n");
    std::exit(1);
  }
  int64_t bytes = 0;
  for (const absl::string_view pod : records.pods) bytes += static_cast<int64_t>(pod.size());
  Reader reader;
  Tally tally;
  meter.Time({{"decode",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) reader.Read(records.pods[i], tally);
               },
               bytes}});
  meter.Time({{"decode_list", [&](size_t, size_t) { reader.Read(records.list, tally); }}},
             records.pods.size());
  std::cout << meter.report().ToJson() << std::endl;
  if (tally.values == 0) std::exit(1);  // uses the result
}

}  // namespace

void MeasureSimdjson(const Records& records) {
  Meter meter(records.pods.size());
  {
    std::vector<dom::document> documents(records.pods.size());
    dom::parser parser;
    meter.Memory([&] {
      for (size_t i = 0; i < documents.size(); ++i) {
        const absl::string_view pod = records.pods[i];
        Check(parser.parse_into_document(documents[i], pod.data(), pod.size(), false).error());
      }
    });
  }
  MeasureDecode<DomReader>(records, meter);
}

void MeasureSimdjsonOnDemand(const Records& records) {
  Meter meter(records.pods.size());
  MeasureDecode<OnDemandReader>(records, meter);
}

}  // namespace kube::benchmarks
