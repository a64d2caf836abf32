#ifndef APISERVER_VERBS_TESTING_VERB_WORLD_H_
#define APISERVER_VERBS_TESTING_VERB_WORLD_H_

#include <list>
#include <string>

#include "absl/strings/string_view.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/write_record.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// A core with the namespace "n", and calls about its objects, as Dispatch makes them. The user is
// "ann", and may do everything until a test sets Core::authorize. Thread-compatible.
class VerbWorld {
 public:
  VerbWorld();

  Core& core() { return core_; }
  // What the calls have recorded.
  const WriteRecord& record() const { return record_; }

  // A resource, such as {"apps/v1", "Deployment"}, and a name in the namespace.
  struct Subject {
    absl::string_view api_version = {};
    absl::string_view kind = {};
    absl::string_view name = {};
  };

  // Returns a call with a body. It refers to this.
  Call CallAbout(absl::string_view verb, const Subject& subject, absl::string_view body,
                 absl::string_view content_type = "application/json");

  Target TargetOf(const Subject& subject) const;
  // Creates an object, whatever users may do. Its JSON must be valid (a CHECK).
  void Create(const Subject& subject, absl::string_view json);
  // Returns the object, which must exist (a CHECK).
  ObjectPtr Stored(const Subject& subject) const;

 private:
  Core core_;
  WriteRecord record_;
  // Stay where they are, for calls point to them.
  std::list<httpserver::Request> requests_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_TESTING_VERB_WORLD_H_
