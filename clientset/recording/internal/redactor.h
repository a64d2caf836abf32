#ifndef CLIENTSET_RECORDING_INTERNAL_REDACTOR_H_
#define CLIENTSET_RECORDING_INTERNAL_REDACTOR_H_

#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/recording/redaction.h"
#include "net/http/headers.h"

namespace kube::recording::internal {

// Returns whether headers and parameters of this name have credentials by default.
bool IsTellingName(absl::string_view name);

// Which bodies a path has.
enum class PathKind {
  kPlain,
  kCredential,  // those of a Secret or a token
  kOpaque,      // those that are replaced as a whole
};

// Replaces credentials as RedactionOptions says. Build, then immutable; thread-safe.
class Redactor {
 public:
  // `options.salt` must not be empty.
  explicit Redactor(const RedactionOptions& options);

  bool off() const { return off_; }

  // Returns the replacement of a value.
  std::string Placeholder(absl::string_view secret) const;

  http::Headers RedactHeaders(const http::Headers& headers) const;
  std::string RedactUrl(absl::string_view url) const;
  PathKind KindOf(absl::string_view url) const;
  // Redacts a whole body or one document of it. `is_json` says what its content type tells.
  std::string RedactBody(absl::string_view body, PathKind kind, bool is_json) const;

 private:
  std::string RedactHeader(absl::string_view name, absl::string_view value) const;
  bool IsSecretParameter(absl::string_view name) const;
  // Each returns whether it has changed something.
  bool RedactAny(unstructured::Value& value) const;
  bool RedactTopLevel(unstructured::Value& value) const;
  bool RedactSecret(unstructured::Value& secret) const;
  bool RedactLastApplied(unstructured::Value& secret) const;
  bool RedactCredentials(unstructured::Value& value) const;
  bool RedactTexts(unstructured::Value& value, bool base64) const;

  const bool off_;
  const std::string salt_;
  std::set<std::string> headers_;
  std::set<std::string> parameters_;
  std::set<std::string> members_;
  std::set<std::string> path_elements_;
};

}  // namespace kube::recording::internal

#endif  // CLIENTSET_RECORDING_INTERNAL_REDACTOR_H_
