// The tables of a real server against those of the embedded one, of the same objects.
#include <cstddef>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/printers/printers.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "gtest/gtest.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

namespace metav1 = api::meta::v1;

using ::kube::base::IsOk;
using unstructured::Value;

constexpr char kObjects[] = "tests/integration/testdata/table_objects.yaml";
constexpr char kTables[] = "application/json;as=Table;v=v1;g=meta.k8s.io";

std::string TextOf(const Value& object, absl::string_view member) {
  const Value* value = object.Find(member);
  return value == nullptr ? "" : std::string(value->text().value_or(""));
}

rest::Request RequestFor(const KindInfo& kind, absl::string_view ns) {
  rest::Request request;
  request.resource = {.group = std::string(kind.group),
                      .version = std::string(kind.version),
                      .resource = std::string(kind.plural)};
  if (kind.scope == Scope::kNamespaced) request.namespace_name = std::string(ns);
  return request;
}

// An object of the file: its kind, and what it is to be.
struct Wanted {
  const KindInfo* kind;
  Value object;

  std::string name() const { return TextOf(*object.Find("metadata"), "name"); }
};

std::vector<Wanted> ReadObjects(absl::string_view ns) {
  std::ifstream file(kObjects);
  std::stringstream text;
  text << file.rdbuf();
  const std::string stream = absl::StrReplaceAll(text.str(), {{"PLACE", ns}});
  codec::YamlDocuments documents(stream);
  std::vector<Wanted> objects;
  while (true) {
    const absl::StatusOr<std::optional<codec::YamlDocument>> document = documents.Next();
    EXPECT_THAT(document, IsOk());
    if (!document.ok() || !document->has_value()) return objects;
    absl::StatusOr<Value> object = unstructured::ParseYaml((*document)->text);
    EXPECT_THAT(object, IsOk());
    if (!object.ok() || object->is_null()) continue;
    const KindInfo* kind = api::FindKind(TextOf(*object, "apiVersion"), TextOf(*object, "kind"));
    EXPECT_NE(kind, nullptr) << TextOf(*object, "kind");
    if (kind != nullptr) objects.push_back({kind, *std::move(object)});
  }
}

bool HasStatus(const KindInfo& kind) {
  for (const SubresourceInfo& each : kind.subresources) {
    if (each.name == "status") return true;
  }
  return false;
}

class TablesTest : public ::testing::Test {
 protected:
  ~TablesTest() override {
    for (const Wanted& wanted : objects_) {
      if (wanted.kind->scope == Scope::kCluster) Delete(wanted);
    }
  }

  absl::StatusOr<rest::Result> Send(rest::Request request, const Value& body) const {
    absl::StatusOr<std::string> json = unstructured::EncodeJson(body);
    if (!json.ok()) return json.status();
    request.body = std::make_shared<const std::string>(*std::move(json));
    if (request.content_type.empty()) request.content_type = "application/json";
    request.accept = "application/json";
    return client_.Do(Soon(), request);
  }

  void Delete(const Wanted& wanted) const {
    rest::Request request = RequestFor(*wanted.kind, namespace_name_);
    request.verb = "DELETE";
    request.name = wanted.name();
    client_.Do(Soon(), request).status().IgnoreError();
  }

  // Creates it, and writes its status.
  void Make(const Wanted& wanted) const {
    rest::Request request = RequestFor(*wanted.kind, namespace_name_);
    request.verb = "POST";
    const absl::Status created = Send(request, wanted.object).status();
    // It may exist from an earlier run, because nothing finishes the deletion of volumes.
    if (!errors::IsAlreadyExists(created)) {
      ASSERT_THAT(created, IsOk());
    }
    request.name = wanted.name();
    if (const Value* status = wanted.object.Find("status"); status && HasStatus(*wanted.kind)) {
      request.verb = "PATCH";
      request.subresource = {"status"};
      request.content_type = "application/merge-patch+json";
      ASSERT_THAT(Send(request, Map<Value>{{"status", *status}}), IsOk());
    }
    if (wanted.name() == "terminating") Delete(wanted);
  }

  void MakeAll() {
    objects_ = ReadObjects(namespace_name_);
    ASSERT_GT(objects_.size(), 50);
    for (const Wanted& wanted : objects_) {
      SCOPED_TRACE(absl::StrCat(wanted.kind->kind, " ", wanted.name()));
      Make(wanted);
    }
  }

  // What a request answers with as a table, of which all rows are to be ours. How many there are.
  size_t Check(const KindInfo& kind, rest::Request request) const {
    request.accept = kTables;
    request.params = {{"includeObject", {"Object"}}};
    const absl::Time before = base::WallNow();
    const absl::StatusOr<rest::Result> result = client_.Do(Soon(), request);
    const absl::Time after = base::WallNow();
    EXPECT_THAT(result, IsOk());
    if (!result.ok()) return 0;
    const absl::StatusOr<metav1::Table> table = codec::DecodeJson<metav1::Table>(result->body);
    EXPECT_THAT(table, IsOk()) << result->body;
    if (!table.ok()) return 0;
    CheckColumns(kind, *table);
    std::optional<codec::AnyObject> last;
    for (const metav1::TableRow& row : table->rows) {
      absl::StatusOr<codec::AnyObject> object =
          codec::AnyObject::DecodeJson(kind, row.object.view());
      EXPECT_THAT(object, IsOk());
      if (!object.ok()) return 0;
      CheckRow(*object, row, before, after);
      EXPECT_FALSE(last.has_value() && printers::KubectlTables().Before(*object, *last))
          << row.object;
      last = *std::move(object);
    }
    return table->rows.size();
  }

  static void CheckColumns(const KindInfo& kind, const metav1::Table& table) {
    List<metav1::TableColumnDefinition> ours = printers::KubectlTables().Columns(kind);
    List<metav1::TableColumnDefinition> theirs = table.column_definitions;
    // Those are prose.
    for (metav1::TableColumnDefinition& column : ours) column.description = {};
    for (metav1::TableColumnDefinition& column : theirs) column.description = {};
    EXPECT_EQ(ours, theirs);
  }

  static std::string Text(const metav1::TableRow& row) {
    std::string text;
    for (const RawJson& cell : row.cells) {
      const absl::StatusOr<Value> value = unstructured::ParseJson(cell.view());
      EXPECT_THAT(value, IsOk());
      if (value.ok()) absl::StrAppend(&text, *unstructured::EncodeJson(*value), " ");
    }
    for (const metav1::TableRowCondition& each : row.conditions) {
      absl::StrAppend(&text, each.type.view(), "=", each.status.view(), ":", each.reason.view());
    }
    return text;
  }

  // The server's "now" is one of the seconds around the request.
  static void CheckRow(const codec::AnyObject& object, const metav1::TableRow& row,
                       absl::Time before, absl::Time after) {
    std::string ours;
    for (absl::Time now = before - absl::Seconds(1); now <= after + absl::Seconds(1);
         now += absl::Milliseconds(250)) {
      const absl::StatusOr<metav1::TableRow> made = printers::KubectlTables().Row(object, now);
      ASSERT_THAT(made, IsOk());
      ours = Text(*made);
      if (ours == Text(row)) return;
    }
    EXPECT_EQ(ours, Text(row)) << row.object;
  }

  const rest::Client client_ = ClientOf(ConfigOf());
  const std::string namespace_name_ = MakeNamespace(client_);
  std::vector<Wanted> objects_;
};

bool IsListed(const KindInfo& kind) {
  const bool served = kind.version == "v1" || (kind.group == "autoscaling" && kind.version == "v2");
  if (!served || kind.scope == Scope::kNone) return false;
  for (absl::string_view verb : kind.verbs) {
    if (verb == "list") return true;
  }
  return false;
}

TEST_F(TablesTest, AreTheOnesOfTheEmbeddedServer) {
  MakeAll();
  int kinds = 0;
  for (const KindInfo* kind : api::AllKinds()) {
    if (!IsListed(*kind)) continue;
    SCOPED_TRACE(absl::StrCat(kind->group, " ", kind->kind));
    rest::Request request = RequestFor(*kind, namespace_name_);
    // Those of other namespaces too.
    request.namespace_name.reset();
    EXPECT_GT(Check(*kind, request), 0);
    ++kinds;
  }
  EXPECT_GT(kinds, 55);

  rest::Request scale = RequestFor(*api::FindKind("apps/v1", "Deployment"), namespace_name_);
  scale.name = "web";
  scale.subresource = {"scale"};
  EXPECT_EQ(Check(*api::FindKind("autoscaling/v1", "Scale"), scale), 1);
}

}  // namespace
}  // namespace kube::integration
