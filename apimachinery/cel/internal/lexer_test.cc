#include "apimachinery/cel/internal/lexer.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

std::string Show(absl::string_view source) {
  std::string out;
  const Tokens tokens = Tokenize(source);
  for (const Token& token : tokens.tokens) {
    if (token.kind == TokenKind::kEnd) break;
    absl::StrAppend(&out, out.empty() ? "" : " ", static_cast<int>(token.kind), ":", token.text);
  }
  for (const LexerError& error : tokens.errors) {
    absl::StrAppend(&out, " @", error.offset, " ", error.message);
  }
  return out;
}

std::string Only(TokenKind kind, absl::string_view text) {
  return absl::StrCat(static_cast<int>(kind), ":", text);
}

TEST(LexerTest, OneToken) {
  struct Row {
    TokenKind kind;
    const char* text;
  };
  for (const Row& row : {
           Row{TokenKind::kInt, "0"},
           Row{TokenKind::kInt, "0x1Fa"},
           Row{TokenKind::kUint, "12u"},
           Row{TokenKind::kUint, "0xffU"},
           Row{TokenKind::kDouble, "1.5"},
           Row{TokenKind::kDouble, ".5e-3"},
           Row{TokenKind::kDouble, "1E+9"},
           Row{TokenKind::kIdentifier, "_a1"},
           Row{TokenKind::kIdentifier, "inside"},
           Row{TokenKind::kIn, "in"},
           Row{TokenKind::kTrue, "true"},
           Row{TokenKind::kNull, "null"},
           Row{TokenKind::kEscapedIdentifier, "`a-b.c/d e`"},
           Row{TokenKind::kString, "'a\"\\''"},
           Row{TokenKind::kString, "r'\\'"},
           Row{TokenKind::kString, "R\"\"\"a\n\"b\"\"\""},
           Row{TokenKind::kString, "'''a\nb'c'''"},
           Row{TokenKind::kString, "\"\\x41\\u00e9\\U0001F600\\101\""},
           Row{TokenKind::kBytes, "b''"},
           Row{TokenKind::kBytes, "Br'\\n'"},
           Row{TokenKind::kSymbol, ">="},
           Row{TokenKind::kSymbol, "?"},
       }) {
    EXPECT_EQ(Show(row.text), Only(row.kind, row.text));
  }
}

TEST(LexerTest, Sequences) {
  EXPECT_EQ(Show("a // rest\n.b"),
            absl::StrCat(Only(TokenKind::kIdentifier, "a"), " ", Only(TokenKind::kSymbol, "."), " ",
                         Only(TokenKind::kIdentifier, "b")));
  EXPECT_EQ(Show("1.e"),
            absl::StrCat(Only(TokenKind::kInt, "1"), " ", Only(TokenKind::kSymbol, "."), " ",
                         Only(TokenKind::kIdentifier, "e")));
  EXPECT_EQ(Show("0x"),
            absl::StrCat(Only(TokenKind::kInt, "0"), " ", Only(TokenKind::kIdentifier, "x")));
  // Without its end, three quotes are an empty string and the start of another one.
  EXPECT_EQ(Show("'''a'"),
            absl::StrCat(Only(TokenKind::kString, "''"), " ", Only(TokenKind::kString, "'a'")));
}

TEST(LexerTest, Errors) {
  EXPECT_EQ(Show("#"), " @0 token recognition error at: '#'");
  EXPECT_EQ(Show("a & b"),
            absl::StrCat(Only(TokenKind::kIdentifier, "a"), " ", Only(TokenKind::kIdentifier, "b"),
                         " @2 token recognition error at: '&'"));
  EXPECT_EQ(Show("'a\nb"), absl::StrCat(Only(TokenKind::kIdentifier, "b"),
                                        " @0 token recognition error at: ''a\\n'"));
  EXPECT_EQ(Show("'\\q'"), absl::StrCat(" @0 token recognition error at: ''\\q'",
                                        " @3 token recognition error at: '''"));
  EXPECT_EQ(Show("\xff"), " @0 token recognition error at: '\xff'");
}

}  // namespace
}  // namespace kube::cel::internal
