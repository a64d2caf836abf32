#include "webhook/registration.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/typed/resource.h"
#include "webhook/admission_options.h"

namespace kube::webhook {
namespace {

std::string PathOf(absl::string_view verb, const schema::GroupVersionKind& kind) {
  return absl::StrCat("/", verb, "-", absl::StrReplaceAll(kind.group, {{".", "-"}}), "-",
                      kind.version, "-", absl::AsciiStrToLower(kind.kind));
}

bool IsPathName(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  });
}

}  // namespace

std::string MutatePath(const schema::GroupVersionKind& kind) { return PathOf("mutate", kind); }

std::string ValidatePath(const schema::GroupVersionKind& kind) { return PathOf("validate", kind); }

std::string DefaultWebhookName(WebhookKind kind, const schema::GroupVersionKind& gvk) {
  return absl::StrCat(kind == WebhookKind::kMutating ? "m" : "v", absl::AsciiStrToLower(gvk.kind),
                      "-", gvk.version, ".kb.io");
}

Registration MakeRegistration(WebhookKind kind, const typed::Resource& resource,
                              AdmissionOptions options) {
  const bool mutating = kind == WebhookKind::kMutating;
  Registration made;
  made.kind = kind;
  made.gvk = {.group = std::string(resource.group),
              .version = std::string(resource.version),
              .kind = std::string(resource.kind)};
  made.gvr = {.group = std::string(resource.group),
              .version = std::string(resource.version),
              .resource = std::string(resource.plural)};
  made.namespaced = resource.namespaced;
  made.path = options.path;
  if (made.path.empty()) made.path = mutating ? MutatePath(made.gvk) : ValidatePath(made.gvk);
  if (options.name.empty()) options.name = DefaultWebhookName(kind, made.gvk);
  made.options = std::move(options);
  return made;
}

absl::Status CheckPath(absl::string_view path) {
  if (path == "/") return absl::OkStatus();
  bool valid = !path.empty() && path.front() == '/';
  if (valid) {
    for (const absl::string_view name : absl::StrSplit(path.substr(1), '/')) {
      valid = valid && IsPathName(name);
    }
  }
  if (valid) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "customPath \"", path, "\" does not match this regex: ", "^((/[a-zA-Z0-9-_]+)+|/)$"));
}

}  // namespace kube::webhook
