#ifndef CODEGEN_CRD_IMPORT_INTERNAL_SCHEMA_READER_H_
#define CODEGEN_CRD_IMPORT_INTERNAL_SCHEMA_READER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "codegen/crd_import/internal/idl.h"
#include "codegen/crd_import/internal/schema_type.h"

namespace kube::codegen::internal {

// Turns the members of one schema into options, so that codegen/crds writes the same schema again.
// First the caller takes what it says by options of the field and of the message; Finish returns
// the rest as the option `validation`: rules of the IDL where they fit, otherwise `schema_json`.
// Schemas below this one are not looked at, except in the schema of a kube.Value, which is taken
// over as it is. Thread-compatible.
class SchemaReader {
 public:
  // Both must outlive the reader.
  SchemaReader(const Map<unstructured::Value>& schema, const SchemaType& type);

  // Drops a member, which is said otherwise.
  void Take(absl::string_view name);
  // Returns the values of `enum` if all are texts and the type is "string", or nothing.
  std::vector<std::string> TakeEnumTexts();
  // Returns the default as JSON, or "" if there is none or if it is not of the type.
  std::string TakeDefault();
  // Sets a member of the schema_json. null removes what would be written.
  void Set(absl::string_view name, unstructured::Value value);

  // Returns the members of the option `validation`. To be called once, at the end.
  IdlOptions Finish();

 private:
  void ReadNumbers();
  void ReadTexts();
  void ReadFormat();
  void ReadContainers();
  void ReadEnum();
  void ReadRules();
  bool ReadRule(const unstructured::Value& rule, IdlOption& option) const;
  bool HasConsistentLimits() const;
  bool Fits(const unstructured::Value& value) const;
  void MoveNumber(absl::string_view name, absl::string_view option);
  void MoveSize(absl::string_view name, absl::string_view option, absl::string_view type);
  void MoveTrue(absl::string_view name, absl::string_view option);

  const SchemaType& type_;
  const std::string type_name_;
  const bool nullable_;
  Map<unstructured::Value> written_;
  Map<unstructured::Value> rest_;
  IdlOptions options_;
};

// Returns the option `schema_json` with these members.
IdlOption SchemaJson(const Map<unstructured::Value>& members);

}  // namespace kube::codegen::internal

#endif  // CODEGEN_CRD_IMPORT_INTERNAL_SCHEMA_READER_H_
