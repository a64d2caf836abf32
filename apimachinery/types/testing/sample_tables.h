#ifndef APIMACHINERY_TYPES_TESTING_SAMPLE_TABLES_H_
#define APIMACHINERY_TYPES_TESTING_SAMPLE_TABLES_H_

// Builds field tables for tests and benchmarks, which protoc-gen-kube would write as constants.
//
//   struct Part {
//     String name{};
//     List<Part> parts{};
//     static const table::SampleMessage kMessage;
//   };
//   const table::SampleMessage Part::kMessage = table::MakeMessage<Part>(
//       "Part", {table::FieldAt("name", &Part::name), table::FieldAt("parts", &Part::parts)});

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/table.h"

namespace kube::table {

struct NamedField {
  std::string name;
  Field field;
  const Message* sub;
};

// Describes a member. If `kind` is given, the member's bits are those of a value of that kind.
template <typename T, typename M>
NamedField FieldAt(absl::string_view name, M T::*member, std::optional<Kind> kind = std::nullopt) {
  const T probe{};
  const auto offset = static_cast<size_t>(reinterpret_cast<const char*>(&(probe.*member)) -
                                          reinterpret_cast<const char*>(&probe));
  Type type = TypeOf<typename MemberType<M>::Element>();
  if (kind.has_value()) type.kind = *kind;
  const FieldTraits traits = {.name = 0,
                              .name_size = static_cast<uint8_t>(name.size()),
                              .flags = 0,
                              .offset = offset,
                              .number = 0,
                              .sub = 0};
  return {.name = std::string(name),
          .field = MakeField(traits, type, MemberType<M>::kShape),
          .sub = type.message};
}

using SampleMessage = MessageWith<16>;

// Keeps what the tables point to until the program ends.
struct Tables {
  std::deque<std::vector<Field>> fields;
  std::deque<std::string> names;
};
inline Tables& KeptTables() {
  static Tables tables;
  return tables;
}

template <typename T>
SampleMessage MakeMessage(absl::string_view type_name, std::vector<NamedField> named) {
  static_assert(std::is_aggregate_v<T>);
  static_assert(sizeof(T) <= std::numeric_limits<uint16_t>::max());
  Tables& tables = KeptTables();
  std::vector<Field>& fields = tables.fields.emplace_back();
  std::string& names = tables.names.emplace_back(type_name);
  SampleMessage message = {};
  size_t sub_count = 0;
  for (const NamedField& f : named) {
    Field& field = fields.emplace_back(f.field);
    field.name = static_cast<uint16_t>(names.size());
    names += f.name;
    if (f.sub == nullptr) continue;
    KUBE_CHECK_LT(sub_count, std::size(message.subs));
    field.sub = static_cast<uint16_t>(sub_count);
    message.subs[sub_count++] = f.sub;
  }
  names.append(16, '\0');
  message.fields = fields.data();
  message.names = names.data();
  message.size = sizeof(T);
  message.field_count = static_cast<uint16_t>(fields.size());
  message.name_size = static_cast<uint8_t>(type_name.size());
  return message;
}

}  // namespace kube::table

#endif  // APIMACHINERY_TYPES_TESTING_SAMPLE_TABLES_H_
