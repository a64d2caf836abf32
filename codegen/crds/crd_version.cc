#include "codegen/crds/crd_version.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "codegen/crds/members.h"
#include "kube/options.pb.h"

namespace kube::codegen {
namespace {

using unstructured::Value;

constexpr int kMaxSelectableFields = 8;

// Returns the schema at a path of names such as ".spec.replicas", or null if there is none.
const Map<Value>* FindSchema(const Map<Value>& schema, absl::string_view path) {
  if (!absl::StartsWith(path, ".")) return nullptr;
  const Map<Value>* found = &schema;
  for (const absl::string_view name : absl::StrSplit(path.substr(1), '.')) {
    const Value* properties = found->find("properties");
    const Value* property = properties == nullptr ? nullptr : properties->Find(name);
    if (property == nullptr || !property->is_object()) return nullptr;
    found = property->object();
  }
  return found;
}

std::string TypeAt(const Map<Value>& schema, absl::string_view path) {
  const Map<Value>* found = FindSchema(schema, path);
  return found == nullptr ? "" : TypeOf(*found);
}

class VersionWriter {
 public:
  VersionWriter(const KindOptions& options, Map<Value> schema, std::vector<std::string>& problems)
      : options_(options), schema_(std::move(schema)), problems_(problems) {}

  Map<Value> Write(const std::string& name, bool is_stored);

 private:
  void AddColumns();
  void AddSelectableFields();
  void AddSubresources();
  void AddScale(const Subresource& scale);
  void AddDeprecation();

  // The API server accepted an imported definition.
  template <typename... Parts>
  void Problem(const Parts&... parts) {
    if (!options_.imported()) problems_.push_back(absl::StrCat(parts...));
  }

  const KindOptions& options_;
  const Map<Value> schema_;
  std::vector<std::string>& problems_;
  Map<Value> version_;
};

void VersionWriter::AddColumns() {
  static constexpr absl::string_view kTypes[] = {"string", "integer", "number", "boolean", "date"};
  static constexpr absl::string_view kFormats[] = {
      "", "int32", "int64", "float", "double", "byte", "date", "date-time", "password"};
  for (const PrinterColumn& column : options_.printer_column()) {
    Map<Value> value;
    const auto put = [&value](const char* key, const std::string& text) {
      if (!text.empty()) value[key] = text;
    };
    put("name", column.name());
    put("type", column.type());
    put("jsonPath", column.json_path());
    put("format", column.format());
    put("description", column.description());
    if (column.priority() != 0) value["priority"] = column.priority();
    ListAt(version_, "additionalPrinterColumns").emplace_back(std::move(value));

    const std::string of = absl::StrCat("printer_column \"", column.name(), "\": ");
    if (column.name().empty()) Problem(of, "name must be specified");
    if (std::find(std::begin(kTypes), std::end(kTypes), column.type()) == std::end(kTypes)) {
      Problem(of, "type \"", column.type(),
              "\": must be \"string\", \"integer\", \"number\", \"boolean\" or \"date\"");
    }
    if (std::find(std::begin(kFormats), std::end(kFormats), column.format()) ==
        std::end(kFormats)) {
      Problem(of, "unknown format \"", column.format(), "\"");
    }
    if (!absl::StartsWith(column.json_path(), ".")) {
      Problem(of, "json_path \"", column.json_path(),
              "\": must start with \".\", such as \".spec.replicas\"");
    }
  }
}

void VersionWriter::AddSelectableFields() {
  if (options_.selectable_field_size() > kMaxSelectableFields) {
    Problem("selectable_field: must have at most ", kMaxSelectableFields);
  }
  for (const std::string& path : options_.selectable_field()) {
    ListAt(version_, "selectableFields").push_back(Map<Value>{{"jsonPath", path}});
    const std::string type = TypeAt(schema_, path);
    if (type == "string" || type == "integer" || type == "boolean") continue;
    Problem("selectable_field \"", path,
            "\": must point to a field of type string, boolean or integer");
  }
}

void VersionWriter::AddScale(const Subresource& scale) {
  Map<Value>& value = ObjectAt(ObjectAt(version_, "subresources"), "scale");
  const auto put = [&](const char* key, absl::string_view option, const std::string& path,
                       absl::string_view parent, absl::string_view type) {
    value[key] = path;
    if (absl::StartsWith(path, parent) && TypeAt(schema_, path) == type) return;
    Problem("subresource scale: ", option, " \"", path, "\": must be a field of type ", type,
            " under ", parent);
  };
  put("specReplicasPath", "spec_replicas_path", scale.spec_replicas_path(), ".spec.", "integer");
  put("statusReplicasPath", "status_replicas_path", scale.status_replicas_path(), ".status.",
      "integer");
  if (scale.label_selector_path().empty()) return;
  const bool in_spec = absl::StartsWith(scale.label_selector_path(), ".spec.");
  put("labelSelectorPath", "label_selector_path", scale.label_selector_path(),
      in_spec ? ".spec." : ".status.", "string");
}

void VersionWriter::AddSubresources() {
  for (const Subresource& each : options_.subresource()) {
    if (each.name() == "status") {
      ObjectAt(version_, "subresources")["status"] = Map<Value>();
      if (FindSchema(schema_, ".status") == nullptr) {
        Problem("subresource status: requires a field status");
      }
    } else if (each.name() == "scale") {
      AddScale(each);
    } else {
      Problem("subresource ", each.name(), ": custom resources support only status and scale");
    }
  }
}

void VersionWriter::AddDeprecation() {
  if (!options_.has_deprecated() && !options_.has_deprecation_warning()) return;
  version_["deprecated"] = true;
  if (!options_.has_deprecation_warning()) return;
  version_["deprecationWarning"] = options_.deprecation_warning();
  if (options_.deprecation_warning().empty() || options_.deprecation_warning().size() > 256 ||
      absl::StrContains(options_.deprecation_warning(), '\n')) {
    Problem("deprecation_warning: must be one line of at most 256 bytes");
  }
}

Map<Value> VersionWriter::Write(const std::string& name, bool is_stored) {
  version_["name"] = name;
  version_["served"] = options_.served();
  version_["storage"] = is_stored;
  AddDeprecation();
  AddColumns();
  AddSelectableFields();
  AddSubresources();
  version_["schema"] = Map<Value>{{"openAPIV3Schema", schema_}};
  return std::move(version_);
}

}  // namespace

Map<Value> WriteVersion(const std::string& name, const KindOptions& options, bool is_stored,
                        Map<Value> schema, std::vector<std::string>& problems) {
  return VersionWriter(options, std::move(schema), problems).Write(name, is_stored);
}

}  // namespace kube::codegen
