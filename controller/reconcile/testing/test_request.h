#ifndef CONTROLLER_RECONCILE_TESTING_TEST_REQUEST_H_
#define CONTROLLER_RECONCILE_TESTING_TEST_REQUEST_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apimachinery/base/context.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "controller/cache/watched_core.h"
#include "controller/events/record/event_recorder.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/request.h"
#include "listers/stored_object.h"

namespace kube::controller {

// Options of a TestRequest.
struct TestRequestOptions {
  Context context = {};
  // The kind of the object, for events and owner references.
  schema::GroupVersionKind kind = {};
  // The watches that the request sees at the moment at which it is made. Default: reads see the
  // watches as they are.
  std::vector<std::shared_ptr<WatchedCore>> watched = {};
  std::vector<Cause> causes = {};
  int failures = 0;
  // Must outlive the request. Null, the default: events are logged.
  record::EventRecorder* recorder = nullptr;
};

// A request of a test, for functions that take one: reconcile functions, writers.
//
//   TestRequest<Website> test(site, {.kind = kWebsite});
//   EXPECT_THAT(Reconcile(test.request()), IsOk());
//   EXPECT_EQ(test.writes()[0].resource_version, "7");
//
// Thread-compatible.
template <listers::StoredObject T>
class TestRequest {
 public:
  // A write that the request was told of with NoteWrite.
  struct Write {
    std::shared_ptr<WatchedCore> store = {};
    std::string namespace_name = {};
    std::string resource_version = {};
  };

  explicit TestRequest(T object, TestRequestOptions options = {})
      : parts_(PartsOf(meta::ObjectNameOf(object), std::move(options))), request_(parts_) {
    request_.object_ = std::make_shared<const T>(std::move(object));
  }
  TestRequest(const TestRequest&) = delete;
  TestRequest& operator=(const TestRequest&) = delete;

  Request<T>& request() { return request_; }

  std::vector<Write> writes() const {
    std::vector<Write> noted;
    for (const internal::NotedWrite& write : parts_.writes) {
      noted.push_back({.store = write.store,
                       .namespace_name = write.namespace_name,
                       .resource_version = write.resource_version});
    }
    return noted;
  }

  // Returns the innermost AnyRequest::Step that has not ended; empty if there is none.
  std::string step() const { return parts_.steps->Innermost(); }

 private:
  static internal::RequestParts PartsOf(meta::ObjectName name, TestRequestOptions options) {
    internal::RequestParts parts;
    parts.context = std::move(options.context);
    parts.key = name.ToString();
    parts.name = std::move(name);
    parts.kind = std::move(options.kind);
    parts.watched = std::move(options.watched);
    parts.causes = std::move(options.causes);
    parts.failures = options.failures;
    parts.recorder = options.recorder;
    parts.reconcile_id = "test";
    parts.steps = std::make_shared<internal::Steps>();
    return parts;
  }

  internal::RequestParts parts_;
  Request<T> request_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_TESTING_TEST_REQUEST_H_
