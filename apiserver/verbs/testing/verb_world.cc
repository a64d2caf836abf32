#include "apiserver/verbs/testing/verb_world.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/object.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

VerbWorld::VerbWorld() : core_(StorageOptions(), printers::PlainTables()) {
  core_.authorize = [](const User&, const RequestInfo&) { return Decision(); };
  Create({.api_version = "v1", .kind = "Namespace", .name = "n"}, R"({"metadata":{"name":"n"}})");
}

Call VerbWorld::CallAbout(absl::string_view verb, const Subject& subject, absl::string_view body,
                          absl::string_view content_type) {
  httpserver::Request& request = requests_.emplace_back();
  request.headers.Set("content-type", content_type);
  request.body = std::string(body);
  Call call;
  call.request = &request;
  call.resources = core_.resources.Get();
  call.resource = call.resources->FindKind(subject.api_version, subject.kind);
  KUBE_CHECK(call.resource != nullptr) << subject.kind;
  call.info.is_resource_request = true;
  call.info.verb = std::string(verb);
  call.info.group = std::string(call.resource->kind->group);
  call.info.version = std::string(call.resource->kind->version);
  call.info.namespace_name = "n";
  call.info.resource = std::string(call.resource->kind->plural);
  call.info.name = std::string(subject.name);
  call.user.name = "ann";
  call.record = &record_;
  return call;
}

Target VerbWorld::TargetOf(const Subject& subject) const {
  const Resource* const resource =
      core_.resources.Get()->FindKind(subject.api_version, subject.kind);
  KUBE_CHECK(resource != nullptr) << subject.kind;
  return {.resource = resource,
          .namespace_name = resource->namespaced() ? "n" : "",
          .name = std::string(subject.name)};
}

void VerbWorld::Create(const Subject& subject, absl::string_view json) {
  absl::StatusOr<codec::AnyObject> object =
      codec::AnyObject::DecodeJson(*api::FindKind(subject.api_version, subject.kind), json);
  KUBE_CHECK(object.ok()) << object.status();
  SetDefaults(*object);
  const absl::StatusOr<ObjectPtr> created =
      core_.registry.Create(TargetOf(subject), Object(*std::move(object)));
  KUBE_CHECK(created.ok()) << created.status();
}

ObjectPtr VerbWorld::Stored(const Subject& subject) const {
  const Target target = TargetOf(subject);
  ObjectPtr object = core_.storage.Get(target.resource->storage, target.key());
  KUBE_CHECK(object != nullptr) << target.key();
  return object;
}

}  // namespace kube::apiserver::internal
