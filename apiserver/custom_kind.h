#ifndef APISERVER_CUSTOM_KIND_H_
#define APISERVER_CUSTOM_KIND_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/crd_schema/custom_resource.h"
#include "apimachinery/crd_schema/merge_schema.h"
#include "apimachinery/jsonpath/printer_column.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apiserver/custom_converter.h"

namespace kube::apiserver {

// A version of a CustomResourceDefinition as a kind: what the server needs to serve it. A change of
// the definition makes new ones; requests and objects keep the one that they started with
// (kube-apiserver: `crdInfo` of `customresource_handler`).
//
// Build, then immutable; thread-safe.
class CustomKind {
 private:
  // Restricts the constructor to MakeAll.
  struct Key {
    explicit Key() = default;
  };

 public:
  CustomKind(Key, const api::apiextensions::v1::CustomResourceDefinition& definition,
             const api::apiextensions::v1::CustomResourceDefinitionVersion& version);
  CustomKind(const CustomKind&) = delete;
  CustomKind& operator=(const CustomKind&) = delete;

  // Returns all versions of a valid definition in its order, including those that are not served.
  // The names come from the definition's status. All versions stay alive as long as one of them is
  // held. Returns the errors of crd_schema::CustomResource::Make.
  // `converter` converts between them; null means that they differ in nothing but the apiVersion.
  static absl::StatusOr<std::vector<std::shared_ptr<const CustomKind>>> MakeAll(
      const api::apiextensions::v1::CustomResourceDefinition& definition,
      std::shared_ptr<const CustomConverter> converter = nullptr);

  // The kinds and all texts in them live as long as this.
  const KindInfo& kind() const { return kind_; }
  const KindInfo& list_kind() const { return list_kind_; }
  const crd_schema::CustomResource& rules() const { return *rules_; }
  // Returns how server-side apply merges the objects.
  const managedfields::Schema& merge_schema() const { return rules_->merge_schema().schema(); }
  // Returns the name of the definition, such as "crontabs.stable.example.com".
  absl::string_view definition_name() const { return definition_.metadata.name.view(); }
  bool served() const { return version_.served; }
  // Returns the schema of this version as the definition has it, or null if it has none.
  const api::apiextensions::v1::JSONSchemaProps* schema() const;
  // Returns whether fields that the schema does not have are kept, as in old definitions.
  bool preserves_unknown_fields() const { return definition_.spec.preserve_unknown_fields; }

  // Returns the version that objects are stored in, which may be this one.
  const CustomKind& stored() const { return *stored_; }
  // Returns another version of the same definition, or null if it has none of that name.
  const CustomKind* Find(absl::string_view version) const;
  // Returns what converts objects of other versions, or null if only their apiVersion changes.
  const CustomConverter* converter() const;

  // Returns the warning for clients that use a deprecated version, or "" if it is not deprecated.
  const std::string& deprecation() const { return deprecation_; }
  // Returns the fields that field selectors support besides metadata: ".spec.color" as
  // "spec.color".
  const std::vector<std::string>& selectable() const { return selectable_; }

  // A table column: one of the definition's, or the age if it has none.
  struct Column {
    api::meta::v1::TableColumnDefinition definition;
    jsonpath::PrinterColumn printer;
  };
  const std::vector<Column>& columns() const { return columns_; }

 private:
  struct Family;

  absl::Status Fill(const Family& family);
  void AddColumns();
  void FillKinds();
  void FillDeprecation();

  // Like all pointers here, owned by the family: all versions of the definition.
  const api::apiextensions::v1::CustomResourceDefinition& definition_;
  const api::apiextensions::v1::CustomResourceDefinitionVersion& version_;
  const Family* family_ = nullptr;
  const CustomKind* stored_ = nullptr;
  std::shared_ptr<const crd_schema::CustomResource> rules_;
  std::string deprecation_;
  std::vector<std::string> selectable_;
  std::vector<Column> columns_;
  KindInfo kind_;
  KindInfo list_kind_;
  // What the spans of `kind_` point to.
  std::vector<absl::string_view> short_names_;
  std::vector<absl::string_view> categories_;
  std::vector<SubresourceInfo> subresources_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_CUSTOM_KIND_H_
