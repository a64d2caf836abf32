// Tokens, checked by Go's cryptography with nothing but the key set of the server; and the users
// that upstream makes of their claims.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/tokens/account_claims.h"
#include "apiserver/tokens/signing_key.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using unstructured::Value;

// Claims with and without each of their parts.
std::vector<AccountClaims> Samples() {
  std::vector<AccountClaims> samples;
  for (int i = 0; i < 64; ++i) {
    AccountClaims claims;
    claims.issuer = "https://example.com";
    claims.namespace_name = absl::StrCat("space-", i);
    claims.account = {.name = absl::StrCat("account-", i), .uid = absl::StrCat("uid-", i)};
    claims.subject = AccountUserName(claims.namespace_name, claims.account.name);
    claims.audiences = {"a", "<b&\"\u00e4\">"};
    claims.issued_at = 1'700'000'000 + i;
    claims.not_before = claims.issued_at;
    claims.expiry = *claims.issued_at + 600;
    if ((i & 1) != 0) claims.id = absl::StrCat("id-", i);
    if ((i & 2) != 0) claims.pod = ClaimedObject{.name = "pod", .uid = "pod-uid"};
    if ((i & 4) != 0) claims.node = ClaimedObject{.name = "node", .uid = ""};
    if ((i & 8) != 0 && claims.node.has_value()) claims.node->uid = "node-uid";
    if ((i & 16) != 0) claims.warn_after = *claims.issued_at + 60;
    if ((i & 32) != 0) claims.secret = ClaimedObject{.name = "secret", .uid = "secret-uid"};
    samples.push_back(std::move(claims));
  }
  return samples;
}

// As the program prints it.
std::string TextOf(const User& user) {
  const auto list = [](const std::vector<std::string>& texts) {
    List<Value> values;
    for (const std::string& each : texts) values.push_back(Value(each));
    return Value(std::move(values));
  };
  Map<Value> extra;
  for (const auto& [key, values] : user.extra) extra[key] = list(values);
  Map<Value> members;
  members["extra"] = user.extra.empty() ? Value() : Value(std::move(extra));
  members["groups"] = list(user.groups);
  members["name"] = Value(user.name);
  members["uid"] = Value(user.uid);
  return unstructured::EncodeJson(Value(std::move(members))).value_or("");
}

std::string Question(const SigningKey& key, absl::string_view token) {
  return absl::StrCat(R"({"keys":)", key.KeySet(), R"(,"token":")", token, "\"}\n");
}

TEST(TokensTest, GoAcceptsThem) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "tokens_oracle");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_THAT(program, IsOk());
  const std::vector<AccountClaims> samples = Samples();
  std::string input;
  for (const AccountClaims& claims : samples) {
    const SigningKey key = *SigningKey::Make();
    const absl::StatusOr<std::string> token = key.Sign(EncodeClaims(claims));
    ASSERT_THAT(token, IsOk());
    input += Question(key, *token);
  }
  const absl::StatusOr<std::string> output = oracle::RunProgram(*program, {.input = input});
  ASSERT_THAT(output, IsOk());
  const std::vector<std::string> lines = absl::StrSplit(*output, '\n', absl::SkipEmpty());
  ASSERT_EQ(lines.size(), samples.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    SCOPED_TRACE(i);
    const absl::StatusOr<Value> answer = unstructured::ParseJson(lines[i]);
    ASSERT_THAT(answer, IsOk());
    EXPECT_EQ((*answer)["payload"].text().value_or(lines[i]), EncodeClaims(samples[i]));
    EXPECT_EQ(unstructured::EncodeJson((*answer)["user"]).value_or(""), TextOf(UserOf(samples[i])));
  }
}

TEST(TokensTest, GoRefusesOthers) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "tokens_oracle");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_THAT(program, IsOk());
  const SigningKey key = *SigningKey::Make();
  const SigningKey other = *SigningKey::Make();
  const std::vector<std::string> first = absl::StrSplit(*key.Sign(R"({"jti":"1"})"), '.');
  const std::vector<std::string> second = absl::StrSplit(*key.Sign(R"({"jti":"2"})"), '.');
  const std::string input =
      absl::StrCat(Question(key, absl::StrCat(first[0], ".", second[1], ".", first[2])),
                   Question(other, absl::StrCat(first[0], ".", first[1], ".", first[2])));
  const absl::StatusOr<std::string> output = oracle::RunProgram(*program, {.input = input});
  ASSERT_THAT(output, IsOk());
  EXPECT_EQ(*output, "{\"error\":\"wrong signature\"}\n{\"error\":\"no such key\"}\n");
}

}  // namespace
}  // namespace kube::apiserver::internal
