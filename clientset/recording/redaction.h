#ifndef CLIENTSET_RECORDING_REDACTION_H_
#define CLIENTSET_RECORDING_REDACTION_H_

#include <string>
#include <vector>

namespace kube::recording {

// What a recording must not contain. Names are compared without regard to case.
//
// By default these are replaced:
// - Headers and query parameters whose names tell of a credential: Authorization, cookies, tokens,
//   passwords, API keys, and the WebSocket subprotocols. The user of a URL is removed.
// - `data`, `stringData` and the annotation `kubectl.kubernetes.io/last-applied-configuration` of
//   Secrets: single objects, lists, events of watches, patches, objects within other objects, and
//   the annotation also where only the metadata is sent.
// - Tokens, keys and passwords in TokenRequests, TokenReviews and ExecCredentials.
// - A body of a credential's path (`secrets`, `token`, `tokenreviews`, `proxy`) as a whole if it is
//   not JSON, such as protobuf.
//
// Each value becomes "redacted-" and sixteen digits, the start of a salted hash of the value, so
// that equal values of one Recorder have equal replacements; in `data` it is in base64. Nothing is
// redacted that looks harmless: arguments and variables of containers, ConfigMaps, annotations of
// other kinds, and logs are recorded as they are. Use the lists below if yours have secrets.
struct RedactionOptions {
  // Whether nothing at all is redacted. The recording then has the program's credentials: keep it
  // as you keep those.
  bool off = false;

  // More headers, and more query parameters, to redact.
  std::vector<std::string> headers = {};
  std::vector<std::string> parameters = {};
  // Members of JSON objects, at any depth of any body, whose values are redacted: "password". A
  // text becomes another text; the texts within a list or an object are replaced, and its shape
  // stays.
  std::vector<std::string> members = {};
  // Elements of paths, such as "vaultsecrets", whose bodies are replaced as a whole, as texts that
  // are no longer JSON: programs cannot be replayed with them.
  std::vector<std::string> path_elements = {};

  // The salt of the hashes. Recordings with equal salts have equal replacements for equal values;
  // anybody who knows it can test guesses. Default: empty, which means a random one for each
  // Recorder.
  std::string salt = {};
};

}  // namespace kube::recording

#endif  // CLIENTSET_RECORDING_REDACTION_H_
