#include "apimachinery/scheme/errors.h"

#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/status.h"
#include "gtest/gtest.h"

namespace kube::scheme {
namespace {

TEST(ErrorsTest, Errors_HaveTheirTextAndOnlyTheirPredicate) {
  struct Case {
    const char* name;
    absl::Status status;
    const char* text;
    bool (*is)(const absl::Status&);
  };
  const std::vector<Case> cases = {
      {"kind", NotRegisteredErrorForKind("s", {"apps", "v1", "Web"}),
       "no kind \"Web\" is registered for version \"apps/v1\" in scheme \"s\"", IsNotRegistered},
      {"internal", NotRegisteredErrorForKind("s", {"apps", "__internal", "Web"}),
       "no kind \"Web\" is registered for the internal version of group \"apps\" in scheme \"s\"",
       IsNotRegistered},
      {"version", NotRegisteredErrorForKind("s", {"apps", "v1", ""}),
       "no version \"apps/v1\" has been registered in scheme \"s\"", IsNotRegistered},
      {"type", NotRegisteredErrorForType("s", "Pod"),
       "no kind is registered for the type Pod in scheme \"s\"", IsNotRegistered},
      {"no kind", MissingKindError("{}"), "Object 'Kind' is missing in '{}'", IsMissingKind},
      {"no version", MissingVersionError("{}"), "Object 'apiVersion' is missing in '{}'",
       IsMissingVersion},
      {"strict", StrictDecodingError({"unknown field \"a\"", "duplicate field \"b\""}),
       "strict decoding error: unknown field \"a\", duplicate field \"b\"", IsStrictDecodingError},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.status.message(), c.text) << c.name;
    const absl::Status annotated = base::Annotate(c.status, "decode file");
    for (const Case& other : cases) {
      EXPECT_EQ(other.is(annotated), other.is == c.is) << c.name << " as " << other.name;
    }
    EXPECT_FALSE(c.is(absl::InvalidArgumentError(c.text))) << c.name;
    EXPECT_FALSE(c.is(absl::OkStatus())) << c.name;
  }
}

}  // namespace
}  // namespace kube::scheme
