#include "apimachinery/patch/json_patch.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/patch/internal/edited_value.h"
#include "apimachinery/patch/internal/json_pointer.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::patch {
namespace {

using internal::EditedValue;
using internal::FindPlace;
using internal::JsonPlace;
using unstructured::Value;

constexpr absl::string_view kOps[] = {"add", "remove", "replace", "move", "copy", "test"};

absl::string_view NameOf(JsonPatchOp op) { return kOps[static_cast<size_t>(op)]; }

bool IsContainer(const Value& value) { return value.is_object() || value.is_list(); }

// ---- Parsing

absl::StatusOr<std::string> TextMember(const Value& operation, absl::string_view name) {
  const Value* member = operation.Find(name);
  if (member == nullptr || !member->is_string()) {
    return absl::InvalidArgumentError(absl::StrCat("missing ", name));
  }
  return std::string(*member->text());
}

absl::StatusOr<JsonPatchOperation> ReadOperation(const Value& json) {
  JsonPatchOperation operation;
  KUBE_ASSIGN_OR_RETURN(const std::string op, TextMember(json, "op"));
  const auto* found = std::find(std::begin(kOps), std::end(kOps), op);
  if (found == std::end(kOps)) {
    return absl::InvalidArgumentError(absl::StrCat("unexpected kind of operation \"", op, "\""));
  }
  operation.op = static_cast<JsonPatchOp>(found - std::begin(kOps));
  KUBE_ASSIGN_OR_RETURN(operation.path, TextMember(json, "path"));
  if (operation.op == JsonPatchOp::kMove || operation.op == JsonPatchOp::kCopy) {
    KUBE_ASSIGN_OR_RETURN(operation.from, TextMember(json, "from"));
  }
  if (const Value* value = json.Find("value"); value != nullptr) operation.value = *value;
  return operation;
}

// ---- Making

// Compares two values and reports the operations that turn one into the other. Objects are compared
// member by member. Of two lists, the elements that are equal at both ends are skipped; the others
// are compared by index as far as both lists have them, and the rest is removed from its end, or
// added.
//
// Each level asks whether values are equal, and the levels below ask again. Hashes, which are kept
// per object and list, answer most of these questions without another walk.
class Differ {
 public:
  void Compare(const Value& from, const Value& to) {
    if (AreEqual(from, to)) return;
    if (from.is_object() && to.is_object()) {
      CompareObjects(*from.object(), *to.object());
    } else if (from.is_list() && to.is_list()) {
      CompareLists(*from.list(), *to.list());
    } else {
      Report(JsonPatchOp::kReplace, &to);
    }
  }

  JsonPatch TakePatch() { return std::move(patch_); }

 private:
  // The values within are compared again at each level, so only equal hashes lead to a full
  // comparison.
  bool AreEqual(const Value& a, const Value& b) {
    if (a.type() != b.type()) return false;
    return (!IsContainer(a) || Hash(a) == Hash(b)) && a == b;
  }

  size_t Hash(const Value& value) {
    if (!IsContainer(value)) return absl::HashOf(value);
    if (const auto found = hashes_.find(&value); found != hashes_.end()) return found->second;
    size_t hash = 0;
    if (const Map<Value>* object = value.object(); object != nullptr) {
      for (const auto& [key, member] : *object) {
        hash = absl::HashOf(hash, key.view(), Hash(member));
      }
    } else {
      for (const Value& element : *value.list()) hash = absl::HashOf(hash, Hash(element));
    }
    hashes_.emplace(&value, hash);
    return hash;
  }

  void Report(JsonPatchOp op, const Value* value) {
    patch_.push_back({.op = op, .path = path_});
    if (value != nullptr) patch_.back().value = *value;
  }

  template <typename F>
  void At(absl::string_view key, const F& what) {
    const size_t size = path_.size();
    path_ += JsonPointer(key);
    what();
    path_.resize(size);
  }

  void CompareObjects(const Map<Value>& from, const Map<Value>& to) {
    for (const auto& [key, value] : from) {
      const Value* after = to.find(key);
      At(key, [&, &before = value] {
        after == nullptr ? Report(JsonPatchOp::kRemove, nullptr) : Compare(before, *after);
      });
    }
    for (const auto& [key, value] : to) {
      if (from.contains(key)) continue;
      At(key, [&, &added = value] { Report(JsonPatchOp::kAdd, &added); });
    }
  }

  // Compares by index what is not equal at both ends; removes the rest from its end, or adds it.
  void CompareLists(const List<Value>& from, const List<Value>& to) {
    const size_t shorter = std::min(from.size(), to.size());
    size_t head = 0, tail = 0;
    while (head < shorter && AreEqual(from[head], to[head])) ++head;
    while (head + tail < shorter &&
           AreEqual(from[from.size() - 1 - tail], to[to.size() - 1 - tail])) {
      ++tail;
    }
    const size_t middle = shorter - tail;
    for (size_t i = head; i < middle; ++i) {
      At(absl::StrCat(i), [&] { Compare(from[i], to[i]); });
    }
    for (size_t i = from.size() - tail; i > middle; --i) {
      At(absl::StrCat(i - 1), [&] { Report(JsonPatchOp::kRemove, nullptr); });
    }
    for (size_t i = middle; i < to.size() - tail; ++i) {
      At(absl::StrCat(i), [&] { Report(JsonPatchOp::kAdd, &to[i]); });
    }
  }

  std::string path_;
  JsonPatch patch_;
  // Hashes of objects and lists.
  absl::flat_hash_map<const Value*, size_t> hashes_;
};

// ---- Applying

// Applies the operations of one patch, in order, to a value that is opened on the way (see
// EditedValue): nothing is undone after an error, because the result is then dropped.
class Applier {
 public:
  Applier(Value root, const ApplyJsonPatchOptions& options)
      : root_(std::move(root)), options_(options) {}

  absl::Status Apply(const JsonPatchOperation& operation) {
    switch (operation.op) {
      case JsonPatchOp::kAdd: {
        KUBE_ASSIGN_OR_RETURN(const JsonPlace place, FindPlace(root_, operation.path));
        return internal::Add(place, EditedValue(operation.value.value_or(Value())));
      }
      case JsonPatchOp::kRemove: {
        KUBE_ASSIGN_OR_RETURN(const JsonPlace place, FindPlace(root_, operation.path));
        return internal::Remove(place);
      }
      case JsonPatchOp::kReplace:
        return Replace(operation);
      case JsonPatchOp::kMove:
        return Move(operation);
      case JsonPatchOp::kCopy:
        return Copy(operation);
      case JsonPatchOp::kTest:
        return Test(operation);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Value> TakeResult() {
    KUBE_ASSIGN_OR_RETURN(Value * result, root_.Close(), "apply JSON patch");
    return std::move(*result);
  }

 private:
  absl::Status Replace(const JsonPatchOperation& operation) {
    Value value = operation.value.value_or(Value());
    if (operation.path.empty()) {
      if (!value.is_object() && !value.is_list()) {
        return absl::InvalidArgumentError("document must be an object or a list");
      }
      root_ = EditedValue(std::move(value));
      return absl::OkStatus();
    }
    KUBE_ASSIGN_OR_RETURN(const JsonPlace place, FindPlace(root_, operation.path));
    return internal::Set(place, EditedValue(std::move(value)));
  }

  absl::Status Move(const JsonPatchOperation& operation) {
    KUBE_ASSIGN_OR_RETURN(const JsonPlace from, FindPlace(root_, operation.from));
    KUBE_ASSIGN_OR_RETURN(EditedValue * found, internal::Get(from));
    EditedValue value = found == nullptr ? EditedValue() : std::move(*found);
    KUBE_RETURN_IF_ERROR(internal::Remove(from));
    KUBE_ASSIGN_OR_RETURN(const JsonPlace place, FindPlace(root_, operation.path));
    return internal::Add(place, std::move(value));
  }

  absl::Status Copy(const JsonPatchOperation& operation) {
    KUBE_ASSIGN_OR_RETURN(const JsonPlace from, FindPlace(root_, operation.from));
    KUBE_ASSIGN_OR_RETURN(EditedValue * found, internal::Get(from));
    Value copy;
    if (found != nullptr) {
      // The target path may lead into the copied value, so this is closed before the target is
      // opened.
      KUBE_ASSIGN_OR_RETURN(const Value* original, found->Close());
      copy = *original;
    }
    KUBE_ASSIGN_OR_RETURN(const JsonPlace place, FindPlace(root_, operation.path));
    if (found != nullptr && options_.max_copied_bytes != 0) {
      KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(copy));
      copied_bytes_ += json.size();
      if (copied_bytes_ > options_.max_copied_bytes) {
        return absl::ResourceExhaustedError(
            absl::StrCat("unable to complete the copy, the accumulated size increase of copy is ",
                         copied_bytes_, ", exceeding the limit ", options_.max_copied_bytes));
      }
    }
    return internal::Add(place, EditedValue(std::move(copy)));
  }

  absl::Status Test(const JsonPatchOperation& operation) {
    EditedValue* found = &root_;
    if (!operation.path.empty()) {
      KUBE_ASSIGN_OR_RETURN(const JsonPlace place, FindPlace(root_, operation.path));
      KUBE_ASSIGN_OR_RETURN(found, internal::Get(place));
    }
    static const Value kNull;
    const Value* value = &kNull;
    if (found != nullptr) {
      KUBE_ASSIGN_OR_RETURN(value, found->Close());
    }
    if (*value == operation.value.value_or(Value())) return absl::OkStatus();
    return absl::FailedPreconditionError("test failed: value differs");
  }

  EditedValue root_;
  const ApplyJsonPatchOptions& options_;
  size_t copied_bytes_ = 0;
};

}  // namespace

std::string JsonPointer(absl::string_view key) {
  return absl::StrCat("/", absl::StrReplaceAll(key, {{"~", "~0"}, {"/", "~1"}}));
}

absl::StatusOr<JsonPatch> ParseJsonPatch(absl::string_view json) {
  KUBE_ASSIGN_OR_RETURN(const Value parsed, unstructured::ParseJson(json), "read JSON patch");
  JsonPatch patch;
  if (parsed.is_null()) return patch;
  if (!parsed.is_list()) {
    return absl::InvalidArgumentError("read JSON patch: expected a list of operations");
  }
  for (const Value& operation : *parsed.list()) {
    KUBE_ASSIGN_OR_RETURN(JsonPatchOperation read, ReadOperation(operation),
                          "read JSON patch: operation ", patch.size());
    patch.push_back(std::move(read));
  }
  return patch;
}

absl::StatusOr<std::string> EncodeJsonPatch(const JsonPatch& patch) {
  List<Value> operations = List<Value>::Empty();
  for (const JsonPatchOperation& operation : patch) {
    Map<Value> json = {{"op", NameOf(operation.op)}, {"path", operation.path}};
    if (operation.op == JsonPatchOp::kMove || operation.op == JsonPatchOp::kCopy) {
      json["from"] = operation.from;
    }
    if (operation.value.has_value()) json["value"] = *operation.value;
    operations.push_back(std::move(json));
  }
  return unstructured::EncodeJson(operations);
}

absl::StatusOr<JsonPatch> MakeJsonPatch(const Value& from, const Value& to) {
  if (!IsContainer(from) || !IsContainer(to)) {
    return absl::InvalidArgumentError("make JSON patch: document must be an object or a list");
  }
  Differ differ;
  differ.Compare(from, to);
  return differ.TakePatch();
}

absl::StatusOr<Value> ApplyJsonPatch(Value object, const JsonPatch& patch,
                                     const ApplyJsonPatchOptions& options) {
  if (!IsContainer(object)) {
    return absl::InvalidArgumentError("apply JSON patch: document must be an object or a list");
  }
  if (options.max_operations != 0 && patch.size() > options.max_operations) {
    return absl::ResourceExhaustedError(
        absl::StrCat("apply JSON patch: the allowed maximum operations in a JSON patch is ",
                     options.max_operations, ", got ", patch.size()));
  }
  Applier applier(std::move(object), options);
  for (size_t i = 0; i < patch.size(); ++i) {
    KUBE_RETURN_IF_ERROR(applier.Apply(patch[i]), "apply JSON patch: operation ", i, ", ",
                         NameOf(patch[i].op), " \"", patch[i].path, "\"");
  }
  return applier.TakeResult();
}

namespace internal {

absl::StatusOr<std::string> MakeJsonPatch(const void* from, const void* to,
                                          const kube::table::Message& message) {
  KUBE_ASSIGN_OR_RETURN(const Value before, unstructured::ToValue(from, message));
  KUBE_ASSIGN_OR_RETURN(const Value after, unstructured::ToValue(to, message));
  KUBE_ASSIGN_OR_RETURN(const JsonPatch patch, patch::MakeJsonPatch(before, after));
  return EncodeJsonPatch(patch);
}

absl::Status ApplyJsonPatch(void* to, const void* object, const kube::table::Message& message,
                            absl::string_view patch, const codec::DecodeOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const JsonPatch operations, ParseJsonPatch(patch));
  KUBE_ASSIGN_OR_RETURN(Value before, unstructured::ToValue(object, message));
  KUBE_ASSIGN_OR_RETURN(const Value after, patch::ApplyJsonPatch(std::move(before), operations));
  return unstructured::FromValue(after, to, message, options);
}

}  // namespace internal
}  // namespace kube::patch
