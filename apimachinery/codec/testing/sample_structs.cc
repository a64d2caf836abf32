#include "apimachinery/codec/testing/sample_structs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "apimachinery/base/check.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"

namespace kube::codec::internal {
namespace {

using kube::table::JsonForm;
using kube::table::kOmitEmpty;
using kube::table::kOmitZero;
using kube::table::kWireAfterFields;
using kube::table::kWireInline;
using kube::table::Storage;

using TestMessage = kube::table::MessageWith<16>;

// What a member's type says about its field.
template <typename T>
struct TypeTraits {
  static constexpr Shape kShape = Shape::kValue;
  static constexpr Storage kStorage = std::is_class_v<T> ? Storage::kMessage : Storage::kNone;
  using Element = T;
};
template <>
struct TypeTraits<String> {
  static constexpr Shape kShape = Shape::kValue;
  static constexpr Storage kStorage = Storage::kString;
  using Element = String;
};
template <typename T>
struct TypeTraits<Opt<T>> {
  static constexpr Shape kShape = Shape::kOpt;
  static constexpr Storage kStorage = TypeTraits<T>::kStorage;
  using Element = T;
};
template <typename T>
struct TypeTraits<Box<T>> {
  static constexpr Shape kShape = Shape::kBox;
  static constexpr Storage kStorage = Storage::kBox;
  using Element = T;
};
template <typename T>
struct TypeTraits<List<T>> {
  static constexpr Shape kShape = Shape::kList;
  static constexpr Storage kStorage = Storage::kList;
  using Element = T;
};
template <typename T>
struct TypeTraits<Map<T>> {
  static constexpr Shape kShape = Shape::kMap;
  static constexpr Storage kStorage = Storage::kMap;
  using Element = T;
};

// What a member's type does not say about its field.
struct FieldOptions {
  int flags = 0;
  // If it differs from the kind of the type.
  std::optional<Kind> kind = std::nullopt;
  // A List<String> that is stored as a value.
  bool list_value = false;
};

template <typename T>
class TableBuilder {
 public:
  explicit TableBuilder(std::string name) : names_(std::move(name)) {
    name_size_ = static_cast<uint8_t>(names_.size());
  }

  template <typename M, typename C>
  TableBuilder& Add(M C::*member, const std::string& name, int number, FieldOptions options = {}) {
    using Traits = TypeTraits<M>;
    using Element = typename Traits::Element;
    const auto type = kube::table::TypeOf<Element>();
    Field field = {};
    field.name = static_cast<uint16_t>(names_.size());
    field.name_size = static_cast<uint8_t>(name.size());
    names_ += name;
    field.flags = static_cast<uint8_t>(options.flags);
    field.offset = static_cast<uint16_t>(reinterpret_cast<const char*>(&(sample_.*member)) -
                                         reinterpret_cast<const char*>(&sample_));
    field.number = static_cast<uint16_t>(number);
    field.kind = options.kind.value_or(type.kind);
    field.shape = Traits::kShape;
    field.storage = Traits::kStorage;
    field.element_size = static_cast<uint16_t>(
        field.shape == Shape::kMap ? kube::table::EntrySize(type) : type.size);
    if (options.list_value) {
      field.kind = Kind::kStringList;
      field.shape = Shape::kValue;
      field.element_size = sizeof(M);
    }
    if (field.kind == Kind::kMicroTime) field.element_size = sizeof(MicroTimeBits);
    if (field.kind == Kind::kIntOrString) field.element_size = sizeof(IntOrStringBits);
    if (type.message != nullptr) {
      field.sub = static_cast<uint16_t>(subs_.size());
      subs_.push_back(type.message);
    }
    if (number != 0) {
      (inline_number_ == 0 ? entries_ : inlined_)
          .emplace_back(number, static_cast<uint16_t>(fields_.size()));
    }
    fields_.push_back(field);
    return *this;
  }

  // The members up to EndInline belong to an inline struct.
  TableBuilder& BeginInline(int number) {
    inline_number_ = number;
    return *this;
  }
  TableBuilder& EndInline() {
    std::sort(inlined_.begin(), inlined_.end());
    entries_.emplace_back(std::exchange(inline_number_, 0), kWireInline);
    return *this;
  }

  // The table is never destroyed, as tables are constants.
  TestMessage Build(JsonForm form = JsonForm::kObject, bool all_optional = false) {
    std::sort(entries_.begin(), entries_.end());
    std::vector<uint16_t> wire;
    for (const auto& [number, entry] : entries_) {
      wire.push_back(entry == kWireInline ? kWireInline | static_cast<uint16_t>(entries_.size())
                                          : entry);
      if (entry == kWireInline) inlined_number_ = static_cast<uint16_t>(number);
    }
    if (!inlined_.empty()) {
      wire.push_back(inlined_number_);
      wire.push_back(static_cast<uint16_t>(inlined_.size()));
      for (const auto& [number, entry] : inlined_) wire.push_back(entry);
    }
    names_ += std::string(16, '\0');
    TestMessage message = {};
    KUBE_CHECK_LE(subs_.size(), std::size(message.subs));
    std::copy(subs_.begin(), subs_.end(), message.subs);
    message.field_count = static_cast<uint16_t>(fields_.size());
    const size_t wire_size = wire.size() * sizeof(uint16_t);
    fields_.resize(fields_.size() + (wire_size + sizeof(Field) - 1) / sizeof(Field));
    if (wire_size != 0) std::memcpy(&fields_[message.field_count], wire.data(), wire_size);
    message.fields = Keep(fields_);
    message.wire_start = kWireAfterFields;
    message.names = Keep(std::vector<char>(names_.begin(), names_.end()));
    message.size = sizeof(T);
    message.wire_count = static_cast<uint16_t>(entries_.size());
    message.name_size = name_size_;
    message.json_form = form;
    message.all_optional = all_optional ? 1 : 0;
    return message;
  }

 private:
  template <typename E>
  static const E* Keep(const std::vector<E>& elements) {
    static base::NoDestructor<std::vector<std::unique_ptr<std::vector<E>>>> kept;
    kept->push_back(std::make_unique<std::vector<E>>(elements));
    return kept->back()->data();
  }

  const T sample_ = {};
  std::string names_;
  uint8_t name_size_ = 0;
  std::vector<Field> fields_;
  std::vector<const Message*> subs_;
  // The index of a field, or kWireInline, sorted by field number.
  std::vector<std::pair<int, uint16_t>> entries_;
  std::vector<std::pair<int, uint16_t>> inlined_;
  int inline_number_ = 0;
  uint16_t inlined_number_ = 0;
};

template <typename T>
TestMessage LeavesTable(const char* name, int flags) {
  return TableBuilder<T>(name)
      .Add(&T::text, "text", 1, {.flags = flags})
      .Add(&T::bytes, "bytes", 2, {.flags = flags, .kind = Kind::kBytes})
      .Add(&T::quantity, "quantity", 3, {.flags = flags, .kind = Kind::kQuantity})
      .Add(&T::raw_extension, "rawExtension", 4, {.flags = flags, .kind = Kind::kRawExtension})
      .Add(&T::fields, "fieldsV1", 5, {.flags = flags, .kind = Kind::kFieldsV1})
      .Add(&T::raw_json, "json", 6, {.flags = flags, .kind = Kind::kRawJson})
      .Add(&T::flag, "flag", 7, {.flags = flags})
      .Add(&T::int32, "int32", 8, {.flags = flags})
      .Add(&T::int64, "int64", 9, {.flags = flags})
      .Add(&T::number, "number", 10, {.flags = flags})
      .Add(&T::time, "time", 11, {.flags = flags, .kind = Kind::kTime})
      .Add(&T::micro_time, "microTime", 12, {.flags = flags, .kind = Kind::kMicroTime})
      .Add(&T::duration, "duration", 13, {.flags = flags, .kind = Kind::kDuration})
      .Add(&T::int_or_string, "intOrString", 14, {.flags = flags, .kind = Kind::kIntOrString})
      .Add(&T::strings, "strings", 15, {.flags = flags, .list_value = true})
      .Add(&T::part, "part", 16, {.flags = flags})
      .Build();
}

}  // namespace

const TestMessage TestPart::kMessage =
    TableBuilder<TestPart>("Part")
        .Add(&TestPart::name, "name", 1)
        .Add(&TestPart::port, "port", 2, {.flags = kOmitEmpty})
        .Add(&TestPart::labels, "labels", 3, {.flags = kOmitEmpty})
        .Add(&TestPart::next, "next", 4, {.flags = kOmitEmpty})
        .Add(&TestPart::parts, "parts", 5, {.flags = kOmitEmpty})
        .Add(&TestPart::resources, "resources", 6, {.flags = kOmitEmpty, .kind = Kind::kQuantity})
        .Build();

const TestMessage TestLeaves::kMessage = LeavesTable<TestLeaves>("Leaves", 0);
const TestMessage TestOmitEmpty::kMessage = LeavesTable<TestOmitEmpty>("OmitEmpty", kOmitEmpty);
const TestMessage TestOmitZero::kMessage = LeavesTable<TestOmitZero>("OmitZero", kOmitZero);

const TestMessage TestShapes::kMessage =
    TableBuilder<TestShapes>("Shapes")
        .Add(&TestShapes::api_version, "apiVersion", 0, {.flags = kOmitEmpty})
        .Add(&TestShapes::text, "text", 9)
        .Add(&TestShapes::time, "time", 8, {.kind = Kind::kTime})
        .Add(&TestShapes::left_out, "leftOut", 7, {.flags = kOmitEmpty, .kind = Kind::kTime})
        .Add(&TestShapes::part, "part", 1)
        .Add(&TestShapes::parts, "parts", 2)
        .BeginInline(3)
        .Add(&TestShapes::source, "source", 1, {.flags = kOmitEmpty})
        .Add(&TestShapes::target, "target", 2, {.flags = kOmitEmpty})
        .EndInline()
        .Add(&TestShapes::ints, "ints", 5, {.flags = kOmitEmpty})
        .Add(&TestShapes::doubles, "doubles", 4, {.flags = kOmitEmpty})
        .Add(&TestShapes::part_map, "partMap", 20)
        .Add(&TestShapes::int_map, "intMap", 21, {.flags = kOmitEmpty})
        .Add(&TestShapes::bytes_map, "bytesMap", 22, {.flags = kOmitEmpty, .kind = Kind::kBytes})
        .Add(&TestShapes::strings_map, "stringsMap", 23, {.flags = kOmitEmpty})
        .Add(&TestShapes::lists, "lists", 24, {.flags = kOmitEmpty})
        .Build();

const TestMessage TestApply::kMessage =
    TableBuilder<TestApply>("Apply")
        .Add(&TestApply::name, "name", 0, {.flags = kOmitEmpty})
        .Add(&TestApply::port, "port", 0, {.flags = kOmitEmpty})
        .Add(&TestApply::finalizers, "finalizers", 0, {.flags = kOmitEmpty})
        .Add(&TestApply::labels, "labels", 0, {.flags = kOmitEmpty})
        .Add(&TestApply::next, "next", 0, {.flags = kOmitEmpty})
        .Add(&TestApply::data, "data", 0, {.flags = kOmitEmpty, .kind = Kind::kBytes})
        .Build(JsonForm::kObject, true);

const TestMessage TestOrBool::kMessage = TableBuilder<TestOrBool>("OrBool")
                                             .Add(&TestOrBool::allows, "allows", 1)
                                             .Add(&TestOrBool::schema, "schema", 2)
                                             .Build(JsonForm::kOrBool);
const TestMessage TestOrArray::kMessage = TableBuilder<TestOrArray>("OrArray")
                                              .Add(&TestOrArray::schema, "schema", 1)
                                              .Add(&TestOrArray::parts, "parts", 2)
                                              .Build(JsonForm::kOrArray);
const TestMessage TestOrStrings::kMessage = TableBuilder<TestOrStrings>("OrStrings")
                                                .Add(&TestOrStrings::schema, "schema", 1)
                                                .Add(&TestOrStrings::names, "names", 2)
                                                .Build(JsonForm::kOrStringArray);
const TestMessage TestForms::kMessage =
    TableBuilder<TestForms>("Forms")
        .Add(&TestForms::or_bool, "orBool", 1, {.flags = kOmitEmpty})
        .Add(&TestForms::or_array, "orArray", 2, {.flags = kOmitEmpty})
        .Add(&TestForms::or_strings, "orStrings", 3, {.flags = kOmitEmpty})
        .Build();

const TestMessage TestSecret::kMessage =
    TableBuilder<TestSecret>("Secret")
        .Add(&TestSecret::annotations, "annotations", 1, {.flags = kOmitEmpty})
        .Add(&TestSecret::data, "data", 2, {.flags = kOmitEmpty, .kind = Kind::kBytes})
        .Add(&TestSecret::string_data, "stringData", 3, {.flags = kOmitEmpty})
        .Add(&TestSecret::copy, "copy", 4, {.flags = kOmitEmpty})
        .Build();

}  // namespace kube::codec::internal
