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
#include "apimachinery/jsonpath/printer_column.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apiserver/crd_schema/custom_resource.h"

namespace kube::apiserver {

// A version of a CustomResourceDefinition as a kind among the others: what a server needs to know
// of it to serve it. Made anew whenever the definition changes; requests and objects hold the one
// that they began with. (customresource_handler's crdInfo)
//
// Build, then immutable: thread-safe.
class CustomKind {
 private:
  // Only MakeAll has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  CustomKind(Key, const api::apiextensions::v1::CustomResourceDefinition& definition,
             const api::apiextensions::v1::CustomResourceDefinitionVersion& version);
  CustomKind(const CustomKind&) = delete;
  CustomKind& operator=(const CustomKind&) = delete;

  // All versions of a definition that is valid, also those that are not served, in its order. Names
  // are those of its status. They live together, as long as one of them. Errors as of
  // crd_schema::CustomResource::Make.
  static absl::StatusOr<std::vector<std::shared_ptr<const CustomKind>>> MakeAll(
      const api::apiextensions::v1::CustomResourceDefinition& definition);

  // They live as long as this, as all texts in them do.
  const KindInfo& kind() const { return kind_; }
  const KindInfo& list_kind() const { return list_kind_; }
  const crd_schema::CustomResource& rules() const { return *rules_; }
  // The name of the definition: "crontabs.stable.example.com".
  absl::string_view definition_name() const { return definition_.metadata.name.view(); }
  bool served() const { return version_.served; }

  // The version that objects are stored in: this one, perhaps.
  const CustomKind& stored() const { return *stored_; }
  // Another version of the same definition; null: it has none of that name.
  const CustomKind* Find(absl::string_view version) const;

  // What whoever uses a deprecated version is told; "" if it is none.
  const std::string& deprecation() const { return deprecation_; }
  // What field selectors may ask for beside metadata: ".spec.color" as "spec.color".
  const std::vector<std::string>& selectable() const { return selectable_; }

  // Of tables: those that the definition names, or the age.
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

  // Of the family, as all pointers.
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
  // What the spans of kind_ are of.
  std::vector<absl::string_view> short_names_;
  std::vector<absl::string_view> categories_;
  std::vector<SubresourceInfo> subresources_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_CUSTOM_KIND_H_
