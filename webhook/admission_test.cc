#include "webhook/admission.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission_types.h"

namespace kube::webhook {
namespace {

namespace field = validation::field;
using api::apps::v1::Deployment;
using api::core::v1::ConfigMap;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using unstructured::Unstructured;

constexpr char kConfigMap[] =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"a":"b"}})";

RawAdmissionRequest RequestOf(absl::string_view operation, absl::string_view object,
                              absl::string_view old_object = "") {
  RawAdmissionRequest request;
  request.uid = "u";
  request.kind = {.version = "v1", .kind = "ConfigMap"};
  request.name = "m";
  request.namespace_ = "prod";
  request.operation = operation;
  if (!object.empty()) request.object = object;
  if (!old_object.empty()) request.old_object = old_object;
  return request;
}

// behaviour.md: WH-28, WH-37
TEST(AdmissionRequest, HasWhatTheServerSends) {
  RawAdmissionRequest raw = RequestOf("UPDATE", kConfigMap, R"({"data":{"a":"old"}})");
  raw.sub_resource = "status";
  raw.dry_run = true;
  raw.user_info.username = "eve";
  const Context ctx = WithTimeout(Context(), absl::Minutes(1));
  int calls = 0;
  const AdmissionHandler handler =
      Admitter<ConfigMap>([&](const AdmissionRequest<ConfigMap>& request) {
        ++calls;
        EXPECT_TRUE(request.context.deadline() == ctx.deadline());
        EXPECT_EQ(request.operation, Operation::kUpdate);
        EXPECT_EQ(request.name.ToString(), "prod/m");
        EXPECT_EQ(request.user.username, "eve");
        EXPECT_TRUE(request.dry_run);
        EXPECT_EQ(request.subresource, "status");
        EXPECT_EQ(request.object->data.value_or("a", ""), "b");
        EXPECT_EQ(request.old_object->data.value_or("a", ""), "old");
        EXPECT_EQ(request.raw, &raw);
        return absl::OkStatus();
      });
  EXPECT_TRUE(handler(ctx, raw).allowed);
  EXPECT_EQ(calls, 1);
}

// What a request comes to, and whether the function was called.
struct Row {
  std::string name;
  RawAdmissionRequest request;
  bool allowed;
  int32_t code;
  std::string message;  // how it begins
  bool is_called;
};

void Check(const AdmissionHandler& handler, const bool& is_called, const Row& row) {
  const AdmissionResponse response = handler(Context(), row.request);
  EXPECT_EQ(response.allowed, row.allowed) << row.name;
  EXPECT_EQ(response.result.code, row.code) << row.name;
  EXPECT_THAT(std::string(response.result.message.view()), StartsWith(row.message)) << row.name;
  EXPECT_EQ(is_called, row.is_called) << row.name;
  EXPECT_EQ(response.json_patch, "") << row.name;
}

constexpr char kNothing[] = "there is no content to decode";

std::vector<Row> WrongObjects(const std::string& operation, absl::string_view old_object = "") {
  const std::string of = operation + ", ";
  const auto request = [&](absl::string_view object) {
    return RequestOf(operation, object, old_object);
  };
  return {
      {of + "no object", request(""), false, 400, kNothing, false},
      {of + "no JSON", request("{"), false, 400, "decode ConfigMap", false},
      {of + "a list", request("[]"), false, 400, "decode ConfigMap", false},
      {of + "a wrong type", request(R"({"data":1})"), false, 400, "decode ConfigMap: data", false},
      {of + "another kind", request(R"({"apiVersion":"v1","kind":"Pod"})"), false, 400,
       R"(decode object: it is a "Pod" of "v1", and the webhook is for a "ConfigMap" of "v1")",
       false},
      {of + "another version", request(R"({"apiVersion":"v2","kind":"ConfigMap"})"), false, 400,
       "decode object: it is a", false},
      {of + "no version", request(R"({"apiVersion":"a/b/c"})"), false, 400,
       "unexpected GroupVersion string", false},
      {of + "no kind", request("{}"), true, 200, "", true},
  };
}

// behaviour.md: WH-29, WH-30
TEST(Defaulter, Operations) {
  std::vector<Row> rows = WrongObjects("CREATE");
  const std::vector<Row> more = {
      {"creation", RequestOf("CREATE", kConfigMap), true, 200, "", true},
      {"update", RequestOf("UPDATE", kConfigMap, kConfigMap), true, 200, "", true},
      {"deletion", RequestOf("DELETE", "", kConfigMap), true, 200, "", false},
      {"connection", RequestOf("CONNECT", kConfigMap), true, 200, "", true},
      {"connection without object", RequestOf("CONNECT", ""), false, 400, kNothing, false},
      {"unknown operation", RequestOf("PATCH", kConfigMap), false, 400,
       R"(unknown operation "PATCH")", false},
      {"unknown operation without object", RequestOf("", ""), false, 400, kNothing, false},
  };
  rows.insert(rows.end(), more.begin(), more.end());
  for (const Row& row : rows) {
    bool is_called = false;
    const AdmissionHandler handler =
        Defaulter<ConfigMap>([&](const AdmissionRequest<ConfigMap>&, ConfigMap&) {
          is_called = true;
          return absl::OkStatus();
        });
    Check(handler, is_called, row);
  }
}

// behaviour.md: WH-31
TEST(Defaulter, PatchesWhatTheFunctionHasChangedAndNothingElse) {
  const AdmissionHandler handler =
      Defaulter<Deployment>([](const AdmissionRequest<Deployment>& request, Deployment& object) {
        EXPECT_TRUE(object == *request.object);
        if (!object.spec.replicas.has_value()) object.spec.replicas = 3;
        for (auto& container : object.spec.template_.spec.containers) {
          if (container.image.empty()) container.image = "nginx";
        }
        return absl::OkStatus();
      });
  struct Case {
    std::string name;
    std::string object;
    std::string patch;
  };
  const std::vector<Case> cases = {
      {"unknown fields and empty ones", R"({"spec":{"unknown":1},"future":{}})",
       R"([{"op":"add","path":"/spec/replicas","value":3}])"},
      {"an element with unknown fields",
       R"({"spec":{"replicas":1,"template":{"spec":{"containers":[{"name":"a","unknown":1}]}}}})",
       R"([{"op":"add","path":"/spec/template/spec/containers/0/image","value":"nginx"}])"},
      {"nothing to do", R"({"spec":{"replicas":1,"unknown":1}})", ""},
  };
  for (const Case& row : cases) {
    const AdmissionResponse response = handler(Context(), RequestOf("CREATE", row.object));
    EXPECT_TRUE(response.allowed) << row.name << response.result.message;
    EXPECT_EQ(response.json_patch, row.patch) << row.name;
  }
}

TEST(Defaulter, ObjectsOfAnyKind) {
  const AdmissionHandler handler =
      Defaulter<Unstructured>([](const AdmissionRequest<Unstructured>&, Unstructured& object) {
        return unstructured::SetNestedField(object.object, "x", {"spec", "a"});
      });
  EXPECT_EQ(handler(Context(), RequestOf("CREATE", R"({"kind":"Any","spec":{"b":1}})")).json_patch,
            R"([{"op":"add","path":"/spec/a","value":"x"}])");
  EXPECT_EQ(handler(Context(), RequestOf("CREATE", "[]")).result.code, 400);
  // The error of the function.
  EXPECT_EQ(handler(Context(), RequestOf("CREATE", R"({"spec":"text"})")).result.code, 403);
}

// behaviour.md: WH-30, WH-32
TEST(AdmissionHandlers, Errors_RefuseWithTheWarnings) {
  struct Case {
    std::string name;
    absl::Status error;
    int32_t code;
    std::string reason;
  };
  const std::vector<Case> cases = {
      {"any error", absl::InternalError("no"), 403, "Forbidden"},
      {"the error of a server", errors::BadRequest("no"), 400, "BadRequest"},
      {"a conflict", errors::Conflict({.resource = "pods"}, "a", "no"), 409, "Conflict"},
  };
  for (const Case& row : cases) {
    const std::vector<AdmissionHandler> handlers = {
        Defaulter<ConfigMap>([&](const AdmissionRequest<ConfigMap>& request, ConfigMap& map) {
          request.Warn("w");
          map.data["c"] = "d";
          return row.error;
        }),
        Admitter<ConfigMap>([&](const AdmissionRequest<ConfigMap>& request) {
          request.Warn("w");
          return row.error;
        })};
    for (const AdmissionHandler& handler : handlers) {
      const AdmissionResponse response = handler(Context(), RequestOf("CREATE", kConfigMap));
      EXPECT_FALSE(response.allowed) << row.name;
      EXPECT_EQ(response.result.code, row.code) << row.name;
      EXPECT_EQ(response.result.reason, row.reason) << row.name;
      EXPECT_EQ(response.json_patch, "") << row.name;
      EXPECT_THAT(response.warnings, ElementsAre("w")) << row.name;
    }
  }
}

// behaviour.md: WH-32, WH-33
TEST(Validator, Operations) {
  std::vector<Row> rows = WrongObjects("CREATE");
  for (const Row& row : WrongObjects("UPDATE", kConfigMap)) rows.push_back(row);
  RawAdmissionRequest of_status = RequestOf("UPDATE", kConfigMap, kConfigMap);
  of_status.sub_resource = "status";
  const std::vector<Row> more = {
      {"creation", RequestOf("CREATE", kConfigMap), true, 200, "", true},
      {"update", RequestOf("UPDATE", kConfigMap, kConfigMap), true, 200, "", true},
      {"update of a subresource", of_status, true, 200, "", true},
      {"update without old object", RequestOf("UPDATE", kConfigMap), false, 400, kNothing, false},
      {"deletion", RequestOf("DELETE", "", kConfigMap), true, 200, "", true},
      {"deletion without old object", RequestOf("DELETE", kConfigMap), false, 400, kNothing, false},
      {"connection", RequestOf("CONNECT", kConfigMap), true, 200, "", false},
      {"unknown operation", RequestOf("\"", kConfigMap), false, 400, R"(unknown operation "\"")",
       false},
  };
  rows.insert(rows.end(), more.begin(), more.end());
  for (const Row& row : rows) {
    bool is_called = false;
    const AdmissionHandler handler =
        Validator<ConfigMap>([&](const AdmissionRequest<ConfigMap>& request) -> field::ErrorList {
          is_called = true;
          EXPECT_NE(request.object, nullptr) << row.name;
          EXPECT_EQ(request.operation == Operation::kDelete, request.object == request.old_object);
          return {};
        });
    Check(handler, is_called, row);
  }
}

// behaviour.md: WH-32
TEST(Validator, ErrorsOfFields_AreAnInvalidObject) {
  const AdmissionHandler handler =
      Validator<ConfigMap>([](const AdmissionRequest<ConfigMap>& request) -> field::ErrorList {
        request.Warn("think again");
        return {field::Required(field::Path("data").Child("a"), "why not?")};
      });
  const AdmissionResponse response = handler(Context(), RequestOf("CREATE", kConfigMap));
  EXPECT_FALSE(response.allowed);
  EXPECT_EQ(response.result.code, 422);
  EXPECT_EQ(response.result.reason, "Invalid");
  EXPECT_THAT(std::string(response.result.message.view()),
              HasSubstr(R"(ConfigMap "m" is invalid: data.a: Required value: why not?)"));
  EXPECT_THAT(response.warnings, ElementsAre("think again"));
}

TEST(Admitter, Operations) {
  std::vector<Row> rows = WrongObjects("CREATE");
  const std::vector<Row> more = {
      {"deletion", RequestOf("DELETE", "", kConfigMap), true, 200, "", true},
      {"connection without object", RequestOf("CONNECT", ""), true, 200, "", true},
      {"connection with a wrong object", RequestOf("CONNECT", "[]"), false, 400, "decode", false},
      {"unknown operation", RequestOf("*", kConfigMap), false, 400, "unknown operation", false},
  };
  rows.insert(rows.end(), more.begin(), more.end());
  for (const Row& row : rows) {
    bool is_called = false;
    const AdmissionHandler handler =
        Admitter<ConfigMap>([&](const AdmissionRequest<ConfigMap>& request) {
          is_called = true;
          EXPECT_EQ(request.object == nullptr, request.operation == Operation::kConnect);
          return absl::OkStatus();
        });
    Check(handler, is_called, row);
  }
}

}  // namespace
}  // namespace kube::webhook
