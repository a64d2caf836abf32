#include "clientset/rest/internal/encoded_word.h"

#include "gtest/gtest.h"

// clientset/rest/differential asks Go about thousands of them.
namespace kube::rest::internal {
namespace {

TEST(EncodedWordTest, Decodes) {
  EXPECT_EQ(DecodeEncodedWords("plain"), "plain");
  EXPECT_EQ(DecodeEncodedWords("a =?utf-8?q?caf=C3=A9_x?= =?UTF-8?B?w6k=?= b"), "a café xé b");
  EXPECT_EQ(DecodeEncodedWords("=?iso-8859-1?Q?caf=E9?="), "café");
  EXPECT_EQ(DecodeEncodedWords("=?us-ascii?q?a=FF?="), "a\xef\xbf\xbd");
}

TEST(EncodedWordTest, LeavesWhatItDoesNotKnow) {
  for (const char* text : {"=?koi8-r?q?x?= =?utf-8?q?y?=", "=?utf-8?x?a?=", "=?utf-8?q?=E?=",
                           "=?utf-8?b?a?=", "=?utf-8?q?", "=?", "=?utf-8?q?a"}) {
    EXPECT_EQ(DecodeEncodedWords(text), text);
  }
}

}  // namespace
}  // namespace kube::rest::internal
