#include "apiserver/tokens/signing_key.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::SizeIs;
using unstructured::Value;

constexpr char kPayload[] = R"({"iss":"me","sub":"you"})";

std::string Encoded(absl::string_view text) { return absl::WebSafeBase64Escape(text); }

// A token with any header, payload and signature.
std::string TokenOf(absl::string_view header, absl::string_view payload,
                    absl::string_view signature) {
  return absl::StrCat(Encoded(header), ".", Encoded(payload), ".", Encoded(signature));
}

std::vector<std::string> PartsOf(absl::string_view token) { return absl::StrSplit(token, '.'); }

class SigningKeyTest : public testing::Test {
 protected:
  // Returns whether the key accepts the text.
  bool Accepts(absl::string_view text) const {
    const std::optional<ParsedToken> token = ParseToken(text);
    return token.has_value() && key_.HasSigned(*token);
  }
  std::string Header(absl::string_view algorithm, absl::string_view more = "") const {
    return absl::StrCat(R"({"alg":")", algorithm, R"(","kid":")", key_.id(), "\"", more, "}");
  }

  const SigningKey key_ = *SigningKey::Make();
  const std::string token_ = *key_.Sign(kPayload);
};

TEST_F(SigningKeyTest, AcceptsWhatItSigned) {
  EXPECT_TRUE(Accepts(token_));
  const std::optional<ParsedToken> token = ParseToken(token_);
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(token->algorithm, "ES256");
  EXPECT_EQ(token->key_id, key_.id());
  EXPECT_FALSE(token->critical);
  EXPECT_EQ(token->payload, kPayload);
  EXPECT_EQ(token->issuer, "me");
  EXPECT_THAT(token->signature, SizeIs(64));
  EXPECT_EQ(absl::StrCat(token->signed_text, ".", Encoded(token->signature)), token_);
}

// The numbers of a signature may begin with zeros, which DER leaves out and a token does not.
TEST_F(SigningKeyTest, SignaturesHaveOneSize) {
  for (int i = 0; i < 1000; ++i) {
    const absl::StatusOr<std::string> token = key_.Sign(absl::StrCat("{\"i\":", i, "}"));
    ASSERT_THAT(token, IsOk());
    ASSERT_TRUE(Accepts(*token)) << *token;
    ASSERT_THAT(ParseToken(*token)->signature, SizeIs(64)) << *token;
  }
}

TEST_F(SigningKeyTest, RefusesHostileTokens) {
  const std::vector<std::string> parts = PartsOf(token_);
  const std::string good = ParseToken(token_)->signature;
  std::string flipped = good;
  flipped[10] = static_cast<char>(flipped[10] ^ 1);
  const std::string swapped = good.substr(32) + good.substr(0, 32);
  const std::string no_numbers(64, '\0');
  const std::string all_ones(64, '\xff');
  const SigningKey other = *SigningKey::Make();
  struct Row {
    const char* name;
    std::string token;
  };
  const Row rows[] = {
      {"no algorithm and no signature", TokenOf(Header("none"), kPayload, "")},
      {"no algorithm with our signature", TokenOf(Header("none"), kPayload, good)},
      {"the algorithm in lower case", TokenOf(Header("es256"), kPayload, good)},
      {"an algorithm that is a list",
       TokenOf(absl::StrCat(R"({"alg":["ES256"],"kid":")", key_.id(), "\"}"), kPayload, good)},
      {"RS256", TokenOf(Header("RS256"), kPayload, good)},
      {"a critical extension", TokenOf(Header("ES256", R"(,"crit":["b64"])"), kPayload, good)},
      {"another header", TokenOf(Header("ES256", R"(,"typ":"JWT")"), kPayload, good)},
      {"another payload", TokenOf(Header("ES256"), R"({"iss":"me","sub":"root"})", good)},
      {"another key", *other.Sign(kPayload)},
      {"a bit of the signature", absl::StrCat(parts[0], ".", parts[1], ".", Encoded(flipped))},
      {"the numbers swapped", absl::StrCat(parts[0], ".", parts[1], ".", Encoded(swapped))},
      {"zeros", absl::StrCat(parts[0], ".", parts[1], ".", Encoded(no_numbers))},
      {"numbers beyond the curve", absl::StrCat(parts[0], ".", parts[1], ".", Encoded(all_ones))},
      {"a short signature", absl::StrCat(parts[0], ".", parts[1], ".", Encoded(good.substr(1)))},
      {"a long signature", absl::StrCat(parts[0], ".", parts[1], ".", Encoded(good + "x"))},
      {"no signature", absl::StrCat(parts[0], ".", parts[1], ".")},
  };
  for (const Row& row : rows) EXPECT_FALSE(Accepts(row.token)) << row.name;
}

// A verifier that believes the token's algorithm takes the public key for a shared secret.
TEST_F(SigningKeyTest, RefusesHmacWithThePublicKey) {
  const std::string header = Header("HS256");
  const std::string text = absl::StrCat(Encoded(header), ".", Encoded(kPayload));
  const std::string secret = key_.KeySet();
  std::array<unsigned char, EVP_MAX_MD_SIZE> code = {};
  unsigned int size = 0;
  ASSERT_NE(
      HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), code.data(), &size),
      nullptr);
  const std::string signature(reinterpret_cast<const char*>(code.data()), size);
  EXPECT_FALSE(Accepts(absl::StrCat(text, ".", Encoded(signature))));
  EXPECT_FALSE(Accepts(absl::StrCat(text, ".", Encoded(signature + signature))));
}

TEST_F(SigningKeyTest, RefusesEveryPieceOfAToken) {
  for (size_t size = 0; size < token_.size(); ++size) {
    EXPECT_FALSE(Accepts(token_.substr(0, size))) << size;
  }
}

TEST(ParseToken, RefusesWhatIsNoToken) {
  const std::string nested = std::string(20'000, '[') + std::string(20'000, ']');
  struct Row {
    const char* name;
    std::string text;
  };
  const Row rows[] = {
      {"nothing", ""},
      {"a plain token", "secret"},
      {"dots", ".."},
      {"two parts", absl::StrCat(Encoded("{}"), ".", Encoded("{}"))},
      {"four parts", absl::StrCat(TokenOf("{}", "{}", "s"), ".", Encoded("x"))},
      {"the form with members", R"({"payload":"e30","signatures":[{"signature":"e30"}]})"},
      {"padding", absl::StrCat("e30=.", Encoded("{}"), ".")},
      {"white space", absl::StrCat(" ", TokenOf("{}", "{}", "s"))},
      {"a new line within", absl::StrCat("e3\n0.", Encoded("{}"), ".")},
      {"the other base64", "e30.e30.+/8"},
      {"a character too many", "e30.e30.abcde"},
      {"a header that is not JSON", TokenOf("x", "{}", "s")},
      {"a header that is a list", TokenOf("[]", "{}", "s")},
      {"a payload that is not JSON", TokenOf("{}", "{", "s")},
      {"a payload that is a text", TokenOf("{}", "\"iss\"", "s")},
      {"a payload that is not UTF-8", TokenOf("{}", "\xff\xfe", "s")},
      {"a payload with something after it", TokenOf("{}", "{}{}", "s")},
      {"a deep payload", TokenOf("{}", nested, "s")},
      {"a token within a token", TokenOf("{}", TokenOf("{}", "{}", "s"), "s")},
      {"two megabytes",
       TokenOf("{}", absl::StrCat("{\"a\":\"", std::string(2'000'000, 'a'), "\"}"), "s")},
      {"a megabyte of dots", std::string(1'000'000, '.')},
  };
  for (const Row& row : rows) EXPECT_FALSE(ParseToken(row.text).has_value()) << row.name;
}

TEST(ParseToken, TakesWhatItCanFromAStrangeOne) {
  const std::optional<ParsedToken> strange =
      ParseToken(TokenOf(R"({"alg":1,"kid":null})", R"({"iss":["a"],"n":-1e99,"u":"\ud800"})", ""));
  ASSERT_TRUE(strange.has_value());
  EXPECT_EQ(strange->algorithm, "");
  EXPECT_EQ(strange->key_id, "");
  EXPECT_EQ(strange->issuer, "");
  EXPECT_EQ(strange->signature, "");
}

TEST_F(SigningKeyTest, PublishesItsPublicPart) {
  const absl::StatusOr<Value> set = unstructured::ParseJson(key_.KeySet());
  ASSERT_THAT(set, IsOk());
  const List<Value>* const keys = (*set)["keys"].list();
  ASSERT_NE(keys, nullptr);
  ASSERT_THAT(*keys, SizeIs(1));
  const Value& key = (*keys)[0];
  EXPECT_EQ(key["kty"], Value("EC"));
  EXPECT_EQ(key["crv"], Value("P-256"));
  EXPECT_EQ(key["alg"], Value("ES256"));
  EXPECT_EQ(key["use"], Value("sig"));
  EXPECT_EQ(key["kid"], Value(key_.id()));
  for (const char* name : {"x", "y"}) {
    std::string number;
    ASSERT_TRUE(absl::WebSafeBase64Unescape(key[name].text().value_or(""), &number));
    EXPECT_THAT(number, SizeIs(32)) << name;
  }
  EXPECT_EQ(key.Find("d"), nullptr) << "that would be the private part";
}

TEST(SigningKey, DiffersFromServerToServer) {
  EXPECT_NE(SigningKey::Make()->id(), SigningKey::Make()->id());
}

}  // namespace
}  // namespace kube::apiserver::internal
