#include "codegen/parameter.h"

#include <string>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(ParseParameter, NothingAsksForNoClientsAndInformers) {
  absl::StatusOr<Parameter> parameter = ParseParameter("");
  ASSERT_TRUE(parameter.ok()) << parameter.status();
  EXPECT_THAT(parameter->clients, IsEmpty());
  EXPECT_THAT(parameter->informers, IsEmpty());
}

TEST(ParseParameter, ClientsAndTheirExpansions) {
  absl::StatusOr<Parameter> parameter =
      ParseParameter("clients=a.proto=a.h,clients=b.proto=b.h,expansion=b.proto=Pod=pod.h");
  ASSERT_TRUE(parameter.ok()) << parameter.status();
  ASSERT_EQ(parameter->clients.size(), 2u);
  EXPECT_EQ(parameter->clients["a.proto"].header, "a.h");
  EXPECT_THAT(parameter->clients["a.proto"].expansions, IsEmpty());
  EXPECT_EQ(parameter->clients["b.proto"].header, "b.h");
  EXPECT_THAT(parameter->clients["b.proto"].expansions, ElementsAre(Pair("Pod", "pod.h")));
}

TEST(ParseParameter, Crds) {
  absl::StatusOr<Parameter> parameter = ParseParameter("crds=a/b.yaml");
  ASSERT_TRUE(parameter.ok()) << parameter.status();
  EXPECT_EQ(parameter->crds, "a/b.yaml");
}

TEST(ParseParameter, Definitions) {
  absl::StatusOr<Parameter> parameter = ParseParameter("definitions=a/b.txt");
  ASSERT_TRUE(parameter.ok()) << parameter.status();
  EXPECT_EQ(parameter->definitions, "a/b.txt");
}

TEST(ParseParameter, InformersAndTheirFactory) {
  absl::StatusOr<Parameter> parameter =
      ParseParameter("informers=a.proto=a.h,informers=b.proto=b.h,factory=b.proto");
  ASSERT_TRUE(parameter.ok()) << parameter.status();
  ASSERT_EQ(parameter->informers.size(), 2u);
  EXPECT_EQ(parameter->informers["a.proto"].header, "a.h");
  EXPECT_FALSE(parameter->informers["a.proto"].has_factory);
  EXPECT_EQ(parameter->informers["b.proto"].header, "b.h");
  EXPECT_TRUE(parameter->informers["b.proto"].has_factory);
  EXPECT_THAT(parameter->clients, IsEmpty());
}

TEST(ParseParameter, SaysWhatItDoesNotKnow) {
  for (const char* text :
       {"fast", "clients", "clients=a.proto", "clients=a=b=c", "expansion=a=b=c", "clients=a=b,",
        "clients=a=b,expansion=a=b", "crds", "crds=a=b", "definitions", "informers=a", "factory=a",
        "clients=a=b,factory=a", "informers=a=b,factory=a=b"}) {
    const absl::StatusOr<Parameter> parameter = ParseParameter(text);
    ASSERT_FALSE(parameter.ok()) << text;
    EXPECT_THAT(std::string(parameter.status().message()),
                testing::StartsWith("unknown parameter \""))
        << text;
  }
}

}  // namespace
}  // namespace kube::codegen
