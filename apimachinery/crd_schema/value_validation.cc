// Repeats kube-openapi's SchemaValidator: the same checks in the same order, each of which counts
// (Result::Count). Order and counts matter, because of failures with the same message only the
// first is reported, and of the failed alternatives of anyOf and oneOf the one with the highest
// count.
//
// Validation recurses over the value and its schema. For updates the old value is passed along
// (ratcheting): if a part fails and has not changed, its failures are dropped. There is no old
// value below allOf, anyOf, oneOf and not, and none for elements of lists that are not of type map.

#include "apimachinery/crd_schema/value_validation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/crd_schema/internal/bad_value.h"
#include "apimachinery/crd_schema/internal/formats.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/internal/numbers.h"
#include "apimachinery/crd_schema/internal/ratcheting.h"
#include "apimachinery/crd_schema/internal/result.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema {
namespace {

namespace field = validation::field;
using crd_schema::internal::Additional;
using crd_schema::internal::BadValueOf;
using crd_schema::internal::Failure;
using crd_schema::internal::MakeFailure;
using crd_schema::internal::Node;
using crd_schema::internal::Result;
using field::Path;
using text::Quoted;
using unstructured::Value;
using unstructured::ValueType;

// The value that is validated, or the root object, which is not in a Value. Exactly one of them is
// set.
struct Subject {
  const Value* value = nullptr;
  const Map<Value>* root = nullptr;

  ValueType type() const { return value == nullptr ? ValueType::kObject : value->type(); }
  const Map<Value>* object() const { return value == nullptr ? root : value->object(); }
  Value Copy() const { return value == nullptr ? Value(*root) : *value; }
};

// Returns a value's JSON type, and the format that kube-openapi derives from it.
std::pair<absl::string_view, absl::string_view> SchemaInfo(ValueType type) {
  switch (type) {
    case ValueType::kBool:
      return {"boolean", ""};
    case ValueType::kInt:
      return {"integer", "int64"};
    case ValueType::kDouble:
      return {"number", "float64"};
    case ValueType::kString:
      return {"string", ""};
    case ValueType::kList:
      return {"array", ""};
    case ValueType::kObject:
      return {"object", ""};
    default:
      return {"null", ""};
  }
}

// Errors show larger limits as the largest int.
int ToInt(int64_t number) {
  return static_cast<int>(std::clamp<int64_t>(number, std::numeric_limits<int>::min(),
                                              std::numeric_limits<int>::max()));
}

// Go compares after a conversion by reflect: a double becomes the integer to compare with, and an
// integer becomes the text of the character with that code.
bool EqualsEnum(const Value& value, const Value& allowed) {
  if (allowed.is_null() || value.is_null()) return false;
  if (allowed.is_int() && value.is_double()) {
    return crd_schema::internal::TruncateAsGo(*value.number()) == *allowed.integer();
  }
  if (allowed.is_double() && value.is_number()) return *value.number() == *allowed.number();
  if (allowed.is_string() && value.is_int()) {
    const int64_t code = *value.integer();
    const bool valid = code >= 0 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    const text::Rune rune =
        allowed.text()->empty() ? text::Rune() : text::DecodeRune(*allowed.text());
    return rune.size == allowed.text()->size() && rune.size > 0 && !rune.invalid() &&
           rune.value == (valid ? static_cast<char32_t>(code) : U'\uFFFD');
  }
  return value == allowed;
}

std::string EnumText(const Value& value) {
  return value.is_string() ? std::string(*value.text())
                           : unstructured::EncodeJson(value).value_or("null");
}

// kube-openapi's SchemaValidator.
class Validator {
 public:
  // `of_default` selects the rules of ValidateDefaultValue.
  explicit Validator(bool of_default) : of_default_(of_default) {}

  // `old` is the previous value, or null.
  Result Validate(const Node& node, const std::string& path, const Subject& subject,
                  const Subject* old) {
    Result result = ValidateAll(node, path, subject, old);
    if (!result.ok() && old != nullptr && IsUnchanged(node, subject, *old)) result.Forgive();
    return result;
  }

 private:
  static bool IsUnchanged(const Node& node, const Subject& subject, const Subject& old) {
    if (subject.value != nullptr && old.value != nullptr) {
      return crd_schema::internal::IsUnchanged(node, *subject.value, *old.value);
    }
    return subject.object() != nullptr && old.object() != nullptr &&
           crd_schema::internal::IsUnchanged(node, *subject.object(), *old.object());
  }

  std::vector<absl::string_view> Types(const Node& node) const {
    if (node.int_or_string && !of_default_) return {"integer", "string"};
    if (node.type.empty()) return {};
    return {node.type};
  }

  // Returns the format, or "" if it is unknown for the type (apiextensions-apiserver:
  // `StripUnsupportedFormatsPostProcess`).
  absl::string_view Format(const Node& node, const std::vector<absl::string_view>& types) const {
    if (of_default_) return node.format;
    const absl::string_view type = types.size() == 1 ? types[0] : "";
    const absl::string_view format = node.format;
    const bool known = type.empty() || type == "string"
                           ? crd_schema::internal::FindFormat(format) != nullptr
                       : type == "integer" ? format == "int32" || format == "int64"
                       : type == "number"  ? format == "float" || format == "double"
                                           : false;
    return known ? format : "";
  }

  Result ValidateAll(const Node& node, const std::string& path, const Subject& subject,
                     const Subject* old) {
    const std::vector<absl::string_view> types = Types(node);
    const absl::string_view format = Format(node, types);
    Result result;
    if (subject.type() == ValueType::kNull) {
      result.Merge(CheckNull(node, types, path));
      result.Merge(CheckEnum(node, path, subject));
      return result;
    }
    const auto merge = [&](Result more) {
      result.Merge(std::move(more));
      result.Count();
    };
    if (!types.empty() || !format.empty()) merge(CheckType(types, format, path, subject));
    merge(CheckJunctors(node, path, subject));
    const Value* value = subject.value;
    if (subject.type() == ValueType::kString) {
      merge(CheckText(node, path, *value->text()));
      const crd_schema::internal::FormatCheck check = crd_schema::internal::FindFormat(format);
      if (check != nullptr) merge(CheckFormat(check, format, path, *value->text()));
    }
    if (subject.type() == ValueType::kInt || subject.type() == ValueType::kDouble) {
      const bool typed = types.size() == 1 && (types[0] == "integer" || types[0] == "number");
      merge(crd_schema::internal::CheckNumber(node, typed ? types[0] : "", path, *value));
    }
    if (subject.type() == ValueType::kList) merge(CheckList(node, path, *value->list(), old));
    merge(CheckEnum(node, path, subject));
    if (subject.object() != nullptr) merge(CheckObject(node, path, *subject.object(), old));
    result.Count();
    return result;
  }

  Result CheckNull(const Node& node, const std::vector<absl::string_view>& types,
                   const std::string& path) {
    Result result;
    if (!types.empty() && !absl::c_linear_search(types, "null") && !node.nullable) {
      result.Add(crd_schema::internal::InvalidType(path, absl::StrJoin(types, ","), "null"));
    } else {
      result.Count();
    }
    return result;
  }

  Result CheckType(const std::vector<absl::string_view>& types, absl::string_view format,
                   const std::string& path, const Subject& subject) {
    const auto [type, is_format] = SchemaInfo(subject.type());
    const auto has = [&](absl::string_view name) { return absl::c_linear_search(types, name); };
    const bool matches = has(type) || (type == "integer" && has("number")) ||
                         (type == "number" && has("integer") &&
                          crd_schema::internal::IsJsonInteger(*subject.value->number()));
    const bool textual = type == "string" || type == "array";
    Result result;
    if (!textual && !format.empty() && !matches && is_format != format) {
      result.Add(crd_schema::internal::InvalidType(path, format, is_format));
    } else if (!has("number") && !has("integer") && !format.empty() && textual) {
      // A value with a format may have any of these types.
      result.Count();
    } else if (!matches) {
      result.Add(crd_schema::internal::InvalidType(path, absl::StrJoin(types, ","), type));
    } else {
      result.Count();
    }
    return result;
  }

  Result CheckText(const Node& node, const std::string& path, absl::string_view text) {
    Result result;
    int64_t length = 0;
    if (node.max_length.has_value() || node.min_length.has_value()) {
      for (absl::string_view rest = text; !rest.empty(); ++length) {
        rest.remove_prefix(text::DecodeRune(rest).size);
      }
    }
    if (node.max_length.has_value() && length > *node.max_length) {
      Failure failure = MakeFailure(
          path, absl::StrCat(path, " in body should be at most ", *node.max_length, " chars long"),
          std::string());
      failure.error = field::TooLong(Path(), ToInt(*node.max_length));
      result.Add(std::move(failure));
    } else if (node.min_length.has_value() && length < *node.min_length) {
      result.Add(MakeFailure(
          path, absl::StrCat(path, " in body should be at least ", *node.min_length, " chars long"),
          std::string(text)));
    } else if (node.regexp != nullptr && !node.regexp->Matches(text)) {
      const std::string& error = node.regexp->error();
      result.Add(
          MakeFailure(path,
                      absl::StrCat(path, " in body should match '", node.pattern,
                                   error.empty() ? "" : ", but pattern is invalid: ", error, "'"),
                      std::string(text)));
    }
    return result;
  }

  Result CheckFormat(crd_schema::internal::FormatCheck check, absl::string_view format,
                     const std::string& path, absl::string_view text) {
    Result result;
    if (!check(text)) result.Add(crd_schema::internal::InvalidType(path, format, text));
    return result;
  }

  Result CheckEnum(const Node& node, const std::string& path, const Subject& subject) {
    Result result;
    if (node.enum_values.empty()) return result;
    const Value value = subject.Copy();
    if (absl::c_any_of(node.enum_values,
                       [&](const Value& allowed) { return EqualsEnum(value, allowed); })) {
      return result;
    }
    std::vector<std::string> texts;
    for (const Value& allowed : node.enum_values) texts.push_back(EnumText(allowed));
    const std::vector<absl::string_view> views(texts.begin(), texts.end());
    Failure failure = MakeFailure(
        path, absl::StrCat(path, " in body should be one of [", absl::StrJoin(texts, " "), "]"),
        BadValueOf(value));
    failure.error = field::NotSupported(Path(), BadValueOf(value), views);
    result.Add(std::move(failure));
    return result;
  }

  Result CheckList(const Node& node, const std::string& path, const List<Value>& list,
                   const Subject* old) {
    Result result;
    for (size_t i = 0; node.items != nullptr && i < list.size(); ++i) {
      const Value* old_element = old == nullptr || old->value == nullptr
                                     ? nullptr
                                     : crd_schema::internal::OldElement(node, list[i], *old->value);
      const Subject old_subject = {.value = old_element};
      result.Merge(Validate(*node.items, absl::StrCat(path, "[", i, "]"), {.value = &list[i]},
                            old_element == nullptr ? nullptr : &old_subject));
    }
    const auto size = static_cast<int64_t>(list.size());
    if (node.min_items.has_value() && size < *node.min_items) {
      result.Add(MakeFailure(
          path, absl::StrCat(path, " in body should have at least ", *node.min_items, " items"),
          size));
    }
    if (node.max_items.has_value() && size > *node.max_items) {
      Failure failure = MakeFailure(
          path, absl::StrCat(path, " in body should have at most ", *node.max_items, " items"),
          size);
      failure.error = field::TooMany(Path(), ToInt(size), ToInt(*node.max_items));
      result.Add(std::move(failure));
    }
    if (node.unique_items && HasDuplicates(list)) {
      result.Add(MakeFailure(path, absl::StrCat(path, " in body shouldn't contain duplicates"),
                             std::string()));
    }
    result.Count();
    return result;
  }

  static bool HasDuplicates(const List<Value>& list) {
    absl::flat_hash_set<Value> seen;
    return !absl::c_all_of(list, [&](const Value& element) { return seen.insert(element).second; });
  }

  Result CheckObject(const Node& node, const std::string& path, const Map<Value>& object,
                     const Subject* old) {
    Result result;
    CheckSize(node, path, object, result);
    const Map<Value>* old_object = old == nullptr ? nullptr : old->object();
    for (const auto& [name, member] : object) {
      if (node.FindProperty(name.view()) != nullptr) continue;
      if (node.additional == Additional::kFalse && !IsDropped()) {
        result.Add(MakeFailure(
            path, absl::StrCat(path, ".", name.view(), " in body is a forbidden property"),
            std::string(name)));
      } else if (node.additional_schema != nullptr && !IsDropped()) {
        result.Merge(ValidateMember(*node.additional_schema, absl::StrCat(path, ".", name.view()),
                                    name.view(), member, path.empty(), old_object));
      }
    }
    for (const auto& [name, property] : node.properties) {
      const Value* member = object.find(name);
      if (member == nullptr) continue;
      result.Merge(ValidateMember(*property, path.empty() ? name : absl::StrCat(path, ".", name),
                                  name, *member, path.empty(), old_object));
    }
    for (const std::string& name : node.required) {
      if (object.contains(name)) continue;
      const std::string place = absl::StrCat(path, ".", name);
      Failure failure = MakeFailure(place, absl::StrCat(place, " in body is required"), {});
      failure.error = field::Required(Path(), "");
      result.Add(std::move(failure));
    }
    return result;
  }

  static void CheckSize(const Node& node, const std::string& path, const Map<Value>& object,
                        Result& result) {
    const auto size = static_cast<int64_t>(object.size());
    if (node.min_properties.has_value() && size < *node.min_properties) {
      result.Add(MakeFailure(
          path,
          absl::StrCat(path, " in body should have at least ", *node.min_properties, " properties"),
          size));
    }
    if (node.max_properties.has_value() && size > *node.max_properties) {
      Failure failure = MakeFailure(
          path,
          absl::StrCat(path, " in body should have at most ", *node.max_properties, " properties"),
          size);
      failure.error = field::TooMany(Path(), ToInt(size), ToInt(*node.max_properties));
      result.Add(std::move(failure));
    }
  }

  // For defaults, additionalProperties below allOf, anyOf, oneOf and not are ignored.
  bool IsDropped() const { return of_default_ && junctors_ > 0; }

  Result ValidateMember(const Node& node, const std::string& path, absl::string_view name,
                        const Value& member, bool at_root, const Map<Value>* old_object) {
    const Value* old_member = old_object == nullptr ? nullptr : old_object->find(name);
    // Only the members of the object itself differ between versions.
    if (at_root && (name == "kind" || name == "apiVersion")) old_member = nullptr;
    const Subject old_subject = {.value = old_member};
    return Validate(node, path, {.value = &member}, old_member == nullptr ? nullptr : &old_subject);
  }

  // kube-openapi: `schemaPropsValidator`.
  Result CheckJunctors(const Node& node, const std::string& path, const Subject& subject) {
    ++junctors_;
    Result result;
    if (!node.any_of.empty()) CheckAnyOf(node, path, subject, result);
    if (!node.one_of.empty()) CheckOneOf(node, path, subject, result);
    if (!node.all_of.empty()) CheckAllOf(node, path, subject, result);
    if (node.not_ != nullptr && Validate(*node.not_, path, subject, nullptr).ok()) {
      result.Add(MakeFailure(absl::StrCat(Quoted(path), " must not validate the schema (not)")));
    }
    result.Count();
    --junctors_;
    return result;
  }

  void CheckAnyOf(const Node& node, const std::string& path, const Subject& subject,
                  Result& result) {
    std::optional<Result> best;
    for (const std::unique_ptr<const Node>& choice : node.any_of) {
      Result one = Validate(*choice, path, subject, nullptr);
      if (one.ok()) {
        result.Merge(std::move(one));
        return;
      }
      if (!best.has_value() || one.match_count() > best->match_count()) best = std::move(one);
    }
    result.Add(
        MakeFailure(absl::StrCat(Quoted(path), " must validate at least one schema (anyOf)")));
    result.Merge(*std::move(best));
  }

  void CheckOneOf(const Node& node, const std::string& path, const Subject& subject,
                  Result& result) {
    std::optional<Result> best;
    std::optional<Result> first_valid;
    int valid = 0;
    for (const std::unique_ptr<const Node>& choice : node.one_of) {
      Result one = Validate(*choice, path, subject, nullptr);
      if (one.ok()) {
        ++valid;
        best.reset();
        if (!first_valid.has_value()) first_valid = std::move(one);
      } else if (valid == 0 && (!best.has_value() || one.match_count() > best->match_count())) {
        best = std::move(one);
      }
    }
    if (valid == 1) {
      result.Merge(*std::move(first_valid));
      return;
    }
    result.Add(MakeFailure(absl::StrCat(
        Quoted(path), " must validate one and only one schema (oneOf). ",
        valid == 0 ? "Found none valid" : absl::StrCat("Found ", valid, " valid alternatives"))));
    if (best.has_value()) result.Merge(*std::move(best));
  }

  void CheckAllOf(const Node& node, const std::string& path, const Subject& subject,
                  Result& result) {
    size_t valid = 0;
    for (const std::unique_ptr<const Node>& part : node.all_of) {
      Result one = Validate(*part, path, subject, nullptr);
      valid += one.ok() ? 1 : 0;
      result.Merge(std::move(one));
    }
    if (valid == node.all_of.size()) return;
    result.Add(MakeFailure(absl::StrCat(Quoted(path), " must validate all the schemas (allOf)",
                                        valid == 0 ? ". None validated" : "")));
  }

  const bool of_default_;
  // The depth of nested allOf, anyOf, oneOf and not.
  int junctors_ = 0;
};

}  // namespace

field::ErrorList ValidateObject(const Structural& schema, const Map<Value>& object) {
  return Validator(/*of_default=*/false)
      .Validate(schema.root(), "", {.root = &object}, nullptr)
      .ToFieldErrors(Path());
}

field::ErrorList ValidateObjectUpdate(const Structural& schema, const Map<Value>& object,
                                      const Map<Value>& old_object) {
  const Subject old = {.root = &old_object};
  return Validator(/*of_default=*/false)
      .Validate(schema.root(), "", {.root = &object}, &old)
      .ToFieldErrors(Path());
}

field::ErrorList ValidateMember(const Structural& schema, absl::string_view name,
                                const Map<Value>& object, const Map<Value>& old_object) {
  const Node* node = schema.root().FindProperty(name);
  const Value* member = object.find(name);
  if (node == nullptr || member == nullptr) return {};
  const Value* old_member = old_object.find(name);
  const Subject old = {.value = old_member};
  return Validator(/*of_default=*/false)
      .Validate(*node, "", {.value = member}, old_member == nullptr ? nullptr : &old)
      .ToFieldErrors(Path(name));
}

namespace internal {

field::ErrorList ValidateDefaultValue(const Node& node, const Path& path, const Value& value) {
  return Validator(/*of_default=*/true)
      .Validate(node, "", {.value = &value}, nullptr)
      .ToFieldErrors(path);
}

}  // namespace internal
}  // namespace kube::crd_schema
