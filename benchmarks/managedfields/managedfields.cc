// managedfields FOLDER deployment|3MiB|pods: server-side apply and updates of a Deployment, and the
// memory of pods with managedFields. go/main.go has the twins with the same names; their results
// are in the data and are compared with ours.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/managedfields/field_manager.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "benchmarks/codec/meter.h"
#include "benchmarks/codec/records.h"
#include "benchmarks/contract/contract.h"
#include "benchmarks/informer/process.h"

namespace kube::benchmarks {
namespace {

using api::apps::v1::Deployment;
using api::core::v1::Pod;
using api::meta::v1::ManagedFieldsEntry;
using managedfields::FieldManager;
using managedfields::Managers;
using managedfields::TrackedObject;
using managedfields::Updater;
using unstructured::Value;

constexpr char kApiVersion[] = "apps/v1";
constexpr char kKind[] = "Deployment";

[[noreturn]] void Fail(absl::string_view what, absl::string_view why) {
  std::cerr << what << ": " << why << "\n";
  std::exit(1);
}

template <typename T>
T Get(absl::StatusOr<T> result, absl::string_view what) {
  if (!result.ok()) Fail(what, result.status().message());
  return *std::move(result);
}

class DeploymentVersions final : public managedfields::VersionConverter {
 public:
  const managedfields::Schema* SchemaOf(absl::string_view api_version) const override {
    return api_version == kApiVersion ? &managedfields::SchemaOf(Deployment::kMessage) : nullptr;
  }
  absl::StatusOr<Value> Convert(const Value&, absl::string_view api_version) const override {
    return absl::NotFoundError(absl::StrCat("no version ", api_version));
  }
};

// ---- the data

TrackedObject Tracked(Value object) {
  Map<Value>& members = *object.object();
  const unstructured::Unstructured reader = {.object = members};
  unstructured::RemoveNestedField(members, {"metadata", "managedFields"});
  return {.object = std::move(object), .managed_fields = reader.managed_fields()};
}

struct Inputs {
  explicit Inputs(const Value& data)
      : live(Tracked(data["live"])),
        live_object(Get(unstructured::FromValue<Deployment>(live.object), "live")),
        same(data["same"]),
        configuration(data["configuration"]),
        updated(data["updated"]),
        managers(Get(managedfields::DecodeManagedFields(live.managed_fields), "managedFields")
                     .managers) {}

  TrackedObject live;
  Deployment live_object;  // without managedFields
  Value same;
  Value configuration;
  Value updated;
  Managers managers;
};

// ---- the parts

managedfields::WriteOptions By(absl::string_view manager) {
  // Later than the times in the data.
  return {.manager = std::string(manager), .now = absl::FromUnixSeconds(1'900'000'000)};
}

managedfields::ManagerId Applier() {
  return {.name = "ctl", .operation = managedfields::Operation::kApply};
}

absl::StatusOr<Updater::Applied> Merge(const Updater& updater, const Inputs& in,
                                       Managers managers) {
  return updater.Apply(in.live.object, in.configuration, kApiVersion, std::move(managers),
                       Applier(), /*force=*/false);
}

// Applies to an API struct, as an API server that holds these.
absl::StatusOr<Deployment> ApplyObjects(const FieldManager& manager, const Inputs& in) {
  KUBE_ASSIGN_OR_RETURN(Value object, unstructured::ToValue(in.live_object));
  Map<Value>& members = *object.object();
  members["apiVersion"] = kApiVersion;
  members["kind"] = kKind;
  const TrackedObject live = {.object = std::move(object),
                              .managed_fields = in.live.managed_fields};
  KUBE_ASSIGN_OR_RETURN(TrackedObject applied, manager.Apply(live, in.configuration, By("ctl")));
  KUBE_ASSIGN_OR_RETURN(Deployment result, unstructured::FromValue<Deployment>(applied.object));
  result.metadata.managed_fields = std::move(applied.managed_fields);
  return result;
}

// ---- what Go makes of them

// Puts the entries, without their times, into the object.
Value Joined(Value object, List<ManagedFieldsEntry> entries) {
  for (ManagedFieldsEntry& entry : entries) entry.time.reset();
  unstructured::Unstructured joined = {.object = std::move(*object.object())};
  joined.set_managed_fields(entries);
  return Value(std::move(joined.object));
}

Value ToResult(Updater::Applied applied) { return std::move(applied.object); }
Value ToResult(TrackedObject object) {
  return Joined(std::move(object.object), std::move(object.managed_fields));
}
Value ToResult(Deployment object) {
  List<ManagedFieldsEntry> entries = std::move(object.metadata.managed_fields);
  object.metadata.managed_fields = {};
  Value value = Get(unstructured::ToValue(object), "object");
  (*value.object())["apiVersion"] = kApiVersion;
  (*value.object())["kind"] = kKind;
  return Joined(std::move(value), std::move(entries));
}

// Ends the program if Go makes something else.
template <typename T>
void Check(const Value& data, absl::string_view part, absl::StatusOr<T> result) {
  const Value ours = ToResult(Get(std::move(result), part));
  if (ours == data["want"][part]) return;
  Fail(part, absl::StrCat("not what Go makes of it: ", Get(unstructured::EncodeJson(ours), part)));
}

// ---- measuring

template <typename Run>
void Time(Meter& meter, absl::string_view part, size_t batch, Run run) {
  meter.Time({{part,
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) (void)Get(run(), part);
               }}},
             batch);
}

// Checks the result of a part, and then measures it.
template <typename Run>
void Measure(Meter& meter, const Value& data, absl::string_view part, size_t batch, Run run) {
  Check(data, part, run());
  Time(meter, part, batch, run);
}

// The merge takes the managers, as it does in a server. They are copied beforehand.
void MeasureMerge(Meter& meter, const Value& data, const Updater& updater, const Inputs& in,
                  size_t batch) {
  Check(data, "merge", Merge(updater, in, in.managers));
  std::vector<Managers> copies(batch);
  meter.Time({{"",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) copies[i] = in.managers;
               }},
              {"merge",
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   (void)Get(Merge(updater, in, std::move(copies[i])), "merge");
                 }
               }}},
             batch);
}

// An update takes the object and returns it. Each takes the one that the update before returned.
void MeasureUpdate(Meter& meter, const Value& data, const FieldManager& manager, const Inputs& in,
                   size_t batch) {
  const managedfields::WriteOptions options = By("kubectl");
  Check(data, "update", manager.Update(in.live, {.object = in.updated}, options));
  Value object = in.updated;
  Time(meter, "update", batch, [&]() -> absl::StatusOr<size_t> {
    KUBE_ASSIGN_OR_RETURN(TrackedObject tracked,
                          manager.Update(in.live, {.object = std::move(object)}, options));
    object = std::move(tracked.object);
    return tracked.managed_fields.size();
  });
}

void MeasureParts(const Value& data, size_t batch) {
  const Inputs in(data);
  const DeploymentVersions versions;
  const Updater updater(&versions);
  const FieldManager manager({.converter = &versions, .api_version = kApiVersion, .kind = kKind});
  Meter meter(batch);
  MeasureMerge(meter, data, updater, in, batch);
  Measure(meter, data, "apply", batch,
          [&] { return manager.Apply(in.live, in.configuration, By("ctl")); });
  Measure(meter, data, "apply_objects", batch, [&] { return ApplyObjects(manager, in); });
  Measure(meter, data, "apply_same", batch,
          [&] { return manager.Apply(in.live, in.same, By("ctl")); });
  Measure(meter, data, "create", batch,
          [&] { return manager.Apply({}, in.configuration, By("ctl")); });
  MeasureUpdate(meter, data, manager, in, batch);
  std::cout << meter.report().ToJson() << std::endl;
}

// ---- pods in memory

// What an informer's decoder and store hold.
class Cache {
 public:
  explicit Cache(const std::string& path) : records_(Get(OpenRecords(path), path)) {
    pods_.reserve(records_.pods.size());
  }

  // Decodes all pods. Returns the bytes of heap that each takes, its share of what is shared
  // included.
  double Fill() {
    const int64_t before = HeapBytes();
    for (const absl::string_view record : records_.pods) {
      pods_.push_back(std::static_pointer_cast<const Pod>(
          Get(decoder_.DecodeAny(Pod::kMessage, codec::Encoding::kJson, record), "decode")));
    }
    return static_cast<double>(HeapBytes() - before) / static_cast<double>(pods_.size());
  }

  // Ends the program unless every pod has this number of entries.
  void CheckEntries(size_t wanted) const {
    for (const std::shared_ptr<const Pod>& pod : pods_) {
      if (pod->metadata.managed_fields.size() != wanted) Fail("pods", "wrong managedFields");
    }
  }

 private:
  const Records records_;
  codec::SharingStore store_;
  codec::SharedDecoder decoder_{{}, &store_};
  std::vector<std::shared_ptr<const Pod>> pods_;
};

void MeasurePods(absl::string_view folder) {
  Cache bare(absl::StrCat(folder, "/bare_pods.json"));
  const double bare_heap = bare.Fill();
  Cache pods(absl::StrCat(folder, "/pods.json"));
  const double heap = pods.Fill();
  bare.CheckEntries(0);
  pods.CheckEntries(2);
  Report report;
  report.Add("heap", "B", heap);
  report.Add("heap_bare", "B", bare_heap);
  report.Add("heap_managed_fields", "B", heap - bare_heap);
  std::cout << report.ToJson() << std::endl;
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  if (argc != 3) {
    std::cerr << "usage: managedfields FOLDER deployment|3MiB|pods\n";
    return 2;
  }
  const absl::string_view name = argv[2];
  if (name == "pods") {
    kube::benchmarks::MeasurePods(argv[1]);
    return 0;
  }
  const std::string path = absl::StrCat(argv[1], "/", name, ".json");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // As many runs between two looks at the clock as in Go.
  kube::benchmarks::MeasureParts(kube::benchmarks::Get(kube::unstructured::ParseJson(text), path),
                                 name == "3MiB" ? 1 : 20);
}
