// Patches of documents for which the input gives only the shape: members and elements are repeated
// up to twenty thousand times, so that a patch that compares or copies everything for each of them
// exceeds the fuzzer's time limit (-timeout). For small documents the results are compared with a
// plain implementation of each patch, which changes objects one member at a time; for large ones,
// patches that are made must turn one object into the other.
//
// The input is a byte for the scale, then two documents, in which each byte is an instruction.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch {
namespace {

using unstructured::Value;

// ---- Documents

class Maker {
 public:
  Maker(absl::string_view bytes, size_t scale) : bytes_(bytes), scale_(scale) {}

  Value MakeObject(int depth = 0) {
    Map<Value> object = Map<Value>::Empty();
    for (size_t i = Next() % 5; i != 0; --i) AddMembers(object, depth);
    return object;
  }

 private:
  uint8_t Next() {
    if (at_ == bytes_.size()) return 0;
    return static_cast<uint8_t>(bytes_[at_++]);
  }

  // One value under one key, or under many keys.
  void AddMembers(Map<Value>& object, int depth) {
    const uint8_t what = Next();
    const std::string key(1, static_cast<char>('a' + what % 5));
    const int repeats = repeats_;
    const Value value = MakeValue(depth + 1);
    // Values that contain repetitions are not repeated, which would give four hundred million
    // values.
    const bool is_plain = repeats == repeats_ && depth <= 1;
    const size_t times = (what & 0x80) != 0 && is_plain && Take() ? scale_ : 1;
    if (times == 1) {
      object[key] = value;
      return;
    }
    for (size_t i = 0; i < times; ++i) object[absl::StrCat(key, 1'000'000 + i)] = value;
  }

  bool Take() { return repeats_ == 0 ? false : repeats_-- > 0; }

  Value MakeValue(int depth) {
    const uint8_t what = Next();
    if (depth > 6) return Value(what % 3);
    switch (what % 7) {
      case 0:
        return Value();
      case 1:
        return Value(what / 7 % 3);
      case 2:
        return Value(absl::StrCat("text", what / 7 % 3));
      case 3:
      case 4:
        return MakeObject(depth);
      default: {
        List<Value> list = List<Value>::Empty();
        const int repeats = repeats_;
        const Value element = MakeValue(depth + 1);
        const bool is_plain = repeats == repeats_;
        const size_t times = (what & 0x80) != 0 && is_plain && Take() ? scale_ : what % 4;
        for (size_t i = 0; i < times; ++i) list.push_back(i % 5 == 4 ? Value(i % 3 == 0) : element);
        return list;
      }
    }
  }

  const absl::string_view bytes_;
  const size_t scale_;
  size_t at_ = 0;
  int repeats_ = 3;
};

// ---- The plain implementations

void PrunePlainly(Value& value) {
  if (Map<Value>* object = value.object(); object != nullptr) {
    std::vector<String> nulls;
    for (auto& [key, member] : *object) {
      member.is_null() ? nulls.push_back(key) : PrunePlainly(member);
    }
    for (const String& key : nulls) object->erase(key);
  } else if (List<Value>* list = value.list(); list != nullptr) {
    for (Value& element : *list) PrunePlainly(element);
  }
}

void MergePlainly(Map<Value>& object, Map<Value> patch) {
  for (auto& [key, change] : patch) {
    if (change.is_null()) {
      object.erase(key);
      continue;
    }
    Value& value = object[key];
    if (value.is_object() && change.is_object()) {
      MergePlainly(*value.object(), *change.object());
      continue;
    }
    if (!value.is_object()) PrunePlainly(change);
    value = change;
  }
}

// Returns the value that `pointer`, which MakeJsonPatch has made, leads to without its last step.
Value* HolderOf(Value& root, absl::string_view pointer, std::string& last) {
  std::vector<absl::string_view> parts = absl::StrSplit(pointer, '/');
  Value* holder = &root;
  for (size_t i = 1; i < parts.size(); ++i) {
    last = absl::StrReplaceAll(parts[i], {{"~1", "/"}, {"~0", "~"}});
    if (i + 1 == parts.size()) break;
    size_t index = 0;
    holder = holder->is_object()              ? holder->Find(last)
             : absl::SimpleAtoi(last, &index) ? &(*holder->list())[index]
                                              : nullptr;
    KUBE_CHECK(holder != nullptr);
  }
  return holder;
}

void ApplyPlainly(Value& root, const JsonPatch& patch) {
  for (const JsonPatchOperation& operation : patch) {
    if (operation.path.empty()) {
      root = *operation.value;
      continue;
    }
    std::string key;
    Value* holder = HolderOf(root, operation.path, key);
    const bool adds = operation.op != JsonPatchOp::kRemove;
    if (Map<Value>* object = holder->object(); object != nullptr) {
      if (adds) {
        (*object)[key] = *operation.value;
      } else {
        object->erase(key);
      }
      continue;
    }
    List<Value>& list = *holder->list();
    size_t index = 0;
    KUBE_CHECK(absl::SimpleAtoi(key, &index));
    if (operation.op == JsonPatchOp::kAdd) {
      list.insert(list.begin() + index, *operation.value);
    } else if (adds) {
      list[index] = *operation.value;
    } else {
      list.erase(list.begin() + index);
    }
  }
}

// ---- The test

void TestMerge(const Value& from, const Value& to, bool is_small) {
  const absl::StatusOr<Value> merged = ApplyMergePatch(from, to);
  KUBE_CHECK_OK(merged.status());
  if (is_small) {
    Value want = from;
    MergePlainly(*want.object(), *to.object());
    KUBE_CHECK(*merged == want);
  }
  const absl::StatusOr<Value> patch = MakeMergePatch(from, to);
  KUBE_CHECK_OK(patch.status());
  const absl::StatusOr<Value> again = ApplyMergePatch(from, *patch);
  KUBE_CHECK_OK(again.status());
  // A second patch changes nothing: what is left cannot be set by a merge patch.
  const absl::StatusOr<Value> rest = MakeMergePatch(*again, to);
  KUBE_CHECK_OK(rest.status());
  const absl::StatusOr<Value> once_more = ApplyMergePatch(*again, *rest);
  KUBE_CHECK_OK(once_more.status());
  KUBE_CHECK(*once_more == *again);
  KUBE_CHECK_OK(MakeThreeWayMergePatch(from, to, *merged).status());
}

void TestJsonPatch(const Value& from, const Value& to, bool is_small) {
  const absl::StatusOr<JsonPatch> patch = MakeJsonPatch(from, to);
  KUBE_CHECK_OK(patch.status());
  const absl::StatusOr<Value> changed = ApplyJsonPatch(from, *patch, {.max_operations = 0});
  KUBE_CHECK_OK(changed.status());
  KUBE_CHECK(*changed == to);
  if (!is_small) return;
  Value plain = from;
  ApplyPlainly(plain, *patch);
  KUBE_CHECK(plain == to);
}

// Used as annotations, and as volumes with names: an object, and a list that is merged by key.
void TestStrategic(const Value& from, const Value& to) {
  const auto pod = [](const Value& document) {
    Map<Value> annotations = Map<Value>::Empty();
    List<Value> volumes = List<Value>::Empty();
    for (const auto& [key, value] : *document.object()) {
      annotations[key] = value.text().value_or("x");
      Map<Value> volume = {{"name", key}};
      if (value.is_int()) volume["size"] = value;
      volumes.push_back(std::move(volume));
    }
    return Value(Map<Value>{{"metadata", Map<Value>{{"annotations", std::move(annotations)}}},
                            {"spec", Map<Value>{{"volumes", std::move(volumes)}}}});
  };
  const Value before = pod(from), after = pod(to);
  const kube::table::Message& message = api::core::v1::Pod::kMessage;
  const absl::StatusOr<Value> patch = MakeStrategicMergePatch(before, after, message, {});
  KUBE_CHECK_OK(patch.status());
  const absl::StatusOr<Value> changed = internal::ApplyStrategicMergePatch(before, *patch, message);
  KUBE_CHECK_OK(changed.status());
  KUBE_CHECK(*changed == after);
}

void Test(absl::string_view input) {
  if (input.size() < 3) return;
  constexpr size_t kScales[] = {1, 1, 1, 3, 70, 70, 300, 20'000};
  const size_t scale = kScales[static_cast<uint8_t>(input[0]) % std::size(kScales)];
  const absl::string_view rest = input.substr(1);
  const Value from = Maker(rest.substr(0, rest.size() / 2), scale).MakeObject();
  const Value to = Maker(rest.substr(rest.size() / 2), scale).MakeObject();
  const bool is_small = scale < 1000;
  TestMerge(from, to, is_small);
  TestJsonPatch(from, to, is_small);
  TestStrategic(from, to);
}

}  // namespace
}  // namespace kube::patch

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::patch::Test(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
