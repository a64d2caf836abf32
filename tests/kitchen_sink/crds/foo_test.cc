// The sample controller's CRD, written from examples/sample_controller/foo.proto, beside upstream's
// by hand.
#include <fstream>
#include <sstream>
#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/base/check.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::kitchen {
namespace {

using unstructured::Value;

Value Read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const absl::StatusOr<Value> value = unstructured::ParseYaml(text.str());
  KUBE_CHECK(value.ok()) << path << ": " << value.status();
  return *value;
}

// Removes what says no more than upstream's: what is said for people, the range of Go's int32, and
// members that every object has.
void RemoveFromSchema(Value& schema) {
  Map<Value>* const object = schema.object();
  if (object == nullptr) return;
  object->erase("description");
  object->erase("format");
  const auto properties = object->find("properties");
  if (properties == nullptr) return;
  for (const char* name : {"spec", "status", "deploymentName", "replicas", "availableReplicas"}) {
    if (Value* property = properties->Find(name); property != nullptr) RemoveFromSchema(*property);
  }
}

TEST(SampleController, ItsCrdMeansWhatUpstreamsMeans) {
  Value ours = Read("examples/sample_controller/foo_crds.yaml");
  const Value upstream = Read("tests/kitchen_sink/crds/testdata/upstream_foo.yaml");

  // The server's defaults.
  Map<Value>& names = *At(ours, {"spec", "names"}).object();
  EXPECT_EQ(names["listKind"], Value("FooList"));
  EXPECT_EQ(names["singular"], Value("foo"));
  names.erase("listKind");
  names.erase("singular");
  Value& version = (*At(ours, {"spec", "versions"}).list())[0];
  Value& schema = At(version, {"schema", "openAPIV3Schema"});
  for (const char* name : {"apiVersion", "kind", "metadata"}) {
    EXPECT_EQ(At(schema, {"properties"}).object()->erase(name), 1u) << name;
  }
  RemoveFromSchema(schema);
  EXPECT_EQ(ours, upstream);
}

}  // namespace
}  // namespace kube::kitchen
