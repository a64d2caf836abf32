#ifndef CODEGEN_CRDS_CRD_SCHEMA_H_
#define CODEGEN_CRDS_CRD_SCHEMA_H_

#include <google/protobuf/descriptor.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "codegen/diagnostics.h"
#include "kube/options.pb.h"

namespace kube::codegen {

// Writes messages as structural schemas (openAPIV3Schema), as controller-gen does for Go types;
// docs/crds.md lists the differences. Thread-compatible.
class SchemaWriter {
 public:
  // `files` are those that the user can change. An error in a message of another file is reported
  // at the field in these files that leads to it.
  SchemaWriter(const std::vector<const google::protobuf::FileDescriptor*>& files,
               Diagnostics& diagnostics)
      : own_files_(files.begin(), files.end()), diagnostics_(diagnostics) {}

  // Returns the complete schema of a kind.
  Map<unstructured::Value> OfKind(const google::protobuf::Descriptor& kind);

 private:
  Map<unstructured::Value> OfMessage(const google::protobuf::Descriptor& message);
  Map<unstructured::Value> OfStruct(const google::protobuf::Descriptor& message);
  Map<unstructured::Value> OfField(const google::protobuf::FieldDescriptor& field);
  Map<unstructured::Value> OfType(const google::protobuf::FieldDescriptor& type, bool schemaless);
  void AddFields(const google::protobuf::Descriptor& message, Map<unstructured::Value>& schema);
  void AddField(const google::protobuf::FieldDescriptor& field, Map<unstructured::Value>& schema);
  void AddEnum(const google::protobuf::FieldDescriptor& field, Map<unstructured::Value>& schema);
  void AddListType(const google::protobuf::FieldDescriptor& field,
                   Map<unstructured::Value>& schema);
  void AddMapType(const google::protobuf::FieldDescriptor& field, Map<unstructured::Value>& schema);
  void CheckListKey(const google::protobuf::FieldDescriptor& field, const std::string& key,
                    const Map<unstructured::Value>& element);
  void AddRules(const google::protobuf::FieldDescriptor& field, const Validation& rules,
                Map<unstructured::Value>& schema);
  void Error(const google::protobuf::FieldDescriptor& field, absl::string_view problem);
  // Reports what a schema cannot express, at the last field of the path that is in one of the
  // user's files.
  void ErrorOnPath(absl::string_view problem);

  const std::set<const google::protobuf::FileDescriptor*> own_files_;
  Diagnostics& diagnostics_;
  // The messages that are being written, and the fields that lead to them.
  std::vector<const google::protobuf::Descriptor*> path_;
  std::vector<const google::protobuf::FieldDescriptor*> fields_;
  std::map<const google::protobuf::Descriptor*, Map<unstructured::Value>> done_;
};

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_CRD_SCHEMA_H_
