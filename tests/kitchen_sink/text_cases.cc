#include <cstddef>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tests/kitchen_sink/case_tables.h"
#include "tests/kitchen_sink/cases.h"

namespace kube::oracle {
namespace {

// Makes a view of a literal that contains NUL.
template <size_t N>
constexpr absl::string_view Text(const char (&text)[N]) {
  return absl::string_view(text, N - 1);
}

constexpr KitchenCase kTextCases[] = {
    // ---- Unknown members.

    {"Unknown members: of every type", "EmptyOrZero",
     R"({"a":1,"b":"s","c":[1,{"d":null}],"e":{"f":{"g":[]}},"h":true,"text":"t",)"
     R"("i":null,"j":-1.5e-3})",
     R"({"text":"t"})"},
    {"Unknown members: a syntax error inside", "EmptyOrZero", R"({"a":[1,],"text":"t"})", ""},
    {"Unknown members: a number that is none inside", "EmptyOrZero", R"({"a":01,"text":"t"})", ""},
    {"Unknown members: an escape that is none inside", "EmptyOrZero", R"({"a":"\q","text":"t"})",
     ""},
    {"Unknown members: a control character inside", "EmptyOrZero", "{\"a\":\"\t\",\"text\":\"t\"}",
     ""},
    {"Unknown members: bytes that are no UTF-8 inside", "EmptyOrZero",
     "{\"a\":\"\377\",\"text\":\"t\"}", R"({"text":"t"})"},
    {"Unknown members: brackets and quotes in a string", "EmptyOrZero",
     R"({"a":"}]\"{[","text":"t"})", R"({"text":"t"})"},
    {"Unknown members: a backslash before the closing quote", "EmptyOrZero",
     R"({"a":"\\","text":"t"})", R"({"text":"t"})"},
    {"Unknown members: a number too great for any type", "EmptyOrZero",
     R"({"a":1e999999,"text":"t"})", R"({"text":"t"})"},

    // ---- Syntax.

    {"Syntax: nothing", "EmptyOrZero", "", ""},
    {"Syntax: white space alone", "EmptyOrZero", " \t\r\n", ""},
    {"Syntax: null", "EmptyOrZero", "null", "{}"},
    {"Syntax: an object", "EmptyOrZero", "{}", "{}"},
    {"Syntax: white space everywhere", "EmptyOrZero",
     " \t\r\n{ \"text\" \n:\t\"a\"\r, \"small\" : 1 } \n", R"({"text":"a","small":1})"},
    {"Syntax: a list", "EmptyOrZero", "[]", ""},
    {"Syntax: a string", "EmptyOrZero", R"("a")", ""},
    {"Syntax: a number", "EmptyOrZero", "1", ""},
    {"Syntax: true", "EmptyOrZero", "true", ""},
    {"Syntax: a comma too many", "EmptyOrZero", R"({"text":"a",})", ""},
    {"Syntax: two commas", "EmptyOrZero", R"({"text":"a",,"small":1})", ""},
    {"Syntax: a comma missing", "EmptyOrZero", R"({"text":"a" "small":1})", ""},
    {"Syntax: a comma first", "EmptyOrZero", R"({,"text":"a"})", ""},
    {"Syntax: a colon missing", "EmptyOrZero", R"({"text" "a"})", ""},
    {"Syntax: an equals sign", "EmptyOrZero", R"({"text"="a"})", ""},
    {"Syntax: a value missing", "EmptyOrZero", R"({"text":})", ""},
    {"Syntax: a name without quotes", "EmptyOrZero", R"({text:"a"})", ""},
    {"Syntax: single quotes", "EmptyOrZero", "{'text':'a'}", ""},
    {"Syntax: a comment", "EmptyOrZero", R"({"text":"a"/*b*/})", ""},
    {"Syntax: the closing brace missing", "EmptyOrZero", R"({"text":"a")", ""},
    {"Syntax: the closing quote missing", "EmptyOrZero", R"({"text":"a)", ""},
    {"Syntax: the closing bracket missing", "EmptyOrZero", R"({"texts":["a")", ""},
    {"Syntax: the wrong closing bracket", "EmptyOrZero", R"({"texts":["a"}})", ""},
    {"Syntax: a brace too many", "EmptyOrZero", "{}}", ""},
    {"Syntax: two objects", "EmptyOrZero", "{}{}", ""},
    {"Syntax: letters after", "EmptyOrZero", "{}a", ""},
    {"Syntax: NULL", "EmptyOrZero", R"({"text":NULL})", ""},
    {"Syntax: null cut off", "EmptyOrZero", R"({"text":nul})", ""},
    {"Syntax: a byte order mark first", "EmptyOrZero", "\357\273\277{}", ""},
    {"Syntax: form feed", "EmptyOrZero", "{\014}", ""},
    {"Syntax: no-break space", "EmptyOrZero", "{\302\240}", ""},
    {"Syntax: NUL after", "EmptyOrZero", Text("{}\000"), ""},
    {"Syntax: a wrong type goes on to the end", "EmptyOrZero",
     R"({"small":"a","text":"b","big":true})", ""},
};

}  // namespace

absl::Span<const KitchenCase> TextCases() { return kTextCases; }

}  // namespace kube::oracle
