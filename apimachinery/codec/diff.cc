#include "apimachinery/codec/diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/print.h"
#include "apimachinery/table/walk.h"

namespace kube::codec {
namespace internal {
namespace {

using kube::table::EntrySize;
using kube::table::EqualValues;
using kube::table::kStringType;
using kube::table::ValueType;

// The annotation in which kubectl apply keeps the applied configuration, which for a Secret
// includes its data.
constexpr absl::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// Walks over two objects of one type in parallel, by their field table, and records the
// differences. Structs are compared field by field, lists by index, and maps by merging their
// sorted entries. A value that only one object has, and a leaf that differs, become one Change
// each. `secret_` is true within a Secret and within the annotation of kubectl; the strings there
// are not shown.
class Differ {
 public:
  explicit Differ(const DiffOptions& options) : options_(options) {}

  // Compares two structs; both are present.
  void CompareMessages(const char* a, const char* b, const Message& message) {
    // The strings of a Secret are secret, as its bytes are.
    const bool secret = std::exchange(secret_, message.type_name() == "Secret" || secret_);
    for (uint16_t i = 0; i < message.field_count && !Full(); ++i) {
      const Field& field = message.fields[i];
      const Step step(*this, path_.empty() ? "" : ".", message.field_name(field), "");
      CompareMembers(a + field.offset, b + field.offset, ValueType(message, field), field.shape);
    }
    secret_ = secret;
  }

  std::vector<Change> TakeChanges() { return std::move(changes_); }

 private:
  // Extends the path by one step while it lives.
  class Step {
   public:
    Step(Differ& differ, absl::string_view before, absl::string_view step, absl::string_view after)
        : differ_(differ), size_(differ.path_.size()) {
      absl::StrAppend(&differ.path_, before, step, after);
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { differ_.path_.resize(size_); }

   private:
    Differ& differ_;
    const size_t size_;
  };

  bool Full() const { return options_.max_changes != 0 && changes_.size() >= options_.max_changes; }

  // Compares the same field of two messages.
  void CompareMembers(const char* a, const char* b, Type type, Shape shape) {
    switch (shape) {
      case Shape::kValue:
        return CompareValues(a, b, type);
      case Shape::kOpt:
        return ComparePointers(a[type.size] == 0 ? nullptr : a, b[type.size] == 0 ? nullptr : b,
                               type);
      case Shape::kBox:
        return ComparePointers(AsBox(a), AsBox(b), type);
      case Shape::kList:
        return CompareLists(AsBlock(a), AsBlock(b), type);
      case Shape::kMap:
        return CompareMaps(AsBlock(a), AsBlock(b), type);
    }
  }

  void ComparePointers(const char* a, const char* b, Type type) {
    if (a != nullptr && b != nullptr) return CompareValues(a, b, type);
    if (a != b) Report(a, b, type);
  }

  void CompareValues(const char* a, const char* b, Type type) {
    if (type.kind == Kind::kMessage) return CompareMessages(a, b, *type.message);
    if (type.kind == Kind::kStringList) return CompareLists(AsBlock(a), AsBlock(b), kStringType);
    if (!EqualValues(a, b, type)) Report(a, b, type);
  }

  void CompareLists(const ListBlock* a, const ListBlock* b, Type type) {
    const size_t a_size = SizeOf(a);
    const size_t b_size = SizeOf(b);
    for (size_t i = 0; i < std::max(a_size, b_size) && !Full(); ++i) {
      const Step step(*this, "[", absl::StrCat(i), "]");
      ComparePointers(i < a_size ? a->elements() + i * type.size : nullptr,
                      i < b_size ? b->elements() + i * type.size : nullptr, type);
    }
  }

  // Merges the entries of both maps, which are sorted by key.
  void CompareMaps(const ListBlock* a, const ListBlock* b, Type type) {
    const size_t entry_size = EntrySize(type);
    const size_t a_size = SizeOf(a);
    const size_t b_size = SizeOf(b);
    const bool in_secret = secret_ || IsSecret(a, type) || IsSecret(b, type);
    for (size_t i = 0, k = 0; (i < a_size || k < b_size) && !Full();) {
      const char* x = i < a_size ? a->elements() + i * entry_size : nullptr;
      const char* y = k < b_size ? b->elements() + k * entry_size : nullptr;
      const int order = x == nullptr ? 1 : y == nullptr ? -1 : TextOf(x).compare(TextOf(y));
      const absl::string_view key = TextOf(order <= 0 ? x : y);
      const Step step(*this, "[", key, "]");
      const bool secret = std::exchange(secret_, in_secret || key == kLastApplied);
      ComparePointers(order <= 0 ? x + kEntryValue : nullptr,
                      order >= 0 ? y + kEntryValue : nullptr, type);
      secret_ = secret;
      i += order <= 0 ? 1 : 0;
      k += order >= 0 ? 1 : 0;
    }
  }

  void Report(const char* a, const char* b, Type type) {
    if (Full()) return;
    changes_.push_back({.path = path_});
    if (a != nullptr) changes_.back().before = Print(a, type);
    if (b != nullptr) changes_.back().after = Print(b, type);
  }

  std::string Print(const char* value, Type type) const {
    if (type.kind == Kind::kBytes || (secret_ && type.kind == Kind::kString)) {
      return absl::StrCat("<", TextOf(value).size(), " bytes>");
    }
    if (type.kind == Kind::kMessage && HasSecrets(*type.message)) return "{...}";
    if (type.kind == Kind::kValue) return secret_ ? "{...}" : Cut(PrintJsonValue(value, type));
    std::string json;
    // A value that has no JSON is shown as text.
    if (!AppendJsonValue(json, value, type).ok()) {
      json = kube::table::StorageOf(type.kind) == kube::table::Storage::kString
                 ? absl::StrCat("<invalid: ", TextOf(value), ">")
                 : "<invalid>";
    }
    return Cut(std::move(json));
  }

  // Prints a value of any JSON without the secrets that may be further down in it.
  static std::string PrintJsonValue(const char* value, Type type) {
    std::ostringstream out;
    kube::table::PrintValue(out, value, type);
    return std::move(out).str();
  }

  std::string Cut(std::string text) const {
    if (options_.max_value_size == 0 || text.size() <= options_.max_value_size) return text;
    text.resize(options_.max_value_size);
    return text + "...";
  }

  // Returns whether the map is the JSON of a Secret: an Unstructured that has this kind.
  static bool IsSecret(const ListBlock* map, Type type) {
    if (type.kind != Kind::kValue) return false;
    for (size_t i = 0; i < SizeOf(map); ++i) {
      const char* entry = map->elements() + i * EntrySize(type);
      if (TextOf(entry) != "kind") continue;
      const char* kind = entry + kEntryValue;
      return kube::table::ValueTagOf(kind) == kube::table::ValueTag::kString &&
             TextOf(kind) == "Secret";
    }
    return false;
  }

  // Returns whether the JSON of such a message may show secrets, in the message itself or further
  // down.
  bool HasSecrets(const Message& message) const {
    std::vector<const Message*> seen;
    return secret_ || HasSecrets(message, seen);
  }
  static bool HasSecrets(const Message& message, std::vector<const Message*>& seen) {
    if (message.type_name() == "Secret" || message.type_name() == "ObjectMeta") return true;
    if (std::find(seen.begin(), seen.end(), &message) != seen.end()) return false;
    seen.push_back(&message);
    for (uint16_t i = 0; i < message.field_count; ++i) {
      const Field& field = message.fields[i];
      if (field.kind == Kind::kBytes) return true;
      if (field.kind == Kind::kMessage && HasSecrets(*message.sub(field), seen)) return true;
    }
    return false;
  }

  const DiffOptions& options_;
  std::string path_;
  bool secret_ = false;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<Change> Diff(const void* before, const void* after, const Message& message,
                         const DiffOptions& options) {
  Differ differ(options);
  differ.CompareMessages(static_cast<const char*>(before), static_cast<const char*>(after),
                         message);
  return differ.TakeChanges();
}

}  // namespace internal

std::ostream& operator<<(std::ostream& out, const Change& change) {
  return out << change.path << ": " << change.before.value_or("absent") << " -> "
             << change.after.value_or("absent");
}

std::string ToString(const std::vector<Change>& changes) {
  std::ostringstream out;
  for (const Change& change : changes) out << change << "\n";
  return out.str();
}

}  // namespace kube::codec
