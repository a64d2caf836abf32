#include "codegen/parameter.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(ParseParameter, NothingAsksForNoClientsAndInformers) {
  Parameter parameter;
  std::string problem;
  EXPECT_TRUE(ParseParameter("", parameter, problem)) << problem;
  EXPECT_THAT(parameter.clients, IsEmpty());
  EXPECT_THAT(parameter.informers, IsEmpty());
}

TEST(ParseParameter, ClientsAndTheirExpansions) {
  Parameter parameter;
  std::string problem;
  ASSERT_TRUE(ParseParameter("clients=a.proto=a.h,clients=b.proto=b.h,expansion=b.proto=Pod=pod.h",
                             parameter, problem))
      << problem;
  ASSERT_EQ(parameter.clients.size(), 2u);
  EXPECT_EQ(parameter.clients["a.proto"].header, "a.h");
  EXPECT_THAT(parameter.clients["a.proto"].expansions, IsEmpty());
  EXPECT_EQ(parameter.clients["b.proto"].header, "b.h");
  EXPECT_THAT(parameter.clients["b.proto"].expansions, ElementsAre(Pair("Pod", "pod.h")));
}

TEST(ParseParameter, Crds) {
  Parameter parameter;
  std::string problem;
  ASSERT_TRUE(ParseParameter("crds=a/b.yaml", parameter, problem)) << problem;
  EXPECT_EQ(parameter.crds, "a/b.yaml");
}

TEST(ParseParameter, InformersAndTheirFactory) {
  Parameter parameter;
  std::string problem;
  ASSERT_TRUE(ParseParameter("informers=a.proto=a.h,informers=b.proto=b.h,factory=b.proto",
                             parameter, problem))
      << problem;
  ASSERT_EQ(parameter.informers.size(), 2u);
  EXPECT_EQ(parameter.informers["a.proto"].header, "a.h");
  EXPECT_FALSE(parameter.informers["a.proto"].has_factory);
  EXPECT_EQ(parameter.informers["b.proto"].header, "b.h");
  EXPECT_TRUE(parameter.informers["b.proto"].has_factory);
  EXPECT_THAT(parameter.clients, IsEmpty());
}

TEST(ParseParameter, SaysWhatItDoesNotKnow) {
  for (const char* text :
       {"fast", "clients", "clients=a.proto", "clients=a=b=c", "expansion=a=b=c", "clients=a=b,",
        "clients=a=b,expansion=a=b", "crds", "crds=a=b", "informers=a", "factory=a",
        "clients=a=b,factory=a", "informers=a=b,factory=a=b"}) {
    Parameter parameter;
    std::string problem;
    EXPECT_FALSE(ParseParameter(text, parameter, problem)) << text;
    EXPECT_THAT(problem, testing::EndsWith("\": there is none like it")) << text;
  }
}

}  // namespace
}  // namespace kube::codegen
