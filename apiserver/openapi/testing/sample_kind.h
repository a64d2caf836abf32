#ifndef APISERVER_OPENAPI_TESTING_SAMPLE_KIND_H_
#define APISERVER_OPENAPI_TESTING_SAMPLE_KIND_H_

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apiserver/custom_kind.h"

namespace kube::apiserver {

// What a definition has besides its schema. Texts are JSON; those of `version` and `spec` are
// further members, with a comma before each.
struct SampleKindOptions {
  std::string scope = "Namespaced";
  std::string version = {};  // ,"subresources":{"status":{}}
  std::string spec = {};     // ,"preserveUnknownFields":true
};

// Returns version v1 of crontabs.stable.example.com, whose kind is CronTab. `schema` is JSON; if it
// is empty, the version has no schema. Invalid texts abort the test.
inline std::shared_ptr<const CustomKind> SampleKind(absl::string_view schema,
                                                    const SampleKindOptions& options = {}) {
  const std::string of_version =
      schema.empty() ? "" : absl::StrCat(R"(,"schema":{"openAPIV3Schema":)", schema, "}");
  const auto definition =
      codec::DecodeJson<api::apiextensions::v1::CustomResourceDefinition>(absl::StrCat(
          R"({"metadata":{"name":"crontabs.stable.example.com"},"spec":{)",
          R"("group":"stable.example.com","names":{"kind":"CronTab"},"scope":")", options.scope,
          R"(","versions":[{"name":"v1","served":true,"storage":true)", of_version, options.version,
          "}]", options.spec, R"(},"status":{"acceptedNames":{"plural":"crontabs",)",
          R"("singular":"crontab","kind":"CronTab","listKind":"CronTabList"}}})"));
  return CustomKind::MakeAll(definition.value()).value().front();
}

}  // namespace kube::apiserver

#endif  // APISERVER_OPENAPI_TESTING_SAMPLE_KIND_H_
