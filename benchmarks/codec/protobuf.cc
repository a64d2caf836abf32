#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "benchmarks/codec/meter.h"
#include "benchmarks/codec/peers.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "k8s.io/api/core/v1/generated.pb.h"

namespace kube::benchmarks {
namespace {

using ::k8s::io::api::core::v1::Pod;
using ::k8s::io::api::core::v1::PodList;

template <typename T>
class OnHeap {
 public:
  T& Make() { return *(value_ = std::make_unique<T>()); }
  const T& get() const { return *value_; }
  void Clear() { value_.reset(); }

 private:
  std::unique_ptr<T> value_;
};

template <typename T>
class InArena {
 public:
  T& Make() {
    arena_ = std::make_unique<google::protobuf::Arena>();
    return *(value_ = google::protobuf::Arena::CreateMessage<T>(arena_.get()));
  }
  const T& get() const { return *value_; }
  void Clear() { arena_.reset(); }

 private:
  std::unique_ptr<google::protobuf::Arena> arena_;
  T* value_ = nullptr;
};

void Check(bool ok, absl::string_view what) {
  if (ok) return;
  std::fprintf(stderr, "%s\n", std::string(what).c_str());
  std::exit(1);
}

template <typename T>
void Parse(absl::string_view record, T& into) {
  Check(into.ParseFromArray(record.data(), static_cast<int>(record.size())), "decode: not valid");
}

template <template <typename> class Holder>
class ProtobufBenchmark {
 public:
  explicit ProtobufBenchmark(const Records& records)
      : records_(records), pods_(records.pods.size()), fresh_(Meter::kBatch) {
    for (const absl::string_view record : records.pods)
      bytes_ += static_cast<int64_t>(record.size());
  }

  void Run() {
    Meter meter(pods_.size());
    meter.Memory([this] {
      for (size_t i = 0; i < pods_.size(); ++i) Parse(records_.pods[i], pods_[i].Make());
    });
    Verify();
    const auto replace = [this](size_t begin, size_t end) { Replace(begin, end); };
    meter.Time({{"decode", [this](size_t begin, size_t end) { Decode(begin, end); }, bytes_},
                {"destroy", replace}});
    Holder<PodList> list;
    meter.Time({{"decode_list", [&](size_t, size_t) { Parse(records_.list, list.Make()); }},
                {"", [&](size_t, size_t) { list.Clear(); }}},
               pods_.size());
    meter.Time({{"encode", [this](size_t begin, size_t end) { Encode(begin, end); }, bytes_}});
    meter.Time({{"copy", [this](size_t begin, size_t end) { Copy(begin, end); }}, {"", replace}});
    std::cout << meter.report().ToJson() << std::endl;
  }

 private:
  void Decode(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) Parse(records_.pods[i], fresh_[i - begin].Make());
  }

  void Copy(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) fresh_[i - begin].Make().CopyFrom(pods_[i].get());
  }

  // Replaces pods with the freshly decoded ones.
  void Replace(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      std::swap(pods_[i], fresh_[i - begin]);
      fresh_[i - begin].Clear();
    }
  }

  void Encode(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      std::string out;
      Check(pods_[i].get().SerializeToString(&out), "encode: not complete");
    }
  }

  // With sorted maps, the output equals the input.
  void Verify() {
    for (size_t i = 0; i < pods_.size(); ++i) {
      std::string out;
      {
        google::protobuf::io::StringOutputStream stream(&out);
        google::protobuf::io::CodedOutputStream coded(&stream);
        coded.SetSerializationDeterministic(true);
        Check(pods_[i].get().SerializeToCodedStream(&coded), "encode: not complete");
      }
      Check(out == records_.pods[i], "encode: not what was decoded");
    }
  }

  const Records& records_;
  std::vector<Holder<Pod>> pods_;
  std::vector<Holder<Pod>> fresh_;
  int64_t bytes_ = 0;
};

}  // namespace

void MeasureProtobuf(const Records& records) { ProtobufBenchmark<OnHeap>(records).Run(); }

void MeasureProtobufArena(const Records& records) { ProtobufBenchmark<InArena>(records).Run(); }

}  // namespace kube::benchmarks
