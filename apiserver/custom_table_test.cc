#include "apiserver/custom_table.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;

std::shared_ptr<const CustomKind> Dogs(absl::string_view columns) {
  const auto crd = codec::DecodeJson<CustomResourceDefinition>(absl::StrCat(
      R"({"metadata":{"name":"dogs.example.com"},"spec":{"group":"example.com","scope":"Cluster",)",
      R"("names":{"kind":"Dog"},"versions":[{"name":"v1","served":true,"storage":true,)",
      R"("schema":{"openAPIV3Schema":{"type":"object"}},"additionalPrinterColumns":)", columns,
      R"(}]},"status":{"acceptedNames":{"plural":"dogs","kind":"Dog","listKind":"DogList"}}})"));
  EXPECT_THAT(crd, IsOk());
  const auto kinds = CustomKind::MakeAll(*crd);
  EXPECT_THAT(kinds, IsOk());
  return kinds->front();
}

std::string RowOf(const std::shared_ptr<const CustomKind>& dogs, absl::string_view json) {
  const auto object = Object::MakeCustom(std::shared_ptr<const KindInfo>(dogs, &dogs->kind()),
                                         *unstructured::DecodeUnstructured(json));
  EXPECT_THAT(object, IsOk());
  absl::Time now;
  EXPECT_TRUE(absl::ParseTime(absl::RFC3339_full, "2020-01-01T00:05:00Z", &now, nullptr));
  return *codec::EncodeJson(CustomRow(*dogs, *object, now));
}

constexpr char kRex[] = R"({"apiVersion":"example.com/v1","kind":"Dog",)"
                        R"("metadata":{"name":"rex","creationTimestamp":"2020-01-01T00:00:00Z"},)"
                        R"("spec":{"age":7,"weight":1.5,"good":true,"names":["a","b"]}})";

TEST(CustomTableTest, WithoutColumnsThereIsTheAge) {
  const auto dogs = Dogs("[]");
  const auto columns = CustomColumns(*dogs);
  ASSERT_EQ(columns.size(), 2);
  EXPECT_EQ(columns[0].name, "Name");
  EXPECT_EQ(columns[0].format, "name");
  EXPECT_EQ(columns[1].name, "Age");
  EXPECT_EQ(columns[1].type, "date");
  EXPECT_EQ(RowOf(dogs, kRex), R"({"cells":["rex","5m"],"object":null})");
}

TEST(CustomTableTest, CellsAreOfTheTypesOfTheirColumns) {
  const auto dogs =
      Dogs(R"([{"name":"Age","type":"integer","jsonPath":".spec.age","priority":1},)"
           R"({"name":"Weight","type":"number","jsonPath":".spec.weight","description":"In kg."},)"
           R"({"name":"Good","type":"boolean","jsonPath":".spec.good"},)"
           R"({"name":"First","type":"string","jsonPath":".spec.names[0]"},)"
           R"({"name":"Owner","type":"string","jsonPath":".spec.owner"},)"
           R"({"name":"Born","type":"date","jsonPath":".metadata.creationTimestamp"},)"
           R"({"name":"Wrong","type":"date","jsonPath":".metadata.name"}])");
  const auto columns = CustomColumns(*dogs);
  ASSERT_EQ(columns.size(), 8);
  EXPECT_EQ(columns[1].priority, 1);
  EXPECT_EQ(columns[1].description,
            "Custom resource definition column (in JSONPath format): .spec.age");
  EXPECT_EQ(columns[2].description, "In kg.");
  EXPECT_EQ(RowOf(dogs, kRex),
            R"({"cells":["rex",7,1.5,true,"a",null,"5m","\u003cinvalid\u003e"],"object":null})");
}

// As upstream: those before it stay.
TEST(CustomTableTest, AColumnThatIsNoneIsTheLast) {
  const auto dogs = Dogs(R"([{"name":"A","type":"integer","jsonPath":".spec.age"},)"
                         R"({"name":"B","type":"string","jsonPath":".spec["},)"
                         R"({"name":"C","type":"string","jsonPath":".spec.owner"}])");
  EXPECT_EQ(CustomColumns(*dogs).size(), 2);
  EXPECT_EQ(RowOf(dogs, kRex), R"({"cells":["rex",7],"object":null})");
}

}  // namespace
}  // namespace kube::apiserver
