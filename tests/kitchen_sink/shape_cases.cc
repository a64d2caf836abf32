#include "absl/types/span.h"
#include "tests/kitchen_sink/case_tables.h"
#include "tests/kitchen_sink/cases.h"

namespace kube::oracle {
namespace {

constexpr KitchenCase kShapeCases[] = {
    // ---- Presence.

    {"Presence: Plain: absent", "Plain", "{}",
     R"({"time":null,"microTime":null,"duration":"0s","quantity":"0",)"
     R"("intOrString":0,"rawExtension":null,"fieldsV1":null,"rawJson":null,)"
     R"("point":{}})"},
    {"Presence: Plain: null", "Plain",
     R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"data":null,)"
     R"("time":null,"microTime":null,"quantity":null,"intOrString":null,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":null,)"
     R"("verbs":null})",
     R"({"time":null,"microTime":null,"duration":"0s","quantity":"0",)"
     R"("intOrString":0,"rawExtension":null,"fieldsV1":null,"rawJson":null,)"
     R"("point":{}})"},
    {"Presence: Plain: zero", "Plain",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":"",)"
     R"("time":"0001-01-01T00:00:00Z","microTime":"0001-01-01T00:00:00.000000Z",)"
     R"("duration":"0s","quantity":"0","intOrString":0,"rawExtension":{},)"
     R"("fieldsV1":{},"rawJson":{},"point":{},"verbs":[]})",
     R"({"time":null,"microTime":null,"duration":"0s","quantity":"0",)"
     R"("intOrString":0,"rawExtension":{},"fieldsV1":{},"rawJson":{},"point":{}})"},
    {"Presence: Plain: values", "Plain",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,"data":"YWI=",)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"},"verbs":["get"]})",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,"data":"YWI=",)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m0s","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"},"verbs":["get"]})"},
    {"Presence: Optional: absent", "Optional", "{}", "{}"},
    {"Presence: Optional: null", "Optional",
     R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"time":null,)"
     R"("microTime":null,"duration":null,"quantity":null,"intOrString":null,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":null})",
     "{}"},
    {"Presence: Optional: zero", "Optional",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,)"
     R"("time":"0001-01-01T00:00:00Z","microTime":"0001-01-01T00:00:00.000000Z",)"
     R"("duration":"0s","quantity":"0","intOrString":0,"rawExtension":{},)"
     R"("fieldsV1":{},"rawJson":{},"point":{}})",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"time":null,)"
     R"("microTime":null,"duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":{},"fieldsV1":{},"rawJson":{},"point":{}})"},
    {"Presence: Optional: values", "Optional",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"}})",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m0s","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"}})"},
    {"Presence: Never: absent", "Never", "{}",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":null,"time":null,)"
     R"("microTime":null,"duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":{},"verbs":null})"},
    {"Presence: Never: null", "Never",
     R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"data":null,)"
     R"("time":null,"microTime":null,"quantity":null,"intOrString":null,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":null,)"
     R"("verbs":null})",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":null,"time":null,)"
     R"("microTime":null,"duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":{},"verbs":null})"},
    {"Presence: Never: zero", "Never",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":"",)"
     R"("time":"0001-01-01T00:00:00Z","microTime":"0001-01-01T00:00:00.000000Z",)"
     R"("duration":"0s","quantity":"0","intOrString":0,"rawExtension":{},)"
     R"("fieldsV1":{},"rawJson":{},"point":{},"verbs":[]})",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":"","time":null,)"
     R"("microTime":null,"duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":{},"fieldsV1":{},"rawJson":{},"point":{},"verbs":[]})"},
    {"Presence: Never: values", "Never",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,"data":"YWI=",)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"},"verbs":["get"]})",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,"data":"YWI=",)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m0s","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"},"verbs":["get"]})"},
    {"Presence: OptionalNever: absent", "OptionalNever", "{}",
     R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"time":null,)"
     R"("microTime":null,"duration":null,"quantity":null,"intOrString":null,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":null})"},
    {"Presence: OptionalNever: null", "OptionalNever",
     R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"time":null,)"
     R"("microTime":null,"duration":null,"quantity":null,"intOrString":null,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":null})",
     R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"time":null,)"
     R"("microTime":null,"duration":null,"quantity":null,"intOrString":null,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":null})"},
    {"Presence: OptionalNever: zero", "OptionalNever",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,)"
     R"("time":"0001-01-01T00:00:00Z","microTime":"0001-01-01T00:00:00.000000Z",)"
     R"("duration":"0s","quantity":"0","intOrString":0,"rawExtension":{},)"
     R"("fieldsV1":{},"rawJson":{},"point":{}})",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"time":null,)"
     R"("microTime":null,"duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":{},"fieldsV1":{},"rawJson":{},"point":{}})"},
    {"Presence: OptionalNever: values", "OptionalNever",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"}})",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m0s","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"}})"},
    {"Presence: Zero: absent", "Zero", "{}", "{}"},
    {"Presence: Zero: null", "Zero",
     R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"data":null,)"
     R"("time":null,"microTime":null,"quantity":null,"intOrString":null,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":null,)"
     R"("verbs":null})",
     "{}"},
    {"Presence: Zero: zero", "Zero",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":"",)"
     R"("time":"0001-01-01T00:00:00Z","microTime":"0001-01-01T00:00:00.000000Z",)"
     R"("duration":"0s","quantity":"0","intOrString":0,"rawExtension":{},)"
     R"("fieldsV1":{},"rawJson":{},"point":{},"verbs":[]})",
     R"({"data":"","rawExtension":{},"fieldsV1":{},"rawJson":{},"verbs":[]})"},
    {"Presence: Zero: values", "Zero",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,"data":"YWI=",)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"},"verbs":["get"]})",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,"data":"YWI=",)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m0s","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"},"verbs":["get"]})"},
    {"Presence: OptionalZero: absent", "OptionalZero", "{}", "{}"},
    {"Presence: OptionalZero: null", "OptionalZero",
     R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"time":null,)"
     R"("microTime":null,"duration":null,"quantity":null,"intOrString":null,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":null})",
     "{}"},
    {"Presence: OptionalZero: zero", "OptionalZero",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,)"
     R"("time":"0001-01-01T00:00:00Z","microTime":"0001-01-01T00:00:00.000000Z",)"
     R"("duration":"0s","quantity":"0","intOrString":0,"rawExtension":{},)"
     R"("fieldsV1":{},"rawJson":{},"point":{}})",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"duration":"0s",)"
     R"("intOrString":0,"rawExtension":{},"fieldsV1":{},"rawJson":{},"point":{}})"},
    {"Presence: OptionalZero: values", "OptionalZero",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"}})",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m0s","quantity":"500m","intOrString":"80%",)"
     R"("rawExtension":{"kind":"A"},"fieldsV1":{"f:a":{}},"rawJson":[1],)"
     R"("point":{"x":1,"label":"p"}})"},
    {"Presence: EmptyOrZero: absent", "EmptyOrZero", "{}", "{}"},
    {"Presence: EmptyOrZero: null", "EmptyOrZero",
     R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"data":null,)"
     R"("time":null,"microTime":null,"quantity":null,"intOrString":null,)"
     R"("point":null})",
     "{}"},
    {"Presence: EmptyOrZero: zero", "EmptyOrZero",
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":"",)"
     R"("time":"0001-01-01T00:00:00Z","microTime":"0001-01-01T00:00:00.000000Z",)"
     R"("duration":"0s","quantity":"0","intOrString":0,"point":{}})",
     "{}"},
    {"Presence: EmptyOrZero: values", "EmptyOrZero",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,"data":"YWI=",)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m","quantity":"500m","intOrString":"80%","point":{"x":1,)"
     R"("label":"p"}})",
     R"({"text":"a","flag":true,"small":1,"big":-2,"real":2.5,"data":"YWI=",)"
     R"("time":"2024-05-06T07:08:09Z","microTime":"2024-05-06T07:08:09.000123Z",)"
     R"("duration":"1h30m0s","quantity":"500m","intOrString":"80%","point":{"x":1,)"
     R"("label":"p"}})"},
    {"Presence: null is no duration", "Plain", R"({"duration":null})", ""},
    {"Presence: zero: an empty map in a struct is not zero", "Zero",
     R"({"selector":{"matchLabels":{}}})", R"({"selector":{}})"},
    {"Presence: zero: null in a struct is zero", "Zero",
     R"({"selector":{"matchLabels":null,"matchExpressions":null}})", "{}"},
    {"Presence: zero: quantities of zero", "Zero", R"({"quantity":"0Ki"})", "{}"},
    {"Presence: zero: the text that is empty is not the number 0", "Zero", R"({"intOrString":""})",
     R"({"intOrString":""})"},
    {"Presence: zero: minus zero", "Zero", R"({"real":-0})", "{}"},
    {"Presence: zero: epoch is not the zero time", "Zero",
     R"({"time":"1970-01-01T00:00:00Z","microTime":"1970-01-01T00:00:00.000000Z"})",
     R"({"time":"1970-01-01T00:00:00Z","microTime":"1970-01-01T00:00:00.000000Z"})"},
    {"Presence: optional: a zero time is null", "OptionalZero",
     R"({"time":"0001-01-01T00:00:00Z"})", "{}"},
    {"Presence: null after a value", "EmptyOrZero",
     R"({"text":"a","text":null,"small":1,"small":null,"texts":["a"],"texts":null,)"
     R"("time":"2024-05-06T07:08:09Z","time":null,"intOrString":1,)"
     R"("intOrString":null,"point":{"x":1},"point":null})",
     R"({"text":"a","small":1,"intOrString":1,"point":{"x":1}})"},
    {"Presence: null after a value: optional", "Optional",
     R"({"text":"a","text":null,"small":1,"small":null,"point":{"x":1},"point":null,)"
     R"("quantity":"1","quantity":null})",
     "{}"},
    {"Presence: null after a value: raw", "Zero",
     R"({"rawExtension":{"a":1},"rawExtension":null,"fieldsV1":{"a":1},)"
     R"("fieldsV1":null,"rawJson":{"a":1},"rawJson":null,"verbs":["a"],"verbs":null,)"
     R"("data":"YQ==","data":null})",
     R"({"rawExtension":{"a":1},"fieldsV1":{"a":1},"rawJson":{"a":1}})"},

    // ---- Lists.

    {"Lists: Lists: absent", "Lists", "{}", "{}"},
    {"Lists: Lists: null", "Lists",
     R"({"texts":null,"flags":null,"smalls":null,"bigs":null,"reals":null,)"
     R"("datas":null,"times":null,"microTimes":null,"durations":null,)"
     R"("quantities":null,"intOrStrings":null,"rawExtensions":null,"rawJsons":null,)"
     R"("points":null,"pairs":null,"empties":null,"commands":null})",
     "{}"},
    {"Lists: Lists: empty", "Lists",
     R"({"texts":[],"flags":[],"smalls":[],"bigs":[],"reals":[],"datas":[],)"
     R"("times":[],"microTimes":[],"durations":[],"quantities":[],"intOrStrings":[],)"
     R"("rawExtensions":[],"rawJsons":[],"points":[],"pairs":[],"empties":[],)"
     R"("commands":[]})",
     "{}"},
    {"Lists: Lists: null elements", "Lists",
     R"({"texts":[null],"flags":[null],"smalls":[null],"bigs":[null],"reals":[null],)"
     R"("datas":[null],"times":[null],"microTimes":[null],"quantities":[null],)"
     R"("intOrStrings":[null],"rawExtensions":[null],"rawJsons":[null],)"
     R"("points":[null],"pairs":[null],"empties":[null],"commands":[null]})",
     R"({"texts":[""],"flags":[false],"smalls":[0],"bigs":[0],"reals":[0],)"
     R"("datas":[null],"times":[null],"microTimes":[null],"quantities":["0"],)"
     R"("intOrStrings":[0],"rawExtensions":[null],"rawJsons":[null],"points":[{}],)"
     R"("pairs":[{"key":"","value":0}],"empties":[{}],"commands":[{}]})"},
    {"Lists: Lists: values", "Lists",
     R"({"texts":["a","a"],"flags":[true,true],"smalls":[1,1],"bigs":[-2,-2],)"
     R"("reals":[2.5,2.5],"datas":["YWI=","YWI="],"times":["2024-05-06T07:08:09Z",)"
     R"("2024-05-06T07:08:09Z"],"microTimes":["2024-05-06T07:08:09.000123Z",)"
     R"("2024-05-06T07:08:09.000123Z"],"durations":["1h30m","1h30m"],)"
     R"("quantities":["500m","500m"],"intOrStrings":["80%","80%"],)"
     R"("rawExtensions":[{"kind":"A"},{"kind":"A"}],"rawJsons":[1,1],)"
     R"("points":[{"x":1},{"x":1}],"pairs":[{"key":"k"},{"key":"k"}],"empties":[{},)"
     R"({}],"commands":[{"command":["a"]},{"command":["a"]}]})",
     R"({"texts":["a","a"],"flags":[true,true],"smalls":[1,1],"bigs":[-2,-2],)"
     R"("reals":[2.5,2.5],"datas":["YWI=","YWI="],"times":["2024-05-06T07:08:09Z",)"
     R"("2024-05-06T07:08:09Z"],"microTimes":["2024-05-06T07:08:09.000123Z",)"
     R"("2024-05-06T07:08:09.000123Z"],"durations":["1h30m0s","1h30m0s"],)"
     R"("quantities":["500m","500m"],"intOrStrings":["80%","80%"],)"
     R"("rawExtensions":[{"kind":"A"},{"kind":"A"}],"rawJsons":[1,1],)"
     R"("points":[{"x":1},{"x":1}],"pairs":[{"key":"k","value":0},{"key":"k",)"
     R"("value":0}],"empties":[{},{}],"commands":[{"command":["a"]},)"
     R"({"command":["a"]}]})"},
    {"Lists: ListsNever: absent", "ListsNever", "{}",
     R"({"texts":null,"flags":null,"smalls":null,"bigs":null,"reals":null,)"
     R"("datas":null,"times":null,"quantities":null,"intOrStrings":null,)"
     R"("rawExtensions":null,"points":null})"},
    {"Lists: ListsNever: null", "ListsNever",
     R"({"texts":null,"flags":null,"smalls":null,"bigs":null,"reals":null,)"
     R"("datas":null,"times":null,"quantities":null,"intOrStrings":null,)"
     R"("rawExtensions":null,"points":null})",
     R"({"texts":null,"flags":null,"smalls":null,"bigs":null,"reals":null,)"
     R"("datas":null,"times":null,"quantities":null,"intOrStrings":null,)"
     R"("rawExtensions":null,"points":null})"},
    {"Lists: ListsNever: empty", "ListsNever",
     R"({"texts":[],"flags":[],"smalls":[],"bigs":[],"reals":[],"datas":[],)"
     R"("times":[],"quantities":[],"intOrStrings":[],"rawExtensions":[],"points":[]})",
     R"({"texts":[],"flags":[],"smalls":[],"bigs":[],"reals":[],"datas":[],)"
     R"("times":[],"quantities":[],"intOrStrings":[],"rawExtensions":[],"points":[]})"},
    {"Lists: ListsNever: null elements", "ListsNever",
     R"({"texts":[null],"flags":[null],"smalls":[null],"bigs":[null],"reals":[null],)"
     R"("datas":[null],"times":[null],"quantities":[null],"intOrStrings":[null],)"
     R"("rawExtensions":[null],"points":[null]})",
     R"({"texts":[""],"flags":[false],"smalls":[0],"bigs":[0],"reals":[0],)"
     R"("datas":[null],"times":[null],"quantities":["0"],"intOrStrings":[0],)"
     R"("rawExtensions":[null],"points":[{}]})"},
    {"Lists: ListsNever: values", "ListsNever",
     R"({"texts":["a","a"],"flags":[true,true],"smalls":[1,1],"bigs":[-2,-2],)"
     R"("reals":[2.5,2.5],"datas":["YWI=","YWI="],"times":["2024-05-06T07:08:09Z",)"
     R"("2024-05-06T07:08:09Z"],"quantities":["500m","500m"],"intOrStrings":["80%",)"
     R"("80%"],"rawExtensions":[{"kind":"A"},{"kind":"A"}],"points":[{"x":1},)"
     R"({"x":1}]})",
     R"({"texts":["a","a"],"flags":[true,true],"smalls":[1,1],"bigs":[-2,-2],)"
     R"("reals":[2.5,2.5],"datas":["YWI=","YWI="],"times":["2024-05-06T07:08:09Z",)"
     R"("2024-05-06T07:08:09Z"],"quantities":["500m","500m"],"intOrStrings":["80%",)"
     R"("80%"],"rawExtensions":[{"kind":"A"},{"kind":"A"}],"points":[{"x":1},)"
     R"({"x":1}]})"},
    {"Lists: ListsZero: absent", "ListsZero", "{}", "{}"},
    {"Lists: ListsZero: null", "ListsZero",
     R"({"texts":null,"bigs":null,"quantities":null,"points":null})", "{}"},
    {"Lists: ListsZero: empty", "ListsZero",
     R"({"texts":[],"bigs":[],"quantities":[],"points":[]})",
     R"({"texts":[],"bigs":[],"quantities":[],"points":[]})"},
    {"Lists: ListsZero: null elements", "ListsZero",
     R"({"texts":[null],"bigs":[null],"quantities":[null],"points":[null]})",
     R"({"texts":[""],"bigs":[0],"quantities":["0"],"points":[{}]})"},
    {"Lists: ListsZero: values", "ListsZero",
     R"({"texts":["a","a"],"bigs":[-2,-2],"quantities":["500m","500m"],)"
     R"("points":[{"x":1},{"x":1}]})",
     R"({"texts":["a","a"],"bigs":[-2,-2],"quantities":["500m","500m"],)"
     R"("points":[{"x":1},{"x":1}]})"},
    {"Lists: null is no duration", "Lists", R"({"durations":[null]})", ""},
    {"Lists: a list is no object", "Lists", R"({"texts":{}})", ""},
    {"Lists: a list is no string", "Lists", R"({"texts":"a"})", ""},
    {"Lists: a list is no list of lists", "Lists", R"({"texts":[["a"]]})", ""},
    {"Lists: twice: the last one", "Lists", R"({"texts":["a","b"],"texts":["c"]})",
     R"({"texts":["c"]})"},
    {"Lists: twice: structs", "Lists", R"({"points":[{"x":1,"y":1},{"x":2}],"points":[{"y":3}]})",
     R"({"points":[{"x":1,"y":3}]})"},
    {"Lists: twice: then more structs", "Lists",
     R"({"points":[{"x":1}],"points":[{"y":3},{"y":4}]})", R"({"points":[{"x":1,"y":3},{"y":4}]})"},
    {"Lists: twice: then empty", "ListsNever", R"({"texts":["a"],"texts":[]})",
     R"({"texts":[],"flags":null,"smalls":null,"bigs":null,"reals":null,)"
     R"("datas":null,"times":null,"quantities":null,"intOrStrings":null,)"
     R"("rawExtensions":null,"points":null})"},
    {"Lists: a list that stands for itself", "Zero", R"({"verbs":["get",null,""]})",
     R"({"verbs":["get","",""]})"},
    {"Lists: a list that stands for itself is no object", "Never", R"({"verbs":{"items":["get"]}})",
     ""},
    {"Lists: a list of bytes as numbers", "Zero", R"({"data":[97,98]})", R"({"data":"YWI="})"},

    // ---- Maps.

    {"Maps: Maps: absent", "Maps", "{}", "{}"},
    {"Maps: Maps: null", "Maps",
     R"({"texts":null,"flags":null,"smalls":null,"bigs":null,"reals":null,)"
     R"("datas":null,"times":null,"durations":null,"quantities":null,)"
     R"("intOrStrings":null,"rawExtensions":null,"rawJsons":null,"points":null,)"
     R"("empties":null,"extra":null,"selectors":null})",
     "{}"},
    {"Maps: Maps: empty", "Maps",
     R"({"texts":{},"flags":{},"smalls":{},"bigs":{},"reals":{},"datas":{},)"
     R"("times":{},"durations":{},"quantities":{},"intOrStrings":{},)"
     R"("rawExtensions":{},"rawJsons":{},"points":{},"empties":{},"extra":{},)"
     R"("selectors":{}})",
     "{}"},
    {"Maps: Maps: null values", "Maps",
     R"({"texts":{"a":null},"flags":{"a":null},"smalls":{"a":null},)"
     R"("bigs":{"a":null},"reals":{"a":null},"datas":{"a":null},"times":{"a":null},)"
     R"("quantities":{"a":null},"intOrStrings":{"a":null},)"
     R"("rawExtensions":{"a":null},"rawJsons":{"a":null},"points":{"a":null},)"
     R"("empties":{"a":null},"extra":{"a":null},"selectors":{"a":null}})",
     R"({"texts":{"a":""},"flags":{"a":false},"smalls":{"a":0},"bigs":{"a":0},)"
     R"("reals":{"a":0},"datas":{"a":null},"times":{"a":null},)"
     R"("quantities":{"a":"0"},"intOrStrings":{"a":0},"rawExtensions":{"a":null},)"
     R"("rawJsons":{"a":null},"points":{"a":{}},"empties":{"a":{}},)"
     R"("extra":{"a":null},"selectors":{"a":{}}})"},
    {"Maps: Maps: values", "Maps",
     R"({"texts":{"b":"a","a":"a"},"flags":{"b":true,"a":true},"smalls":{"b":1,)"
     R"("a":1},"bigs":{"b":-2,"a":-2},"reals":{"b":2.5,"a":2.5},"datas":{"b":"YWI=",)"
     R"("a":"YWI="},"times":{"b":"2024-05-06T07:08:09Z","a":"2024-05-06T07:08:09Z"},)"
     R"("durations":{"b":"1h30m","a":"1h30m"},"quantities":{"b":"500m","a":"500m"},)"
     R"("intOrStrings":{"b":"80%","a":"80%"},"rawExtensions":{"b":{"kind":"A"},)"
     R"("a":{"kind":"A"}},"rawJsons":{"b":1,"a":1},"points":{"b":{"x":1},)"
     R"("a":{"x":1}},"empties":{"b":{},"a":{}},"extra":{"b":["a"],"a":["a"]},)"
     R"("selectors":{"b":{"matchLabels":{"a":"b"}},"a":{"matchLabels":{"a":"b"}}}})",
     R"({"texts":{"a":"a","b":"a"},"flags":{"a":true,"b":true},"smalls":{"a":1,)"
     R"("b":1},"bigs":{"a":-2,"b":-2},"reals":{"a":2.5,"b":2.5},"datas":{"a":"YWI=",)"
     R"("b":"YWI="},"times":{"a":"2024-05-06T07:08:09Z","b":"2024-05-06T07:08:09Z"},)"
     R"("durations":{"a":"1h30m0s","b":"1h30m0s"},"quantities":{"a":"500m",)"
     R"("b":"500m"},"intOrStrings":{"a":"80%","b":"80%"},)"
     R"("rawExtensions":{"a":{"kind":"A"},"b":{"kind":"A"}},"rawJsons":{"a":1,)"
     R"("b":1},"points":{"a":{"x":1},"b":{"x":1}},"empties":{"a":{},"b":{}},)"
     R"("extra":{"a":["a"],"b":["a"]},"selectors":{"a":{"matchLabels":{"a":"b"}},)"
     R"("b":{"matchLabels":{"a":"b"}}}})"},
    {"Maps: MapsNever: absent", "MapsNever", "{}",
     R"({"texts":null,"flags":null,"bigs":null,"datas":null,"quantities":null,)"
     R"("points":null,"extra":null})"},
    {"Maps: MapsNever: null", "MapsNever",
     R"({"texts":null,"flags":null,"bigs":null,"datas":null,"quantities":null,)"
     R"("points":null,"extra":null})",
     R"({"texts":null,"flags":null,"bigs":null,"datas":null,"quantities":null,)"
     R"("points":null,"extra":null})"},
    {"Maps: MapsNever: empty", "MapsNever",
     R"({"texts":{},"flags":{},"bigs":{},"datas":{},"quantities":{},"points":{},)"
     R"("extra":{}})",
     R"({"texts":{},"flags":{},"bigs":{},"datas":{},"quantities":{},"points":{},)"
     R"("extra":{}})"},
    {"Maps: MapsNever: null values", "MapsNever",
     R"({"texts":{"a":null},"flags":{"a":null},"bigs":{"a":null},"datas":{"a":null},)"
     R"("quantities":{"a":null},"points":{"a":null},"extra":{"a":null}})",
     R"({"texts":{"a":""},"flags":{"a":false},"bigs":{"a":0},"datas":{"a":null},)"
     R"("quantities":{"a":"0"},"points":{"a":{}},"extra":{"a":null}})"},
    {"Maps: MapsNever: values", "MapsNever",
     R"({"texts":{"b":"a","a":"a"},"flags":{"b":true,"a":true},"bigs":{"b":-2,)"
     R"("a":-2},"datas":{"b":"YWI=","a":"YWI="},"quantities":{"b":"500m",)"
     R"("a":"500m"},"points":{"b":{"x":1},"a":{"x":1}},"extra":{"b":["a"],)"
     R"("a":["a"]}})",
     R"({"texts":{"a":"a","b":"a"},"flags":{"a":true,"b":true},"bigs":{"a":-2,)"
     R"("b":-2},"datas":{"a":"YWI=","b":"YWI="},"quantities":{"a":"500m",)"
     R"("b":"500m"},"points":{"a":{"x":1},"b":{"x":1}},"extra":{"a":["a"],)"
     R"("b":["a"]}})"},
    {"Maps: MapsZero: absent", "MapsZero", "{}", "{}"},
    {"Maps: MapsZero: null", "MapsZero", R"({"texts":null,"quantities":null,"points":null})", "{}"},
    {"Maps: MapsZero: empty", "MapsZero", R"({"texts":{},"quantities":{},"points":{}})",
     R"({"texts":{},"quantities":{},"points":{}})"},
    {"Maps: MapsZero: null values", "MapsZero",
     R"({"texts":{"a":null},"quantities":{"a":null},"points":{"a":null}})",
     R"({"texts":{"a":""},"quantities":{"a":"0"},"points":{"a":{}}})"},
    {"Maps: MapsZero: values", "MapsZero",
     R"({"texts":{"b":"a","a":"a"},"quantities":{"b":"500m","a":"500m"},)"
     R"("points":{"b":{"x":1},"a":{"x":1}}})",
     R"({"texts":{"a":"a","b":"a"},"quantities":{"a":"500m","b":"500m"},)"
     R"("points":{"a":{"x":1},"b":{"x":1}}})"},
    {"Maps: keys in order of bytes", "Maps",
     "{\"texts\":{\"b\":\"1\",\"a\":\"2\",\"B\":\"3\",\"\":\"4\",\"aa\":\"5\",\"\303\251\":\"6\","
     "\"~\":\"7\","
     "\"\360\237\230\200\":\"8\",\"\357\277\256\":\"9\"}}",
     "{\"texts\":{\"\":\"4\",\"B\":\"3\",\"a\":\"2\",\"aa\":\"5\",\"b\":\"1\",\"~\":\"7\","
     "\"\303\251\":\"6\","
     "\"\357\277\256\":\"9\",\"\360\237\230\200\":\"8\"}}"},
    {"Maps: a key twice: the last one", "Maps", R"({"texts":{"a":"1","b":"2","a":"3"}})",
     R"({"texts":{"a":"3","b":"2"}})"},
    {"Maps: a key twice: once escaped", "Maps", R"({"texts":{"a":"1","\u0061":"2"}})",
     R"({"texts":{"a":"2"}})"},
    {"Maps: a key twice: structs are replaced", "Maps", R"({"points":{"a":{"x":1},"a":{"y":2}}})",
     R"({"points":{"a":{"y":2}}})"},
    {"Maps: a key twice: null", "Maps",
     R"({"texts":{"a":"1","a":null},"points":{"a":{"x":1},"a":null}})",
     R"({"texts":{"a":""},"points":{"a":{}}})"},
    {"Maps: a map twice: both", "Maps", R"({"texts":{"a":"1","b":"2"},"texts":{"b":"3","c":"4"}})",
     R"({"texts":{"a":"1","b":"3","c":"4"}})"},
    {"Maps: a map twice: then null", "Maps", R"({"texts":{"a":"1"},"texts":null})", "{}"},
    {"Maps: a key is escaped as HTML", "Maps", R"({"texts":{"<a>&":"<b>&"}})",
     R"({"texts":{"\u003ca\u003e\u0026":"\u003cb\u003e\u0026"}})"},
    {"Maps: a map is no list", "Maps", R"({"texts":[]})", ""},
    {"Maps: a number is no key", "Maps", R"({"texts":{1:"a"}})", ""},
    {"Maps: a lists of a map: null, empty", "Maps", R"({"extra":{"a":null,"b":[],"c":["d"]}})",
     R"({"extra":{"a":null,"b":[],"c":["d"]}})"},

    // ---- Structs.

    {"Structs: absent", "Structs", "{}",
     R"({"value":{},"valueOfNever":{"key":"","value":0},"valueOfNothing":{},)"
     R"("never":{},"boxNever":null,"metadata":{},"metadataNever":{},)"
     R"("condition":{"type":"","status":"","lastTransitionTime":null,"reason":"",)"
     R"("message":""},"deep":{"two":{}}})"},
    {"Structs: null", "Structs",
     R"({"value":null,"valueOfNever":null,"never":null,"zero":null,"box":null,)"
     R"("boxNever":null,"boxZero":null,"metadata":null,"metadataNever":null,)"
     R"("condition":null,"deep":null})",
     R"({"value":{},"valueOfNever":{"key":"","value":0},"valueOfNothing":{},)"
     R"("never":{},"boxNever":null,"metadata":{},"metadataNever":{},)"
     R"("condition":{"type":"","status":"","lastTransitionTime":null,"reason":"",)"
     R"("message":""},"deep":{"two":{}}})"},
    {"Structs: empty", "Structs",
     R"({"value":{},"valueOfNever":{},"valueOfNothing":{},"never":{},"zero":{},)"
     R"("box":{},"boxNever":{},"boxZero":{},"boxOfNothing":{},"metadata":{},)"
     R"("metadataNever":{},"condition":{},"deep":{}})",
     R"({"value":{},"valueOfNever":{"key":"","value":0},"valueOfNothing":{},)"
     R"("never":{},"box":{},"boxNever":{},"boxZero":{},"boxOfNothing":{},)"
     R"("metadata":{},"metadataNever":{},"condition":{"type":"","status":"",)"
     R"("lastTransitionTime":null,"reason":"","message":""},"deep":{"two":{}}})"},
    {"Structs: values", "Structs",
     R"({"value":{"x":1},"valueOfNever":{"key":"a","value":2},"never":{"y":3},)"
     R"("zero":{"label":"z"},"box":{"x":4},"boxNever":{"x":5},"boxZero":{"x":6}})",
     R"({"value":{"x":1},"valueOfNever":{"key":"a","value":2},"valueOfNothing":{},)"
     R"("never":{"y":3},"zero":{"label":"z"},"box":{"x":4},"boxNever":{"x":5},)"
     R"("boxZero":{"x":6},"metadata":{},"metadataNever":{},"condition":{"type":"",)"
     R"("status":"","lastTransitionTime":null,"reason":"","message":""},)"
     R"("deep":{"two":{}}})"},
    {"Structs: metadata with a creation time", "Structs",
     R"({"metadata":{"creationTimestamp":"2024-05-06T07:08:09Z"},)"
     R"("metadataNever":{"creationTimestamp":null}})",
     R"({"value":{},"valueOfNever":{"key":"","value":0},"valueOfNothing":{},)"
     R"("never":{},"boxNever":null,)"
     R"("metadata":{"creationTimestamp":"2024-05-06T07:08:09Z"},"metadataNever":{},)"
     R"("condition":{"type":"","status":"","lastTransitionTime":null,"reason":"",)"
     R"("message":""},"deep":{"two":{}}})"},
    {"Structs: a condition without a time", "Structs",
     R"({"condition":{"type":"Ready","lastTransitionTime":null}})",
     R"({"value":{},"valueOfNever":{"key":"","value":0},"valueOfNothing":{},)"
     R"("never":{},"boxNever":null,"metadata":{},"metadataNever":{},)"
     R"("condition":{"type":"Ready","status":"","lastTransitionTime":null,)"
     R"("reason":"","message":""},"deep":{"two":{}}})"},
    {"Structs: a struct twice is merged", "EmptyOrZero",
     R"({"point":{"x":1,"label":"a"},"point":{"y":2}})", R"({"point":{"x":1,"y":2,"label":"a"}})"},
    {"Structs: an optional struct twice is merged", "Optional",
     R"({"point":{"x":1},"point":{"y":2}})", R"({"point":{"x":1,"y":2}})"},
    {"Structs: an optional struct, null, and again", "Optional",
     R"({"point":{"x":1},"point":null,"point":{"y":2}})", R"({"point":{"y":2}})"},
    {"Structs: a struct by value, null, and again", "EmptyOrZero",
     R"({"point":{"x":1},"point":null,"point":{"y":2}})", R"({"point":{"x":1,"y":2}})"},
    {"Structs: a struct is no list", "EmptyOrZero", R"({"point":[]})", ""},
    {"Structs: a struct is no string", "EmptyOrZero", R"({"point":""})", ""},
    {"Structs: a struct is no number", "EmptyOrZero", R"({"point":1})", ""},
    {"Structs: four deep", "Structs",
     R"({"deep":{"two":{"three":{"texts":["a"],"again":{"two":{"before":1}}},)"
     R"("before":2},"after":3}})",
     R"({"value":{},"valueOfNever":{"key":"","value":0},"valueOfNothing":{},)"
     R"("never":{},"boxNever":null,"metadata":{},"metadataNever":{},)"
     R"("condition":{"type":"","status":"","lastTransitionTime":null,"reason":"",)"
     R"("message":""},"deep":{"two":{"before":2,"three":{"texts":["a"],)"
     R"("again":{"two":{"before":1}}}},"after":3}})"},
    {"Structs: managed fields", "ObjectMeta",
     R"({"managedFields":[{"manager":"m","operation":"Update",)"
     R"("time":"2024-05-06T07:08:09Z","fieldsType":"FieldsV1",)"
     R"("fieldsV1":{"f:spec":{"f:a":{}}}},{"fieldsV1":null},{}]})",
     R"({"managedFields":[{"manager":"m","operation":"Update",)"
     R"("time":"2024-05-06T07:08:09Z","fieldsType":"FieldsV1",)"
     R"("fieldsV1":{"f:spec":{"f:a":{}}}},{},{}]})"},

    // ---- Inline.

    {"Inline: no member", "Inlines", "{}", R"({"outer":{"middleFirst":"","innerPoint":{}}})"},
    {"Inline: members of both", "Inlines",
     R"({"volumes":[{"nfs":{"key":"k"},"name":"v","hostPath":{},"rbd":null,)"
     R"("configMap":[]}]})",
     R"({"volumes":[{"name":"v","hostPath":{},"nfs":{"key":"k","value":0}}],)"
     R"("outer":{"middleFirst":"","innerPoint":{}}})"},
    {"Inline: the name of the struct is unknown", "Inlines",
     R"({"volumes":[{"name":"v","source":{"hostPath":{}}}],)"
     R"("probe":{"handler":{"exec":{}}}})",
     R"({"volumes":[{"name":"v"}],"probe":{},"outer":{"middleFirst":"",)"
     R"("innerPoint":{}}})"},
    {"Inline: inline before others", "Inlines",
     R"({"probe":{"graceSeconds":0,"httpGet":{"port":"http"},"periodSeconds":1}})",
     R"({"probe":{"httpGet":{"port":"http"},"periodSeconds":1,"graceSeconds":0},)"
     R"("outer":{"middleFirst":"","innerPoint":{}}})"},
    {"Inline: two levels", "Inlines",
     R"({"outer":{"last":"z","innerMap":{"a":"b"},"middleList":["m"],"first":"a",)"
     R"("innerNumber":1,"middleLast":"n","innerPoint":{"x":1}}})",
     R"({"outer":{"first":"a","middleFirst":"","innerNumber":1,"innerMap":{"a":"b"},)"
     R"("innerPoint":{"x":1},"middleLast":"n","middleList":["m"],"last":"z"}})"},
    {"Inline: two levels in a map", "Inlines", R"({"outers":{"a":{"innerNumber":1},"b":null}})",
     R"({"outer":{"middleFirst":"","innerPoint":{}},"outers":{"a":{"middleFirst":"",)"
     R"("innerNumber":1,"innerPoint":{}},"b":{"middleFirst":"","innerPoint":{}}}})"},
    {"Inline: a member twice", "Inlines",
     R"({"outer":{"innerPoint":{"x":1},"innerPoint":{"y":1}}})",
     R"({"outer":{"middleFirst":"","innerPoint":{"x":1,"y":1}}})"},

    // ---- Names.

    {"Names: every name of Keywords", "Keywords",
     R"({"namespace":"1","default":"2","continue":"3","operator":"4","linux":"5",)"
     R"("minor":"6","major":"7","template":"8","class":"9","delete":"10",)"
     R"("stdin":true,"enum":"12","not":"13","private":"14","register":"15",)"
     R"("unix":"16","errno":"17","int":"18","string":"19","list":"20","map":"21",)"
     R"("optional":"22","concept":"23","kMessage":"24","std":"25","kube":"26"})",
     R"({"namespace":"1","default":"2","continue":"3","operator":"4","linux":"5",)"
     R"("minor":"6","major":"7","template":"8","class":"9","delete":"10",)"
     R"("stdin":true,"enum":"12","not":"13","private":"14","register":"15",)"
     R"("unix":"16","errno":"17","int":"18","string":"19","list":"20","map":"21",)"
     R"("optional":"22","concept":"23","kMessage":"24","std":"25","kube":"26"})"},
    {"Names: every name of JsonNames", "JsonNames",
     R"({"hostIPC":true,"hostPID":true,"$ref":"r","$schema":"s",)"
     R"("x-kubernetes-preserve-unknown-fields":false,)"
     R"("x-kubernetes-list-map-keys":["a"],"Upper":"U","upper":"u","snake_case":"c",)"
     R"("a.b":"d","x":"e"})",
     R"({"hostIPC":true,"hostPID":true,"$ref":"r","$schema":"s",)"
     R"("x-kubernetes-preserve-unknown-fields":false,)"
     R"("x-kubernetes-list-map-keys":["a"],"Upper":"U","upper":"u","snake_case":"c",)"
     R"("a.b":"d","x":"e"})"},
    {"Names: names in other case are unknown", "JsonNames",
     R"({"hostIpc":true,"HOSTPID":true,"Snake_Case":"a","X":"b","UPPER":"c"})", "{}"},
    {"Names: names of the IDL and of Go are unknown", "JsonNames",
     R"({"host_ipc":true,"HostIPC":true,"ref":"a","snake":"b","one_letter":"c"})", "{}"},
    {"Names: a name with an escape", "JsonNames",
     R"({"\u0024ref":"a","snake\u005fcase":"b","\u0078":"c"})",
     R"({"$ref":"a","snake_case":"b","x":"c"})"},
    {"Names: every name of LongNames", "LongNames",
     R"({"terminationMessagePolity":"5","terminationMessagePolicy":"4",)"
     R"("terminationMessagePath":"3","terminationMessage":"2","termination":"1",)"
     R"("terminationGracePeriodSecondt":7,"terminationGracePeriodSeconds":6,)"
     R"("eightLeu":"9","eightLet":"8","eightLetters":"10","sixteenLettersOh":"12",)"
     R"("sixteenLettersOk":"11","sixteenLettersOks":"13","ba":"17","ab":"16",)"
     R"("aa":"15","a":"14","requiredDuringSchedulingRequiredDuringExecution":"20",)"
     R"("preferredDuringSchedulingIgnoredDuringExecution":"19",)"
     R"("requiredDuringSchedulingIgnoredDuringExecution":"18"})",
     R"({"termination":"1","terminationMessage":"2","terminationMessagePath":"3",)"
     R"("terminationMessagePolicy":"4","terminationMessagePolity":"5",)"
     R"("terminationGracePeriodSeconds":6,"terminationGracePeriodSecondt":7,)"
     R"("eightLet":"8","eightLeu":"9","eightLetters":"10","sixteenLettersOk":"11",)"
     R"("sixteenLettersOh":"12","sixteenLettersOks":"13","a":"14","aa":"15",)"
     R"("ab":"16","ba":"17","requiredDuringSchedulingIgnoredDuringExecution":"18",)"
     R"("preferredDuringSchedulingIgnoredDuringExecution":"19",)"
     R"("requiredDuringSchedulingRequiredDuringExecution":"20"})"},
    {"Names: prefixes of names are unknown", "LongNames",
     R"({"terminatio":"1","terminationMessageP":"2","eightLe":"3",)"
     R"("sixteenLettersO":"4","":"5",)"
     R"("requiredDuringSchedulingIgnoredDuringExecutio":"6"})",
     "{}"},
    {"Names: names that begin with names are unknown", "LongNames",
     R"({"terminations":"1","terminationMessagePaths":"2","eightLets":"3",)"
     R"("sixteenLettersOksy":"4","aaa":"5","a\u0000":"6"})",
     "{}"},
    {"Names: bytes that are no UTF-8 in a name", "LongNames",
     "{\"a\377\":\"1\",\"b\":\"2\",\"ba\":\"3\"}", R"({"ba":"3"})"},
    {"Names: order of members does not matter", "LongNames", R"({"ba":"1","a":"2","aa":"3"})",
     R"({"a":"2","aa":"3","ba":"1"})"},
    {"Names: more than 64 fields", "Wide",
     R"({"f70":"z","f69":"y","f68":[{"x":1}],"f67":5,"f65":"w","f64":"v","f63":"u",)"
     R"("f60":false,"f48":{},"f44":{"a":"b"},"f36":["c"],"f24":0,"f16":1,"f08":"h",)"
     R"("f01":"a"})",
     R"({"f01":"a","f08":"h","f16":1,"f24":0,"f36":["c"],"f44":{"a":"b"},"f48":{},)"
     R"("f60":false,"f61":"","f62":"","f63":"u","f64":"v","f65":"w","f67":5,)"
     R"("f68":[{"x":1}],"f69":"y","f70":"z"})"},

    // ---- Recursion and forms.

    {"Recursion and forms: a schema in each way", "Schema",
     R"({"type":"object","not":{"type":"a"},"allOf":[{"id":"b"},{}],)"
     R"("properties":{"c":{"maximum":0}},"enum":[1,"a",null],"default":null,)"
     R"("$ref":""})",
     R"({"$ref":"","type":"object","enum":[1,"a",null],"allOf":[{"id":"b",)"
     R"("additionalItems":false},{"additionalItems":false}],"not":{"type":"a",)"
     R"("additionalItems":false},"properties":{"c":{"maximum":0,)"
     R"("additionalItems":false}},"additionalItems":false})"},
    {"Recursion and forms: or bool: true", "Schema", R"({"additionalProperties":true})",
     R"({"additionalProperties":true,"additionalItems":false})"},
    {"Recursion and forms: or bool: false", "Schema", R"({"additionalProperties":false})",
     R"({"additionalProperties":false,"additionalItems":false})"},
    {"Recursion and forms: or bool: a schema", "Schema", R"({"additionalProperties":{"type":"a"}})",
     R"({"additionalProperties":{"type":"a","additionalItems":false},)"
     R"("additionalItems":false})"},
    {"Recursion and forms: or bool: an empty schema", "Schema", R"({"additionalProperties":{}})",
     R"({"additionalProperties":{"additionalItems":false},"additionalItems":false})"},
    {"Recursion and forms: or bool: null", "Schema", R"({"additionalProperties":null})",
     R"({"additionalItems":false})"},
    {"Recursion and forms: or bool: a list", "Schema", R"({"additionalProperties":[]})", ""},
    {"Recursion and forms: or bool: a string", "Schema", R"({"additionalProperties":"true"})", ""},
    {"Recursion and forms: or bool: a number", "Schema", R"({"additionalProperties":1})", ""},
    {"Recursion and forms: or array: a schema", "Schema", R"({"items":{"type":"a"}})",
     R"({"items":{"type":"a","additionalItems":false},"additionalItems":false})"},
    {"Recursion and forms: or array: an empty schema", "Schema", R"({"items":{}})",
     R"({"items":{"additionalItems":false},"additionalItems":false})"},
    {"Recursion and forms: or array: a list", "Schema", R"({"items":[{"type":"a"},{}]})",
     R"({"items":[{"type":"a","additionalItems":false},{"additionalItems":false}],)"
     R"("additionalItems":false})"},
    {"Recursion and forms: or array: an empty list", "Schema", R"({"items":[]})",
     R"({"items":null,"additionalItems":false})"},
    {"Recursion and forms: or array: null", "Schema", R"({"items":null})",
     R"({"additionalItems":false})"},
    {"Recursion and forms: or array: true", "Schema", R"({"items":true})",
     R"({"items":null,"additionalItems":false})"},
    {"Recursion and forms: or array: a string", "Schema", R"({"items":"a"})",
     R"({"items":null,"additionalItems":false})"},
    {"Recursion and forms: or array: a number", "Schema", R"({"items":5})",
     R"({"items":null,"additionalItems":false})"},
    {"Recursion and forms: or array: a list of no schemas", "Schema", R"({"items":[1]})", ""},
    {"Recursion and forms: or array: a wrong schema", "Schema", R"({"items":{"type":1}})", ""},
    {"Recursion and forms: or string array: a schema", "Schema",
     R"({"dependencies":{"k":{"type":"a"}}})",
     R"({"dependencies":{"k":{"type":"a","additionalItems":false}},)"
     R"("additionalItems":false})"},
    {"Recursion and forms: or string array: a list", "Schema",
     R"({"dependencies":{"k":["b","a"]}})",
     R"({"dependencies":{"k":["b","a"]},"additionalItems":false})"},
    {"Recursion and forms: or string array: an empty list", "Schema",
     R"({"dependencies":{"k":[]}})", R"({"dependencies":{"k":null},"additionalItems":false})"},
    {"Recursion and forms: or string array: null", "Schema", R"({"dependencies":{"k":null}})",
     R"({"dependencies":{"k":null},"additionalItems":false})"},
    {"Recursion and forms: or string array: true", "Schema", R"({"dependencies":{"k":true}})",
     R"({"dependencies":{"k":null},"additionalItems":false})"},
    {"Recursion and forms: or string array: a list of no strings", "Schema",
     R"({"dependencies":{"k":[1]}})", ""},
    {"Recursion and forms: by value: null", "Schema", R"({"additionalItems":null})", ""},
    {"Recursion and forms: by value: true", "Schema", R"({"additionalItems":true})",
     R"({"additionalItems":true})"},
    {"Recursion and forms: by value: a schema", "Schema", R"({"additionalItems":{"type":"a"}})",
     R"({"additionalItems":{"type":"a","additionalItems":false}})"},
    {"Recursion and forms: names in other case within a form", "Schema",
     R"({"items":{"Type":"a"},"additionalProperties":{"TYPE":"b"}})",
     R"({"items":{"additionalItems":false},)"
     R"("additionalProperties":{"additionalItems":false},"additionalItems":false})"},
    {"Recursion and forms: white space in a form", "Schema",
     R"({"items": [ { "type" : "a" } ] ,"additionalProperties": true })",
     R"({"items":[{"type":"a","additionalItems":false}],"additionalProperties":true,)"
     R"("additionalItems":false})"},

    // ---- Kinds.

    {"Kinds: nothing", "Sink", "{}", R"({"metadata":{},"spec":{},"status":{}})"},
    {"Kinds: apiVersion and kind come first", "Sink",
     R"({"spec":{},"kind":"Sink","apiVersion":"kitchen.example.com/v1"})",
     R"({"kind":"Sink","apiVersion":"kitchen.example.com/v1","metadata":{},)"
     R"("spec":{},"status":{}})"},
    {"Kinds: another kind", "Sink", R"({"kind":"Tap","apiVersion":"v1"})",
     R"({"kind":"Tap","apiVersion":"v1","metadata":{},"spec":{},"status":{}})"},
    {"Kinds: null", "Sink",
     R"({"kind":null,"apiVersion":null,"metadata":null,"spec":null,"status":null})",
     R"({"metadata":{},"spec":{},"status":{}})"},
    {"Kinds: apiVersion is no number", "Sink", R"({"apiVersion":1})", ""},
    {"Kinds: a list without items", "SinkList", R"({"kind":"SinkList"})",
     R"({"kind":"SinkList","metadata":{},"items":null})"},
    {"Kinds: a list with no items", "SinkList", R"({"items":[]})", R"({"metadata":{},"items":[]})"},
    {"Kinds: a list with items", "SinkList",
     R"({"metadata":{"continue":"c","remainingItemCount":0},)"
     R"("items":[{"metadata":{"name":"a"}},null]})",
     R"({"metadata":{"continue":"c","remainingItemCount":0},)"
     R"("items":[{"metadata":{"name":"a"},"spec":{},"status":{}},{"metadata":{},)"
     R"("spec":{},"status":{}}]})"},
    {"Kinds: a kind without metadata", "DrainOptions",
     R"({"kind":"DrainOptions","apiVersion":"kitchen.example.com/v1",)"
     R"("gracePeriodSeconds":0,"dryRun":[],"metadata":{}})",
     R"({"kind":"DrainOptions","apiVersion":"kitchen.example.com/v1",)"
     R"("gracePeriodSeconds":0})"},
    {"Kinds: a struct with apiVersion and kind", "Typed",
     R"({"name":"n","kind":"K","apiVersion":"v1"})",
     R"({"kind":"K","apiVersion":"v1","name":"n"})"},
    {"Kinds: a small kind", "Tap", R"({"metadata":{},"open":true,"flow":"1Ki"})",
     R"({"metadata":{},"open":true,"flow":"1Ki"})"},
    {"Kinds: a workload", "Workload",
     R"({"replicas":0,"paused":false,"selector":{},"template":{"parts":[]},)"
     R"("args":[],"labels":{},"capacity":"0"})",
     R"({"replicas":0,"selector":{},"template":{"metadata":{},"parts":[]},)"
     R"("capacity":"0"})"},
    {"Kinds: members of one format", "OneFormat", R"({"both":"a","onlyWire":"b","onlyJson":"c"})",
     R"({"both":"a","onlyJson":"c"})"},
};

}  // namespace

absl::Span<const KitchenCase> ShapeCases() { return kShapeCases; }

}  // namespace kube::oracle
