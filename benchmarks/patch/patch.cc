// patch FOLDER SET: makes and applies patches of a Deployment. go/main.go has the twins with the
// same names; their results are in the data and are compared with ours. json_make has no twin,
// because apimachinery cannot make JSON patches.
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "benchmarks/codec/meter.h"

namespace kube::benchmarks {
namespace {

using api::apps::v1::Deployment;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

// Returns how often a part runs between two readings of the clock.
size_t BatchOf(size_t size) { return size > 20'000 ? 1 : 20; }

const KindInfo& Kind() {
  static const KindInfo kKind = {.kind = "Deployment", .message = &Deployment::kMessage};
  return kKind;
}

template <typename T>
T Get(absl::StatusOr<T> result, absl::string_view what) {
  if (!result.ok()) {
    std::cerr << what << ": " << result.status().message() << "\n";
    std::exit(1);
  }
  return *std::move(result);
}

// The data as text and, for some, also as objects.
struct Inputs {
  Inputs(const Value& data)
      : original(Text(data, "original")),
        modified(Text(data, "modified")),
        current(Text(data, "current")),
        json_patch(Text(data, "jsonPatch")),
        original_object(Object(original)),
        modified_object(Object(modified)),
        current_object(Object(current)) {}

  static std::string Text(const Value& data, absl::string_view name) {
    const Value* value = data.Find(name);
    return value == nullptr ? "" : Get(EncodeJson(*value), name);
  }
  static Deployment Object(absl::string_view text) {
    return Get(unstructured::FromValue<Deployment>(Get(ParseJson(text), "object")), "object");
  }

  std::string original, modified, current, json_patch;
  Deployment original_object, modified_object, current_object;
};

absl::StatusOr<std::string> TwoWay(const Inputs& in) {
  KUBE_ASSIGN_OR_RETURN(const Value original, ParseJson(in.original));
  KUBE_ASSIGN_OR_RETURN(const Value modified, ParseJson(in.modified));
  KUBE_ASSIGN_OR_RETURN(const Value patch,
                        patch::MakeStrategicMergePatch(original, modified, Kind()));
  return EncodeJson(patch);
}

absl::StatusOr<std::string> ThreeWay(const Inputs& in) {
  KUBE_ASSIGN_OR_RETURN(const Value original, ParseJson(in.original));
  KUBE_ASSIGN_OR_RETURN(const Value modified, ParseJson(in.modified));
  KUBE_ASSIGN_OR_RETURN(const Value current, ParseJson(in.current));
  KUBE_ASSIGN_OR_RETURN(const Value patch, patch::MakeThreeWayStrategicMergePatch(
                                               original, modified, current, Kind()));
  return EncodeJson(patch);
}

absl::StatusOr<std::string> Apply(const Inputs& in, absl::string_view patch_text) {
  KUBE_ASSIGN_OR_RETURN(Value current, ParseJson(in.current));
  KUBE_ASSIGN_OR_RETURN(Value patch, ParseJson(patch_text));
  KUBE_ASSIGN_OR_RETURN(const Value result, patch::ApplyStrategicMergePatch(
                                                std::move(current), std::move(patch), Kind()));
  return EncodeJson(result);
}

absl::StatusOr<std::string> JsonApply(const Inputs& in) {
  KUBE_ASSIGN_OR_RETURN(Value current, ParseJson(in.current));
  KUBE_ASSIGN_OR_RETURN(const patch::JsonPatch patch, patch::ParseJsonPatch(in.json_patch));
  KUBE_ASSIGN_OR_RETURN(const Value result, patch::ApplyJsonPatch(std::move(current), patch));
  return EncodeJson(result);
}

absl::StatusOr<std::string> JsonMake(const Inputs& in) {
  KUBE_ASSIGN_OR_RETURN(const Value original, ParseJson(in.original));
  KUBE_ASSIGN_OR_RETURN(const Value modified, ParseJson(in.modified));
  KUBE_ASSIGN_OR_RETURN(const patch::JsonPatch patch, patch::MakeJsonPatch(original, modified));
  return patch::EncodeJsonPatch(patch);
}

// Applies the result of json_make, which must give the modified object.
absl::StatusOr<Value> JsonMakeApplied(const Inputs& in) {
  KUBE_ASSIGN_OR_RETURN(const std::string text, JsonMake(in));
  KUBE_ASSIGN_OR_RETURN(const patch::JsonPatch patch, patch::ParseJsonPatch(text));
  KUBE_ASSIGN_OR_RETURN(Value original, ParseJson(in.original));
  return patch::ApplyJsonPatch(std::move(original), patch, {.max_operations = 0});
}

absl::StatusOr<std::string> MergeMake(const Inputs& in) {
  KUBE_ASSIGN_OR_RETURN(const Value original, ParseJson(in.original));
  KUBE_ASSIGN_OR_RETURN(const Value modified, ParseJson(in.modified));
  KUBE_ASSIGN_OR_RETURN(const Value patch, patch::MakeMergePatch(original, modified));
  return EncodeJson(patch);
}

absl::StatusOr<std::string> MergeThreeWay(const Inputs& in) {
  KUBE_ASSIGN_OR_RETURN(const Value original, ParseJson(in.original));
  KUBE_ASSIGN_OR_RETURN(const Value modified, ParseJson(in.modified));
  KUBE_ASSIGN_OR_RETURN(const Value current, ParseJson(in.current));
  KUBE_ASSIGN_OR_RETURN(const Value patch,
                        patch::MakeThreeWayMergePatch(original, modified, current));
  return EncodeJson(patch);
}

absl::StatusOr<std::string> MergeApply(const Inputs& in, absl::string_view patch_text) {
  KUBE_ASSIGN_OR_RETURN(Value current, ParseJson(in.current));
  KUBE_ASSIGN_OR_RETURN(Value patch, ParseJson(patch_text));
  KUBE_ASSIGN_OR_RETURN(const Value result,
                        patch::ApplyMergePatch(std::move(current), std::move(patch)));
  return EncodeJson(result);
}

std::string ToJson(std::string text) { return text; }
std::string ToJson(const Deployment& object) { return Get(codec::EncodeJson(object), "object"); }

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
  const std::string text = ToJson(Get(run(), part));
  const Value* all = data.Find("want");
  const Value* want = all == nullptr ? nullptr : all->Find(part);
  if (want == nullptr || Get(ParseJson(text), part) != *want) {
    std::cerr << part << ": not what Go makes of it: " << text << "\n";
    std::exit(1);
  }
  Time(meter, part, batch, run);
}

void MeasureAll(const Value& data) {
  const Inputs in(data);
  const std::string patch = Get(ThreeWay(in), "three_way");
  const std::string merge_patch = Get(MergeThreeWay(in), "merge_three_way");
  const size_t batch = BatchOf(in.current.size());
  Meter meter(batch);
  Measure(meter, data, "two_way", batch, [&] { return TwoWay(in); });
  Measure(meter, data, "two_way_objects", batch,
          [&] { return patch::MakeStrategicMergePatch(in.original_object, in.modified_object); });
  Measure(meter, data, "three_way", batch, [&] { return ThreeWay(in); });
  Measure(meter, data, "apply", batch, [&] { return Apply(in, patch); });
  Measure(meter, data, "apply_objects", batch,
          [&] { return patch::ApplyStrategicMergePatch(in.current_object, patch); });
  Measure(meter, data, "json_apply", batch, [&] { return JsonApply(in); });
  if (Get(JsonMakeApplied(in), "json_make") != Get(ParseJson(in.modified), "json_make")) {
    std::cerr << "json_make: its patch does not make the object that is to be\n";
    std::exit(1);
  }
  Time(meter, "json_make", batch, [&] { return JsonMake(in); });
  Measure(meter, data, "merge_make", batch, [&] { return MergeMake(in); });
  Measure(meter, data, "merge_three_way", batch, [&] { return MergeThreeWay(in); });
  Measure(meter, data, "merge_apply", batch, [&] { return MergeApply(in, merge_patch); });
  std::cout << meter.report().ToJson() << std::endl;
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  if (argc != 3) {
    std::cerr << "usage: patch FOLDER SET\n";
    return 2;
  }
  const std::string path = absl::StrCat(argv[1], "/", argv[2], ".json");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  kube::benchmarks::MeasureAll(kube::benchmarks::Get(kube::unstructured::ParseJson(text), path));
}
