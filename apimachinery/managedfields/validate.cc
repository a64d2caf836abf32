#include "apimachinery/managedfields/validate.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/managedfields/internal/item_index.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/internal/walk_errors.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {
namespace {

using internal::Atom;
using internal::ItemKey;
using unstructured::Value;
using unstructured::ValueType;

// The other walks are recursive and rely on this limit, and so does the text of errors.
constexpr int kMaxDepth = 1000;

// Appends a value as %#v prints it: map[string]interface {}{"a":1}.
void AppendGoSyntax(std::string& out, const Value& value) {
  absl::string_view separator = "";
  switch (value.type()) {
    case ValueType::kNull:
      out += "interface {}(nil)";
      return;
    case ValueType::kString:
      text::AppendQuoted(out, *value.text());
      return;
    case ValueType::kList:
      absl::StrAppend(&out, unstructured::GoType(value), "{");
      for (const Value& element : *value.list()) {
        absl::StrAppend(&out, separator);
        AppendGoSyntax(out, element);
        separator = ", ";
      }
      out += '}';
      return;
    case ValueType::kObject:
      absl::StrAppend(&out, unstructured::GoType(value), "{");
      for (const auto& [key, member] : *value.object()) {
        absl::StrAppend(&out, separator);
        text::AppendQuoted(out, key.view());
        out += ':';
        AppendGoSyntax(out, member);
        separator = ", ";
      }
      out += '}';
      return;
    default:
      absl::StrAppend(&out, unstructured::FormatAsGo(value));
      return;
  }
}

// Upstream prints its wrapper of the value, with %v or with %#v.
std::string Wrapped(const Value& value) {
  return absl::StrCat("&{", unstructured::FormatAsGo(value), "}");
}
std::string WrappedSyntax(const Value& value) {
  std::string out = "&value.valueUnstructured{Value:";
  AppendGoSyntax(out, value);
  out += '}';
  return out;
}
std::string TypeName(const Value& value) { return std::string(unstructured::GoType(value)); }

// Returns whether lists and maps are nested more than `levels` deep in the value.
bool IsDeeperThan(const Value& value, int levels) {
  if (!value.is_list() && !value.is_object()) return false;
  if (levels == 0) return true;
  if (const List<Value>* list = value.list()) {
    return std::any_of(list->begin(), list->end(),
                       [levels](const Value& item) { return IsDeeperThan(item, levels - 1); });
  }
  const Map<Value>& map = *value.object();
  return std::any_of(map.begin(), map.end(), [levels](const Map<Value>::Entry& entry) {
    return IsDeeperThan(entry.value, levels - 1);
  });
}

class Validator {
 public:
  explicit Validator(const ValidateOptions& options) : options_(options) {}

  // `depth` is the number of lists and maps around the value.
  void Check(const Value& value, const Schema& schema, int depth) {
    switch (internal::AtomOf(value, schema)) {
      case Atom::kMap:
        if (const Map<Value>* map = value.object()) {
          if (!IsTooDeep(depth)) CheckMap(*map, *schema.map, depth + 1);
        } else if (!value.is_null()) {
          AddWrongType("map", value, depth, Wrapped);
        }
        return;
      case Atom::kScalar:
        CheckScalar(value, schema.scalar, depth);
        return;
      case Atom::kList:
        if (const List<Value>* items = value.list()) {
          if (!IsTooDeep(depth)) CheckList(*items, *schema.list, depth + 1);
        } else if (!value.is_null()) {
          AddWrongType("list", value, depth, Wrapped);
        }
        return;
      case Atom::kNone:
        errors_.Add("schema error: invalid atom: inlined");
        return;
    }
  }

  absl::Status ToStatus() const {
    if (is_too_deep_) {
      return absl::InvalidArgumentError(absl::StrCat("nested more than ", kMaxDepth, " deep"));
    }
    return errors_.ToStatus();
  }

 private:
  bool IsTooDeep(int depth) {
    is_too_deep_ = is_too_deep_ || depth >= kMaxDepth;
    return is_too_deep_;
  }

  // Printing a value recurses, too: what is nested too deeply is not printed.
  void AddWrongType(absl::string_view expected, const Value& value, int depth,
                    std::string (*print)(const Value&)) {
    is_too_deep_ = is_too_deep_ || IsDeeperThan(value, kMaxDepth - depth);
    if (!is_too_deep_) errors_.Add(absl::StrCat("expected ", expected, ", got ", print(value)));
  }

  void CheckScalar(const Value& value, ScalarType type, int depth) {
    if (value.is_null()) return;
    switch (type) {
      case ScalarType::kNumeric:
        if (value.is_number()) return;
        return AddWrongType("numeric (int or float)", value, depth, TypeName);
      case ScalarType::kString:
        if (value.is_string()) return;
        return AddWrongType("string", value, depth, WrappedSyntax);
      case ScalarType::kBoolean:
        if (value.is_bool()) return;
        return AddWrongType("boolean", value, depth, Wrapped);
      case ScalarType::kUntyped:
        if (!value.is_list() && !value.is_object()) return;
        return AddWrongType("any scalar", value, depth, Wrapped);
      case ScalarType::kNone:
        return;
    }
  }

  // Upstream does not look further into a map after an undeclared field. It visits the fields in
  // random order; here they are sorted.
  void CheckMap(const Map<Value>& map, const MapSchema& schema, int depth) {
    for (const Map<Value>::Entry& entry : map) {
      const size_t count = errors_.size();
      const Schema* member = schema.Find(entry.key.view());
      if (member != nullptr) {
        Check(entry.value, *member, depth);
      } else {
        errors_.Add("field not declared in schema");
      }
      errors_.Prefix(count, [&] { return absl::StrCat(".", entry.key.view()); });
      if (member == nullptr) return;
    }
  }

  void CheckList(const List<Value>& items, const ListSchema& list, int depth) {
    if (list.associative) return CheckItems(items, list, depth);
    for (size_t i = 0; i < items.size(); ++i) {
      const size_t count = errors_.size();
      Check(items[i], internal::OrNothing(list.element), depth);
      errors_.Prefix(count, [i] { return absl::StrCat("[", i, "]"); });
    }
  }

  // Upstream does not look at the items after one without a key.
  void CheckItems(const List<Value>& items, const ListSchema& list, int depth) {
    std::vector<ItemKey> keys;
    keys.reserve(items.size());
    absl::Status no_key;
    for (size_t i = 0; i < items.size() && no_key.ok(); ++i) {
      absl::StatusOr<ItemKey> key = internal::ItemKeyOf(items[i], list);
      if (key.ok()) {
        keys.push_back(*std::move(key));
      } else {
        no_key = key.status();
      }
    }
    std::vector<size_t> repeated;
    if (!options_.allow_duplicates) {
      repeated = internal::RepeatedKeys(keys, internal::ItemOrder(list));
    }
    auto next_repeated = repeated.begin();
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto element_text = [&] { return internal::ElementOf(keys[i], list).ToString(); };
      if (next_repeated != repeated.end() && *next_repeated == i) {
        errors_.Add(absl::StrCat("duplicate entries for key ", element_text()));
        ++next_repeated;
      }
      const size_t count = errors_.size();
      Check(items[i], internal::OrNothing(list.element), depth);
      if (!is_too_deep_) errors_.Prefix(count, element_text);
    }
    if (!no_key.ok()) {
      errors_.Add(absl::StrCat("element ", keys.size(), ": ", no_key.message()));
    }
  }

  const ValidateOptions options_;
  internal::WalkErrors errors_;
  bool is_too_deep_ = false;
};

}  // namespace

absl::Status Validate(const Value& value, const Schema& schema, const ValidateOptions& options) {
  Validator validator(options);
  validator.Check(value, schema, 0);
  return validator.ToStatus();
}

}  // namespace kube::managedfields
