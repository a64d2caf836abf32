#include "benchmarks/codec/mixed.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "benchmarks/codec/meter.h"
#include "benchmarks/codec/records.h"

namespace kube::benchmarks {
namespace {

using codec::Encoding;
using Object = std::shared_ptr<const void>;

void Check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

struct Kind {
  absl::string_view name;
  const kube::table::Message* message;
  Object (*decode_value)(absl::string_view bytes, Encoding encoding);
};

template <typename T>
Object DecodeValue(absl::string_view bytes, Encoding encoding) {
  auto object = std::make_shared<T>();
  Check(codec::DecodeInto(reinterpret_cast<char*>(object.get()), T::kMessage, encoding, bytes, {}));
  return object;
}

template <typename T>
Kind KindOf(absl::string_view name) {
  return {name, &T::kMessage, DecodeValue<T>};
}

const Kind& FindKind(absl::string_view name) {
  namespace corev1 = api::core::v1;
  static const Kind kKinds[] = {
      KindOf<corev1::ConfigMap>("ConfigMap"),
      KindOf<api::apiextensions::v1::CustomResourceDefinition>("CustomResourceDefinition"),
      KindOf<api::apps::v1::Deployment>("Deployment"),
      KindOf<corev1::Event>("Event"),
      KindOf<api::coordination::v1::Lease>("Lease"),
      KindOf<corev1::Node>("Node"),
      KindOf<corev1::Pod>("Pod"),
      KindOf<corev1::Secret>("Secret"),
  };
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return kind;
  }
  Check(absl::NotFoundError(absl::StrCat("find kind: no ", name)));
  std::abort();
}

std::string Encode(const Object& object, const Kind& kind, Encoding encoding) {
  std::string bytes;
  Check(encoding == Encoding::kJson ? codec::AppendJson(bytes, object.get(), *kind.message)
                                    : codec::AppendProtobuf(bytes, object.get(), *kind.message));
  return bytes;
}

using Decode = std::function<Object(size_t i)>;

void Measure(const Records& records, const std::vector<const Kind*>& kinds, Encoding encoding,
             const Decode& decode) {
  int64_t size = 0;
  for (const absl::string_view record : records.pods) size += static_cast<int64_t>(record.size());
  std::vector<Object> objects(records.pods.size());
  Meter meter(objects.size());
  meter.Memory([&] {
    for (size_t i = 0; i < objects.size(); ++i) objects[i] = decode(i);
  });
  for (size_t i = 0; i < objects.size(); ++i) {
    if (Encode(objects[i], *kinds[i], encoding) == records.pods[i]) continue;
    Check(absl::InternalError(absl::StrCat("object ", i, ": encoded, it is not what was decoded")));
  }
  std::vector<Object> fresh(Meter::kBatch);
  meter.Time({{"decode",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) fresh[i - begin] = decode(i);
               },
               size},
              {"destroy", [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) objects[i] = std::move(fresh[i - begin]);
               }}});
  size_t bytes = 0;
  meter.Time({{"encode",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   bytes += Encode(objects[i], *kinds[i], encoding).size();
                 }
               },
               size}});
  if (bytes == 0) std::exit(1);  // uses the result
  std::cout << meter.report().ToJson() << std::endl;
}

}  // namespace

void MeasureMixed(const Records& records, Encoding encoding, absl::string_view mode) {
  std::vector<const Kind*> kinds;
  for (const absl::string_view name : absl::StrSplit(records.list, '\n')) {
    kinds.push_back(&FindKind(name));
  }
  if (kinds.size() != records.pods.size()) Check(absl::InternalError("read kinds: too few"));
  if (mode == "value") {
    return Measure(records, kinds, encoding,
                   [&](size_t i) { return kinds[i]->decode_value(records.pods[i], encoding); });
  }
  std::optional<codec::SharingStore> store;
  if (mode == "sharing") store.emplace();
  codec::SharedDecoder decoder({}, store.has_value() ? &*store : nullptr);
  Measure(records, kinds, encoding, [&](size_t i) {
    absl::StatusOr<Object> object =
        decoder.DecodeAny(*kinds[i]->message, encoding, records.pods[i]);
    Check(object.status());
    return *std::move(object);
  });
}

}  // namespace kube::benchmarks
