#include "apimachinery/unstructured/unstructured_list.h"

#include <cstddef>
#include <ostream>

#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/print.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/table.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {
namespace {

using kube::table::Field;
using kube::table::FieldOf;
using kube::table::Message;

constexpr char kNames[] =
    "apiVersionitemskindmetadataUnstructuredList\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
// Sorted by name, as Go writes maps.
constexpr Field kFields[] = {
    FieldOf<String>({.name = 0,
                     .name_size = 10,
                     .flags = kube::table::kOmitEmpty,
                     .offset = offsetof(UnstructuredList, api_version),
                     .number = 0,
                     .sub = 0}),
    FieldOf<List<Unstructured>>({.name = 10,
                                 .name_size = 5,
                                 .flags = 0,
                                 .offset = offsetof(UnstructuredList, items),
                                 .number = 0,
                                 .sub = 0}),
    FieldOf<String>({.name = 15,
                     .name_size = 4,
                     .flags = kube::table::kOmitEmpty,
                     .offset = offsetof(UnstructuredList, kind),
                     .number = 0,
                     .sub = 0}),
    FieldOf<Map<Value>>({.name = 19,
                         .name_size = 8,
                         .flags = 0,
                         .offset = offsetof(UnstructuredList, metadata),
                         .number = 0,
                         .sub = 0}),
};

absl::string_view Text(const Map<Value>& object, absl::string_view key) {
  const Value* value = object.find(key);
  return value == nullptr ? "" : value->text().value_or("");
}

}  // namespace

// all_optional: null members are omitted, empty ones are not.
const kube::table::MessageWith<1> UnstructuredList::kMessage = {
    {.fields = kFields,
     .names = kNames,
     .size = sizeof(UnstructuredList),
     .field_count = 4,
     .wire_count = 0,
     .name = 27,
     .name_size = 16,
     .json_form = kube::table::JsonForm::kObject,
     .all_optional = 1,
     .wire_start = 0,
     .is_atomic = 0,
     .reserved = {}},
    {&Unstructured::kMessage},
};

absl::string_view UnstructuredList::resource_version() const {
  return Text(metadata, "resourceVersion");
}

absl::string_view UnstructuredList::continue_() const { return Text(metadata, "continue"); }

std::ostream& operator<<(std::ostream& out, const UnstructuredList& value) {
  return kube::table::PrintMessage(out, &value, UnstructuredList::kMessage);
}

}  // namespace kube::unstructured
