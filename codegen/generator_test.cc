#include "codegen/generator.h"

#include <google/protobuf/compiler/code_generator.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/zero_copy_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

namespace pb = google::protobuf;

// Keeps what is written.
class Files : public pb::compiler::GeneratorContext {
 public:
  pb::io::ZeroCopyOutputStream* Open(const std::string& path) override {
    return std::make_unique<pb::io::StringOutputStream>(&texts[path]).release();
  }

  std::map<std::string, std::string> texts;
};

const char kOne[] = R"(
message One { optional Two two = 1; map<string, One> ones = 2; }
message Two { string name = 1; }
)";
const char kOther[] = R"(
message Other { string name = 1; }
)";

TEST(Generator, WritesSixFilesForEach) {
  SampleIdl idl;
  Files files;
  std::string error;
  const pb::FileDescriptor& file = idl.AddBody("one", kOne);
  ASSERT_TRUE(Generator().Generate(&file, "", &files, &error)) << error;
  EXPECT_THAT(files.texts,
              ElementsAre(Key("test/one.applies.kube.cc"), Key("test/one.applies.kube.h"),
                          Key("test/one.kinds.kube.cc"), Key("test/one.kinds.kube.h"),
                          Key("test/one.kube.cc"), Key("test/one.kube.h")));
  EXPECT_THAT(files.texts["test/one.applies.kube.h"], HasSubstr("struct OneApplyConfiguration {"));
  EXPECT_THAT(files.texts["test/one.applies.kube.cc"],
              HasSubstr("OneApplyConfiguration::kMessage = {"));
  EXPECT_THAT(files.texts["test/one.kube.h"], HasSubstr("struct One {"));
  EXPECT_THAT(files.texts["test/one.kube.cc"], HasSubstr("One::kMessage = {"));
}

TEST(Generator, OrderAndCompanyOfFilesDoNotMatter) {
  Files together, reversed, alone;
  std::string error;
  {
    SampleIdl idl;
    const pb::FileDescriptor *one = &idl.AddBody("one", kOne), *other = &idl.AddBody("b", kOther);
    ASSERT_TRUE(Generator().GenerateAll({one, other}, "", &together, &error)) << error;
    ASSERT_TRUE(Generator().Generate(one, "", &alone, &error)) << error;
  }
  {
    SampleIdl idl;
    const pb::FileDescriptor *other = &idl.AddBody("b", kOther), *one = &idl.AddBody("one", kOne);
    ASSERT_TRUE(Generator().GenerateAll({other, one}, "", &reversed, &error)) << error;
    ASSERT_TRUE(Generator().Generate(other, "", &alone, &error)) << error;
  }
  EXPECT_EQ(together.texts.size(), 12u);
  EXPECT_EQ(together.texts, reversed.texts);
  EXPECT_EQ(together.texts, alone.texts);
}

TEST(Generator, ReportsAllThatIsWrong) {
  SampleIdl idl;
  Files files;
  std::string error;
  const pb::FileDescriptor& one = idl.AddBody("one", "message M { float f = 1; }");
  const pb::FileDescriptor& other = idl.AddBody("b", "message N {\n  N n = 1;\n}");
  EXPECT_FALSE(Generator().GenerateAll({&one, &other}, "", &files, &error));
  EXPECT_EQ(error,
            "\ntest/one.proto:2:13: field f: type float: write string, bool, int32, int64, double "
            "or bytes\n"
            "test/b.proto:3:3: field n: N holds N by value: make a field optional");
  EXPECT_THAT(files.texts, IsEmpty());
}

TEST(Generator, ReportsWhatIsWrongWithApplyConfigurationsAlone) {
  SampleIdl idl;
  Files files;
  std::string error;
  EXPECT_FALSE(Generator().Generate(
      &idl.AddBody("one", "message M {}\nmessage MApplyConfiguration {}"), "", &files, &error));
  EXPECT_EQ(error,
            "\ntest/one.proto:2:1: message M: duplicate struct \"MApplyConfiguration\" in C++");
  EXPECT_THAT(files.texts, IsEmpty());
}

TEST(Generator, WritesClientsAloneIfItIsToldTo) {
  SampleIdl idl;
  Files files;
  std::string error;
  const pb::FileDescriptor& one = idl.AddBody("one", R"(
option (kube.group_version) = {group: "example.com" version: "v1"};
message Box { option (kube.kind) = {scope: CLUSTER plural: "boxes" verb: "get"}; }
)");
  ASSERT_TRUE(Generator().GenerateAll({&one, &idl.AddBody("b", kOther)},
                                      "clients=test/one.proto=x/y.h", &files, &error))
      << error;
  ASSERT_THAT(files.texts, ElementsAre(Key("x/y.h")));
  EXPECT_THAT(files.texts["x/y.h"], HasSubstr("class BoxClient\n"));
}

TEST(Generator, WritesInformersAloneIfItIsToldTo) {
  SampleIdl idl;
  Files files;
  std::string error;
  const pb::FileDescriptor& one = idl.AddBody("one", R"(
option (kube.group_version) = {group: "example.com" version: "v1"};
message Box {
  option (kube.kind) = {scope: CLUSTER plural: "boxes"
                        subresource: {name: "scale" verb: "get" result: "no/v1 Where"}};
}
message BoxList { option (kube.kind) = {list_of: "Box"}; }
)");
  ASSERT_TRUE(Generator().GenerateAll({&one, &idl.AddBody("b", kOther)},
                                      "informers=test/one.proto=x/y.h", &files, &error))
      << error;
  ASSERT_THAT(files.texts, ElementsAre(Key("x/y.h")));
  EXPECT_THAT(files.texts["x/y.h"], HasSubstr("BoxInformer Boxes() const"));
}

TEST(Generator, WritesCrdsAloneIfItIsToldTo) {
  SampleIdl idl;
  Files files;
  std::string error;
  const pb::FileDescriptor& one = idl.AddBody("one", R"(
option (kube.group_version) = {group: "example.com" version: "v1"};
message Box { option (kube.kind) = {scope: CLUSTER plural: "boxes"}; }
)");
  ASSERT_TRUE(
      Generator().GenerateAll({&one, &idl.AddBody("b", kOther)}, "crds=x/y.yaml", &files, &error))
      << error;
  ASSERT_THAT(files.texts, ElementsAre(Key("x/y.yaml")));
  EXPECT_THAT(files.texts["x/y.yaml"], HasSubstr("\n  name: boxes.example.com\n"));

  Files none;
  EXPECT_FALSE(
      Generator().Generate(&idl.AddBody("c", "message M {}"), "crds=x.yaml", &none, &error));
  EXPECT_EQ(error, "\ntest/c.proto:1:1: CRDs: no message is a kind with a scope");
  EXPECT_THAT(none.texts, IsEmpty());
}

TEST(Generator, WritesDefinitionsAloneIfItIsToldTo) {
  SampleIdl idl;
  Files files;
  std::string error;
  const pb::FileDescriptor& one = idl.AddBody("one", R"(
option (kube.group_version) = {group: "example.com" version: "v1"};
message Box { option (kube.kind) = {scope: CLUSTER plural: "boxes"}; }
)");
  ASSERT_TRUE(Generator().Generate(&one, "definitions=x/y.txt", &files, &error)) << error;
  ASSERT_THAT(files.texts, ElementsAre(Key("x/y.txt")));
  EXPECT_EQ(files.texts["x/y.txt"], "= com.example.v1. example.com/v1 Box\n");

  Files none;
  EXPECT_FALSE(Generator().GenerateAll({&one, &idl.AddBody("b", kOther)}, "definitions=x/y.txt",
                                       &none, &error));
  EXPECT_EQ(error, "\ntest/b.proto:1:1: definitions: no message is a kind");
  EXPECT_THAT(none.texts, IsEmpty());
}

TEST(Generator, RefusesOtherParameters) {
  SampleIdl idl;
  Files files;
  std::string error;
  EXPECT_FALSE(Generator().Generate(&idl.AddBody("one", kOne), "fast", &files, &error));
  EXPECT_EQ(error, "unknown parameter \"fast\"");
}

}  // namespace
}  // namespace kube::codegen
