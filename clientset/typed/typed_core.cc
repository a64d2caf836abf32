#include "clientset/typed/typed_core.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/any_list_reader.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/watch/stream_watcher.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "clientset/typed/internal/body.h"
#include "clientset/typed/internal/body_stream.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "net/httpclient/transport_error.h"

// How a call is made. A method fills a Call: the request, the object to send with its kind, and the
// kind that is expected in return. SendWithFallback chooses the content type, encodes the object
// and sends the request. It uses protobuf if the resource is built-in or only metadata is
// requested, if the client prefers protobuf, and if the resource is not known to be JSON-only. If
// the server refuses protobuf with 406 or 415, the request is repeated in JSON; if that succeeds,
// the resource is remembered as JSON-only in the rest::Client. A core with a Dialect sends the
// dialect's Accept headers, and its objects as JSON.
//
// Do decodes a whole response. ListPage decodes a streamed response item by item, and Watch returns
// the stream for a StreamWatcher.
namespace kube::typed {

namespace metav1 = api::meta::v1;
using internal::BodyKind;
using internal::BodyStream;
using internal::ClearKind;
using internal::DecodeBody;
using internal::EncodeBody;
using internal::IdOf;
using internal::IsUnstructured;
using internal::KindOfItems;
using internal::kJsonType;
using internal::kProtobufType;
using internal::LacksKind;
using internal::SetKindOfItems;
using internal::StreamedContentType;
using internal::WithKind;
using internal::WithoutKind;
using kube::table::Message;

// One call, before its content type is chosen.
struct TypedCore::Call {
  rest::Request request;
  // The object to send. If it is empty, the request's own body is sent.
  AnyStruct object = {};
  std::string api_version = {};
  std::string kind = {};
  // The kind that is expected in return; empty means any.
  std::string result_kind = {};
  // The form that the server shall convert objects to, such as "PartialObjectMetadata"; empty means
  // no conversion.
  std::string as = {};
};

namespace {

std::string ApiVersion(absl::string_view group, absl::string_view version) {
  return group.empty() ? std::string(version) : absl::StrCat(group, "/", version);
}

absl::Duration TimeoutOf(const metav1::ListOptions& options) {
  return absl::Seconds(options.timeout_seconds.value_or(0));
}

// Returns the Accept header. Plain JSON comes last, for servers that cannot convert objects to
// metadata: they send the objects, which contain it.
std::string AcceptOf(bool protobuf, absl::string_view as) {
  if (as.empty()) return protobuf ? absl::StrCat(kProtobufType, ",", kJsonType) : "";
  const std::string form = absl::StrCat(";as=", as, ";g=meta.k8s.io;v=v1,");
  return absl::StrCat(protobuf ? absl::StrCat(kProtobufType, form) : "", kJsonType, form,
                      kJsonType);
}

// Whether the server refuses protobuf for this resource, either in the request or in the response.
bool RefusesProtobuf(const absl::Status& status) {
  return errors::IsUnsupportedMediaType(status) || errors::IsNotAcceptable(status);
}

// (client-go: `net.IsProbableEOF`, `net.IsTimeout`)
bool HasEndedWatch(const absl::Status& status) {
  const std::optional<httpclient::TransportError> error = httpclient::TransportErrorOf(status);
  return error.has_value() && (error->kind == httpclient::TransportErrorKind::kReset ||
                               error->kind == httpclient::TransportErrorKind::kEof ||
                               error->kind == httpclient::TransportErrorKind::kTimeout);
}

}  // namespace

watch::StreamWatcherOptions MakeStreamWatcherOptions(const WatchStreamOptions& options,
                                                     const Message& message) {
  watch::StreamWatcherOptions result = options.stream;
  if (result.decode.projection == nullptr) result.decode.projection = WithoutKind(message);
  return result;
}

TypedCore::TypedCore(rest::Client client, const Resource& resource,
                     const kube::table::Message& type)
    : client_(std::move(client)) {
  auto shared = std::make_shared<Shared>();
  shared->resource = {.group = std::string(resource.group),
                      .version = std::string(resource.version),
                      .resource = std::string(resource.plural)};
  shared->api_version = ApiVersion(resource.group, resource.version);
  shared->kind = std::string(resource.kind);
  shared->namespaced = resource.namespaced;
  // Unstructured objects are JSON, even those of built-in kinds.
  shared->built_in = resource.built_in && !IsUnstructured(type);
  shared->metadata_only = &type == &metav1::PartialObjectMetadata::kMessage;
  shared_ = std::move(shared);
}

TypedCore::TypedCore(rest::Client client, const schema::GroupVersionResource& resource,
                     Dialect dialect)
    : client_(std::move(client)) {
  auto shared = std::make_shared<Shared>();
  shared->resource = resource;
  shared->namespaced = false;
  shared->built_in = false;
  shared->dialect = std::move(dialect);
  shared_ = std::move(shared);
}

TypedCore TypedCore::InNamespace(absl::string_view name) const {
  TypedCore other = *this;
  other.namespace_name_ = std::string(name);
  return other;
}

TypedCore TypedCore::AtSubresource(std::vector<std::string> subresource) const {
  TypedCore other = *this;
  other.subresource_ = std::move(subresource);
  return other;
}

TypedCore::Call TypedCore::MakeCall(absl::string_view verb) const {
  Call call;
  if (shared_->dialect.has_value()) call.request.accept = shared_->dialect->accept_object;
  call.request.verb = std::string(verb);
  call.request.resource = shared_->resource;
  if (!namespace_name_.empty()) call.request.namespace_name = namespace_name_;
  call.api_version = shared_->api_version;
  call.kind = shared_->kind;
  call.result_kind = shared_->kind;
  return call;
}

TypedCore::Call TypedCore::MakeCall(absl::string_view verb, absl::string_view name) const {
  Call call = MakeCall(verb);
  call.request.name = std::string(name);
  call.request.subresource = subresource_;
  return call;
}

TypedCore::Call TypedCore::MakeListCall(const metav1::ListOptions& options, bool is_watch) const {
  Call call = MakeCall("GET");
  call.request.params = queryparams::EncodeParameters(options);
  call.result_kind.clear();
  const std::optional<Dialect>& dialect = shared_->dialect;
  if (dialect.has_value() && !is_watch) call.request.accept = dialect->accept_list;
  if (!dialect.has_value() || (is_watch && dialect->limits_watch)) {
    call.request.timeout = TimeoutOf(options);
  }
  return call;
}

void TypedCore::SetOptions(Call& call, const metav1::DeleteOptions& options) const {
  call.object = AnyStruct::Of(options);
  call.kind = "DeleteOptions";
  if (!shared_->dialect.has_value()) return;
  call.api_version = "v1";
  call.request.accept = shared_->dialect->accept;
}

// client-go sends such requests, and the server does not find the path.
absl::Status TypedCore::CheckNamespace(const rest::Request& request) const {
  if (!shared_->namespaced || request.namespace_name.has_value()) return absl::OkStatus();
  absl::string_view problem;
  if (request.verb == "POST") problem = "an empty namespace may not be set during creation";
  if (request.name.has_value()) {
    problem = "an empty namespace may not be set when a resource name is provided";
  }
  if (problem.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(rest::Describe(request), ": ", problem));
}

absl::Status TypedCore::SendWithFallback(
    Call& call, absl::FunctionRef<absl::Status(const rest::Request&)> send) const {
  KUBE_RETURN_IF_ERROR(CheckNamespace(call.request));
  // Metadata has a protobuf form for every resource.
  const bool accepts_protobuf = (shared_->built_in || !call.as.empty()) &&
                                client_.prefers_protobuf() &&
                                !client_.IsJsonOnly(shared_->resource);
  bool protobuf = accepts_protobuf;
  while (true) {
    if (!shared_->dialect.has_value()) call.request.accept = AcceptOf(protobuf, call.as);
    if (call.object.data != nullptr) {
      KUBE_ASSIGN_OR_RETURN(
          std::string body,
          EncodeBody(call.object.data, *call.object.message,
                     {.api_version = call.api_version, .kind = call.kind},
                     protobuf ? codec::ContentType::kProtobuf : codec::ContentType::kJson),
          rest::Describe(call.request));
      call.request.body = std::make_shared<const std::string>(std::move(body));
      call.request.content_type = std::string(protobuf ? kProtobufType : kJsonType);
    }
    const absl::Status status = send(call.request);
    // A 415 may also be about the type of a patch; JSON would not help then.
    const bool about_patch = errors::IsUnsupportedMediaType(status) && call.object.data == nullptr;
    if (!protobuf || !RefusesProtobuf(status) || about_patch) {
      if (accepts_protobuf && !protobuf && status.ok()) client_.SetJsonOnly(shared_->resource);
      return status;
    }
    protobuf = false;
  }
}

absl::Status TypedCore::Do(const Context& ctx, Call& call, AnyTarget to) const {
  return SendWithFallback(call, [&](const rest::Request& request) -> absl::Status {
    KUBE_ASSIGN_OR_RETURN(const rest::Result result, client_.Do(ctx, request));
    if (to.data == nullptr) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(DecodeBody(result.content_type, result.body,
                                    {.api_version = call.api_version, .kind = call.result_kind},
                                    to.data, *to.message),
                         rest::Describe(request));
    const std::optional<Dialect>& dialect = shared_->dialect;
    if (!dialect.has_value() || dialect->check == nullptr) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(dialect->check(to.data, *to.message), rest::Describe(request));
    return absl::OkStatus();
  });
}

absl::Status TypedCore::Get(const Context& ctx, absl::string_view name,
                            absl::string_view subresource, const metav1::GetOptions& options,
                            AnyTarget to) const {
  Call call = MakeCall("GET", name);
  if (!subresource.empty()) {
    call.request.subresource = {std::string(subresource)};
    call.result_kind.clear();
  }
  call.request.params = queryparams::EncodeParameters(options);
  return Do(ctx, call, to);
}

absl::Status TypedCore::List(const Context& ctx, const metav1::ListOptions& options,
                             AnyTarget to) const {
  Call call = MakeListCall(options);
  if (shared_->metadata_only) call.as = "PartialObjectMetadataList";
  KUBE_RETURN_IF_ERROR(Do(ctx, call, to));
  SetKindOfItems(to.data, *to.message,
                 {.api_version = shared_->api_version, .kind = shared_->kind});
  return absl::OkStatus();
}

absl::Status TypedCore::ListPage(
    const Context& ctx, const metav1::ListOptions& options, const PageOptions& page,
    const Message& item, AnyTarget to,
    absl::FunctionRef<absl::Status(std::shared_ptr<const void>)> on_item) const {
  Call call = MakeListCall(options);
  if (shared_->metadata_only) call.as = "PartialObjectMetadataList";
  // The timeout of a stream ends with the response's header; this one covers the whole body.
  const absl::Duration timeout = call.request.timeout;
  const Context limited = timeout > absl::ZeroDuration() ? WithTimeout(ctx, timeout) : ctx;
  rest::StreamedResult result;
  KUBE_RETURN_IF_ERROR(SendWithFallback(call, [&](const rest::Request& request) -> absl::Status {
    KUBE_ASSIGN_OR_RETURN(result, client_.Stream(limited, request));
    return absl::OkStatus();
  }));
  BodyStream body(std::move(result.body), page.idle_timeout, page.bytes);
  const BodyKind kind = {.api_version = shared_->api_version, .kind = shared_->kind};
  const auto read = [&]() -> absl::Status {
    KUBE_ASSIGN_OR_RETURN(const codec::ContentType type, StreamedContentType(result.content_type));
    codec::DecodeOptions decode = page.decode;
    if (decode.projection == nullptr && type == codec::ContentType::kJson) {
      decode.projection = WithoutKind(item);
    }
    codec::SharedDecoder decoder(decode, page.store);
    codec::AnyListReader reader(type, decoder, *to.message, to.data, page.reader);
    // The list's kind may come after its items, so items without a kind are kept until the end.
    std::vector<std::shared_ptr<const void>> without_kind;
    const auto on_object = [&](std::shared_ptr<const void> object) {
      if (!kind.kind.empty() || !LacksKind(object.get(), item)) {
        return on_item(WithKind(std::move(object), item, kind));
      }
      without_kind.push_back(std::move(object));
      return absl::OkStatus();
    };
    while (true) {
      KUBE_ASSIGN_OR_RETURN(std::string bytes, body.Read(limited), "read response");
      if (bytes.empty()) break;
      KUBE_RETURN_IF_ERROR(reader.Append(bytes, on_object));
      body.Recycle(std::move(bytes));
    }
    KUBE_RETURN_IF_ERROR(reader.Finish());
    const BodyKind listed = KindOfItems(to.data, *to.message, kind);
    for (std::shared_ptr<const void>& object : without_kind) {
      KUBE_RETURN_IF_ERROR(on_item(WithKind(std::move(object), item, listed)));
    }
    return absl::OkStatus();
  };
  KUBE_RETURN_IF_ERROR(read(), rest::Describe(call.request));
  ClearKind(to.data, *to.message);
  return absl::OkStatus();
}

absl::StatusOr<WatchBody> TypedCore::Watch(const Context& ctx, const metav1::ListOptions& options,
                                           const WatchStreamOptions& watch_options) const {
  metav1::ListOptions list_options = options;
  list_options.watch = true;
  Call call = MakeListCall(list_options, /*is_watch=*/true);
  if (shared_->metadata_only) call.as = "PartialObjectMetadata";
  call.request.retry = rest::RetryRule::kWatch;
  rest::StreamedResult result;
  const absl::Status status =
      SendWithFallback(call, [&](const rest::Request& request) -> absl::Status {
        KUBE_ASSIGN_OR_RETURN(result, client_.Stream(ctx, request));
        return absl::OkStatus();
      });
  // After the last retry this counts as a watch that has ended: the caller starts a new one.
  if (HasEndedWatch(status)) return WatchBody();
  KUBE_RETURN_IF_ERROR(status);
  WatchBody body;
  KUBE_ASSIGN_OR_RETURN(body.content_type, StreamedContentType(result.content_type),
                        rest::Describe(call.request));
  body.stream = std::make_unique<BodyStream>(std::move(result.body), watch_options.idle_timeout,
                                             watch_options.bytes);
  return body;
}

absl::Status TypedCore::Create(const Context& ctx, AnyStruct object,
                               const metav1::CreateOptions& options, AnyTarget to) const {
  Call call = subresource_.empty() ? MakeCall("POST")
                                   : MakeCall("POST", IdOf(object.data, *object.message).name);
  call.request.params = queryparams::EncodeParameters(options);
  call.object = object;
  return Do(ctx, call, to);
}

absl::Status TypedCore::Update(const Context& ctx, AnyStruct object, absl::string_view subresource,
                               const metav1::UpdateOptions& options, AnyTarget to) const {
  Call call = MakeCall("PUT", IdOf(object.data, *object.message).name);
  if (!subresource.empty()) call.request.subresource = {std::string(subresource)};
  call.request.params = queryparams::EncodeParameters(options);
  call.object = object;
  return Do(ctx, call, to);
}

absl::Status TypedCore::Patch(const Context& ctx, absl::string_view name, patch::PatchType type,
                              absl::string_view data, const metav1::PatchOptions& options,
                              const std::vector<std::string>& subresource, AnyTarget to) const {
  Call call = MakeCall("PATCH", name);
  if (!subresource.empty()) call.request.subresource = subresource;
  call.request.params = queryparams::EncodeParameters(options);
  call.request.body = std::make_shared<const std::string>(data);
  call.request.content_type = std::string(patch::MediaType(type));
  if (!subresource.empty()) call.result_kind.clear();
  return Do(ctx, call, to);
}

absl::Status TypedCore::Delete(const Context& ctx, absl::string_view name,
                               const metav1::DeleteOptions& options) const {
  Call call = MakeCall("DELETE", name);
  SetOptions(call, options);
  return Do(ctx, call, {});
}

absl::Status TypedCore::DeleteCollection(const Context& ctx, const metav1::DeleteOptions& options,
                                         const metav1::ListOptions& list_options) const {
  Call call = MakeListCall(list_options);
  call.request.verb = "DELETE";
  SetOptions(call, options);
  return Do(ctx, call, {});
}

void TypedCore::SetKind(Call& call, const Subresource& subresource, AnyStruct object,
                        AnyTarget to) const {
  call.object = object;
  call.api_version = ApiVersion(subresource.group, subresource.version);
  call.kind = std::string(subresource.kind);
  call.result_kind.clear();
  if (to.message == object.message) call.result_kind = call.kind;
  // Anywhere else a Status is never the expected result.
  if (to.message == &metav1::Status::kMessage) call.result_kind = "Status";
}

absl::Status TypedCore::CreateSubresource(const Context& ctx, absl::string_view name,
                                          const Subresource& subresource, AnyStruct object,
                                          const metav1::CreateOptions& options,
                                          AnyTarget to) const {
  Call call = MakeCall("POST", name);
  call.request.subresource = {std::string(subresource.name)};
  call.request.params = queryparams::EncodeParameters(options);
  SetKind(call, subresource, object, to);
  return Do(ctx, call, to);
}

absl::Status TypedCore::UpdateSubresource(const Context& ctx, absl::string_view name,
                                          const Subresource& subresource, AnyStruct object,
                                          const metav1::UpdateOptions& options,
                                          AnyTarget to) const {
  Call call = MakeCall("PUT", name);
  call.request.subresource = {std::string(subresource.name)};
  call.request.params = queryparams::EncodeParameters(options);
  SetKind(call, subresource, object, to);
  return Do(ctx, call, to);
}

}  // namespace kube::typed
