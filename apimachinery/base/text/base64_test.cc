#include "apimachinery/base/text/base64.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::text {
namespace {

using testing::Optional;

// Into a buffer of the promised size, on the heap: AddressSanitizer watches both ends.
std::optional<std::string> Decode(absl::string_view text) {
  const auto buffer = std::make_unique<char[]>(MaxBase64DecodedSize(text.size()));
  const std::optional<size_t> size = DecodeBase64(text, buffer.get());
  if (!size) return std::nullopt;
  EXPECT_LE(*size, MaxBase64DecodedSize(text.size()));
  return std::string(buffer.get(), *size);
}

std::string Encode(absl::string_view bytes) {
  std::string text(Base64EncodedSize(bytes.size()), '?');
  EXPECT_EQ(EncodeBase64(bytes, text.data()), text.data() + text.size());
  return text;
}

TEST(Base64Test, Decode_ValidText_ReturnsItsBytes) {
  struct Row {
    const char* name;
    const char* text;
    const char* bytes;
  };
  for (const Row& row : {
           Row{"empty", "", ""},
           Row{"one byte", "YQ==", "a"},
           Row{"two bytes", "YWI=", "ab"},
           Row{"three bytes", "YWJj", "abc"},
           Row{"unused bits", "YR==", "a"},
           Row{"only newlines", "\r\n\n", ""},
           Row{"newlines everywhere", "\nY\rW\nJ\r\njY\nQ\n=\n=\n", "abca"},
           Row{"last letters", "+/+/", "\xfb\xff\xbf"},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(Decode(row.text), Optional(std::string(row.bytes)));
  }
}

TEST(Base64Test, Decode_InvalidText_IsRefused) {
  for (const char* text :
       {"Y", "YQ", "YQ=", "YWI", "YWJjY", "=", "====", "Y===", "YQ==YQ==", "YWI=YWI=", "YWI==",
        "YQ===", "YQ== ", "Y Q==", "YW-_", "YWJj=", "YQ=\n", "YQ=a", "\xff\xff\xff\xff"}) {
    EXPECT_EQ(Decode(text), std::nullopt) << text;
  }
}

TEST(Base64Test, Encode_ThenDecode_ReturnsTheBytes) {
  oracle::Dice dice(6);
  oracle::GoCases cases("values_oracle");
  for (size_t size = 0; size < 300; ++size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(dice.Next()));
    const std::string text = Encode(bytes);
    EXPECT_THAT(Decode(text), Optional(bytes));
    cases.Add("to_base64", bytes, text);
  }
  cases.Check();
}

TEST(Base64Test, Decode_RandomTexts_AgreesWithGo) {
  const std::vector<std::string> samples = {"",
                                            "YQ==",
                                            "YWI=",
                                            "YWJj",
                                            "YWJjYWJjYWJjYWI=",
                                            "Y\nWJjYW\r\nJjYWI\n=\n",
                                            "+/+/AAAA////YQ==",
                                            "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU2Nzg5"};
  const std::vector<std::string> pieces = {"=",  "==",  "\n",       "\r",   "\r\n", "Y",
                                           "YW", "YWJ", "YWJj",     "-",    "_",    " ",
                                           "+",  "/",   "YWJjYWJj", "\xff", "YQ=="};
  oracle::GoCases cases("values_oracle");
  for (const std::string& text : oracle::TextMaker(7, samples, pieces).Make(20'000)) {
    const std::optional<std::string> bytes = Decode(text);
    cases.Add("base64", text, bytes ? oracle::Hex(*bytes) : oracle::GoCases::kError);
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::text
