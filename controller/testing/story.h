#ifndef CONTROLLER_TESTING_STORY_H_
#define CONTROLLER_TESTING_STORY_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_finding.h"

namespace kube::controller {

// How much a story tells.
struct StoryOptions {
  // Maximum number of lines; the latest ones are kept. Zero: no line. Default: 30.
  size_t max_lines = 30;
  // Maximum number of changed fields that a line names. Default: 4.
  size_t max_changes = 4;
  // How long before the finding's time the story begins, and how long after it the story ends. For
  // a finding without a time the story tells all of the log. Default: five minutes, and none.
  absl::Duration before = absl::Minutes(5);
  absl::Duration after = absl::ZeroDuration();
};

// Returns what happened to the object of a finding, one line for each request, so that people see
// how it came to it: the time since the log began, the user, the verb, the object, the code of the
// response, and the fields that a write has changed. Lists and watches are left out unless the
// finding names no object. Pure function.
//
//   +1.204s system:serviceaccount:default:web update deployments.apps default/blog 200
//       spec.replicas: 2 -> 3
//
// The values of secrets are not shown. Changed fields are known only if the server has
// HandlerOptions::max_logged_object_bytes; a write whose object is larger, after one that is not,
// says "object not logged".
std::string TellStory(const std::vector<apiserver::LoggedRequest>& log, const AuditFinding& finding,
                      const StoryOptions& options = {});

}  // namespace kube::controller

#endif  // CONTROLLER_TESTING_STORY_H_
