#include "tests/conformance/script.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::conformance {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

TEST(ScriptTest, ReadsBehaviours) {
  const auto behaviours = ParseScript(R"(# a comment
== One
@controllers
PUT ${maps}/a?x=1
> accept: text/plain
{"a":
# of the body
1}
--> 201 exactly eventually lines 2
< warning: 299 - "x: y"
{"b":2}
? rv = metadata.resourceVersion

GET /
--> 404
== Two
)");
  ASSERT_THAT(behaviours, IsOk());
  ASSERT_THAT(*behaviours, SizeIs(2));
  const Behaviour& one = (*behaviours)[0];
  EXPECT_EQ(one.name, "One");
  EXPECT_TRUE(one.needs_controllers);
  ASSERT_THAT(one.steps, SizeIs(2));
  const Step& step = one.steps[0];
  EXPECT_EQ(step.line, 4);
  EXPECT_EQ(step.method, "PUT");
  EXPECT_EQ(step.target, "${maps}/a?x=1");
  EXPECT_THAT(step.headers, ElementsAre(Pair("accept", "text/plain")));
  EXPECT_EQ(step.body, "{\"a\":\n# of the body\n1}");
  EXPECT_EQ(step.code, 201);
  EXPECT_TRUE(step.exactly);
  EXPECT_TRUE(step.eventually);
  EXPECT_EQ(step.lines, 2);
  EXPECT_THAT(step.expected_headers, ElementsAre(Pair("warning", "299 - \"x: y\"")));
  EXPECT_EQ(step.expected, "{\"b\":2}");
  EXPECT_THAT(step.saves, ElementsAre(Pair("rv", "metadata.resourceVersion")));
  EXPECT_EQ(one.steps[1].code, 404);
  EXPECT_THAT((*behaviours)[1].steps, IsEmpty());
}

TEST(ScriptTest, RefusesWhatIsNone) {
  struct Row {
    std::string name, text, error;
  };
  const std::vector<Row> rows = {
      {"a request before all", "GET /\n--> 200\n", "line 1: no behaviour has begun"},
      {"no path", "== A\nGET\n--> 200\n", "line 2: want a method and a path"},
      {"no code", "== A\nGET /\n--> ok\n", "line 3: want a status code"},
      {"an unknown word", "== A\nGET /\n--> 200 soon\n", "line 3: want exactly"},
      {"lines without a number", "== A\nGET /\n--> 200 lines\n", "line 3: want exactly"},
      {"no answer", "== A\nGET /\n", "the last request is open"},
      {"a header without a value", "== A\nGET /\n> accept\n--> 200\n", "line 3: want \": \""},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(ParseScript(row.text).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.error)))
        << row.name;
  }
}

}  // namespace
}  // namespace kube::conformance
