#include "apiserver/call/respond.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/call/call.h"
#include "apiserver/call/write_record.h"
#include "apiserver/encoding/output.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::ElementsAre;
using testing::HasSubstr;
using unstructured::Value;

ObjectPtr Stored(absl::string_view kind) {
  absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
      *api::FindKind("v1", kind), absl::string_view(R"({"metadata":{"name":"o","uid":"u"}})"));
  KUBE_CHECK(object.ok()) << object.status();
  return std::make_shared<const StoredObject>(Object(*std::move(object)), int64_t{7});
}

// Returns the body of a response, or null if the response has no body.
Value BodyOf(const absl::StatusOr<httpserver::Response>& response) {
  EXPECT_THAT(response, IsOk());
  if (!response.ok()) return Value();
  absl::StatusOr<Value> body = unstructured::ParseJson(response->body);
  EXPECT_THAT(body, IsOk()) << response->body;
  return body.ok() ? *std::move(body) : Value();
}

class RespondTest : public testing::Test {
 protected:
  // A request about an object of a resource of the core group.
  Call CallOf(absl::string_view plural) {
    Call call;
    call.resources = resources_;
    call.resource = resources_->Find("", "v1", plural);
    call.info.name = "o";
    call.record = &record_;
    return call;
  }

  const std::shared_ptr<const Resources> resources_ =
      std::make_shared<const Resources>(Resources::BuiltIn());
  WriteRecord record_;
};

TEST_F(RespondTest, ADeletedObject_IsAStatusThatNamesTheResource) {
  Call call = CallOf("configmaps");
  const Value body =
      BodyOf(RespondDeleted({.object = Stored("ConfigMap"), .gone = true, .changed = true}, call));
  EXPECT_EQ(body["kind"].text(), "Status");
  EXPECT_EQ(body["status"].text(), "Success");
  EXPECT_EQ(body["details"]["name"].text(), "o");
  EXPECT_EQ(body["details"]["kind"].text(), "configmaps");
  EXPECT_EQ(body["details"]["uid"].text(), "u");
  EXPECT_TRUE(record_.changed);
  EXPECT_EQ(record_.object_name, "o");
}

TEST_F(RespondTest, ADeletedObject_IsAStatusWhateverFormObjectsHave) {
  Call call = CallOf("configmaps");
  call.output.transform = Transform::kMetadata;
  EXPECT_EQ(BodyOf(RespondDeleted({.object = Stored("ConfigMap"), .gone = true}, call))["kind"],
            Value("Status"));
  // What stays is an object, and has the form that was asked for.
  EXPECT_EQ(BodyOf(RespondDeleted({.object = Stored("ConfigMap"), .gone = false}, call))["kind"],
            Value("PartialObjectMetadata"));
}

TEST_F(RespondTest, ADeletedObject_IsTheObjectIfItStaysOrItsKindSaysSo) {
  Call map = CallOf("configmaps");
  EXPECT_EQ(BodyOf(RespondDeleted({.object = Stored("ConfigMap"), .gone = false}, map))["kind"],
            Value("ConfigMap"));
  EXPECT_FALSE(record_.changed);
  Call pod = CallOf("pods");
  EXPECT_EQ(BodyOf(RespondDeleted({.object = Stored("Pod"), .gone = true}, pod))["kind"],
            Value("Pod"));
}

TEST_F(RespondTest, AWrite_SaysWhetherItHasCreated) {
  Call call = CallOf("configmaps");
  const auto created =
      RespondWritten({.object = Stored("ConfigMap"), .created = true, .changed = true}, call);
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(created->status, 201);
  EXPECT_TRUE(record_.changed);
  const auto same = RespondWritten({.object = Stored("ConfigMap")}, call);
  ASSERT_THAT(same, IsOk());
  EXPECT_EQ(same->status, 200);
  EXPECT_FALSE(record_.changed);
}

TEST_F(RespondTest, ObjectsAndErrors_HaveTheWarnings) {
  Call call = CallOf("configmaps");
  call.warnings = {"first", "second"};
  const auto object = RespondObject(200, *Stored("ConfigMap"), call);
  ASSERT_THAT(object, IsOk());
  EXPECT_THAT(object->headers.GetAll("warning"),
              ElementsAre(HasSubstr("\"first\""), HasSubstr("\"second\"")));
  const httpserver::Response error = RespondError(errors::BadRequest("no"), call);
  EXPECT_EQ(error.status, 400);
  EXPECT_THAT(error.headers.GetAll("warning"),
              ElementsAre(HasSubstr("\"first\""), HasSubstr("\"second\"")));
}

}  // namespace
}  // namespace kube::apiserver::internal
