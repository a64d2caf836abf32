#include "cmd/objconv/run.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::objconv {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

struct Result {
  int code = 0;
  std::string out;
  std::string err;
};

Result Call(const std::vector<std::string>& arguments, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out, err;
  Result result;
  result.code = Run(arguments, in, out, err);
  result.out = out.str();
  result.err = err.str();
  return result;
}

// A folder of the running test's own.
std::string Folder() {
  const std::string folder = absl::StrCat(
      testing::TempDir(), "/", testing::UnitTest::GetInstance()->current_test_info()->name());
  std::filesystem::create_directories(folder);
  return folder;
}

std::string Save(absl::string_view name, const std::string& text) {
  const std::string path = absl::StrCat(Folder(), "/", name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

constexpr char kMapYaml[] =
    "apiVersion: v1\ndata:\n  a: \"1\"\nkind: ConfigMap\nmetadata:\n  name: one\n";
constexpr char kMapJson[] =
    R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"one"},"data":{"a":"1"}})"
    "\n";
constexpr char kLeaseJson[] =
    R"({"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"two"},"spec":{}})"
    "\n";

TEST(Objconv, ConvertsEachFormatIntoEach) {
  const std::string protobuf = Call({"-o", "protobuf"}, kMapJson).out;
  EXPECT_THAT(protobuf, StartsWith(std::string("k8s\0", 4)));
  for (const std::string& input : {std::string(kMapYaml), std::string(kMapJson), protobuf}) {
    EXPECT_EQ(Call({}, input).out, kMapJson);
    EXPECT_EQ(Call({"-o", "json"}, input).out, kMapJson);
    EXPECT_EQ(Call({"--output=yaml", "-"}, input).out, kMapYaml);
    EXPECT_EQ(Call({"-o=protobuf"}, input).out, protobuf);
    EXPECT_EQ(Call({"-o", "yaml"}, input).code, 0);
  }
}

TEST(Objconv, ConvertsStreams) {
  const std::string json = absl::StrCat(kMapJson, kLeaseJson);
  const Result yaml = Call({"-o", "yaml"}, json);
  EXPECT_EQ(yaml.code, 0) << yaml.err;
  EXPECT_THAT(yaml.out, StartsWith(absl::StrCat(kMapYaml, "---\napiVersion: coord")));
  const Result protobuf = Call({"-o", "protobuf"}, yaml.out);
  EXPECT_EQ(protobuf.code, 0) << protobuf.err;
  EXPECT_EQ(protobuf.out.substr(4, 4), std::string("k8s\0", 4));
  EXPECT_EQ(Call({}, protobuf.out).out, json);
  EXPECT_EQ(Call({}, absl::StrCat("# nothing\n---\n", yaml.out, "---\n---\n# end\n")).out, json);
  EXPECT_EQ(Call({}, "").out, "");
}

// The order of the input is that of the output, whatever was refused.
TEST(Objconv, GoesOnBehindAnError) {
  const Result result =
      Call({}, absl::StrCat(kMapJson, R"({"kind":"Lease","apiVersion":"v9"})", "\n", kLeaseJson));
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, absl::StrCat(kMapJson, kLeaseJson));
  EXPECT_EQ(result.err,
            "objconv: convert standard input: no kind \"Lease\" is registered for version \"v9\" "
            "(object at line 2)\n");
}

TEST(Objconv, ReadsFilesAndWritesAFolder) {
  const std::string one = Save("one.yaml", kMapYaml), two = Save("two.list", kLeaseJson);
  const std::string folder = Folder() + "/out/deep";
  const Result result = Call({"-o", "json", "--out-dir", folder, one, two});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(Contents(folder + "/one.json"), kMapJson);
  EXPECT_EQ(Contents(folder + "/two.list.json"), kLeaseJson);
  EXPECT_EQ(Call({one, two}).out, absl::StrCat(kMapJson, kLeaseJson));
}

TEST(Objconv, ErrorsOfFiles) {
  const std::string one = Save("one.yaml", kMapYaml);
  std::filesystem::create_directories(Folder() + "/b");
  const std::string other = Save("b/one.yml", kMapYaml);
  Result result = Call({Folder() + "/none.yaml", one});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, kMapJson);
  EXPECT_EQ(result.err,
            absl::StrCat("objconv: read ", Folder(), "/none.yaml: No such file or directory\n"));
  EXPECT_EQ(Call({Folder()}).code, 3);
  result = Call({"--out-dir", Folder() + "/out", one, other});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("one.json: both "), HasSubstr(" would be written to it\n")));
  result = Call({"--out-dir", one, one});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, StartsWith("objconv: create directory "));
}

TEST(Objconv, ErrorsOfTheCommandLine) {
  for (const auto& [name, arguments] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"output format \"xml\": must be json, yaml or protobuf", {"-o", "xml"}},
           {"option requires an argument: -o", {"-o"}},
           {"option requires an argument: --out-dir=", {"--out-dir=", "a"}},
           {"unknown option: --fast", {"--fast"}},
           {"unknown option: -oyaml", {"-oyaml"}},
           {"--check, --stats and --out-dir are mutually exclusive", {"--check", "--stats"}},
           {"--out-dir requires FILE arguments", {"--out-dir", "a"}},
           {"write standard input to a: it has no file name", {"--out-dir", "a", "-"}},
       }) {
    const Result result = Call(arguments);
    EXPECT_EQ(result.code, 2) << name;
    EXPECT_THAT(result.err, HasSubstr(name));
    EXPECT_THAT(result.out, IsEmpty());
  }
  EXPECT_THAT(Call({"--help"}).out, StartsWith("usage: objconv "));
  EXPECT_EQ(Call({"--", "--fast"}).code, 3);
}

TEST(Objconv, CheckWritesNothing) {
  Result result = Call({"--check"}, kMapYaml);
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, IsEmpty());
  const std::string path = Save("a.yaml", absl::StrCat(kMapYaml,
                                                       "---\nkind: Pod\napiVersion: v1\n"
                                                       "spec:\n  nodeName: 7\n"));
  result = Call({"--check", path});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, absl::StrCat("objconv: convert ", path, ": decode Pod: spec.nodeName: ",
                                     "expected a string (line 11, column 13)\n"));
}

TEST(Objconv, StrictRefusesUnknownAndDuplicateFields) {
  const std::string unknown = absl::StrCat(kMapYaml, "more: 1\n");
  EXPECT_EQ(Call({}, unknown).out, kMapJson);
  Result result = Call({"--strict"}, unknown);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("unknown field \"more\""));
  result = Call({"--strict"}, R"({"kind":"ConfigMap","apiVersion":"v1","data":{},"data":{}})");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("duplicate field \"data\""));
}

TEST(Objconv, StatsOfEachKind) {
  const Result result = Call({"--stats"}, absl::StrCat(kMapJson, kMapJson, kLeaseJson));
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, StartsWith("KIND "));
  EXPECT_THAT(result.out, testing::ContainsRegex("coordination.k8s.io/v1 Lease +1 +[0-9]+ "));
  EXPECT_THAT(result.out, testing::ContainsRegex("v1 ConfigMap +2 +162 +[0-9]+ +[0-9]+ +[0-9]+\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("\nall +3 +"));
}

TEST(Objconv, KindsWithoutProtobuf) {
  const Result result = Call({"-o", "protobuf"}, "kind: Config\napiVersion: v1\n");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err,
            "objconv: convert standard input: encode Config: kind has no protobuf encoding\n");
}

// Whatever is wrong, values are never shown: they may be secret.
TEST(Objconv, BadInput) {
  struct Row {
    const char* name;
    std::string input;
    const char* error;
  };
  const std::string frame = Call({"-o", "protobuf"}, absl::StrCat(kMapJson, kMapJson)).out;
  for (const Row& row : std::vector<Row>{
           {"no kind", "apiVersion: v1\ndata: {a: hush}\n",
            "find kind: object has no kind (object at line 1)"},
           {"no apiVersion", "kind: Secret\ndata: {a: hush}\n",
            "find kind \"Secret\": object has no apiVersion"},
           {"unknown group", "kind: Foo\napiVersion: example.com/v2\n",
            "no kind \"Foo\" is registered for version \"example.com/v2\""},
           {"kind is a number", "kind: 7\napiVersion: v1\n",
            "decode object: expected an object with apiVersion and kind"},
           {"a list", "- hush\n", "decode object: expected an object with apiVersion and kind"},
           {"a text", "hush", "decode object: expected an object with apiVersion and kind"},
           {"a JSON list", "[\"hush\"]", "decode object: expected an object"},
           {"truncated JSON", R"({"kind":"Secret","apiVersion":"v1","stringData":{"a":"hush")",
            "decode object: "},
           {"JSON with rubbish",
            R"({"kind":"Secret","apiVersion":"v1","stringData":{"a":"hush"x}})",
            "decode object: expected a value (line 1, column 60)"},
           {"JSON of a wrong type",
            "\n  {\"kind\":\"Secret\",\"apiVersion\":\"v1\",\n \"type\":[\"hush\"]}",
            "decode Secret: type: expected a string (line 3, column 9)"},
           {"second JSON in a line",
            R"({"kind":"Secret","apiVersion":"v1"}{"kind":"Secret","apiVersion":"v1","type":1})",
            "decode Secret: type: expected a string (line 1, column 78)"},
           {"no base64", "kind: Secret\napiVersion: v1\ndata:\n  a: hush!\n",
            "decode Secret: data.a: "},
           {"bad YAML", "kind: Secret\n data: hush\n  : :\n", "convert YAML to JSON: line "},
           {"unclosed quote", "kind: Secret\nstringData: {a: \"hush\n", "line "},
           {"tab", "kind: Secret\n\tdata: hush\n", "convert YAML to JSON: line 2"},
           {"bad alias", "kind: Secret\ndata: *hush\n", "convert YAML to JSON: line 2"},
           {"bad separator", "kind: Secret\n--- hush\n", "line 2"},
           {"bad quantity",
            "kind: PersistentVolume\napiVersion: v1\nspec: {capacity: {storage: hush}}\n",
            "decode PersistentVolume: spec.capacity.storage: "},
           {"truncated protobuf", frame.substr(4, 30), "decode "},
           {"truncated frame", frame.substr(0, frame.size() - 5), "read frame: unexpected EOF"},
           {"only a prefix", std::string("k8s\0", 4),
            "decode body of application/vnd.kubernetes.protobuf: empty body"},
           {"not text", "\xff\xfe\x01hush", "convert "},
       }) {
    const Result result = Call({"--check"}, row.input);
    EXPECT_EQ(result.code, 1) << row.name;
    EXPECT_THAT(result.err, StartsWith("objconv: convert standard input: ")) << row.name;
    EXPECT_THAT(result.err, HasSubstr(row.error)) << row.name;
    EXPECT_THAT(result.err, Not(HasSubstr("hush"))) << row.name;
    EXPECT_THAT(result.out, IsEmpty()) << row.name;
  }
}

}  // namespace
}  // namespace kube::objconv
