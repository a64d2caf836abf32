#include "apimachinery/managedfields/table_schema.h"

#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apiserverinternal/v1alpha1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/authentication/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/metrics/v1beta1/types.kube.h"
#include "api/resource/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/testing/part.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

namespace apiextensionsv1 = api::apiextensions::v1;
namespace corev1 = api::core::v1;

using base::IsOk;
using kube::table::Field;
using kube::table::Kind;
using kube::table::Message;
using kube::table::MessageWith;
using kube::table::Shape;
using ::testing::IsNull;
using ::testing::NotNull;

std::string Brief(const Schema& schema);

std::string BriefList(const ListSchema& list) {
  std::vector<std::string> keys;
  for (const ListKey& key : list.keys) {
    keys.push_back(
        key.default_value.has_value()
            ? absl::StrCat(key.name, "=", unstructured::EncodeJson(*key.default_value).value())
            : key.name);
  }
  const std::string type = !list.associative ? "list"
                           : keys.empty()    ? "set"
                                             : absl::StrCat("map(", absl::StrJoin(keys, ","), ")");
  return absl::StrCat(type, " of ", Brief(*list.element));
}

// Describes a schema down to the first struct.
std::string Brief(const Schema& schema) {
  if (&schema == &DeducedSchema()) return "deduced";
  if (&schema == &UntypedAtomicSchema()) return "untyped atomic";
  if (schema.list != nullptr) return BriefList(*schema.list);
  if (schema.map != nullptr) {
    const std::string atomic = schema.map->atomic ? "atomic " : "";
    if (!schema.map->fields.empty()) return atomic + "struct";
    return absl::StrCat(atomic, "object of ", Brief(*schema.map->element));
  }
  constexpr std::array<absl::string_view, 5> kNames = {"none", "numeric", "string", "boolean",
                                                       "untyped"};
  return std::string(kNames[static_cast<size_t>(schema.scalar)]);
}

// Returns the schema at a path of names, which leads through the items of lists, or null.
const Schema* At(const Message& message, absl::string_view path) {
  const Schema* schema = &SchemaOf(message);
  for (const absl::string_view name : absl::StrSplit(path, '.')) {
    while (schema->list != nullptr && schema->map == nullptr) schema = schema->list->element;
    if (schema->map == nullptr) return nullptr;
    schema = schema->map->Find(name);
    if (schema == nullptr) return nullptr;
  }
  return schema;
}

// The rows are client-go's schema of these types (applyconfigurations/internal), and of those that
// it lacks, the metrics and definitions of custom resources, what kube-openapi makes of them.
TEST(SchemaOfTest, IsTheOneOfTheOpenApiDocument) {
  const struct {
    const Message& message;
    const char* path;
    const char* want;
  } kRows[] = {
      // Scalars.
      {corev1::Pod::kMessage, "apiVersion", "string"},
      {corev1::Pod::kMessage, "metadata.deletionGracePeriodSeconds", "numeric"},
      {corev1::Pod::kMessage, "spec.hostNetwork", "boolean"},
      {corev1::Pod::kMessage, "spec.priority", "numeric"},
      {corev1::Pod::kMessage, "metadata.creationTimestamp", "untyped"},
      {corev1::Pod::kMessage, "spec.containers.livenessProbe.httpGet.port", "untyped"},
      {corev1::Secret::kMessage, "data", "object of string"},
      {api::metrics::v1beta1::PodMetrics::kMessage, "window", "string"},
      // Maps.
      {corev1::Pod::kMessage, "metadata.labels", "object of string"},
      {corev1::Pod::kMessage, "metadata.labels.app", "string"},
      {corev1::Pod::kMessage, "spec.nodeSelector", "atomic object of string"},
      {corev1::Pod::kMessage, "spec.containers.resources.limits", "object of untyped"},
      {api::authentication::v1::TokenReview::kMessage, "status.user.extra",
       "object of list of string"},
      {corev1::PersistentVolumeClaim::kMessage, "status.allocatedResourceStatuses",
       "object of string"},
      // Lists.
      {corev1::Pod::kMessage, "spec.containers.command", "list of string"},
      {corev1::Pod::kMessage, "spec.tolerations", "list of struct"},
      {corev1::Pod::kMessage, "metadata.managedFields", "list of struct"},
      {corev1::Pod::kMessage, "metadata.finalizers", "set of string"},
      {corev1::Pod::kMessage, "metadata.ownerReferences", "map(uid=\"\") of atomic struct"},
      {corev1::Pod::kMessage, "spec.imagePullSecrets", "map(name=\"\") of atomic struct"},
      {corev1::Pod::kMessage, "spec.containers.ports",
       "map(containerPort=0,protocol=\"TCP\") of struct"},
      {corev1::Pod::kMessage, "spec.ephemeralContainers.ports",
       "map(containerPort=0,protocol=\"TCP\") of struct"},
      {corev1::Service::kMessage, "spec.ports", "map(port=0,protocol=\"TCP\") of struct"},
      {corev1::ServiceAccount::kMessage, "secrets", "map(name) of atomic struct"},
      {api::resource::v1::ResourceClaim::kMessage, "status.devices",
       "map(driver=\"\",device=\"\",pool=\"\",shareID) of struct"},
      // Structs.
      {corev1::Pod::kMessage, "spec", "struct"},
      {corev1::Pod::kMessage,
       "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
       "atomic struct"},
      {corev1::Pod::kMessage, "spec.containers.env.valueFrom.configMapKeyRef", "atomic struct"},
      {corev1::Binding::kMessage, "target", "atomic struct"},
      {corev1::PersistentVolume::kMessage, "spec.claimRef", "struct"},
      // A struct with an atomic one inlined.
      {corev1::Pod::kMessage, "spec.containers.envFrom.configMapRef", "struct"},
      {corev1::Pod::kMessage, "spec.containers.envFrom.configMapRef.name", "string"},
      // A struct without fields.
      {api::apiserverinternal::v1alpha1::StorageVersion::kMessage, "spec", "object of deduced"},
      // What is not typed.
      {corev1::Pod::kMessage, "metadata.managedFields.fieldsV1", "object of deduced"},
      {api::apps::v1::ControllerRevision::kMessage, "data", "untyped atomic"},
      {apiextensionsv1::JSONSchemaProps::kMessage, "default", "deduced"},
      {apiextensionsv1::JSONSchemaProps::kMessage, "enum", "list of deduced"},
      {apiextensionsv1::JSONSchemaProps::kMessage, "items", "deduced"},
      {apiextensionsv1::JSONSchemaProps::kMessage, "additionalProperties", "deduced"},
      {apiextensionsv1::JSONSchemaProps::kMessage, "dependencies", "object of deduced"},
      {apiextensionsv1::JSONSchemaProps::kMessage, "x-kubernetes-validations",
       "map(rule=\"\") of struct"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(absl::StrCat(row.message.type_name(), " ", row.path));
    const Schema* schema = At(row.message, row.path);
    ASSERT_THAT(schema, NotNull());
    EXPECT_EQ(Brief(*schema), row.want);
  }
}

TEST(SchemaOfTest, HasTheFieldsOfTheType_AsInTheHeader) {
  const Schema& pod = SchemaOf(corev1::Pod::kMessage);
  const Schema* spec = pod.map->FindField("spec");  // that of a PodSpec
  ASSERT_THAT(spec, NotNull());
  EXPECT_THAT(spec->map->FindField("nodeName"), NotNull());
  EXPECT_THAT(spec->map->FindField("replicas"), IsNull());
}

TEST(SchemaOfTest, OtherNamesAreNotDeclared) {
  EXPECT_THAT(At(corev1::Pod::kMessage, "spec.replicas"), IsNull());
  EXPECT_THAT(At(corev1::Pod::kMessage, "containers"), IsNull());
}

TEST(SchemaOfTest, FieldsAreSorted) {
  const Schema& schema = SchemaOf(corev1::Pod::kMessage);
  std::vector<std::string> names;
  for (const FieldSchema& field : schema.map->fields) names.push_back(field.name);
  EXPECT_THAT(names, ::testing::ElementsAre("apiVersion", "kind", "metadata", "spec", "status"));
}

TEST(SchemaOfTest, IsMadeOnce) {
  const Schema& schema = SchemaOf(corev1::Pod::kMessage);
  EXPECT_EQ(&SchemaOf(corev1::Pod::kMessage), &schema);
  EXPECT_EQ(schema.map->FindField("spec"), &SchemaOf(corev1::PodSpec::kMessage));
}

TEST(SchemaOfTest, StructsThatContainThemselves) {
  const Schema* schema = &SchemaOf(apiextensionsv1::JSONSchemaProps::kMessage);
  EXPECT_EQ(At(apiextensionsv1::JSONSchemaProps::kMessage, "not"), schema);
  EXPECT_EQ(At(apiextensionsv1::JSONSchemaProps::kMessage, "properties.spec.allOf.not"), schema);
}

TEST(SchemaOfTest, ListsOfLists) {
  EXPECT_EQ(Brief(*At(Part::kMessage, "groups")), "list of list of string");
  EXPECT_EQ(Brief(*At(Part::kMessage, "extra")), "object of list of string");
}

TEST(SchemaOfTest, ObjectsOfUnknownTypesAreDeduced) {
  EXPECT_EQ(&SchemaOf(unstructured::Unstructured::kMessage), &DeducedSchema());
}

// A struct with a field "f" that holds another struct.
struct Holder {
  std::string names;
  Message held;
  Field field;
  MessageWith<1> message;
};

// Returns a struct whose field has these merge rules. It is never destroyed, as is its schema.
const Message& StructWith(Shape shape, absl::string_view rules, bool held_is_atomic) {
  static base::NoDestructor<std::deque<Holder>> kept;
  Holder& holder = kept->emplace_back();
  holder.names = absl::StrCat("f", rules);
  holder.held = Size::kMessage;
  holder.held.is_atomic = held_is_atomic ? 1 : 0;
  holder.field.name_size = 1;
  if (!rules.empty()) holder.field.flags = kube::table::kHasMerge;
  holder.field.kind = Kind::kMessage;
  holder.field.shape = shape;
  holder.message.fields = &holder.field;
  holder.message.names = holder.names.data();
  holder.message.field_count = 1;
  holder.message.subs[0] = &holder.held;
  return holder.message;
}

TEST(SchemaOfTest, FieldsOverrideTheTypeOfAStruct) {
  const struct {
    const char* name;
    bool type_is_atomic;
    std::string rules;
    const char* want;
  } kRows[] = {
      {"nothing said", false, "", "struct"},
      {"atomic type", true, "", "atomic struct"},
      {"atomic field", false, std::string("\x08\0\0", 3), "atomic struct"},
      {"atomic field of an atomic type", true, std::string("\x08\0\0", 3), "atomic struct"},
      {"granular field", false, std::string("\x40\0\0", 3), "struct"},
      {"granular field of an atomic type", true, std::string("\x40\0\0", 3), "struct"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const Message& message = StructWith(Shape::kBox, row.rules, row.type_is_atomic);
    EXPECT_EQ(Brief(*At(message, "f")), row.want);
    EXPECT_EQ(Brief(*At(message, "f.width")), "numeric");
  }
}

TEST(SchemaOfTest, ListsByTheirRules) {
  const struct {
    const char* name;
    std::string rules;
    const char* want;
  } kRows[] = {
      {"nothing said", "", "list of struct"},
      {"atomic", std::string("\x08\0\0", 3), "list of struct"},
      {"set", std::string("\x10\0\0", 3), "set of struct"},
      {"a key without a default", std::string("\x20\0\5width\0", 9), "map(width) of struct"},
      {"a key with a default", std::string("\x20\0\5width\1", 9) + "3", "map(width=3) of struct"},
      {"the second of two keys", std::string("\x20\0\13width,exact\6,false", 21),
       "map(width,exact=false) of struct"},
      {"a merge key does not count", std::string("\1\5width\0", 8), "list of struct"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Brief(*At(StructWith(Shape::kList, row.rules, false), "f")), row.want);
  }
}

// ThreadSanitizer looks at it.
TEST(SchemaOfTest, IsThreadSafe) {
  base::ThreadGroup group{Context()};
  for (int i = 0; i < 4; ++i) {
    group.Go("schema", [](const Context&) {
      return At(api::apps::v1::Deployment::kMessage, "spec.template.spec.containers.name") ==
                     nullptr
                 ? absl::InternalError("no schema")
                 : absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::managedfields
