#include "codegen/model.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/diagnostics.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The model of test/row.proto, and what is wrong with it.
class ModelTest : public testing::Test {
 protected:
  void Build(const std::string& body) { Take(BuildFile(idl_.AddBody("row", body), diagnostics_)); }
  void BuildTwins(const std::string& body) {
    Take(BuildApplyConfigurations(idl_.AddBody("row", body), diagnostics_));
  }
  void Take(std::optional<File> file) {
    EXPECT_EQ(file.has_value(), diagnostics_.empty());
    if (file.has_value()) file_ = *std::move(file);
  }

  const Struct& Get(const std::string& name) {
    for (const Struct& type : file_.structs) {
      if (type.name == name) return type;
    }
    ADD_FAILURE() << "no struct " << name;
    return file_.structs.front();
  }

  std::vector<std::string> Types(const std::string& name) {
    std::vector<std::string> types;
    for (const Member& member : Get(name).members) {
      types.push_back(absl::StrCat(member.type, " ", member.name));
    }
    return types;
  }

  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const Struct& type : file_.structs) names.push_back(type.name);
    return names;
  }

  SampleIdl idl_;
  File file_;
  Diagnostics diagnostics_;
};

// "0 2 7(1 3)": members by index, groups by number.
std::string WireOf(const std::vector<WireEntry>& wire) {
  std::string text;
  for (const WireEntry& entry : wire) {
    absl::StrAppend(&text, text.empty() ? "" : " ");
    if (entry.member >= 0) {
      absl::StrAppend(&text, entry.member);
    } else {
      absl::StrAppend(&text, entry.number, "(", WireOf(entry.group), ")");
    }
  }
  return text;
}

TEST_F(ModelTest, TypesOfMembers) {
  Build(R"(
message M {
  string a = 1; bool b = 2; int32 c = 3; int64 d = 4; double e = 5; bytes f = 6;
  optional string g = 7; optional int32 h = 8; repeated string i = 9;
  map<string, bytes> j = 10; kube.Time k = 11; optional kube.Quantity l = 12;
  Part m = 13; optional Part n = 14; repeated Part o = 15; map<string, Part> p = 16;
  Names q = 17; map<string, Names> r = 18; string namespace = 19;
}
message Part {}
message Names { option (kube.struct).list = true; repeated string items = 1; }
)");
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  EXPECT_THAT(
      Types("M"),
      ElementsAre("::kube::String a", "bool b", "int32_t c", "int64_t d", "double e",
                  "::kube::Bytes f", "::kube::Opt<::kube::String> g", "::kube::Opt<int32_t> h",
                  "::kube::List<::kube::String> i", "::kube::Map<::kube::Bytes> j",
                  "::kube::Time k", "::kube::Opt<::kube::Quantity> l", "Part m",
                  "::kube::Box<Part> n", "::kube::List<Part> o", "::kube::Map<Part> p",
                  "::kube::List<::kube::String> q", "::kube::Map<::kube::List<::kube::String>> r",
                  "::kube::String namespace_"));
  EXPECT_EQ(Get("M").members[18].json_name, "namespace");
  EXPECT_TRUE(Get("M").members[16].is_string_list);
  EXPECT_FALSE(Get("M").members[8].is_string_list);
  // A list that stands for itself has no struct.
  EXPECT_THAT(Names(), ElementsAre("Part", "M"));
  EXPECT_EQ(Get("Part").size, 1);
}

TEST_F(ModelTest, FlagsAndRules) {
  Build(R"(
message M {
  string a = 1; string b = 2 [(kube.field).omit = NEVER]; string c = 3 [(kube.field).omit = ZERO];
  string d = 4 [(kube.field).omit = EMPTY_OR_ZERO]; string e = 5 [(kube.field).no_json = true];
  string f = 6 [(kube.field).no_wire = true]; repeated string g = 7 [(kube.field).list_type = SET];
  string h_i = 8; string j = 9 [json_name = "$ref"];
}
)");
  std::vector<std::string> flags;
  for (const Member& m : Get("M").members) {
    flags.push_back(absl::StrCat(m.json_name, " ", m.number, m.omit_empty ? " empty" : "",
                                 m.omit_zero ? " zero" : "", m.no_json ? " no_json" : "",
                                 m.merge_rules.empty() ? "" : " merge"));
  }
  EXPECT_THAT(flags,
              ElementsAre("a 1 empty", "b 2", "c 3 zero", "d 4 empty zero", "e 5 empty no_json",
                          "f 0 empty", "g 7 empty merge", "hI 8 empty", "$ref 9 empty"));
  EXPECT_EQ(WireOf(Get("M").wire), "0 1 2 3 4 6 7 8");
}

TEST_F(ModelTest, ValuesAreNotOnTheWire) {
  Build(R"(
message M {
  kube.Value a = 1; kube.Value b = 2 [(kube.field).omit = NEVER]; repeated kube.Value c = 3;
  string d = 4; map<string, kube.Value> e = 5 [(kube.field).holds_unknown_fields = true];
}
)");
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  EXPECT_THAT(Types("M"),
              ElementsAre("::kube::unstructured::Value a", "::kube::unstructured::Value b",
                          "::kube::List<::kube::unstructured::Value> c", "::kube::String d",
                          "::kube::Map<::kube::unstructured::Value> e"));
  std::vector<std::string> flags;
  for (const Member& m : Get("M").members) {
    flags.push_back(absl::StrCat(m.name, " ", m.number, m.omit_zero ? " zero" : "",
                                 m.no_json ? " no_json" : "", m.unknown_fields ? " unknown" : ""));
  }
  EXPECT_THAT(flags, ElementsAre("a 0 zero", "b 0", "c 0", "d 4", "e 0 no_json unknown"));
  EXPECT_EQ(WireOf(Get("M").wire), "3");
}

TEST_F(ModelTest, Aliases) {
  constexpr char kIdl[] = R"(
option (kube.alias) = {name: "Same", of: "Part"};
option (kube.alias) = {name: "FILE", of: "M"};
message M { Part part = 1; }
message Part {}
)";
  Build(kIdl);
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  ASSERT_EQ(file_.aliases.size(), 2u);
  EXPECT_EQ(file_.aliases[0].name + " " + file_.aliases[0].of, "Same Part");
  EXPECT_EQ(file_.aliases[1].name + " " + file_.aliases[1].of, "FILE_ M");
}

TEST_F(ModelTest, AliasesOfTwins) {
  BuildTwins(R"(
option (kube.alias) = {name: "Same", of: "Part"};
message Part {}
)");
  ASSERT_EQ(file_.aliases.size(), 1u);
  EXPECT_EQ(file_.aliases[0].name + " " + file_.aliases[0].of,
            "SameApplyConfiguration PartApplyConfiguration");
}

TEST_F(ModelTest, WrongAliases) {
  const struct {
    const char* alias;
    const char* want;
  } kRows[] = {
      {"name: 'a b', of: 'M'", "alias \"a b\" of \"M\": name must consist of letters and digits"},
      {"name: 'A', of: 'B'", "alias \"A\" of \"B\": there is no message of this file to name"},
      {"name: 'M', of: 'M'", "alias \"M\" of \"M\": name is already used"},
  };
  for (const auto& row : kRows) {
    SampleIdl idl;
    Diagnostics diagnostics;
    BuildFile(idl.AddBody("row",
                          absl::StrCat("option (kube.alias) = {", row.alias, "};\nmessage M {}\n")),
              diagnostics);
    EXPECT_THAT(diagnostics.errors(), ElementsAre(absl::StrCat("test/row.proto:2:1: ", row.want)))
        << row.alias;
  }
}

TEST_F(ModelTest, AtomicStructs) {
  Build(R"(
message Atomic { option (kube.struct).atomic = true; string a = 1; }
message Outer { string o = 1; Atomic atomic = 2 [(kube.field).inline = true]; Atomic whole = 3; }
)");
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  EXPECT_TRUE(Get("Atomic").is_atomic);
  EXPECT_FALSE(Get("Outer").is_atomic);
  EXPECT_EQ(Get("Outer").members[2].name, "whole");
  EXPECT_EQ(Get("Outer").members[2].merge_rules, "");
}

TEST_F(ModelTest, ApplyConfigurationsOfAtomicStructs_AreAtomic) {
  BuildTwins(R"(
message Atomic { option (kube.struct).atomic = true; string a = 1; }
message Outer { string o = 1; Atomic whole = 2; }
)");
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  EXPECT_TRUE(Get("AtomicApplyConfiguration").is_atomic);
  EXPECT_FALSE(Get("OuterApplyConfiguration").is_atomic);
}

TEST_F(ModelTest, InlineStructsAreFlat) {
  Build(R"(
message M { string z = 9; Source source = 2 [(kube.field).inline = true]; bool last = 1; }
message Source {
  optional Source b = 3; optional Source a = 1;
  Deep deep = 2 [(kube.field).inline = true];
  Hidden hidden = 4 [(kube.field) = {inline: true no_wire: true}];
}
message Deep { string x = 7; string y = 5; }
message Hidden { string h = 1; }
)");
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  EXPECT_THAT(Types("M"),
              ElementsAre("::kube::String z", "::kube::Box<Source> b", "::kube::Box<Source> a",
                          "::kube::String x", "::kube::String y", "::kube::String h", "bool last"));
  EXPECT_EQ(WireOf(Get("M").wire), "6 2(2 2(4 3) 1) 0");
  EXPECT_EQ(WireOf(Get("Source").wire), "1 2(3 2) 0");
  EXPECT_EQ(Get("M").members[5].number, 0);
}

TEST_F(ModelTest, KindsBeginWithTypeMeta) {
  Build(R"(
option (kube.group_version) = {version: "v1" release: "1.36"};
message Widget { option (kube.kind) = {}; string name = 1; }
message Typed { option (kube.struct).type_meta = true; }
)");
  EXPECT_EQ(file_.cpp_namespace, "test::v1");
  EXPECT_EQ(file_.inline_namespace, "k1_36");
  for (const char* name : {"Widget", "Typed"}) {
    ASSERT_GE(Get(name).members.size(), 2u);
    EXPECT_EQ(Get(name).members[0].name, "kind");
    EXPECT_EQ(Get(name).members[1].name, "api_version");
    EXPECT_EQ(Get(name).members[1].json_name, "apiVersion");
    EXPECT_EQ(Get(name).members[1].number, 0);
  }
  EXPECT_EQ(WireOf(Get("Widget").wire), "2");
}

TEST_F(ModelTest, Constants) {
  Build(R"(
option (kube.string_type) = {constant: {name: "Label", value: "example.com/label"}};
option (kube.string_type) = {
  name: "Phase"
  constant: [{name: "PhaseOn", value: "On", comment: "It is on."}, {name: "PhaseOff", value: ""}]
};
)");
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  ASSERT_EQ(file_.constants.size(), 2u);
  EXPECT_EQ(file_.constants[0].type, "");
  EXPECT_EQ(file_.constants[0].constants[0].name, "kLabel");
  EXPECT_EQ(file_.constants[1].type, "Phase");
  EXPECT_EQ(file_.constants[1].constants[0].value, "On");
  EXPECT_EQ(file_.constants[1].constants[0].comment, "It is on.");
  EXPECT_EQ(file_.constants[1].constants[1].comment, "");
  EXPECT_THAT(file_.includes, testing::Contains("absl/strings/string_view.h"));
}

TEST_F(ModelTest, Layout) {
  Build(R"(
message M { bool a = 1; Small b = 2; optional bool c = 3; kube.IntOrString d = 4; }
message Small { bool a = 1; int32 b = 2; bool c = 3; }
message Opts { optional bool a = 1; optional int32 b = 2; optional string c = 3; }
)");
  EXPECT_EQ(Get("Small").size, 12);
  EXPECT_EQ(Get("Small").alignment, 4);
  EXPECT_EQ(Get("M").size, 48);
  EXPECT_EQ(Get("Opts").size, 40);
}

TEST_F(ModelTest, OrderAndForwards) {
  Build(R"(
message A { B b = 1; optional D d = 2; repeated A a = 3; }
message B { C c = 1; }
message C { map<string, E> e = 1; }
message D {}
message E {}
)");
  EXPECT_THAT(Names(), ElementsAre("C", "B", "A", "D", "E"));
  EXPECT_THAT(file_.forwards, ElementsAre("D", "E"));
}

const char kBase[] = R"(syntax = "proto3"; package base.linux.v1;
import "kube/options.proto";
option (kube.group_version) = {version: "v1" release: "1.36"};
message Meta { Ref ref = 1; }
message Ref {}
message Kept { option (kube.kind) = {}; }
message KeptList { option (kube.kind) = {list_of: "Kept"}; repeated Kept items = 1; }
)";

TEST_F(ModelTest, OtherFiles) {
  idl_.Add("base/types.proto", kBase);
  Take(BuildFile(idl_.Add("test/row.proto", R"(syntax = "proto3"; package test.v1;
import "kube/options.proto"; import "base/types.proto";
message M {
  base.linux.v1.Meta meta = 1; repeated base.linux.v1.Ref refs = 2;
  map<string, base.linux.v1.Meta> metas = 3;
}
)"),
                 diagnostics_));
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  EXPECT_THAT(Types("M"), ElementsAre("::base::linux_::v1::Meta meta",
                                      "::kube::List<::base::linux_::v1::Ref> refs",
                                      "::kube::Map<::base::linux_::v1::Meta> metas"));
  EXPECT_EQ(Get("M").size, 24);
  EXPECT_THAT(file_.forwards, IsEmpty());
  EXPECT_EQ(file_.header, "test/row.kube.h");
  EXPECT_THAT(file_.includes, testing::Contains("base/types.kube.h"));
  EXPECT_THAT(file_.includes, testing::Not(testing::Contains("kube/options.kube.h")));
}

TEST_F(ModelTest, TwinsOfOtherFiles) {
  idl_.Add("base/types.proto", kBase);
  Take(BuildApplyConfigurations(idl_.Add("test/row.proto", R"(syntax = "proto3"; package test.v1;
import "kube/options.proto"; import "base/types.proto";
message M {
  base.linux.v1.Meta meta = 1; repeated base.linux.v1.Ref refs = 2;
  map<string, base.linux.v1.Meta> metas = 3; base.linux.v1.KeptList kept = 4;
}
)"),
                                diagnostics_));
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  EXPECT_THAT(Types("MApplyConfiguration"),
              ElementsAre("::kube::Box<::base::linux_::v1::MetaApplyConfiguration> meta",
                          "::kube::List<::base::linux_::v1::RefApplyConfiguration> refs",
                          "::kube::Map<::base::linux_::v1::MetaApplyConfiguration> metas",
                          "::kube::Box<::base::linux_::v1::KeptList> kept"));
  EXPECT_EQ(file_.header, "test/row.applies.kube.h");
  EXPECT_THAT(file_.forwards, ElementsAre("M"));
  // Of the list, which has no twin, the header of the types.
  EXPECT_THAT(file_.includes,
              ElementsAre("apimachinery/table/message.h", "apimachinery/types/apply_of.h",
                          "apimachinery/types/box.h", "apimachinery/types/list.h",
                          "apimachinery/types/map.h", "apimachinery/types/operators.h",
                          "base/types.applies.kube.h", "base/types.kube.h"));
}

TEST_F(ModelTest, Twins) {
  BuildTwins(R"(
option (kube.group_version) = {version: "v1"};
option (kube.string_type) = {constant: {name: "Label", value: "example.com/label"}};
message Widget {
  option (kube.kind) = {};
  Spec spec = 1; optional Spec more = 2; repeated Spec specs = 3; Names names = 4;
  Source source = 5 [(kube.field).inline = true];
  string secret = 6 [(kube.field).no_json = true]; kube.Time time = 7 [(kube.field).omit = NEVER];
}
message Spec { int32 replicas = 1; repeated string set = 2 [(kube.field).list_type = SET]; }
message Source { optional Spec file = 1; }
message Names { option (kube.struct).list = true; repeated string items = 1; }
message WidgetList { option (kube.kind) = {list_of: "Widget"}; repeated Widget items = 2; }
message ObjectMeta { string name = 1; string self_link = 2; repeated Spec managed_fields = 3; }
)");
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  EXPECT_THAT(Names(), ElementsAre("WidgetApplyConfiguration", "SpecApplyConfiguration",
                                   "SourceApplyConfiguration", "ObjectMetaApplyConfiguration"));
  EXPECT_THAT(file_.forwards,
              ElementsAre("ObjectMeta", "Source", "Spec", "SpecApplyConfiguration", "Widget"));
  EXPECT_THAT(file_.constants, IsEmpty());
  EXPECT_THAT(
      Types("WidgetApplyConfiguration"),
      ElementsAre(
          "::kube::Opt<::kube::String> kind", "::kube::Opt<::kube::String> api_version",
          "::kube::Box<SpecApplyConfiguration> spec", "::kube::Box<SpecApplyConfiguration> more",
          "::kube::List<SpecApplyConfiguration> specs", "::kube::List<::kube::String> names",
          "::kube::Box<SpecApplyConfiguration> file", "::kube::Opt<::kube::Time> time"));
  EXPECT_THAT(Types("ObjectMetaApplyConfiguration"),
              ElementsAre("::kube::Opt<::kube::String> name"));
  const Struct& widget = Get("WidgetApplyConfiguration");
  EXPECT_EQ(widget.twin_of, "Widget");
  EXPECT_EQ(widget.type_name, "WidgetApplyConfiguration");
  EXPECT_THAT(widget.wire, IsEmpty());
  EXPECT_EQ(Get("SpecApplyConfiguration").members[1].merge_rules, "");
}

// An Opt would hold "absent" besides the bool, which no JSON shows.
TEST_F(ModelTest, TwinsOfOtherFormsOfJsonHaveTheirMembers) {
  BuildTwins(R"(
message Schema { optional OrBool items = 1; OrArray more = 2; }
message OrBool {
  option (kube.struct).json_form = OR_BOOL;
  bool allows = 1; optional Schema schema = 2;
}
message OrArray {
  option (kube.struct).json_form = OR_ARRAY;
  optional Schema schema = 1; repeated Schema schemas = 2;
}
)");
  EXPECT_THAT(diagnostics_.errors(), IsEmpty());
  EXPECT_THAT(Types("SchemaApplyConfiguration"),
              ElementsAre("::kube::Box<OrBoolApplyConfiguration> items",
                          "::kube::Box<OrArrayApplyConfiguration> more"));
  EXPECT_THAT(Types("OrBoolApplyConfiguration"),
              ElementsAre("bool allows", "::kube::Box<SchemaApplyConfiguration> schema"));
  EXPECT_THAT(Types("OrArrayApplyConfiguration"),
              ElementsAre("::kube::Box<SchemaApplyConfiguration> schema",
                          "::kube::List<SchemaApplyConfiguration> schemas"));
}

TEST_F(ModelTest, NamesOfTwinsThatClash) {
  const struct {
    const char* name;
    const char* body;
    const char* want;
  } kRows[] = {
      {"a message named as a twin", "message M {}\nmessage MApplyConfiguration {}",
       "test/row.proto:2:1: message M: duplicate struct \"MApplyConfiguration\" in C++"},
      {"a member named as a twin", "message M {\n  string MApplyConfiguration = 1;\n}",
       "test/row.proto:3:3: field MApplyConfiguration: \"MApplyConfiguration\" is already used in "
       "C++"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    SampleIdl idl;
    Diagnostics diagnostics;
    const auto& file = idl.AddBody("row", row.body);
    EXPECT_TRUE(BuildFile(file, diagnostics).has_value());
    EXPECT_FALSE(BuildApplyConfigurations(file, diagnostics).has_value());
    EXPECT_THAT(diagnostics.errors(), ElementsAre(row.want));
  }
}

TEST_F(ModelTest, Errors) {
  std::string wide = "message S0 { kube.Quantity q = 1; }";
  for (int i = 1; i < 10; ++i) {
    absl::StrAppend(&wide, "\nmessage S", i, " { S", i - 1, " a = 1; S", i - 1, " b = 2; S", i - 1,
                    " c = 3; }");
  }
  const struct {
    const char* name;
    std::string body;
    std::vector<std::string> want;
  } kRows[] = {
      {"recursion by value",
       "message M {\n  M m = 1;\n}",
       {"3:3: field m: M holds M by value: make a field optional"}},
      {"recursion by value of three",
       "message X { A a = 1; }\nmessage A {\n  B b = 1;\n}\nmessage B { C c = 1; }\n"
       "message C {\n  A a = 1;\n}",
       {"8:3: field a: A holds B holds C holds A by value: make a field optional"}},
      {"recursion by value within an inline struct",
       "message M { I i = 1 [(kube.field).inline = true]; }\nmessage I {\n  M m = 1;\n}",
       {"4:3: field m: M holds M by value: make a field optional"}},
      {"size", wide, {"10:1: message S8: struct is larger than 65535 bytes"}},
      {"C++ names that clash",
       "message M { string linux = 1; I i = 2 [(kube.field).inline = true]; }\n"
       "message I {\n  string linux_ = 1 [json_name = \"b\"];\n}",
       {"4:3: field linux_ in M: duplicate C++ member \"linux_\""}},
      {"JSON names that clash by inlining",
       "message M { string a = 1; I i = 2 [(kube.field).inline = true]; }\n"
       "message I {\n  string b = 1 [json_name = \"a\"];\n}",
       {"4:3: field b in M: duplicate JSON name \"a\""}},
      {"kind of its own",
       "message M { option (kube.struct).type_meta = true;\n  string kind = 1;\n}",
       {"3:3: field kind in M: duplicate C++ member \"kind\"",
        "3:3: field kind in M: duplicate JSON name \"kind\""}},
      {"a member named as a struct",
       "message M {\n  string M = 1;\n}",
       {"3:3: field M: \"M\" is already used in C++"}},
      {"kMessage",
       "message M {\n  string kMessage = 1;\n}",
       {"3:3: field kMessage: \"kMessage\" is already used in C++"}},
      {"messages named as one after escaping",
       "message NULL {}\nmessage NULL_ {}",
       {"3:1: message NULL_: duplicate struct \"NULL_\" in C++"}},
      {"constants",
       "option (kube.string_type) = {constant: {name: \"A\"}};\n"
       "  option (kube.string_type) = {constant: {name: \"A\"} constant: {name: \"b-c\"}};",
       {"3:3: constant \"A\": duplicate name", "3:3: constant \"b-c\": invalid name"}},
      {"merge rules",
       "message M {\n  string a = 1 [(kube.field).list_type = SET];\n}",
       {"3:3: field a: list_type: field is not a list"}},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    std::vector<std::string> want;
    for (const std::string& error : row.want) want.push_back("test/row.proto:" + error);
    SampleIdl idl;
    Diagnostics diagnostics;
    EXPECT_FALSE(BuildFile(idl.AddBody("row", row.body), diagnostics).has_value());
    EXPECT_EQ(diagnostics.errors(), want);
  }
}

}  // namespace
}  // namespace kube::codegen
