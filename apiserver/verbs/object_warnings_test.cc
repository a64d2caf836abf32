#include "apiserver/verbs/object_warnings.h"

#include <string>

#include "apiserver/call/call.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

struct Row {
  const char* group;
  const char* plural;
  const char* use;  // what the name is used in, or "" if it is used in nothing
};

TEST(AddNameWarning, IsAboutKindsWhoseNamesBecomeHostnames) {
  const Resources resources = Resources::BuiltIn();
  for (const Row& row : {
           Row{"", "pods", "the Pod's hostname"},
           Row{"", "replicationcontrollers", "Pod names and hostnames"},
           Row{"apps", "deployments", "Pod names and hostnames"},
           Row{"apps", "replicasets", "Pod names and hostnames"},
           Row{"batch", "jobs", "Pod names and hostnames"},
           Row{"batch", "cronjobs", "Pod names and hostnames"},
           Row{"apps", "daemonsets", ""},
           Row{"", "configmaps", ""},
       }) {
    Call call;
    call.resource = resources.Find(row.group, "v1", row.plural);
    AddNameWarning("web", call);
    EXPECT_THAT(call.warnings, IsEmpty()) << row.plural;
    AddNameWarning("web.example", call);
    if (*row.use == '\0') {
      EXPECT_THAT(call.warnings, IsEmpty()) << row.plural;
      continue;
    }
    EXPECT_THAT(call.warnings,
                ElementsAre(StartsWith(std::string("metadata.name: this is used in ") + row.use +
                                       ", which can result in surprising behavior; a DNS label is "
                                       "recommended: [")))
        << row.plural;
  }
}

TEST(AddNameWarning, IsNotAboutSubresources) {
  const Resources resources = Resources::BuiltIn();
  Call call;
  call.resource = resources.Find("", "v1", "pods");
  call.info.subresource = "status";
  AddNameWarning("web.example", call);
  EXPECT_THAT(call.warnings, IsEmpty());
}

}  // namespace
}  // namespace kube::apiserver::internal
