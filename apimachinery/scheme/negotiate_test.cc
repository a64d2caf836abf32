#include "apimachinery/scheme/negotiate.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/media_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::scheme {
namespace {

using base::StatusIs;
using testing::ElementsAre;

// An endpoint that makes tables in JSON.
class Tables : public EndpointRestrictions {
 public:
  bool AllowsMediaTypeTransform(const SerializerInfo& info,
                                const schema::GroupVersionKind* target) const override {
    return target == nullptr || (target->kind == "Table" && info.format == Format::kJson);
  }
  bool AllowsServerVersion(absl::string_view version) const override { return version == "v1"; }
};

std::string Accepted(const std::optional<NegotiatedOutput>& output) {
  return output.has_value() ? std::string(output->accepted.subtype) : "none";
}

TEST(ParseAcceptTest, ParseAccept_SeveralClauses_BestFirst) {
  std::vector<std::string> order;
  for (const AcceptClause& clause :
       ParseAccept("a/low;q=0.2, */*, bad, a/*;q=0.9 ,*, x/y/z, a/b ;v=1 ;v=2; q=1.0")) {
    order.push_back(absl::StrCat(clause.type, "/", clause.subtype, " ", clause.q));
  }
  EXPECT_THAT(order, ElementsAre("a/b 1", "a/* 0.9", "*/* 1", "*/* 1", "a/low 0.2"));
}

TEST(ParseAcceptTest, ParseAccept_OddParameters_AreParsedAsUpstream) {
  const std::vector<AcceptClause> clauses = ParseAccept("a/b; x = y ;q=0.5 ;n;=z;w=1=2");
  ASSERT_EQ(clauses.size(), 1);
  // A blank behind it makes q no number.
  EXPECT_EQ(clauses[0].q, 0);
  EXPECT_THAT(clauses[0].parameters, ElementsAre(testing::Pair("", "z"), testing::Pair("x", "y")));
}

TEST(NegotiateTest, Negotiate_SeveralTypes_TakesTheFirstSupported) {
  struct Case {
    const char* accept;
    const char* want;
  };
  const std::vector<Case> cases = {
      {"", "json"},
      {"*/*", "json"},
      {"application/*", "json"},
      {"application/yaml", "yaml"},
      {"application/vnd.kubernetes.protobuf,application/json", "vnd.kubernetes.protobuf"},
      {"application/json;q=0.5,application/yaml", "yaml"},
      {"text/html", "none"},
      {"text/html,*/*;q=0.1", "json"},
      {"application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml", "yaml"},
      {"application/yaml;stream=watch,application/json;stream=watch", "json"},
      {"application/json;stream=other", "none"},
      {"application/json;sv=v1", "none"},
      {" ", "none"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Accepted(NegotiateMediaTypeOptions(c.accept, SupportedMediaTypes())), c.want)
        << c.accept;
  }
}

TEST(NegotiateTest, Negotiate_OptionsOfTheMediaType_AreReturned) {
  const std::optional<NegotiatedOutput> output = NegotiateMediaTypeOptions(
      "application/json;as=Table;v=v1;g=meta.k8s.io;pretty=1;export=1;profile=local;sv=v1;z=1;y=2",
      SupportedMediaTypes(), Tables());
  ASSERT_TRUE(output.has_value());
  EXPECT_EQ(output->convert, (schema::GroupVersionKind{"meta.k8s.io", "v1", "Table"}));
  EXPECT_TRUE(output->pretty);
  EXPECT_TRUE(output->export_form);
  EXPECT_EQ(output->profile, "local");
  EXPECT_EQ(output->use_server_version, "v1");
  EXPECT_THAT(output->unrecognized, ElementsAre("y", "z"));
}

TEST(NegotiateTest, Negotiate_BrowserOrPrettyQuery_IsPretty) {
  const auto pretty = [](const OutputRequest& request) {
    return NegotiateOutputMediaType(request, SupportedMediaTypes())->pretty;
  };
  EXPECT_FALSE(pretty({}));
  EXPECT_TRUE(pretty({.user_agent = "curl/8"}));
  EXPECT_TRUE(pretty({.user_agent = "Mozilla/5.0 (X11)"}));
  EXPECT_FALSE(pretty({.query = "pretty=false", .user_agent = "curl/8"}));
  EXPECT_FALSE(pretty({.query = "pretty=yes", .user_agent = "curl/8"}));
  EXPECT_TRUE(pretty({.query = "limit=1&pretty=true"}));
  EXPECT_TRUE(pretty({.query = "pretty=", .user_agent = "Wget/1"}));
}

TEST(NegotiateTest, Negotiate_UnsupportedType_NamesTheSupportedOnes) {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_THAT(NegotiateOutputMediaType({.accept = "text/html"}, SupportedMediaTypes()),
              StatusIs(kInvalid,
                       "only the following media types are accepted: application/json, "
                       "application/yaml, application/vnd.kubernetes.protobuf"));
  EXPECT_THAT(NegotiateOutputMediaTypeStream("application/yaml", SupportedMediaTypes()),
              StatusIs(kInvalid,
                       "only the following media types are accepted: application/json;stream=watch"
                       ", application/vnd.kubernetes.protobuf;stream=watch"));
  EXPECT_EQ(NegotiateOutputMediaTypeStream("", SupportedMediaTypes())->format, Format::kJson);
  EXPECT_THAT(NegotiateInputSerializer("text/html", false, SupportedMediaTypes()),
              StatusIs(kInvalid,
                       "the body of the request was in an unknown format - accepted media types "
                       "include: application/json, application/yaml, "
                       "application/vnd.kubernetes.protobuf"));
  EXPECT_EQ(NegotiateInputSerializer("", false, SupportedMediaTypes())->format, Format::kJson);
  EXPECT_EQ(NegotiateInputSerializer("application/YAML; a=b", true, SupportedMediaTypes())->format,
            Format::kYaml);
}

TEST(NegotiateTest, ChoosesTheFormatOfAResponse_AsInTheHeader) {
  const absl::string_view header = "text/html,application/yaml";
  const absl::StatusOr<NegotiatedOutput> output =
      NegotiateOutputMediaType({.accept = header}, SupportedMediaTypes());
  const int code = output.ok() ? 200 : 406;  // with the message of output.status()
  ASSERT_EQ(code, 200) << output.status();
  EXPECT_EQ(output->accepted.subtype, "yaml");
}

}  // namespace
}  // namespace kube::scheme
