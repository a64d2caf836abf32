#include "net/http/headers.h"

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::http {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(HeadersTest, NamesAreLowerCaseAndFoundInAnyCase) {
  const Headers headers = {{"Content-Type", "application/json"}};
  EXPECT_EQ(headers.begin()->name, "content-type");
  EXPECT_EQ(headers.Get("CONTENT-TYPE"), "application/json");
  EXPECT_FALSE(headers.Get("content").has_value());
}

TEST(HeadersTest, LinesAreAddedAndFoundByName_AsInTheHeader) {
  Headers headers = {{"content-type", "application/json"}};
  headers.Add("Warning", "299 - \"deprecated\"");
  const bool is_json = headers.Get("Content-Type") == "application/json";
  EXPECT_TRUE(is_json);
  EXPECT_EQ(headers.Get("warning"), "299 - \"deprecated\"");
}

TEST(HeadersTest, AddKeepsSetReplacesRemoveForgets) {
  Headers headers = {{"warning", "a"}, {"date", "now"}};
  headers.Add("Warning", "b");
  EXPECT_THAT(headers.GetAll("warning"), ElementsAre("a", "b"));
  EXPECT_EQ(headers.Get("warning"), "a");
  headers.Set("WARNING", "c");
  EXPECT_THAT(headers.GetAll("warning"), ElementsAre("c"));
  headers.Remove("Warning");
  EXPECT_THAT(headers.GetAll("warning"), IsEmpty());
  EXPECT_EQ(headers, (Headers{{"date", "now"}}));
}

TEST(HeadersTest, HasTokenLooksIntoLists) {
  const Headers headers = {{"connection", "keep-alive,  Close"}, {"connection", "upgrade"}};
  EXPECT_TRUE(headers.HasToken("connection", "close"));
  EXPECT_TRUE(headers.HasToken("Connection", "Upgrade"));
  EXPECT_FALSE(headers.HasToken("connection", "clos"));
  EXPECT_FALSE(headers.HasToken("accept", "close"));
}

TEST(HeadersTest, Names) {
  for (const absl::string_view good : {"x-a", "A1", "!#$%&'*+-.^_`|~"}) {
    EXPECT_TRUE(IsHeaderName(good)) << good;
  }
  for (const absl::string_view bad : {"", "a b", "a:", "a\n", ":status", "ä"}) {
    EXPECT_FALSE(IsHeaderName(bad)) << bad;
  }
}

TEST(HeadersTest, Values) {
  for (const absl::string_view good : {"", "a b", "a\tb", "\"ä\""}) {
    EXPECT_TRUE(IsHeaderValue(good)) << good;
  }
  const absl::string_view zero("a\0b", 3);
  for (const absl::string_view bad :
       {absl::string_view("a\r\nb"), absl::string_view("a\n"), zero, absl::string_view("\x7f")}) {
    EXPECT_FALSE(IsHeaderValue(bad)) << bad;
  }
}

TEST(HeadersTest, StatusTexts) {
  EXPECT_EQ(StatusText(200), "OK");
  EXPECT_EQ(StatusText(505), "HTTP Version Not Supported");
  EXPECT_EQ(StatusText(299), "");
}

}  // namespace
}  // namespace kube::http
