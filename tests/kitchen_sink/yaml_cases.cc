#include "tests/kitchen_sink/yaml_cases.h"

#include "absl/types/span.h"

namespace kube::oracle {
namespace {

constexpr YamlReadCase kReadCases[] = {
    // ---- Scalars.

    {"Scalars: true", "a: true\n", R"({"a":true})"},
    {"Scalars: True", "a: True\n", R"({"a":true})"},
    {"Scalars: TRUE", "a: TRUE\n", R"({"a":true})"},
    {"Scalars: tRue", "a: tRue\n", R"({"a":"tRue"})"},
    {"Scalars: yes", "a: yes\n", R"({"a":true})"},
    {"Scalars: Yes", "a: Yes\n", R"({"a":true})"},
    {"Scalars: YES", "a: YES\n", R"({"a":true})"},
    {"Scalars: no", "a: no\n", R"({"a":false})"},
    {"Scalars: No", "a: No\n", R"({"a":false})"},
    {"Scalars: on", "a: on\n", R"({"a":true})"},
    {"Scalars: On", "a: On\n", R"({"a":true})"},
    {"Scalars: ON", "a: ON\n", R"({"a":true})"},
    {"Scalars: off", "a: off\n", R"({"a":false})"},
    {"Scalars: OFF", "a: OFF\n", R"({"a":false})"},
    {"Scalars: y", "a: y\n", R"({"a":true})"},
    {"Scalars: Y", "a: Y\n", R"({"a":true})"},
    {"Scalars: n", "a: n\n", R"({"a":false})"},
    {"Scalars: N", "a: N\n", R"({"a":false})"},
    {"Scalars: null", "a: null\n", R"({"a":null})"},
    {"Scalars: Null", "a: Null\n", R"({"a":null})"},
    {"Scalars: NULL", "a: NULL\n", R"({"a":null})"},
    {"Scalars: ~", "a: ~\n", R"({"a":null})"},
    {"Scalars: nUll", "a: nUll\n", R"({"a":"nUll"})"},
    {"Scalars: 1", "a: 1\n", R"({"a":1})"},
    {"Scalars: -1", "a: -1\n", R"({"a":-1})"},
    {"Scalars: +1", "a: +1\n", R"({"a":1})"},
    {"Scalars: 01", "a: 01\n", R"({"a":1})"},
    {"Scalars: 010", "a: 010\n", R"({"a":8})"},
    {"Scalars: 08", "a: 08\n", R"({"a":8})"},
    {"Scalars: 0o10", "a: 0o10\n", R"({"a":8})"},
    {"Scalars: 0x1F", "a: 0x1F\n", R"({"a":31})"},
    {"Scalars: 0X1f", "a: 0X1f\n", R"({"a":31})"},
    {"Scalars: 0b11", "a: 0b11\n", R"({"a":3})"},
    {"Scalars: 1_000", "a: 1_000\n", R"({"a":1000})"},
    {"Scalars: _1", "a: _1\n", R"({"a":"_1"})"},
    {"Scalars: 1e3", "a: 1e3\n", R"({"a":1000})"},
    {"Scalars: 1E3", "a: 1E3\n", R"({"a":1000})"},
    {"Scalars: 1.5", "a: 1.5\n", R"({"a":1.5})"},
    {"Scalars: .5", "a: .5\n", R"({"a":0.5})"},
    {"Scalars: 5.", "a: 5.\n", R"({"a":5})"},
    {"Scalars: -.5", "a: -.5\n", R"({"a":-0.5})"},
    {"Scalars: 1.0", "a: 1.0\n", R"({"a":1})"},
    {"Scalars: 1e400", "a: 1e400\n", R"({"a":"1e400"})"},
    {"Scalars: 1e-3", "a: 1e-3\n", R"({"a":0.001})"},
    {"Scalars: .inf", "a: .inf\n", ""},
    {"Scalars: -.inf", "a: -.inf\n", ""},
    {"Scalars: .Inf", "a: .Inf\n", ""},
    {"Scalars: .nan", "a: .nan\n", ""},
    {"Scalars: .NaN", "a: .NaN\n", ""},
    {"Scalars: inf", "a: inf\n", R"({"a":"inf"})"},
    {"Scalars: NaN", "a: NaN\n", R"({"a":"NaN"})"},
    {"Scalars: 12345678901234567890", "a: 12345678901234567890\n", R"({"a":12345678901234567890})"},
    {"Scalars: -9223372036854775808", "a: -9223372036854775808\n", R"({"a":-9223372036854775808})"},
    {"Scalars: -9223372036854775809", "a: -9223372036854775809\n", R"({"a":-9223372036854776000})"},
    {"Scalars: 9223372036854775808", "a: 9223372036854775808\n", R"({"a":9223372036854775808})"},
    {"Scalars: 18446744073709551616", "a: 18446744073709551616\n", R"({"a":18446744073709552000})"},
    {"Scalars: 1:30", "a: 1:30\n", R"({"a":"1:30"})"},
    {"Scalars: 190:20:30", "a: 190:20:30\n", R"({"a":"190:20:30"})"},
    {"Scalars: 2001-01-01", "a: 2001-01-01\n", R"({"a":"2001-01-01"})"},
    {"Scalars: 2001-01-01T00:00:00Z", "a: 2001-01-01T00:00:00Z\n",
     R"({"a":"2001-01-01T00:00:00Z"})"},
    {"Scalars: 1.2.3", "a: 1.2.3\n", R"({"a":"1.2.3"})"},
    {"Scalars: 1,000", "a: 1,000\n", R"({"a":"1,000"})"},
    {"Scalars: 0", "a: 0\n", R"({"a":0})"},
    {"Scalars: -0", "a: -0\n", R"({"a":0})"},
    {"Scalars: -0.0", "a: -0.0\n", R"({"a":-0})"},
    {"Scalars: 0.1", "a: 0.1\n", R"({"a":0.1})"},
    {"Scalars: 1e21", "a: 1e21\n", R"({"a":1e+21})"},
    {"Scalars: 123456789.5", "a: 123456789.5\n", R"({"a":123456789.5})"},
    {"Scalars: =", "a: =\n", R"({"a":"="})"},
    {"Scalars: <<", "a: <<\n", R"({"a":"\u003c\u003c"})"},
    {"Scalars: -", "a: -\n", ""},
    {"Scalars: - b", "a: - b\n", ""},
    {"Scalars: a b", "a: a b\n", R"({"a":"a b"})"},
    {"Scalars: a:b", "a: a:b\n", R"({"a":"a:b"})"},
    {"Scalars: a: b", "a: a: b\n", ""},
    {"Scalars: #b", "a: #b\n", R"({"a":null})"},
    {"Scalars: a#b", "a: a#b\n", R"({"a":"a#b"})"},
    {"Scalars: a #b", "a: a #b\n", R"({"a":"a"})"},
    {"Scalars: @a", "a: @a\n", ""},
    {"Scalars: `a", "a: `a\n", ""},
    {"Scalars: %a", "a: %a\n", ""},
    {"Scalars: !a", "a: !a\n", R"({"a":""})"},
    {"Scalars: &a", "a: &a\n", R"({"a":null})"},
    {"Scalars: *a", "a: *a\n", ""},
    {"Scalars: |", "a: |\n", R"({"a":""})"},
    {"Scalars: >", "a: >\n", R"({"a":""})"},
    {"Scalars: ?", "a: ?\n", ""},
    {"Scalars: ? b", "a: ? b\n", ""},
    {"Scalars: [", "a: [\n", ""},
    {"Scalars: {", "a: {\n", ""},
    {"Scalars: {}", "a: {}\n", R"({"a":{}})"},
    {"Scalars: []", "a: []\n", R"({"a":[]})"},
    {R"(Scalars: ")", "a: \"\n", ""},
    {"Scalars: '", "a: '\n", ""},
    {R"(Scalars: "a'b")", "a: \"a'b\"\n", R"({"a":"a'b"})"},
    {R"(Scalars: 'a"b')", "a: 'a\"b'\n", R"({"a":"a\"b"})"},
    {"Scalars: 'a''b'", "a: 'a''b'\n", R"({"a":"a'b"})"},
    {R"(Scalars: "\n\t\"\\\x41\u00e9\U0001F600\0\e\/")",
     "a: \"\\n\\t\\\"\\\\\\x41\\u00e9\\U0001F600\\0\\e\\/\"\n", ""},
    {R"(Scalars: "\q")", "a: \"\\q\"\n", ""},
    {R"(Scalars: "a)", "a: \"a\n", ""},
    {"Scalars: 'a", "a: 'a\n", ""},
    {R"(Scalars: "")", "a: \"\"\n", R"({"a":""})"},
    {"Scalars: ''", "a: ''\n", R"({"a":""})"},
    {R"(Scalars: "a|  b")",
     "a: \"a\n"
     "  b\"\n",
     R"({"a":"a b"})"},
    {"Scalars: a|  b",
     "a: a\n"
     "  b\n",
     R"({"a":"a b"})"},
    {"Scalars: \303\251", "a: \303\251\n", "{\"a\":\"\303\251\"}"},
    {"Scalars: \357\273\277", "a: \357\273\277\n", "{\"a\":\"\357\273\277\"}"},
    {"Scalars: \342\200\250", "a: \342\200\250\n", R"({"a":null})"},
    {"Scalars: !!str 1", "a: !!str 1\n", R"({"a":"1"})"},
    {R"(Scalars: !!int "1")", "a: !!int \"1\"\n", R"({"a":1})"},
    {"Scalars: !!float 1", "a: !!float 1\n", R"({"a":1})"},
    {R"(Scalars: !!bool "true")", "a: !!bool \"true\"\n", R"({"a":true})"},
    {R"(Scalars: !!null "")", "a: !!null \"\"\n", R"({"a":null})"},
    {"Scalars: !!binary YWI=", "a: !!binary YWI=\n", R"({"a":"ab"})"},
    {R"(Scalars: !!binary "*")", "a: !!binary \"*\"\n", ""},
    {"Scalars: !custom 1", "a: !custom 1\n", R"({"a":"1"})"},
    {"Scalars: !!timestamp 2001-01-01", "a: !!timestamp 2001-01-01\n", R"({"a":"2001-01-01"})"},
    {R"(Scalars: "\u0000")", "a: \"\\u0000\"\n", R"({"a":"\u0000"})"},
    {R"(Scalars: "\ud83d\ude00")", "a: \"\\ud83d\\ude00\"\n", ""},
    {"Scalars: a tab in plain text", "a: b\tc\n", R"({"a":"b\tc"})"},
    {"Scalars: trailing spaces", "a: b   \n", R"({"a":"b"})"},
    {"Scalars: carriage returns",
     "a: b\r\n"
     "c: d\r\n",
     R"({"a":"b","c":"d"})"},

    // ---- Documents.

    {"Documents: nothing", "", "null"},
    {"Documents: a line end", "\n", "null"},
    {"Documents: a comment alone", "# a\n", "null"},
    {"Documents: a marker alone", "---\n", "null"},
    {"Documents: a marker and a document",
     "---\n"
     "a: b\n",
     R"({"a":"b"})"},
    {"Documents: an end",
     "a: b\n"
     "...\n",
     R"({"a":"b"})"},
    {"Documents: two documents",
     "a: b\n"
     "---\n"
     "c: d\n",
     R"({"a":"b"})"},
    {"Documents: a directive",
     "%YAML 1.1\n"
     "---\n"
     "a: b\n",
     R"({"a":"b"})"},
    {"Documents: a directive of another version",
     "%YAML 1.2\n"
     "---\n"
     "a: b\n",
     ""},
    {"Documents: a directive of an unknown version",
     "%YAML 2.0\n"
     "---\n"
     "a: b\n",
     ""},
    {"Documents: a byte order mark", "\357\273\277a: b\n", R"({"a":"b"})"},
    {"Documents: JSON", R"({"a": [1, "b", null, true, {"c": 1.5}]})",
     R"({"a":[1,"b",null,true,{"c":1.5}]})"},
    {"Documents: JSON with a comment", "{\"a\": 1} # b\n", R"({"a":1})"},
    {"Documents: JSON with a comma too many", R"({"a": [1,],})", R"({"a":[1]})"},
    {"Documents: JSON with tabs",
     "{\n"
     "\t\"a\": 1\n"
     "}\n",
     R"({"a":1})"},
    {"Documents: a text", "a", R"("a")"},
    {"Documents: a number", "1", "1"},
    {"Documents: a list",
     "- a\n"
     "- b\n",
     R"(["a","b"])"},
    {"Documents: null", "null", "null"},
    {"Documents: no line end", "a: b", R"({"a":"b"})"},
    {"Documents: a document after text",
     "a: b\n"
     "c\n",
     ""},

    // ---- Structure.

    {"Structure: maps and lists",
     "a:\n"
     "  b:\n"
     "  - c\n"
     "  - d: e\n"
     "    f: g\n",
     R"({"a":{"b":["c",{"d":"e","f":"g"}]}})"},
    {"Structure: lists as deep as their name",
     "a:\n"
     "- b\n"
     "- c\n",
     R"({"a":["b","c"]})"},
    {"Structure: a list in a list",
     "a:\n"
     "- - b\n"
     "  - c\n"
     "- d\n",
     R"({"a":[["b","c"],"d"]})"},
    {"Structure: nothing after a name",
     "a:\n"
     "b:\n",
     R"({"a":null,"b":null})"},
    {"Structure: nothing in a list",
     "a:\n"
     "-\n"
     "- b\n",
     R"({"a":[null,"b"]})"},
    {"Structure: flow", "a: {b: [c, d], e: {f: g}}\n", R"({"a":{"b":["c","d"],"e":{"f":"g"}}})"},
    {"Structure: flow over lines",
     "a: {b: c,\n"
     "  d: e}\n",
     R"({"a":{"b":"c","d":"e"}})"},
    {"Structure: flow without values", "a: {b, c: }\n", R"({"a":{"b":null,"c":null}})"},
    {"Structure: flow: a pair in a list", "a: [b: c]\n", R"({"a":[{"b":"c"}]})"},
    {"Structure: flow: quotes without a blank", "a: {\"b\":c}\n", R"({"a":{"b":"c"}})"},
    {"Structure: flow: no blank after the colon", "a: {b:c}\n", R"({"a":{"b:c":null}})"},
    {"Structure: a tab before a name",
     "a:\n"
     "\tb: c\n",
     ""},
    {"Structure: less indented",
     "a:\n"
     "    b: c\n"
     "  d: e\n",
     ""},
    {"Structure: a name twice",
     "a: b\n"
     "a: c\n",
     R"({"a":"c"})"},
    {"Structure: a name twice, deeper",
     "a:\n"
     "  b: 1\n"
     "  b: 2\n",
     R"({"a":{"b":2}})"},
    {"Structure: a name over two lines",
     "? a\n"
     "  b\n"
     ": c\n",
     R"({"a b":"c"})"},
    {"Structure: a complex name",
     "? [a, b]\n"
     ": c\n",
     ""},
    {"Structure: a name that is a number", "1: a\n", R"({"1":"a"})"},
    {"Structure: a name that is a fraction", "1.5: a\n", R"({"1.5":"a"})"},
    {"Structure: a name that is a large number", "12345678901234567890: a\n", ""},
    {"Structure: a name that is true", "true: a\n", R"({"true":"a"})"},
    {"Structure: a name that is yes", "yes: a\n", R"({"true":"a"})"},
    {"Structure: a name that is null", "null: a\n", ""},
    {"Structure: no name", ": a\n", ""},
    {"Structure: a name that is a time", "2001-01-01: a\n", R"({"2001-01-01":"a"})"},
    {"Structure: names in quotes",
     "\"a b\": c\n"
     "'d': e\n",
     R"({"a b":"c","d":"e"})"},
    {"Structure: order of names",
     "b: 1\n"
     "a: 2\n"
     "C: 3\n",
     R"({"C":3,"a":2,"b":1})"},
    {"Structure: a name with a colon", "a:b: c\n", R"({"a:b":"c"})"},
    {"Structure: text beside a list",
     "a:\n"
     "- b\n"
     "c\n",
     ""},
    {"Structure: two values", "a: b: c\n", ""},
    {"Structure: a comment between",
     "a: b\n"
     "# c\n"
     "d: e # f\n",
     R"({"a":"b","d":"e"})"},
    {"Structure: deep",
     "a:\n"
     " b:\n"
     "  c:\n"
     "   d:\n"
     "    e: f\n",
     R"({"a":{"b":{"c":{"d":{"e":"f"}}}}})"},

    // ---- Blocks.

    {"Blocks: literal",
     "a: |\n"
     "  b\n"
     "  c\n",
     R"({"a":"b\nc\n"})"},
    {"Blocks: literal, stripped",
     "a: |-\n"
     "  b\n",
     R"({"a":"b"})"},
    {"Blocks: literal, kept",
     "a: |+\n"
     "  b\n"
     "\n"
     "\n"
     "d: e\n",
     R"({"a":"b\n\n\n","d":"e"})"},
    {"Blocks: literal with an empty line",
     "a: |\n"
     "  b\n"
     "\n"
     "  c\n",
     R"({"a":"b\n\nc\n"})"},
    {"Blocks: literal, indented more",
     "a: |\n"
     "  b\n"
     "    c\n",
     R"({"a":"b\n  c\n"})"},
    {"Blocks: literal with an indicator",
     "a: |2\n"
     "    b\n",
     R"({"a":"  b\n"})"},
    {"Blocks: literal, nothing",
     "a: |\n"
     "b: c\n",
     R"({"a":"","b":"c"})"},
    {"Blocks: literal at the end without a line end",
     "a: |\n"
     "  b",
     R"({"a":"b"})"},
    {"Blocks: literal with a tab",
     "a: |\n"
     "  b\n"
     "  \tc\n",
     R"({"a":"b\n\tc\n"})"},
    {"Blocks: literal with a comment",
     "a: | # c\n"
     "  b\n",
     R"({"a":"b\n"})"},
    {"Blocks: literal that begins with an empty line",
     "a: |\n"
     "\n"
     "  b\n",
     R"({"a":"\nb\n"})"},
    {"Blocks: literal with trailing blanks",
     "a: |\n"
     "  b  \n",
     R"({"a":"b  \n"})"},
    {"Blocks: folded",
     "a: >\n"
     "  b\n"
     "  c\n"
     "\n"
     "  d\n",
     R"({"a":"b c\nd\n"})"},
    {"Blocks: folded, indented more",
     "a: >\n"
     "  b\n"
     "    c\n"
     "  d\n",
     R"({"a":"b\n  c\nd\n"})"},
    {"Blocks: folded, stripped",
     "a: >-\n"
     "  b\n"
     "  c\n",
     R"({"a":"b c"})"},
    {"Blocks: plain text over lines",
     "a: b\n"
     "  c\n"
     "\n"
     "  d\n",
     R"({"a":"b c\nd"})"},
    {"Blocks: double quotes over lines",
     "a: \"b\n"
     "  c\\\n"
     "  d\n"
     "\n"
     "  e\"\n",
     R"({"a":"b cd\ne"})"},
    {"Blocks: single quotes over lines",
     "a: 'b\n"
     "  c\n"
     "\n"
     "  d'\n",
     R"({"a":"b c\nd"})"},
    {"Blocks: in a list",
     "- |\n"
     "  a\n"
     "- >\n"
     "  b\n",
     R"(["a\n","b\n"])"},

    // ---- Anchors.

    {"Anchors: an alias",
     "a: &x b\n"
     "c: *x\n",
     R"({"a":"b","c":"b"})"},
    {"Anchors: an alias of a map",
     "a: &x {b: 1}\n"
     "c: *x\n",
     R"({"a":{"b":1},"c":{"b":1}})"},
    {"Anchors: an unknown alias", "a: *x\n", ""},
    {"Anchors: an alias within itself", "a: &x [*x]\n", ""},
    {"Anchors: a merge",
     "a: &x {b: 1, c: 2}\n"
     "d:\n"
     "  <<: *x\n"
     "  c: 3\n",
     R"({"a":{"b":1,"c":2},"d":{"b":1,"c":3}})"},
    {"Anchors: a merge of two",
     "a: &x {b: 1}\n"
     "c: &y {b: 2, d: 3}\n"
     "e:\n"
     "  <<: [*x, *y]\n",
     R"({"a":{"b":1},"c":{"b":2,"d":3},"e":{"b":1,"d":3}})"},
    {"Anchors: a merge of a text",
     "a:\n"
     "  <<: b\n",
     ""},
    {"Anchors: an anchor twice",
     "a: &x 1\n"
     "b: &x 2\n"
     "c: *x\n",
     R"({"a":1,"b":2,"c":2})"},
    {"Anchors: a merge of a map",
     "a:\n"
     "  <<: {b: 1}\n",
     R"({"a":{"b":1}})"},
    {"Anchors: an anchor of a name",
     "&x a: b\n"
     "c: *x\n",
     R"({"a":"b","c":"a"})"},
};

constexpr YamlWriteCase kWriteCases[] = {
    {R"(Write text "")", R"({"a":""})", "a: \"\"\n"},
    {R"(Write text "a")", R"({"a":"a"})", "a: a\n"},
    {R"(Write text "a b")", R"({"a":"a b"})", "a: a b\n"},
    {R"(Write text " a")", R"({"a":" a"})", "a: ' a'\n"},
    {R"(Write text "a ")", R"({"a":"a "})", "a: 'a '\n"},
    {R"(Write text "a:b")", R"({"a":"a:b"})", "a: a:b\n"},
    {R"(Write text "a: b")", R"({"a":"a: b"})", "a: 'a: b'\n"},
    {R"(Write text "a #b")", R"({"a":"a #b"})", "a: 'a #b'\n"},
    {R"(Write text "#a")", R"({"a":"#a"})", "a: '#a'\n"},
    {R"(Write text "- a")", R"({"a":"- a"})", "a: '- a'\n"},
    {R"(Write text "-")", R"({"a":"-"})", "a: '-'\n"},
    {R"(Write text "true")", R"({"a":"true"})", "a: \"true\"\n"},
    {R"(Write text "yes")", R"({"a":"yes"})", "a: \"yes\"\n"},
    {R"(Write text "no")", R"({"a":"no"})", "a: \"no\"\n"},
    {R"(Write text "on")", R"({"a":"on"})", "a: \"on\"\n"},
    {R"(Write text "y")", R"({"a":"y"})", "a: \"y\"\n"},
    {R"(Write text "n")", R"({"a":"n"})", "a: \"n\"\n"},
    {R"(Write text "null")", R"({"a":"null"})", "a: \"null\"\n"},
    {R"(Write text "~")", R"({"a":"~"})", "a: \"~\"\n"},
    {R"(Write text "1")", R"({"a":"1"})", "a: \"1\"\n"},
    {R"(Write text "01")", R"({"a":"01"})", "a: \"01\"\n"},
    {R"(Write text "0x1")", R"({"a":"0x1"})", "a: \"0x1\"\n"},
    {R"(Write text "1.5")", R"({"a":"1.5"})", "a: \"1.5\"\n"},
    {R"(Write text "1e3")", R"({"a":"1e3"})", "a: \"1e3\"\n"},
    {R"(Write text "1_000")", R"({"a":"1_000"})", "a: \"1_000\"\n"},
    {R"(Write text "1:30")", R"({"a":"1:30"})", "a: \"1:30\"\n"},
    {R"(Write text ".inf")", R"({"a":".inf"})", "a: \".inf\"\n"},
    {R"(Write text "2001-01-01")", R"({"a":"2001-01-01"})", "a: \"2001-01-01\"\n"},
    {R"(Write text "2001-01-01T00:00:00Z")", R"({"a":"2001-01-01T00:00:00Z"})",
     "a: \"2001-01-01T00:00:00Z\"\n"},
    {R"(Write text "<<")", R"({"a":"<<"})", "a: <<\n"},
    {R"(Write text "=")", R"({"a":"="})", "a: =\n"},
    {R"(Write text "a\nb")", R"({"a":"a\nb"})",
     "a: |-\n"
     "  a\n"
     "  b\n"},
    {R"(Write text "a\n")", R"({"a":"a\n"})",
     "a: |\n"
     "  a\n"},
    {R"(Write text "\n")", R"({"a":"\n"})",
     "a: |2+\n"
     "\n"},
    {R"(Write text "\n\n")", R"({"a":"\n\n"})",
     "a: |2+\n"
     "\n"
     "\n"},
    {R"(Write text "a\nb\n")", R"({"a":"a\nb\n"})",
     "a: |\n"
     "  a\n"
     "  b\n"},
    {R"(Write text "a\n\n")", R"({"a":"a\n\n"})",
     "a: |+\n"
     "  a\n"
     "\n"},
    {R"(Write text " a\nb")", R"({"a":" a\nb"})",
     "a: |2-\n"
     "   a\n"
     "  b\n"},
    {R"(Write text "a\n b")", R"({"a":"a\n b"})",
     "a: |-\n"
     "  a\n"
     "   b\n"},
    {R"(Write text "a \nb")", R"({"a":"a \nb"})", "a: \"a \\nb\"\n"},
    {R"(Write text "a\tb")", R"({"a":"a\tb"})", "a: \"a\\tb\"\n"},
    {R"(Write text "\ta")", R"({"a":"\ta"})", "a: \"\\ta\"\n"},
    {R"(Write text "\u0001")", R"({"a":"\u0001"})", "a: \"\\x01\"\n"},
    {R"(Write text "\u007f")", R"({"a":"\u007f"})", "a: \"\\x7F\"\n"},
    {R"(Write text "\u0085")", R"({"a":"\u0085"})", "a: \"\\N\"\n"},
    {R"(Write text "\u00e9")", R"({"a":"\u00e9"})", "a: \303\251\n"},
    {R"(Write text "\u2028")", R"({"a":"\u2028"})", "a: '\342\200\250'\n"},
    {R"(Write text "\ufeff")", R"({"a":"\ufeff"})", "a: \"\\uFEFF\"\n"},
    {R"(Write text "\ud83d\ude00")", R"({"a":"\ud83d\ude00"})", ""},
    {R"(Write text "{a")", R"({"a":"{a"})", "a: '{a'\n"},
    {R"(Write text "[a")", R"({"a":"[a"})", "a: '[a'\n"},
    {R"(Write text "a,b")", R"({"a":"a,b"})", "a: a,b\n"},
    {R"(Write text "'a'")", R"({"a":"'a'"})", "a: '''a'''\n"},
    {R"(Write text "a'b")", R"({"a":"a'b"})", "a: a'b\n"},
    {R"(Write text "\"a\"")", R"({"a":"\"a\""})", "a: '\"a\"'\n"},
    {R"(Write text "a\\b")", R"({"a":"a\\b"})", "a: a\\b\n"},
    {R"(Write text "!a")", R"({"a":"!a"})", "a: '!a'\n"},
    {R"(Write text "&a")", R"({"a":"&a"})", "a: '&a'\n"},
    {R"(Write text "*a")", R"({"a":"*a"})", "a: '*a'\n"},
    {R"(Write text "%a")", R"({"a":"%a"})", "a: '%a'\n"},
    {R"(Write text "@a")", R"({"a":"@a"})", "a: '@a'\n"},
    {R"(Write text "`a")", R"({"a":"`a"})", "a: '`a'\n"},
    {R"(Write text "|")", R"({"a":"|"})", "a: '|'\n"},
    {R"(Write text ">")", R"({"a":">"})", "a: '>'\n"},
    {R"(Write text "? a")", R"({"a":"? a"})", "a: '? a'\n"},
    {R"(Write text "?a")", R"({"a":"?a"})", "a: ?a\n"},
    {R"(Write text ":")", R"({"a":":"})", "a: ':'\n"},
    {R"(Write text ":a")", R"({"a":":a"})", "a: :a\n"},
    {R"(Write text "a:")", R"({"a":"a:"})", "a: 'a:'\n"},
    {R"(Write text ",")", R"({"a":","})", "a: ','\n"},
    {R"(Write text "---")", R"({"a":"---"})", "a: '---'\n"},
    {R"(Write text "...")", R"({"a":"..."})", "a: '...'\n"},
    {R"(Write text "--- a")", R"({"a":"--- a"})", "a: '--- a'\n"},
    {R"(Write text "0")", R"({"a":"0"})", "a: \"0\"\n"},
    {R"(Write text "-1")", R"({"a":"-1"})", "a: \"-1\"\n"},
    {R"(Write text "+1")", R"({"a":"+1"})", "a: \"+1\"\n"},
    {R"(Write text "1e")", R"({"a":"1e"})", "a: 1e\n"},
    {R"(Write text "Null")", R"({"a":"Null"})", "a: \"Null\"\n"},
    {R"(Write text "NaN")", R"({"a":"NaN"})", "a: NaN\n"},
    {R"(Write text ".NaN")", R"({"a":".NaN"})", "a: \".NaN\"\n"},
    {R"(Write text "0o7")", R"({"a":"0o7"})", "a: \"0o7\"\n"},
    {R"(Write text "12e03")", R"({"a":"12e03"})", "a: \"12e03\"\n"},
    {R"(Write text "a\r\nb")", R"({"a":"a\r\nb"})", "a: \"a\\r\\nb\"\n"},
    {"Write value 0", R"({"a":0})", "a: 0\n"},
    {"Write value 1", R"({"a":1})", "a: 1\n"},
    {"Write value -1", R"({"a":-1})", "a: -1\n"},
    {"Write value 1.5", R"({"a":1.5})", "a: 1.5\n"},
    {"Write value 1e3", R"({"a":1e3})", "a: 1000\n"},
    {"Write value 1e21", R"({"a":1e21})", "a: 1e+21\n"},
    {"Write value 1e20", R"({"a":1e20})", "a: 1e+20\n"},
    {"Write value 123456789012", R"({"a":123456789012})", "a: 123456789012\n"},
    {"Write value 9223372036854775807", R"({"a":9223372036854775807})", "a: 9223372036854775807\n"},
    {"Write value -9223372036854775808", R"({"a":-9223372036854775808})",
     "a: -9223372036854775808\n"},
    {"Write value 18446744073709551615", R"({"a":18446744073709551615})",
     "a: 18446744073709551615\n"},
    {"Write value 12345678901234567890123", R"({"a":12345678901234567890123})",
     "a: 1.2345678901234568e+22\n"},
    {"Write value 0.1", R"({"a":0.1})", "a: 0.1\n"},
    {"Write value 1e-7", R"({"a":1e-7})", "a: 1e-07\n"},
    {"Write value 100000000000000000000.0", R"({"a":100000000000000000000.0})", "a: 1e+20\n"},
    {"Write value 5e-324", R"({"a":5e-324})", "a: 5e-324\n"},
    {"Write value 1.0", R"({"a":1.0})", "a: 1\n"},
    {"Write value -0", R"({"a":-0})", "a: 0\n"},
    {"Write value true", R"({"a":true})", "a: true\n"},
    {"Write value false", R"({"a":false})", "a: false\n"},
    {"Write value null", R"({"a":null})", "a: null\n"},
    {"Write value {}", R"({"a":{}})", "a: {}\n"},
    {"Write value []", R"({"a":[]})", "a: []\n"},
    {"Write value [1,2]", R"({"a":[1,2]})",
     "a:\n"
     "- 1\n"
     "- 2\n"},
    {R"(Write value [{"b":1,"c":2}])", R"({"a":[{"b":1,"c":2}]})",
     "a:\n"
     "- b: 1\n"
     "  c: 2\n"},
    {"Write value [[1,[2]]]", R"({"a":[[1,[2]]]})",
     "a:\n"
     "- - 1\n"
     "  - - 2\n"},
    {R"(Write value {"b":{"c":{}}})", R"({"a":{"b":{"c":{}}}})",
     "a:\n"
     "  b:\n"
     "    c: {}\n"},
    {"Write value [[],{}]", R"({"a":[[],{}]})",
     "a:\n"
     "- []\n"
     "- {}\n"},
    {"Write value [null]", R"({"a":[null]})",
     "a:\n"
     "- null\n"},
    {"Write order of names", R"({"b":1,"a":2,"a10":3,"a2":4,"A":5,"_":6,"1":9,"10":10,"2":11})",
     "_: 6\n"
     "\"1\": 9\n"
     "\"2\": 11\n"
     "\"10\": 10\n"
     "A: 5\n"
     "a: 2\n"
     "a2: 4\n"
     "a10: 3\n"
     "b: 1\n"},
    {"Write names that need quotes",
     R"({"true":1,"1":2,"y":3,"":4,"a: b":5,"null":6,"a b":7,"#":8,"<<":9})",
     "\"\": 4\n"
     "'#': 8\n"
     "<<: 9\n"
     "\"1\": 2\n"
     "a b: 7\n"
     "'a: b': 5\n"
     "\"null\": 6\n"
     "\"true\": 1\n"
     "\"y\": 3\n"},
    {"Write a long text",
     R"({"a":"word word word word word word word word word word word word word word )"
     R"(word word word word word word word word word word word word word word word w)"
     R"(ord word word word word word word word word word word"})",
     "a: word word word word word word word word word word word word word word word word\n"
     "  word word word word word word word word word word word word word word word word\n"
     "  word word word word word word word word\n"},
    {"Write a long text without blanks",
     R"({"a":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx)"
     R"(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx)"
     R"(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"})",
     "a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"},
    {"Write a long name",
     R"({"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk)"
     R"(kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk":1})",
     "? kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
     "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\n"
     ": 1\n"},
    {"Write a text at the top", R"("a")", "a\n"},
    {"Write a list at the top", R"([1,{"a":2}])",
     "- 1\n"
     "- a: 2\n"},
    {"Write null at the top", "null", "null\n"},
    {"Write a list in a map in a list", R"([{"a":[{"b":[1]}]}])",
     "- a:\n"
     "  - b:\n"
     "    - 1\n"},
    {"Write a block in a list", R"(["a\nb\n"])",
     "- |\n"
     "  a\n"
     "  b\n"},
};

}  // namespace

absl::Span<const YamlReadCase> YamlReadCases() { return kReadCases; }

absl::Span<const YamlWriteCase> YamlWriteCases() { return kWriteCases; }

}  // namespace kube::oracle
