#include "clientset/dynamic/dynamic_client.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/schema/missing_kind.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/patch_from.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::dynamic {
namespace {

namespace metav1 = api::meta::v1;
using base::IsOk;
using base::StatusIs;
using rest::JsonReply;
using unstructured::Unstructured;

constexpr char kWidget[] =
    R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}})";
const schema::GroupVersionResource kWidgets = {
    .group = "example.com", .version = "v1", .resource = "widgets"};

class Dynamic : public testing::Test {
 protected:
  const std::shared_ptr<rest::ScriptedTransport> transport_ =
      std::make_shared<rest::ScriptedTransport>();
  const DynamicClient client_{rest::MakeScriptedClient(transport_)};
  const ResourceClient widgets_ = client_.Resource(kWidgets).Namespace("prod");
  const Unstructured widget_ = *unstructured::DecodeUnstructured(kWidget);
  const Context ctx_{};

  void ExpectCall(const char* method, const char* path, const char* reply = kWidget) {
    transport_->Expect({.method = method, .path = path}, JsonReply(reply));
  }
  void TearDown() override { EXPECT_THAT(transport_->Verify(), IsOk()); }
};

TEST_F(Dynamic, EachVerb_SendsItsRequest) {
  const char* const kAll = "/apis/example.com/v1/namespaces/prod/widgets";
  const char* const kOne = "/apis/example.com/v1/namespaces/prod/widgets/w";
  ExpectCall("GET", kOne);
  const absl::StatusOr<Unstructured> got = widgets_.Get(ctx_, "w");
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(*got, widget_);
  ExpectCall("POST", kAll);
  EXPECT_THAT(widgets_.Create(ctx_, widget_), IsOk());
  ExpectCall("PUT", kOne);
  EXPECT_THAT(widgets_.Update(ctx_, widget_), IsOk());
  ExpectCall("PATCH", kOne);
  EXPECT_THAT(widgets_.Patch(ctx_, "w", patch::PatchType::kMerge, "{}"), IsOk());
  ExpectCall("PATCH", kOne);
  EXPECT_THAT(widgets_.Apply(ctx_, "w", widget_, {.field_manager = "me"}), IsOk());
  ExpectCall("DELETE", kOne, R"({"kind":"Status","apiVersion":"v1","status":"Success"})");
  EXPECT_THAT(widgets_.Delete(ctx_, "w"), IsOk());
  ExpectCall("DELETE", kAll, R"({"kind":"Status","apiVersion":"v1","status":"Success"})");
  EXPECT_THAT(widgets_.DeleteCollection(ctx_), IsOk());
  for (const rest::RecordedRequest& request : transport_->requests()) {
    EXPECT_EQ(request.Header("accept"), "application/json");
  }
  EXPECT_EQ(transport_->requests()[1].body, std::string(kWidget) + "\n");
  EXPECT_EQ(transport_->requests()[4].Header("content-type"), "application/apply-patch+yaml");
  EXPECT_EQ(transport_->requests()[5].body, "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"}\n");
}

TEST_F(Dynamic, EachVerb_Subresource_IsInThePath) {
  const char* const kStatus = "/apis/example.com/v1/namespaces/prod/widgets/w/status";
  const std::vector<std::string> status = {"status"};
  ExpectCall("GET", kStatus);
  EXPECT_THAT(widgets_.Get(ctx_, "w", {}, status), IsOk());
  ExpectCall("POST", kStatus);
  EXPECT_THAT(widgets_.Create(ctx_, widget_, {}, status), IsOk());
  ExpectCall("PUT", kStatus);
  EXPECT_THAT(widgets_.Update(ctx_, widget_, {}, status), IsOk());
  ExpectCall("PUT", kStatus);
  EXPECT_THAT(widgets_.UpdateStatus(ctx_, widget_), IsOk());
  ExpectCall("PATCH", kStatus);
  EXPECT_THAT(widgets_.Patch(ctx_, "w", patch::PatchType::kMerge, "{}", {}, status), IsOk());
  ExpectCall("PATCH", kStatus);
  EXPECT_THAT(widgets_.ApplyStatus(ctx_, "w", widget_, {.field_manager = "me"}), IsOk());
  ExpectCall("DELETE", kStatus);
  EXPECT_THAT(widgets_.Delete(ctx_, "w", {}, status), IsOk());
  ExpectCall("GET", "/apis/example.com/v1/namespaces/prod/widgets/w/proxy/healthz");
  EXPECT_THAT(widgets_.Get(ctx_, "w", {}, {"proxy", "healthz"}), IsOk());
}

TEST_F(Dynamic, PagerOf_SeveralPages_ListsThemAll) {
  const char* const kAll = "/apis/example.com/v1/namespaces/prod/widgets";
  transport_->Expect(
      {.path = kAll, .query = {{"limit", {"500"}}}},
      JsonReply(R"({"apiVersion":"example.com/v1","kind":"WidgetList",)"
                R"("metadata":{"continue":"c1"},"items":[{"metadata":{"name":"a"}}]})"));
  transport_->Expect({.path = kAll, .query = {{"limit", {"500"}}, {"continue", {"c1"}}}},
                     JsonReply(R"({"apiVersion":"example.com/v1","kind":"WidgetList",)"
                               R"("metadata":{},"items":[{"metadata":{"name":"b"}}]})"));
  std::vector<std::string> names;
  EXPECT_THAT(pager::PagerOf(widgets_).EachItem(ctx_, {},
                                                [&names](const Unstructured& widget) {
                                                  names.emplace_back(widget.name());
                                                  return absl::OkStatus();
                                                }),
              IsOk());
  EXPECT_THAT(names, testing::ElementsAre("a", "b"));
}

TEST_F(Dynamic, PatchFrom_ChangedObject_SendsTheDifference) {
  Unstructured before = widget_;
  before.set_resource_version("7");
  Unstructured after = before;
  ASSERT_THAT(unstructured::SetNestedField(after.object, "large", {"spec", "size"}), IsOk());
  ExpectCall("PATCH", "/apis/example.com/v1/namespaces/prod/widgets/w");
  EXPECT_THAT(typed::PatchFrom(ctx_, widgets_, before, after), IsOk());
  EXPECT_EQ(transport_->requests()[0].body,
            R"({"metadata":{"resourceVersion":"7"},"spec":{"size":"large"}})");
}

TEST_F(Dynamic, Get_ClusterScopedOrCoreGroup_HasItsPath) {
  ExpectCall("GET", "/api/v1/nodes/n");
  EXPECT_THAT(client_.Resource({.version = "v1", .resource = "nodes"}).Get(ctx_, "n"), IsOk());
  ExpectCall("GET", "/api/v1/namespaces/prod/pods/p");
  EXPECT_THAT(
      client_.Resource({.version = "v1", .resource = "pods"}).Namespace("prod").Get(ctx_, "p"),
      IsOk());
}

TEST_F(Dynamic, List_ItemsWithoutKind_GetThatOfTheList) {
  transport_->Expect({.path = "/apis/example.com/v1/widgets", .query = {{"limit", {"2"}}}},
                     JsonReply(R"({"apiVersion":"example.com/v1","kind":"WidgetList","metadata":
      {"resourceVersion":"7","continue":"next"},"items":[{"metadata":{"name":"a"}},
      {"apiVersion":"v2","kind":"Other","metadata":{"name":"b"}}]})"));
  const absl::StatusOr<unstructured::UnstructuredList> list =
      widgets_.Namespace("").List(ctx_, {.limit = 2});
  ASSERT_THAT(list, IsOk());
  EXPECT_EQ(list->kind, "WidgetList");
  EXPECT_EQ(list->resource_version(), "7");
  ASSERT_EQ(list->items.size(), 2);
  EXPECT_EQ(list->items[0].gvk().ToString(), "example.com/v1, Kind=Widget");
  EXPECT_EQ(list->items[1].gvk().ToString(), "/v2, Kind=Other");
}

TEST_F(Dynamic, Watch_ReturnsUnstructuredEvents) {
  transport_->Expect({.query = {{"watch", {"true"}}, {"timeoutSeconds", {"60"}}}},
                     JsonReply(R"({"type":"ADDED","object":{"apiVersion":"example.com/v1",
                     "kind":"Widget","metadata":{"name":"a"}}})"));
  const auto watcher = widgets_.Watch(ctx_, {.timeout_seconds = 60});
  ASSERT_THAT(watcher, IsOk());
  const absl::StatusOr<std::optional<watch::Event<Unstructured>>> event = (*watcher)->Next(ctx_);
  ASSERT_THAT(event, IsOk());
  ASSERT_TRUE(event->has_value());
  EXPECT_EQ((*event)->object->kind(), "Widget");
  // Only the server limits it.
  EXPECT_EQ(transport_->requests()[0].Param("timeout"), "");
}

TEST_F(Dynamic, Create_ObjectWithoutKind_IsSentUnchanged) {
  ExpectCall("POST", "/apis/example.com/v1/namespaces/prod/widgets");
  Unstructured object;
  At(object.object, {"spec", "size"}) = 3;
  EXPECT_THAT(widgets_.Create(ctx_, object), IsOk());
  EXPECT_EQ(transport_->requests()[0].body, "{\"spec\":{\"size\":3}}\n");
}

TEST_F(Dynamic, EachVerb_EmptyName_IsInvalidArgument) {
  const auto invalid =
      StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("name may not be empty"));
  const Unstructured nameless;
  EXPECT_THAT(widgets_.Get(ctx_, ""), invalid);
  EXPECT_THAT(widgets_.Create(ctx_, nameless, {}, {"status"}), invalid);
  EXPECT_THAT(widgets_.Update(ctx_, nameless), invalid);
  EXPECT_THAT(widgets_.UpdateStatus(ctx_, nameless), invalid);
  EXPECT_THAT(widgets_.Delete(ctx_, ""), invalid);
  EXPECT_THAT(widgets_.Patch(ctx_, "", patch::PatchType::kMerge, "{}"), invalid);
  EXPECT_THAT(widgets_.Apply(ctx_, "", widget_, {}), invalid);
  EXPECT_THAT(widgets_.Get(ctx_, ".."), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(widgets_.Namespace("a/b").List(ctx_), StatusIs(absl::StatusCode::kInvalidArgument));
  Unstructured managed = widget_;
  managed.set_managed_fields({{.manager = "other"}});
  EXPECT_THAT(widgets_.Apply(ctx_, "w", managed, {}),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("managed fields")));
}

TEST_F(Dynamic, Get_ResponseWithoutKind_IsMissingKind) {
  ExpectCall("GET", "/apis/example.com/v1/namespaces/prod/widgets/w", "{}");
  EXPECT_TRUE(schema::IsMissingKind(widgets_.Get(ctx_, "w").status()));
  ExpectCall("GET", "/apis/example.com/v1/namespaces/prod/widgets", "{}");
  EXPECT_TRUE(schema::IsMissingKind(widgets_.List(ctx_).status()));
  ExpectCall("GET", "/apis/example.com/v1/namespaces/prod/widgets/w",
             R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound"})");
  EXPECT_TRUE(errors::IsNotFound(widgets_.Get(ctx_, "w").status()));
}

TEST_F(Dynamic, Edit_ChangedField_SendsAMergePatch) {
  const char* const kOne = "/apis/example.com/v1/namespaces/prod/widgets/w";
  ExpectCall("GET", kOne, R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":
      {"name":"w","uid":"u","resourceVersion":"7"},"spec":{"size":1,"color":"red"}})");
  ExpectCall("PATCH", kOne);
  EXPECT_THAT(widgets_.Edit(ctx_, "w",
                            [](Unstructured& widget) {
                              At(widget.object, {"spec", "size"}) = 3;
                              return absl::OkStatus();
                            }),
              IsOk());
  const rest::RecordedRequest patch = transport_->requests()[1];
  EXPECT_EQ(patch.Header("content-type"), "application/merge-patch+json");
  EXPECT_EQ(patch.body, R"({"metadata":{"resourceVersion":"7","uid":"u"},"spec":{"size":3}})");
}

TEST_F(Dynamic, ResourceOfKind_MappedKind_ReturnsItsResource) {
  restmapper::DefaultRestMapper mapper(
      std::vector<schema::GroupVersion>{{.group = "example.com", .version = "v1"}});
  mapper.Add({.group = "example.com", .version = "v1", .kind = "Widget"}, Scope::kNamespaced);
  const absl::StatusOr<ResourceClient> any =
      client_.ResourceOfKind(ctx_, mapper, {.group = "example.com", .kind = "Widget"});
  ASSERT_THAT(any, IsOk());
  EXPECT_EQ(any->resource(), kWidgets);
  EXPECT_EQ(any->namespace_name(), "");
  EXPECT_TRUE(restmapper::IsNoMatch(
      client_
          .ResourceOfKind(ctx_, mapper, {.group = "example.com", .version = "v2", .kind = "Widget"})
          .status()));
}

// The example of DynamicClient.
absl::Status Resize(const Context& ctx, const kubernetes::Clientset& clientset) {
  const dynamic::DynamicClient client(clientset.client());
  const schema::GroupVersionResource widgets = {
      .group = "example.com", .version = "v1", .resource = "widgets"};
  const auto prod = client.Resource(widgets).Namespace("prod");
  KUBE_ASSIGN_OR_RETURN(unstructured::Unstructured widget, prod.Get(ctx, "w"));
  KUBE_RETURN_IF_ERROR(unstructured::SetNestedField(widget.object, 3, {"spec", "size"}));
  return prod.Update(ctx, widget).status();
}

TEST_F(Dynamic, Update_SendsTheChangedField_AsInTheHeader) {
  const char* const kOne = "/apis/example.com/v1/namespaces/prod/widgets/w";
  ExpectCall("GET", kOne);
  ExpectCall("PUT", kOne);
  EXPECT_THAT(Resize(ctx_, kubernetes::Clientset(client_.client())), IsOk());
  EXPECT_THAT(transport_->requests().back().body, testing::HasSubstr(R"("spec":{"size":3})"));
}

}  // namespace
}  // namespace kube::dynamic
