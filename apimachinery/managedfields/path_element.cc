#include "apimachinery/managedfields/path_element.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_int.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/json/json_leaf.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/managedfields/internal/json_iterator.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;
using unstructured::ValueType;

// ---- order

// Returns the place of a type in the order of types.
int Rank(const Value& value) {
  switch (value.type()) {
    case ValueType::kInt:
    case ValueType::kDouble:
      return 0;
    case ValueType::kString:
      return 1;
    case ValueType::kBool:
      return 2;
    case ValueType::kList:
      return 3;
    case ValueType::kObject:
      return 4;
    case ValueType::kNull:
      return 5;
  }
  return 6;
}

std::strong_ordering CompareNumbers(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) return *a.integer() <=> *b.integer();
  const double x = *a.number();
  const double y = *b.number();
  if (x < y) return std::strong_ordering::less;
  return x > y ? std::strong_ordering::greater : std::strong_ordering::equal;
}

std::strong_ordering CompareLists(const List<Value>& a, const List<Value>& b) {
  const size_t shared = std::min(a.size(), b.size());
  for (size_t i = 0; i < shared; ++i) {
    const std::strong_ordering order = CompareValues(a[i], b[i]);
    if (order != 0) return order;
  }
  return a.size() <=> b.size();
}

// The order of maps and that of keys, which upstream writes in two ways, are the same.
std::strong_ordering CompareMaps(const Map<Value>& a, const Map<Value>& b) {
  const size_t shared = std::min(a.size(), b.size());
  for (size_t i = 0; i < shared; ++i) {
    const auto& [a_name, a_value] = a.begin()[i];
    const auto& [b_name, b_value] = b.begin()[i];
    std::strong_ordering order = a_name <=> b_name;
    if (order == 0) order = CompareValues(a_value, b_value);
    if (order != 0) return order;
  }
  return a.size() <=> b.size();
}

bool EqualMembers(const Map<Value>::Entry& a, const Map<Value>::Entry& b) {
  return a.key == b.key && EqualValues(a.value, b.value);
}

// ---- text

// Appends what messages show of a value (structured-merge-diff: `value.ToString`).
void AppendText(std::string& out, const Value& value) {
  switch (value.type()) {
    case ValueType::kNull:
      out += "null";
      return;
    case ValueType::kBool:
      out += *value.boolean() ? "true" : "false";
      return;
    case ValueType::kInt:
      absl::StrAppend(&out, *value.integer());
      return;
    case ValueType::kDouble:
      out += text::FormatGeneral(*value.number());
      return;
    case ValueType::kString:
      text::AppendQuoted(out, *value.text());
      return;
    case ValueType::kList: {
      absl::string_view separator = "[";
      for (const Value& element : *value.list()) {
        absl::StrAppend(&out, std::exchange(separator, ","));
        AppendText(out, element);
      }
      out += value.list()->empty() ? "[]" : "]";
      return;
    }
    case ValueType::kObject:
      for (const auto& [name, member] : *value.object()) {
        absl::StrAppend(&out, name.view(), "=");
        AppendText(out, member);
      }
      return;
  }
}

std::string KeyText(const Map<Value>& key) {
  std::string out = "[";
  absl::string_view separator;
  for (const auto& [name, value] : key) {
    absl::StrAppend(&out, std::exchange(separator, ","), name.view(), "=");
    AppendText(out, value);
  }
  out += ']';
  return out;
}

std::string SerializeKey(const Map<Value>& key) {
  std::string out = "k:{";
  absl::string_view separator;
  for (const auto& [name, value] : key) {
    absl::StrAppend(&out, std::exchange(separator, ","), "\"");
    internal::AppendFieldText(out, name);
    out += "\":";
    internal::AppendValue(out, value);
  }
  out += '}';
  return out;
}

// ---- parsing

absl::StatusOr<Value> ParseValue(absl::string_view json) {
  const codec::PaddedBuffer padded(json);
  internal::JsonReader reader(padded.data() + padded.size());
  Value value;
  const codec::internal::Scanned scanned =
      reader.ReadValue(codec::internal::SkipSpace(padded.data()), value);
  if (scanned.after == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(scanned.error, ": ", json));
  }
  return value;
}

absl::StatusOr<PathElement> ParseKey(absl::string_view json) {
  KUBE_ASSIGN_OR_RETURN(Value value, ParseValue(json));
  // Upstream reads null as a key without fields.
  if (value.is_null()) value = Map<Value>::Empty();
  if (!value.is_object()) {
    return absl::InvalidArgumentError(absl::StrCat("expected an object: ", json));
  }
  return PathElement::Key(std::move(*value.object()));
}

absl::StatusOr<PathElement> ParseIndex(absl::string_view digits) {
  const text::GoInt<int64_t> index = text::ParseGoInt(digits);
  if (index.ok()) return PathElement::Index(index.value);
  return absl::InvalidArgumentError(text::GoIntErrorText("Atoi", digits, index.error));
}

}  // namespace

PathElement PathElement::Field(absl::string_view name) {
  return PathElement(Type::kField, String(name), Value());
}

PathElement PathElement::Key(Map<Value> fields) {
  return PathElement(Type::kKey, String(), Value(std::move(fields)));
}

PathElement PathElement::Item(Value value) {
  return PathElement(Type::kValue, String(), std::move(value));
}

PathElement PathElement::Index(int64_t index) {
  return PathElement(Type::kIndex, String(), Value(index));
}

const Value& PathElement::item() const {
  if (type_ == Type::kValue) return value_;
  static base::NoDestructor<Value> null;
  return *null;
}

int64_t PathElement::index() const { return type_ == Type::kIndex ? *value_.integer() : 0; }

std::string PathElement::Serialize() const {
  switch (type_) {
    case Type::kField:
      return absl::StrCat("f:", name_.view());
    case Type::kKey:
      return SerializeKey(*key());
    case Type::kValue: {
      std::string out = "v:";
      internal::AppendValue(out, value_);
      return out;
    }
    case Type::kIndex:
      return absl::StrCat("i:", index());
  }
  return "";
}

absl::StatusOr<PathElement> PathElement::Parse(absl::string_view text) {
  if (text.size() < 2) return absl::InvalidArgumentError("key must be 2 characters long:");
  if (text[1] != ':') return absl::InvalidArgumentError(absl::StrCat("missing colon: ", text));
  const absl::string_view content = text.substr(2);
  switch (text[0]) {
    case 'f':
      return Field(content);
    case 'k':
      return ParseKey(content);
    case 'v': {
      KUBE_ASSIGN_OR_RETURN(Value value, ParseValue(content));
      return Item(std::move(value));
    }
    case 'i':
      return ParseIndex(content);
    default:
      return absl::NotFoundError("unknown path element type");
  }
}

std::string PathElement::ToString() const {
  switch (type_) {
    case Type::kField:
      return absl::StrCat(".", name_.view());
    case Type::kKey:
      return KeyText(*key());
    case Type::kValue: {
      std::string out = "[=";
      AppendText(out, value_);
      out += ']';
      return out;
    }
    case Type::kIndex:
      return absl::StrCat("[", index(), "]");
  }
  return "";
}

std::strong_ordering operator<=>(const PathElement& a, const PathElement& b) {
  if (a.type_ != b.type_) return a.type_ <=> b.type_;
  switch (a.type_) {
    case PathElement::Type::kField:
      return a.name_ <=> b.name_;
    case PathElement::Type::kKey:
      return CompareMaps(*a.key(), *b.key());
    case PathElement::Type::kValue:
      return CompareValues(a.value_, b.value_);
    case PathElement::Type::kIndex:
      return a.index() <=> b.index();
  }
  return std::strong_ordering::equal;
}

std::ostream& operator<<(std::ostream& out, const PathElement& element) {
  return out << element.ToString();
}

std::string PathText(absl::Span<const PathElement> path) {
  std::string out;
  for (const PathElement& element : path) out += element.ToString();
  return out;
}

std::strong_ordering CompareValues(const Value& a, const Value& b) {
  const int rank = Rank(a);
  if (rank != Rank(b)) return rank <=> Rank(b);
  switch (a.type()) {
    case ValueType::kInt:
    case ValueType::kDouble:
      return CompareNumbers(a, b);
    case ValueType::kString:
      return a.text()->compare(*b.text()) <=> 0;
    case ValueType::kBool:
      return *a.boolean() <=> *b.boolean();
    case ValueType::kList:
      return CompareLists(*a.list(), *b.list());
    case ValueType::kObject:
      return CompareMaps(*a.object(), *b.object());
    case ValueType::kNull:
      return std::strong_ordering::equal;
  }
  return std::strong_ordering::equal;
}

bool EqualValues(const Value& a, const Value& b) {
  if (a.is_double() || b.is_double()) {
    return a.is_number() && b.is_number() && *a.number() == *b.number();
  }
  if (a.is_list() && b.is_list()) {
    const List<Value>& x = *a.list();
    const List<Value>& y = *b.list();
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), EqualValues);
  }
  if (a.is_object() && b.is_object()) {
    const Map<Value>& x = *a.object();
    const Map<Value>& y = *b.object();
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), EqualMembers);
  }
  return a == b;  // scalars, or of different types
}

}  // namespace kube::managedfields
