// Compares what is sent for every apply configuration of every kind with what client-go sends. The
// Go program fills the configurations at random and sends them; each body is decoded into our apply
// configuration and sent again.

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/types/kind_info.h"
#include "clientset/kubernetes/testing/apply_tables.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_core.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::kubernetes {
namespace {

namespace metav1 = api::meta::v1;

// Of each function with each media type. Seed 0 is a configuration with nothing but its name, seed
// 1 one with everything, the others are random.
constexpr int kSeeds = 8;

// client-go has these versions, and we do not.
const char* const kMissing[] = {
    "ApiextensionsV1beta1 CustomResourceDefinitions Apply",
    "ApiextensionsV1beta1 CustomResourceDefinitions ApplyStatus",
    "ApiregistrationV1beta1 APIServices Apply",
    "ApiregistrationV1beta1 APIServices ApplyStatus",
};

// What Go did, by the order of its answer's fields: see calls_oracle/apply.go.
struct Applied {
  std::string api_version;
  std::string kind;
  std::string sent_version;
  std::string sent_kind;
  metav1::ApplyOptions options;
  // Method, URL, Accept and Content-Type.
  std::string head;
  std::string body;
};

absl::StatusOr<Applied> Parse(absl::string_view answer) {
  const std::vector<std::string> words = absl::StrSplit(answer, '\t');
  if (words.size() != 6) return absl::InvalidArgumentError(answer);
  const size_t end = words[5].rfind(" | ");
  if (end == std::string::npos) return absl::InvalidArgumentError(answer);
  const absl::StatusOr<metav1::ApplyOptions> options =
      codec::DecodeJson<metav1::ApplyOptions>(words[4]);
  if (!options.ok()) return options.status();
  return Applied{.api_version = words[0],
                 .kind = words[1],
                 .sent_version = words[2],
                 .sent_kind = words[3],
                 .options = *options,
                 .head = words[5].substr(0, end),
                 .body = absl::HexStringToBytes(words[5].substr(end + 3))};
}

// Returns a kind whose objects are the apply configurations of the kind.
absl::StatusOr<KindInfo> ConfigurationOf(absl::string_view api_version, absl::string_view kind) {
  for (const ApplyTable& table : ApplyTables()) {
    if (table.api_version != api_version || table.kind != kind) continue;
    return KindInfo{.kind = table.kind, .message = table.message};
  }
  return absl::NotFoundError(absl::StrCat("no apply configuration of ", api_version, " ", kind));
}

absl::Status Send(const rest::Client& client, absl::string_view function, const Applied& applied,
                  const KindInfo& configuration) {
  const KindInfo* kind = api::FindKind(applied.api_version, applied.kind);
  if (kind == nullptr) return absl::NotFoundError(applied.kind);
  typed::TypedCore core(client, typed::ResourceOf(*kind), *kind->message);
  if (kind->scope == Scope::kNamespaced) core = core.InNamespace("prod");
  absl::StatusOr<codec::AnyObject> object =
      codec::AnyObject::DecodeJson(configuration, applied.body);
  if (!object.ok()) return object.status();
  const typed::AnyStruct sent = {.data = object->data(), .message = configuration.message};
  const Context ctx;
  if (!absl::EndsWith(function, " ApplyScale")) {
    const char* const subresource = absl::EndsWith(function, "Status") ? "status" : "";
    return core.Apply(ctx, sent, subresource, applied.options, {});
  }
  const std::pair<std::string, std::string> version =
      absl::StrSplit(applied.sent_version, absl::MaxSplits('/', 1));
  const typed::Subresource scale = {.name = "scale",
                                    .group = version.first,
                                    .version = version.second,
                                    .kind = applied.sent_kind};
  return core.ApplySubresource(ctx, "web", scale, sent, applied.options, {});
}

// Sends what Go has sent, and compares.
void Compare(absl::string_view function, const std::string& media_type, absl::string_view answer) {
  const absl::StatusOr<Applied> applied = Parse(answer);
  ASSERT_TRUE(applied.ok()) << applied.status();
  const absl::StatusOr<KindInfo> configuration =
      ConfigurationOf(applied->sent_version, applied->sent_kind);
  ASSERT_TRUE(configuration.ok()) << configuration.status();
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::JsonReply("{}"));
  const absl::Status status =
      Send(rest::MakeScriptedClient(transport, {.content_type = media_type}), function, *applied,
           *configuration);
  ASSERT_TRUE(status.ok()) << status << "\n" << applied->body;
  ASSERT_EQ(transport->requests().size(), 1);
  const rest::RecordedRequest request = transport->requests()[0];
  EXPECT_EQ(absl::StrCat(request.method, " | ", request.url, " | ", request.Header("accept"), " | ",
                         request.Header("content-type")),
            applied->head);
  EXPECT_EQ(request.body, applied->body);
}

// Asks Go; there is one answer for each question.
absl::StatusOr<std::vector<std::string>> Ask(const std::string& program,
                                             const std::vector<std::string>& questions) {
  std::string input;
  for (const std::string& question : questions) absl::StrAppend(&input, question, "\n");
  const absl::StatusOr<std::string> output =
      oracle::RunProgram(program, {.input = std::move(input)});
  if (!output.ok()) return output.status();
  std::vector<std::string> answers = absl::StrSplit(*output, '\n');
  answers.pop_back();  // after the last line feed
  if (answers.size() == questions.size()) return answers;
  return absl::InternalError(absl::StrCat(answers.size(), " answers"));
}

TEST(Applies, OfEveryKind_SendTheRequestsOfClientGo) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "calls_oracle");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_TRUE(program.ok()) << program.status();
  const absl::StatusOr<std::vector<std::string>> listed = Ask(*program, {"appliers\t"});
  ASSERT_TRUE(listed.ok()) << listed.status();
  std::set<std::string> functions = absl::StrSplit(listed->front(), ',');
  // Apply of 142 kinds, ApplyStatus of 63, ApplyScale of 6.
  EXPECT_EQ(functions.size(), 211u);
  for (const char* const missing : kMissing) EXPECT_EQ(functions.erase(missing), 1u) << missing;

  std::vector<std::string> questions;
  std::vector<std::pair<std::string, std::string>> cases;  // function and media type
  for (const std::string& function : functions) {
    for (const char* const media_type : {"", "application/json"}) {
      for (int seed = 0; seed < kSeeds; ++seed) {
        const std::string text = absl::StrCat(function, "\n", media_type, "\n", seed);
        questions.push_back(absl::StrCat("apply\t", oracle::Hex(text)));
        cases.emplace_back(function, media_type);
      }
    }
  }
  const absl::StatusOr<std::vector<std::string>> answers = Ask(*program, questions);
  ASSERT_TRUE(answers.ok()) << answers.status();
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto& [function, media_type] = cases[i];
    SCOPED_TRACE(absl::StrCat(function, " \"", media_type, "\", seed ", i % size_t{kSeeds}));
    Compare(function, media_type, (*answers)[i]);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

}  // namespace
}  // namespace kube::kubernetes
