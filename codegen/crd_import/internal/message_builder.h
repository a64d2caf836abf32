#ifndef CODEGEN_CRD_IMPORT_INTERNAL_MESSAGE_BUILDER_H_
#define CODEGEN_CRD_IMPORT_INTERNAL_MESSAGE_BUILDER_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "codegen/crd_import/internal/idl.h"
#include "codegen/crd_import/internal/idl_names.h"
#include "codegen/crd_import/internal/schema_reader.h"
#include "codegen/crd_import/internal/schema_type.h"

namespace kube::codegen::internal {

// A kind to be added: the names that its messages have, and their options.
struct KindMessages {
  std::string name = {};       // "Widget"
  std::string list_name = {};  // "WidgetList"
  IdlOptions kind = {};        // of (kube.kind)
  IdlOptions list_kind = {};
};

// Turns the schemas of kinds into the messages of one file. Each object in a schema becomes a
// message, named by its path: the type of spec.ports of Widget is WidgetSpecPorts. Messages that
// are equal but for their names are written once, and the other names are aliases: so the names
// stay when only one of them changes. Thread-compatible.
class MessageBuilder {
 public:
  // `names` has the names of all kinds of the file.
  explicit MessageBuilder(MessageNames& names) : names_(names) {}

  // Adds the messages of a kind. `schema` is its openAPIV3Schema. Returns RESOURCE_EXHAUSTED if the
  // file would have too many properties.
  absl::Status AddKind(const KindMessages& kind, const Map<unstructured::Value>& schema);

  // Returns all messages and aliases. To be called once.
  std::vector<IdlMessage> TakeMessages();
  std::vector<IdlAlias> TakeAliases() { return std::move(aliases_); }

 private:
  // A message that was added: its name, or that of an equal one, and at most how large its struct
  // is, in bytes.
  struct Built {
    std::string name;
    size_t size = 0;
  };
  // The message that is being filled.
  struct Open {
    IdlMessage message = {};
    FieldNames names = {};
    std::string path = {};
    size_t size = 0;
    int depth = 0;
  };
  // A property: its schema, and whether it is required.
  struct Property {
    absl::string_view name;
    const Map<unstructured::Value>& schema;
    bool is_required = false;
  };

  // Adds the fields of a schema's properties. Returns what the fields do not say, as members of a
  // schema_json.
  Map<unstructured::Value> AddFields(const Map<unstructured::Value>& schema, bool is_kind,
                                     Open& open);
  void AddField(const Property& property, Open& open);
  void AddMetadata(const Map<unstructured::Value>& schema, bool is_required, Open& open);
  void AddUnknownFields(Open& open);
  // Set type, label, `omit` and the like of a field.
  void SetMessage(const Property& property, SchemaReader& reader, IdlField& field, Open& open);
  void SetElements(const Property& property, const SchemaType& type, SchemaReader& reader,
                   IdlField& field, Open& open);
  // Adds the message of an object schema at a property of `open`. `description` is the message's
  // own comment.
  Built AddMessage(const Map<unstructured::Value>& schema, absl::string_view property,
                   const std::vector<std::string>& comment, const Open& open);

  MessageNames& names_;
  std::vector<IdlMessage> messages_;  // without a name: an alias stands for it
  std::vector<IdlAlias> aliases_;
  std::map<std::string, Built> bodies_;
  size_t properties_ = 0;
};

}  // namespace kube::codegen::internal

#endif  // CODEGEN_CRD_IMPORT_INTERNAL_MESSAGE_BUILDER_H_
