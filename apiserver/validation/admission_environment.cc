#include "apiserver/validation/admission_environment.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/type.h"

namespace kube::apiserver::internal {
namespace {

using cel::TypePtr;

constexpr char kRequest[] = "kubernetes.AdmissionRequest";
constexpr char kUser[] = "kubernetes.UserInfo";
constexpr char kKind[] = "kubernetes.GroupVersionKind";
constexpr char kResource[] = "kubernetes.GroupVersionResource";
constexpr char kNamespace[] = "kubernetes.Namespace";
constexpr char kNamespaceMeta[] = "kubernetes.NamespaceMetadata";
constexpr char kNamespaceSpec[] = "kubernetes.NamespaceSpec";
constexpr char kNamespaceStatus[] = "kubernetes.NamespaceStatus";
constexpr char kNamespaceCondition[] = "kubernetes.NamespaceCondition";

using Fields = std::map<std::string, TypePtr, std::less<>>;

// The types that upstream declares for the request and its namespace (kube-apiserver:
// `BuildRequestType`, `BuildNamespaceType`).
class TypesOfAdmission final : public cel::TypeProvider {
 public:
  TypesOfAdmission() {
    const TypePtr& text = cel::StringType();
    const TypePtr texts = cel::ListType(text);
    structs_[kKind] = {{"group", text}, {"version", text}, {"kind", text}};
    structs_[kResource] = {{"group", text}, {"version", text}, {"resource", text}};
    structs_[kUser] = {
        {"username", text}, {"uid", text}, {"groups", texts}, {"extra", cel::MapType(text, texts)}};
    structs_[kRequest] = {{"kind", cel::StructType(kKind)},
                          {"resource", cel::StructType(kResource)},
                          {"subResource", text},
                          {"requestKind", cel::StructType(kKind)},
                          {"requestResource", cel::StructType(kResource)},
                          {"requestSubResource", text},
                          {"name", text},
                          {"namespace", text},
                          {"operation", text},
                          {"userInfo", cel::StructType(kUser)},
                          {"dryRun", cel::BoolType()},
                          {"options", cel::DynType()}};
    AddNamespace(text, texts);
  }

  bool HasStruct(absl::string_view name) const override { return structs_.count(name) != 0; }

  TypePtr FindField(absl::string_view struct_name, absl::string_view field) const override {
    const auto fields = structs_.find(struct_name);
    if (fields == structs_.end()) return nullptr;
    const auto found = fields->second.find(field);
    return found == fields->second.end() ? nullptr : found->second;
  }

 private:
  void AddNamespace(const TypePtr& text, const TypePtr& texts) {
    const TypePtr labels = cel::MapType(text, text);
    const TypePtr& time = cel::TimestampType();
    structs_[kNamespaceSpec] = {{"finalizers", texts}};
    structs_[kNamespaceCondition] = {{"status", text},
                                     {"type", text},
                                     {"lastTransitionTime", time},
                                     {"message", text},
                                     {"reason", text}};
    structs_[kNamespaceStatus] = {
        {"conditions", cel::ListType(cel::StructType(kNamespaceCondition))}, {"phase", text}};
    structs_[kNamespaceMeta] = {{"name", text},
                                {"generateName", text},
                                {"namespace", text},
                                {"labels", labels},
                                {"annotations", labels},
                                {"UID", text},
                                {"creationTimestamp", time},
                                {"deletionGracePeriodSeconds", cel::IntType()},
                                {"deletionTimestamp", time},
                                {"generation", cel::IntType()},
                                {"resourceVersion", text},
                                {"finalizers", texts}};
    structs_[kNamespace] = {{"metadata", cel::StructType(kNamespaceMeta)},
                            {"spec", cel::StructType(kNamespaceSpec)},
                            {"status", cel::StructType(kNamespaceStatus)}};
  }

  std::map<std::string, Fields, std::less<>> structs_;
};

}  // namespace

void AddAdmissionVariables(cel::Environment& environment) {
  environment.AddVariable("object", cel::DynType());
  environment.AddVariable("oldObject", cel::DynType());
  environment.AddVariable("request", cel::StructType(kRequest));
  environment.AddVariable("namespaceObject", cel::StructType(kNamespace));
}

const std::shared_ptr<const cel::TypeProvider>& AdmissionTypes() {
  static base::NoDestructor<const std::shared_ptr<const cel::TypeProvider>> types(
      std::make_shared<const TypesOfAdmission>());
  return *types;
}

}  // namespace kube::apiserver::internal
