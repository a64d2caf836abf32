#include "codegen/kinds_text.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/kinds.h"
#include "codegen/model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

File Sample() {
  KindEntry pod;
  pod.version = "v1";
  pod.kind = pod.message_name = pod.struct_name = "Pod";
  pod.scope = "kNamespaced";
  pod.plural = "pods";
  pod.singular = "pod";
  pod.verbs = {"get", "list"};
  pod.subresources = {{"status", {"get"}, "", ""}, {"log", {"get"}, "", "text"}};
  KindEntry node;
  node.version = "v1";
  node.kind = node.message_name = node.struct_name = "Node";
  node.scope = "kCluster";
  node.plural = "nodes";
  node.verbs = {"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"};
  File file;
  file.proto_path = "foo/types.proto";
  file.cpp_namespace = "foo::v1";
  file.inline_namespace = "k1_36";
  file.kinds = {pod, node};
  return file;
}

// The line of a kind that comes after another.
std::string LineOf(const KindEntry& kind) {
  File file = Sample();
  file.kinds.resize(1);
  file.kinds.push_back(kind);
  const std::string text = PrintKindsSource(file);
  const std::string before = "  // Pod\n    ";
  const size_t begin = text.find(before) + before.size();
  return text.substr(begin, text.find("  // ", begin) - begin);
}

// tests/kitchen_sink/golden compares and compiles the whole output.
TEST(PrintKinds, HeaderDeclaresTheFunction) {
  const std::string text = PrintKindsHeader(Sample());
  EXPECT_THAT(text, HasSubstr("#ifndef FOO_TYPES_KINDS_KUBE_H_\n"));
  EXPECT_THAT(text, HasSubstr("namespace foo::v1 {\ninline namespace k1_36 {\n\n"));
  EXPECT_THAT(text, HasSubstr("\n::absl::Span<const ::kube::KindInfo> Kinds();\n"));
}

TEST(PrintKinds, SourceHasALineForEach) {
  const std::string text = PrintKindsSource(Sample());
  EXPECT_THAT(text, HasSubstr("constexpr char kLines[] =\n"
                              "    \"npods|-1|vgl|/status,g|/log,g,,text|\\n\"  // Pod\n"
                              "    \"cnodes|\\n\"  // Node\n"
                              "    \"\";\n"));
  EXPECT_THAT(text, HasSubstr("kMessages[] = {\n    &Pod::kMessage,\n    &Node::kMessage,\n};\n"));
  EXPECT_THAT(text, HasSubstr("      .group = \"\",\n      .version = \"v1\",\n"));
}

KindEntry With(void (*set)(KindEntry& kind)) {
  KindEntry kind = Sample().kinds[1];
  set(kind);
  return kind;
}

TEST(PrintKinds, LinesSayWhatIsNotTheDefault) {
  struct Row {
    const char* name;
    void (*set)(KindEntry& kind);
    const char* line;
  };
  for (const Row& row : std::vector<Row>{
           {"name", [](KindEntry& kind) { kind.kind = "Knot"; }, "kKnot|cnodes|"},
           {"group", [](KindEntry& kind) { kind.group = "apps"; }, "gapps/v1|cnodes|"},
           {"version", [](KindEntry& kind) { kind.version = "v2"; }, "g/v2|cnodes|"},
           {"singular", [](KindEntry& kind) { kind.singular = "node"; }, "cnodes|-1|"},
           {"other singular", [](KindEntry& kind) { kind.singular = "knot"; }, "cnodes|sknot|"},
           {"much shorter singular",
            [](KindEntry& kind) {
              kind.plural = "a123456789";
              kind.singular = "a";
            },
            "ca123456789|-9|"},
           {"too short a singular",
            [](KindEntry& kind) {
              kind.plural = "a1234567890";
              kind.singular = "a";
            },
            "ca1234567890|sa|"},
           {"short names",
            [](KindEntry& kind) {
              kind.short_names = {"n", "no"};
            },
            "cnodes|hn,no|"},
           {"categories", [](KindEntry& kind) { kind.categories = {"all"}; }, "cnodes|aall|"},
           {"other verbs",
            [](KindEntry& kind) {
              kind.verbs = {"get", "bind"};
            },
            "cnodes|v+get+bind|"},
           {"order of verbs",
            [](KindEntry& kind) {
              kind.verbs = {"patch", "get"};
            },
            "cnodes|vpg|"},
           {"input",
            [](KindEntry& kind) {
              kind.subresources = {{"x", {"create"}, "v1 A", ""}};
            },
            "cnodes|/x,c,v1 A|"},
           {"list", [](KindEntry& kind) { kind.list_of = "Knot"; }, "cnodes|LKnot|"},
           {"list by its name",
            [](KindEntry& kind) {
              kind.kind = kind.message_name = "KnotList";
              kind.list_of = "Knot";
            },
            "cnodes|l|"},
           {"lifecycle",
            [](KindEntry& kind) {
              kind.introduced = "1.2";
              kind.deprecated = "1.3";
              kind.removed = "1.4";
              kind.replacement = "v1 Node";
            },
            "cnodes|i1.2|d1.3|r1.4|wv1 Node|"},
       }) {
    EXPECT_EQ(LineOf(With(row.set)), absl::StrCat("\"", row.line, "\\n\"")) << row.name;
  }
}

TEST(PrintKinds, FileWithoutKindsHasNoFunction) {
  File file = Sample();
  file.kinds.clear();
  EXPECT_THAT(PrintKindsHeader(file), Not(HasSubstr("Kinds()")));
  EXPECT_EQ(PrintKindsSource(file),
            "// Code generated by protoc-gen-kube. DO NOT EDIT.\n"
            "// Source: foo/types.proto\n\n#include \"foo/types.kinds.kube.h\"\n");
}

}  // namespace
}  // namespace kube::codegen
