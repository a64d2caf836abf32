#include "codegen/crds/crd_values.h"

#include <google/protobuf/descriptor.h>

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "codegen/leaf_types.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

// Finds a string type in a file or its imports, and sets `in` to the file that defines it. Within
// the first file the package may be omitted from the name.
const kube::StringType* FindStringType(const pb::FileDescriptor& file, const std::string& name,
                                       bool is_first, std::set<const pb::FileDescriptor*>& done,
                                       const pb::FileDescriptor*& in) {
  if (!done.insert(&file).second) return nullptr;
  const pb::FileOptions& options = file.options();
  for (int i = 0; i < options.ExtensionSize(kube::string_type); ++i) {
    const kube::StringType& type = options.GetExtension(kube::string_type, i);
    const bool is_it =
        (is_first && type.name() == name) || absl::StrCat(file.package(), ".", type.name()) == name;
    if (!is_it) continue;
    in = &file;
    return &type;
  }
  for (int i = 0; i < file.dependency_count(); ++i) {
    const kube::StringType* type = FindStringType(*file.dependency(i), name, false, done, in);
    if (type != nullptr) return type;
  }
  return nullptr;
}

}  // namespace

const kube::StringType* StringTypeOf(const pb::FieldDescriptor& field) {
  const FieldOptions& options = field.options().GetExtension(kube::field);
  if (!options.has_string_type()) return nullptr;
  std::set<const pb::FileDescriptor*> done;
  const pb::FileDescriptor* in = nullptr;
  return FindStringType(*field.file(), options.string_type(), true, done, in);
}

absl::StatusOr<std::vector<std::string>> ClosedValuesOf(const pb::FieldDescriptor& field) {
  std::vector<std::string> values;
  if (IsOfRelease(*field.file())) return values;
  const FieldOptions& options = field.options().GetExtension(kube::field);
  values.assign(options.enum_value().begin(), options.enum_value().end());
  if (!options.has_string_type()) return values;
  std::set<const pb::FileDescriptor*> done;
  const pb::FileDescriptor* in = nullptr;
  const kube::StringType* type =
      FindStringType(*field.file(), options.string_type(), true, done, in);
  if (type == nullptr) {
    return absl::NotFoundError(absl::StrCat("unknown string_type \"", options.string_type(), "\""));
  }
  if (IsOfRelease(*in) || !type->closed()) {
    values.clear();
  } else if (values.empty()) {
    for (const Constant& constant : type->constant()) values.push_back(constant.value());
  }
  return values;
}

}  // namespace kube::codegen
