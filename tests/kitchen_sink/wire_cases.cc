#include "tests/kitchen_sink/wire_cases.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::oracle {
namespace {

struct Row {
  absl::string_view name;
  absl::string_view type;
  absl::string_view hex;  // spaces between fields
  WireCase::Result result;
  absl::string_view json;
};

constexpr Row kRows[] = {
    {"Nothing", "Point", "", WireCase::kRead, "{}"},
    {"Every field", "Point", "0801 10feffffffffffffffff01 1a0161", WireCase::kRead,
     R"({"x":1,"y":-2,"label":"a"})"},
    {"Fields in reverse", "Point", "1a0161 1002 0801", WireCase::kRead,
     R"({"x":1,"y":2,"label":"a"})"},
    {"Fields twice: the last one", "Point", "0801 1a0161 0802 1a0162", WireCase::kRead,
     R"({"x":2,"label":"b"})"},
    {"Zeros that are written", "Point", "0800 1000 1a00", WireCase::kRead, "{}"},
    {"Every field of Plain", "Plain",
     "0a0174 1001 18fdffffffffffffffff01 20fcffffffffffffffff01 "
     "29000000000000f83f 320200ff 3a020801 4205080110e807 4a0308dc0b "
     "52050a03314b69 5a07080110001a0173 62090a077b2261223a317d 6a040a027b7d "
     "72040a025b5d 7a020809 8201050a03676574",
     WireCase::kRead,
     "{\"text\":\"t\",\"flag\":true,\"small\":-3,\"big\":-4,\"real\":1.5,\"data\":\"AP8=\","
     "\"time\":\"1970-01-01T00:00:01Z\",\"microTime\":\"1970-01-01T00:00:01.000001Z\","
     "\"duration\":\"1.5\302\265s\",\"quantity\":\"1Ki\",\"intOrString\":\"s\","
     "\"rawExtension\":{\"a\":1},\"fieldsV1\":{},\"rawJson\":[],\"point\":{\"x\":9},"
     "\"verbs\":[\"get\"]}"},
    {"Every field of Optional", "Optional",
     "0a00 1000 1800 2000 290000000000000000 3a00 4200 4a00 52030a0130 5a00 6200 "
     "6a00 7200 7a00",
     WireCase::kRead,
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"time":null,)"
     R"("microTime":null,"duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":{}})"},
    {"Varint: bool of 2", "Wide", "c80102", WireCase::kRead,
     R"({"f25":true,"f61":"","f62":"","f65":"","f67":0})"},
    {"Varint: bool of 2^35", "Wide", "c801808080808001", WireCase::kRead,
     R"({"f25":true,"f61":"","f62":"","f65":"","f67":0})"},
    {"Varint: bool of 256", "Wide", "c8018002", WireCase::kRead,
     R"({"f25":true,"f61":"","f62":"","f65":"","f67":0})"},
    {"Varint: bool of 2^63", "Wide", "c80180808080808080808001", WireCase::kRead,
     R"({"f25":true,"f61":"","f62":"","f65":"","f67":0})"},
    {"Varint: int32 of ten bytes", "Point", "08ffffffffffffffffff01", WireCase::kRead,
     R"({"x":-1})"},
    {"Varint: int32 of five bytes", "Point", "08 ffffffff0f", WireCase::kRead, R"({"x":-1})"},
    {"Varint: int32 of more than 32 bits", "Point", "088580808010", WireCase::kRead, R"({"x":5})"},
    {"Varint: int32 of 2^31", "Point", "088080808008", WireCase::kRead, R"({"x":-2147483648})"},
    {"Varint: two bytes for one", "Point", "08 8100", WireCase::kRead, R"({"x":1})"},
    {"Varint: ten bytes for one", "Point", "08 81808080808080808000", WireCase::kRead,
     R"({"x":1})"},
    {"Varint: ten bytes, more than 64 bits", "Point", "08 ffffffffffffffffff7f", WireCase::kRead,
     R"({"x":-1})"},
    {"Varint: eleven bytes", "Point", "08 ffffffffffffffffffff01", WireCase::kRefused, ""},
    {"Varint: cut off", "Point", "08 81", WireCase::kRefused, ""},
    {"Varint: nothing after the tag", "Point", "08", WireCase::kRefused, ""},
    {"Varint: greatest int64", "Pair", "10ffffffffffffffff7f", WireCase::kRead,
     R"({"key":"","value":9223372036854775807})"},
    {"Varint: least int64", "Pair", "1080808080808080808001", WireCase::kRead,
     R"({"key":"","value":-9223372036854775808})"},
    {"Tag: two bytes for one", "Point", "880005", WireCase::kRead, R"({"x":5})"},
    {"Tag: cut off", "Point", "88", WireCase::kRefused, ""},
    {"Tag: eleven bytes", "Point", "888080808080808080800005", WireCase::kRefused, ""},
    {"Tag: number 0", "Point", "0005", WireCase::kRefused, ""},
    {"Tag: number 0, of bytes", "Point", "0200", WireCase::kRefused, ""},
    {"Tag: greatest number", "Point", "f8ffffff0f 05", WireCase::kRead, "{}"},
    {"Tag: number of more than 29 bits", "Point", "8880808010 05", WireCase::kRead, "{}"},
    {"Tag: number of more than 32 bits", "Point", "888080808001 05", WireCase::kRead, R"({"x":5})"},
    {"Tag: two, three bytes", "Numbers",
     "800110 a206060a016b120176 fa7f0162 8280010163 82d30e0164 faff0f020801 "
     "e212021002",
     WireCase::kRead,
     R"({"thirtyThousand":"d","sixteen":16,"twoThousandAndFortyEight":"c",)"
     R"("twoThousandAndFortySeven":"b","hundred":{"k":"v"},"seventeen":{},)"
     R"("threeHundred":[{"y":2}],"greatest":{"x":1}})"},
    {"Length: beyond the end", "Point", "1a 05 6162", WireCase::kRefused, ""},
    {"Length: negative", "Point", "1a ffffffffffffffffff01 6162", WireCase::kRefused, ""},
    {"Length: 2^63 - 1", "Point", "1a ffffffffffffffff7f 6162", WireCase::kRefused, ""},
    {"Length: 2^31", "Point", "1a 8080808008 6162", WireCase::kRefused, ""},
    {"Length: cut off", "Point", "1a 80", WireCase::kRefused, ""},
    {"Length: two bytes for one", "Point", "1a 810061", WireCase::kRead, R"({"label":"a"})"},
    {"Length: of a message beyond the end", "Structs", "0a 09 0801", WireCase::kRefused, ""},
    {"Length: of a message beyond its parent", "Structs", "6a030a0208 01", WireCase::kRefused, ""},
    {"Double", "Wide", "a9030000000000000440 b1030000000000000080 b9030100000000000000",
     WireCase::kRead, R"({"f53":2.5,"f55":5e-324,"f61":"","f62":"","f65":"","f67":0})"},
    {"Double: cut off", "Wide", "a903 000000", WireCase::kRefused, ""},
    {"Double: NaN has no JSON", "Wide", "a903000000000000f87f", WireCase::kNoJson, ""},
    {"Double: infinity has no JSON", "Wide", "a903000000000000f07f", WireCase::kNoJson, ""},
    {"Text: bytes that are no UTF-8", "Point", "1a0361ff62", WireCase::kRead,
     R"({"label":"a\ufffdb"})"},
    {"Text: a surrogate", "Point", "1a03eda080", WireCase::kRead,
     R"({"label":"\ufffd\ufffd\ufffd"})"},
    {"Text: NUL", "Point", "1a03610062", WireCase::kRead, R"({"label":"a\u0000b"})"},
    {"Wire type: varint for text", "Point", "1801", WireCase::kRefused, ""},
    {"Wire type: bytes for a number", "Point", "0a0101", WireCase::kRefused, ""},
    {"Wire type: 64 bits for a number", "Point", "09 0000000000000000", WireCase::kRefused, ""},
    {"Wire type: 32 bits for a number", "Point", "0d 00000000", WireCase::kRefused, ""},
    {"Wire type: varint for a double", "Wide", "a80301", WireCase::kRefused, ""},
    {"Wire type: 32 bits for a double", "Wide", "ad03 00000000", WireCase::kRefused, ""},
    {"Wire type: varint for a message", "Structs", "0801", WireCase::kRefused, ""},
    {"Wire type: varint for a list of texts", "Lists", "0801", WireCase::kRefused, ""},
    {"Wire type: varint for a list of messages", "Lists", "7001", WireCase::kRefused, ""},
    {"Wire type: varint for a map", "Maps", "0801", WireCase::kRefused, ""},
    {"Wire type: varint for a list that stands for itself", "Plain", "800101", WireCase::kRefused,
     ""},
    {"Wire type: start of a group for a number", "Point", "0b 0c", WireCase::kRefused, ""},
    {"Wire type: end of a group for a number", "Point", "0c", WireCase::kRefused, ""},
    {"Wire type: 6", "Point", "0e 00", WireCase::kRefused, ""},
    {"Wire type: 7", "Point", "0f 00", WireCase::kRefused, ""},
    {"Unknown: of each wire type", "Point",
     "a00101 a901 0000000000000000 b20103616263 bd01 00000000 0807", WireCase::kRead, R"({"x":7})"},
    {"Unknown: a group", "Point", "a301 0805 1a0178 a401 0807", WireCase::kRead, R"({"x":7})"},
    {"Unknown: groups in a group", "Point", "a301 ab01 b301 b401 ac01 a401 0807", WireCase::kRead,
     R"({"x":7})"},
    {"Unknown: a group that another number ends", "Point", "a301 ac01 0807", WireCase::kRead,
     R"({"x":7})"},
    {"Unknown: a group without end", "Point", "a301 0805", WireCase::kRefused, ""},
    {"Unknown: the end of a group", "Point", "a401 0807", WireCase::kRefused, ""},
    {"Unknown: wire type 6", "Point", "a601 00", WireCase::kRefused, ""},
    {"Unknown: wire type 7", "Point", "a701 00", WireCase::kRefused, ""},
    {"Unknown: number 0 in a group", "Point", "a301 0001 a401", WireCase::kRead, "{}"},
    {"Unknown: varint cut off", "Point", "a001 80", WireCase::kRefused, ""},
    {"Unknown: varint of eleven bytes", "Point", "a001 ffffffffffffffffffff01", WireCase::kRefused,
     ""},
    {"Unknown: 64 bits cut off", "Point", "a101 00", WireCase::kRefused, ""},
    {"Unknown: 32 bits cut off", "Point", "a501 00", WireCase::kRefused, ""},
    {"Unknown: bytes cut off", "Point", "a201 05 6162", WireCase::kRefused, ""},
    {"Unknown: negative length", "Point", "a201 ffffffffffffffffff01", WireCase::kRefused, ""},
    {"Unknown: in each message", "Structs", "0a05a001010801 52049a060178 6a050a03e80407",
     WireCase::kRead,
     R"({"value":{"x":1},"valueOfNever":{"key":"","value":0},"valueOfNothing":{},)"
     R"("never":{},"boxNever":null,"metadata":{},"metadataNever":{},)"
     R"("condition":{"type":"","status":"","lastTransitionTime":null,"reason":"",)"
     R"("message":""},"deep":{"two":{}}})"},
    {"Lists: one by one", "Lists",
     "0a0161 0a00 1001 1000 18ffffffffffffffffff01 2007 29000000000000f83f 320101 "
     "3200 3a020801 3a00 4a020801 52030a0131 5a021008 62040a027b7d 72020801 7200 "
     "820100 8a01030a0163",
     WireCase::kRead,
     R"({"texts":["a",""],"flags":[true,false],"smalls":[-1],"bigs":[7],)"
     R"("reals":[1.5],"datas":["AQ==",""],"times":["1970-01-01T00:00:01Z",null],)"
     R"("durations":["1ns"],"quantities":["1"],"intOrStrings":[8],)"
     R"("rawExtensions":[{}],"points":[{"x":1},{}],"empties":[{}],)"
     R"("commands":[{"command":["c"]}]})"},
    {"Lists: packed", "Lists",
     "1203010002 1a0d01ffffffffffffffffff01ac02 220701808080808020 "
     "2a10000000000000f03f0000000000000440",
     WireCase::kRead,
     R"({"flags":[true,false,true],"smalls":[1,-1,300],"bigs":[1,1099511627776],)"
     R"("reals":[1,2.5]})"},
    {"Lists: packed and one by one", "Lists", "1801 1a020203 1804", WireCase::kRead,
     R"({"smalls":[1,2,3,4]})"},
    {"Lists: packed, nothing", "ListsNever", "1200 1a00 2a00", WireCase::kRead,
     R"({"texts":null,"flags":null,"smalls":null,"bigs":null,"reals":null,)"
     R"("datas":null,"times":null,"quantities":null,"intOrStrings":null,)"
     R"("rawExtensions":null,"points":null})"},
    {"Lists: packed varint cut off", "Lists", "1a020180", WireCase::kRefused, ""},
    {"Lists: packed doubles cut off", "Lists", "2a0c000000000000000000000000", WireCase::kRefused,
     ""},
    {"Lists: packed, beyond the end", "Lists", "1a 09 01", WireCase::kRefused, ""},
    {"Lists: between other fields", "Lists", "0a0161 72020801 0a0162 72020802 0a0163",
     WireCase::kRead, R"({"texts":["a","b","c"],"points":[{"x":1},{"x":2}]})"},
    {"Lists: packed where texts are", "Lists", "0a020102", WireCase::kRead,
     R"({"texts":["\u0001\u0002"]})"},
    {"Twice: a struct by value", "Structs", "0a020801 0a021002", WireCase::kRead,
     R"({"value":{"x":1,"y":2},"valueOfNever":{"key":"","value":0},)"
     R"("valueOfNothing":{},"never":{},"boxNever":null,"metadata":{},)"
     R"("metadataNever":{},"condition":{"type":"","status":"",)"
     R"("lastTransitionTime":null,"reason":"","message":""},"deep":{"two":{}}})"},
    {"Twice: an optional struct", "Structs", "32020801 32021002", WireCase::kRead,
     R"({"value":{},"valueOfNever":{"key":"","value":0},"valueOfNothing":{},)"
     R"("never":{},"box":{"x":1,"y":2},"boxNever":null,"metadata":{},)"
     R"("metadataNever":{},"condition":{"type":"","status":"",)"
     R"("lastTransitionTime":null,"reason":"","message":""},"deep":{"two":{}}})"},
    {"Twice: a list in a struct", "Lists", "8a01030a0161 8a01030a0162", WireCase::kRead,
     R"({"commands":[{"command":["a"]},{"command":["b"]}]})"},
    {"Twice: a list that stands for itself", "Plain", "8201030a0161 8201030a0162", WireCase::kRead,
     R"({"time":null,"microTime":null,"duration":"0s","quantity":"0",)"
     R"("intOrString":0,"rawExtension":null,"fieldsV1":null,"rawJson":null,)"
     R"("point":{},"verbs":["a","b"]})"},
    {"Twice: bytes", "Plain", "3203616161 320162", WireCase::kRead,
     R"({"data":"Yg==","time":null,"microTime":null,"duration":"0s","quantity":"0",)"
     R"("intOrString":0,"rawExtension":null,"fieldsV1":null,"rawJson":null,)"
     R"("point":{}})"},
    {"Twice: a time", "Plain", "3a020805 3a00", WireCase::kRead,
     R"({"time":null,"microTime":null,"duration":"0s","quantity":"0",)"
     R"("intOrString":0,"rawExtension":null,"fieldsV1":null,"rawJson":null,)"
     R"("point":{}})"},
    {"Twice: a quantity", "Plain", "52030a0135 5200", WireCase::kRead,
     R"({"time":null,"microTime":null,"duration":"0s","quantity":"5",)"
     R"("intOrString":0,"rawExtension":null,"fieldsV1":null,"rawJson":null,)"
     R"("point":{}})"},
    {"Twice: an IntOrString", "Plain", "5a0508011a0161 5a021005", WireCase::kRead,
     R"({"time":null,"microTime":null,"duration":"0s","quantity":"0",)"
     R"("intOrString":"a","rawExtension":null,"fieldsV1":null,"rawJson":null,)"
     R"("point":{}})"},
    {"Twice: a duration", "Plain", "4a020805 4a00", WireCase::kRead,
     R"({"time":null,"microTime":null,"duration":"5ns","quantity":"0",)"
     R"("intOrString":0,"rawExtension":null,"fieldsV1":null,"rawJson":null,)"
     R"("point":{}})"},
    {"Twice: a raw value", "Zero", "62090a077b2261223a317d 6200", WireCase::kRead,
     R"({"rawExtension":{"a":1}})"},
    {"Maps: one entry of each", "Maps",
     "0a060a016b120176 12050a016b1001 1a0e0a016b10ffffffffffffffffff01 "
     "22050a016b1005 2a0c0a016b11000000000000f83f 32060a016b120101 "
     "3a070a016b12020801 4a070a016b12020801 52080a016b12030a0131 "
     "5a070a016b12021001 62090a016b12040a027b7d 72070a016b12020801 7a050a016b1200 "
     "8201080a016b12030a0165",
     WireCase::kRead,
     R"({"texts":{"k":"v"},"flags":{"k":true},"smalls":{"k":-1},"bigs":{"k":5},)"
     R"("reals":{"k":1.5},"datas":{"k":"AQ=="},"times":{"k":"1970-01-01T00:00:01Z"},)"
     R"("durations":{"k":"1ns"},"quantities":{"k":"1"},"intOrStrings":{"k":1},)"
     R"("rawExtensions":{"k":{}},"points":{"k":{"x":1}},"empties":{"k":{}},)"
     R"("extra":{"k":["e"]}})"},
    {"Maps: entries without values", "Maps",
     "0a030a016b 12030a016b 1a030a016b 2a030a016b 32030a016b 3a030a016b "
     "4a030a016b 52030a016b 5a030a016b 62030a016b 72030a016b 7a030a016b "
     "8201030a016b",
     WireCase::kRead,
     R"({"texts":{"k":""},"flags":{"k":false},"smalls":{"k":0},"reals":{"k":0},)"
     R"("datas":{"k":""},"times":{"k":null},"durations":{"k":"0s"},)"
     R"("quantities":{"k":"0"},"intOrStrings":{"k":0},"rawExtensions":{"k":null},)"
     R"("points":{"k":{}},"empties":{"k":{}},"extra":{"k":[]}})"},
    {"Maps: entries without keys", "Maps", "0a03120176 12021001 720412020801", WireCase::kRead,
     R"({"texts":{"":"v"},"flags":{"":true},"points":{"":{"x":1}}})"},
    {"Maps: empty entries", "Maps", "0a00 7200", WireCase::kRead,
     R"({"texts":{"":""},"points":{"":{}}})"},
    {"Maps: the value first", "Maps", "0a061201760a016b", WireCase::kRead,
     R"({"texts":{"k":"v"}})"},
    {"Maps: a key twice", "Maps", "0a060a016b120131 0a030a016a 0a060a016b120132", WireCase::kRead,
     R"({"texts":{"j":"","k":"2"}})"},
    {"Maps: a key twice, of structs", "Maps", "72070a016b12020801 72070a016b12021002",
     WireCase::kRead, R"({"points":{"k":{"y":2}}})"},
    {"Maps: two keys in an entry", "Maps", "0a090a01611201310a0162", WireCase::kRead,
     R"({"texts":{"b":"1"}})"},
    {"Maps: two values in an entry", "Maps", "720b0a01611202080112021002", WireCase::kRead,
     R"({"points":{"a":{"y":2}}})"},
    {"Maps: unknown fields in an entry", "Maps", "0a0b0a016118011201764a0178", WireCase::kRead,
     R"({"texts":{"a":"v"}})"},
    {"Maps: keys out of order", "Maps", "0a060a0162120131 0a060a0161120132 0a050a00120133",
     WireCase::kRead, R"({"texts":{"":"3","a":"2","b":"1"}})"},
    {"Maps: an entry cut off", "Maps", "0a 09 0a0161", WireCase::kRefused, ""},
    {"Maps: a key beyond its entry", "Maps", "0a030a0361 6263646566", WireCase::kRefused, ""},
    {"Maps: a key that is a varint", "Maps", "0a050801120176", WireCase::kRefused, ""},
    {"Maps: a number as text", "Maps", "1a060a016b120105", WireCase::kRefused, ""},
    {"Maps: a struct as a varint", "Maps", "72050a016b1001", WireCase::kRefused, ""},
    {"Maps: a group in an entry", "Maps", "0a080a016b2b2c120176", WireCase::kRead,
     R"({"texts":{"k":"v"}})"},
    {"Maps: number 0 in an entry", "Maps", "0a0500010a016b", WireCase::kRead,
     R"({"texts":{"k":""}})"},
    {"Time: nanoseconds are lost", "Zero", "3a08080110ff93ebdc03", WireCase::kRead,
     R"({"time":"1970-01-01T00:00:01Z"})"},
    {"Time: no seconds", "Zero", "3a021005", WireCase::kRead, R"({"time":"1970-01-01T00:00:00Z"})"},
    {"Time: seconds of 0", "Zero", "3a0408001000", WireCase::kRead,
     R"({"time":"1970-01-01T00:00:00Z"})"},
    {"Time: nothing", "Zero", "3a00", WireCase::kRead, "{}"},
    {"Time: the year 1", "Zero", "3a0d088092b8c398feffffff011000", WireCase::kRead, "{}"},
    {"Time: before the year 0", "Never", "3a0b0880a4dda498feffffff01", WireCase::kRead,
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":null,)"
     R"("time":"-0002-12-17T14:13:20Z","microTime":null,"duration":"0s",)"
     R"("quantity":"0","intOrString":0,"rawExtension":null,"fieldsV1":null,)"
     R"("rawJson":null,"point":{},"verbs":null})"},
    {"Time: the year 10000", "Zero", "3a07088083d1ffaf07", WireCase::kRead,
     R"({"time":"10000-01-01T00:00:00Z"})"},
    {"Time: the greatest number of seconds", "Zero", "3a0a08ffffffffffffffff7f", WireCase::kRead,
     R"({"time":"292277026596-12-04T15:30:07Z"})"},
    {"Time: unknown field", "Zero", "3a0508054a0178", WireCase::kRead,
     R"({"time":"1970-01-01T00:00:05Z"})"},
    {"Micro time: microseconds", "Zero", "42070801108094ef3a", WireCase::kRead,
     R"({"microTime":"1970-01-01T00:00:01.123456Z"})"},
    {"Micro time: nanoseconds are lost", "Zero", "4207080110959aef3a", WireCase::kRead,
     R"({"microTime":"1970-01-01T00:00:01.123456Z"})"},
    {"Micro time: negative nanoseconds", "Zero", "420d08011098f8ffffffffffffff01", WireCase::kRead,
     R"({"microTime":"1970-01-01T00:00:00.999999Z"})"},
    {"Micro time: nanoseconds of two seconds", "Zero", "420808011080a8d6b907", WireCase::kRead,
     R"({"microTime":"1970-01-01T00:00:03.000000Z"})"},
    {"Micro time: nothing", "Zero", "4200", WireCase::kRead, "{}"},
    {"Duration: nothing", "Zero", "4a00", WireCase::kRead, "{}"},
    {"Duration: least", "Zero", "4a0b0880808080808080808001", WireCase::kRead,
     R"({"duration":"-2562047h47m16.854775808s"})"},
    {"Quantity: nothing", "Zero", "5200", WireCase::kRead, "{}"},
    {"Quantity: no text", "Zero", "52020a00", WireCase::kRefused, ""},
    {"Quantity: not canonical", "Zero", "52080a06313032344b69", WireCase::kRead,
     R"({"quantity":"1Mi"})"},
    {"Quantity: no quantity", "Zero", "52050a03616263", WireCase::kRefused, ""},
    {"Quantity: unknown field", "Zero", "52050a01311001", WireCase::kRead, R"({"quantity":"1"})"},
    {"IntOrString: text", "Zero", "5a0708011a03383025", WireCase::kRead,
     R"({"intOrString":"80%"})"},
    {"IntOrString: text and number", "Zero", "5a09080110051a03383025", WireCase::kRead,
     R"({"intOrString":"80%"})"},
    {"IntOrString: number and text", "Zero", "5a09080010051a03383025", WireCase::kRead,
     R"({"intOrString":5})"},
    {"IntOrString: type 2", "Zero", "5a0408021005", WireCase::kNoJson, ""},
    {"IntOrString: no type", "Zero", "5a051a03383025", WireCase::kRead, R"({"intOrString":0})"},
    {"Raw: nothing", "Zero", "6200 6a00 7200", WireCase::kRead, "{}"},
    {"Raw: no bytes", "Zero", "62020a00 6a020a00 72020a00", WireCase::kNoJson, ""},
    {"Raw: JSON", "Zero",
     "620e0a0c207b226222203a20312e307d 6a0c0a0a7b22663a61223a7b7d7d "
     "72080a065b312c20325d",
     WireCase::kRead, R"({"rawExtension":{"b":1.0},"fieldsV1":{"f:a":{}},"rawJson":[1,2]})"},
    {"Raw: null", "Zero", "62060a046e756c6c 6a060a046e756c6c 72060a046e756c6c", WireCase::kRead,
     R"({"rawExtension":null,"fieldsV1":null,"rawJson":null})"},
    {"Raw: text that is no JSON has no JSON", "Zero", "62030a017b", WireCase::kNoJson, ""},
    {"A list that stands for itself: absent, empty", "Never", "820100", WireCase::kRead,
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":null,"time":null,)"
     R"("microTime":null,"duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":{},"verbs":[]})"},
    {"A list that stands for itself: items", "Never", "8201050a000a0162", WireCase::kRead,
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":null,"time":null,)"
     R"("microTime":null,"duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":{},"verbs":["",)"
     R"("b"]})"},
    {"A list that stands for itself: unknown field", "Never", "8201050a01611001", WireCase::kRead,
     R"({"text":"","flag":false,"small":0,"big":0,"real":0,"data":null,"time":null,)"
     R"("microTime":null,"duration":"0s","quantity":"0","intOrString":0,)"
     R"("rawExtension":null,"fieldsV1":null,"rawJson":null,"point":{},"verbs":["a"]})"},
    {"Inline", "Inlines", "0a110a0176120c0a0208013a030a016b9a0100 120c20034a061204120210501001",
     WireCase::kRead,
     R"({"volumes":[{"name":"v","hostPath":{"x":1},"nfs":{"key":"k","value":0}}],)"
     R"("probe":{"httpGet":{"port":80},"periodSeconds":3,"timeoutSeconds":1},)"
     R"("outer":{"middleFirst":"","innerPoint":{}}})"},
    {"Inline: two levels", "Inlines",
     "1a210a017a12190a016d1201661a016c220e080512060a01611201621a0208011a0161", WireCase::kRead,
     R"({"outer":{"first":"a","middleFirst":"f","innerNumber":5,)"
     R"("innerMap":{"a":"b"},"innerPoint":{"x":1},"middleLast":"l",)"
     R"("middleList":["m"],"last":"z"}})"},
    {"Inline: twice", "Volume", "12040a020801 12060a0210021200", WireCase::kRead,
     R"({"name":"","hostPath":{"x":1,"y":2},"emptyDir":{}})"},
    {"Order of the wire is not that of JSON", "OwnerReference",
     "0a016b 1a016e 220175 2a0176 3001 3800", WireCase::kRead,
     R"({"apiVersion":"v","kind":"k","name":"n","uid":"u","controller":true,)"
     R"("blockOwnerDeletion":false})"},
    {"No JSON", "OneFormat", "0a0161 120162 1a0163", WireCase::kRead, R"({"both":"a"})"},
    {"Forms", "Schema",
     "c201050a032a0161 f20107080012032a0162 82020b0a016b1206120178120179 "
     "8a02020801",
     WireCase::kRead,
     R"({"items":{"type":"a","additionalItems":false},)"
     R"("additionalProperties":{"type":"b","additionalItems":false},)"
     R"("dependencies":{"k":["x","y"]},"additionalItems":true})"},
    {"Forms: both", "Schema", "c2010a0a032a016112032a0162 82020d0a016b12080a032a0161120178",
     WireCase::kRead,
     R"({"items":[{"type":"b","additionalItems":false}],"dependencies":{"k":["x"]},)"
     R"("additionalItems":false})"},
    {"Forms: nothing", "Schema", "c20100 f20100 8202050a016b1200 8a0200", WireCase::kRead,
     R"({"items":null,"additionalProperties":false,"dependencies":{"k":null},)"
     R"("additionalItems":false})"},
    {"200 messages deep", "Schema",
     "e201f105e201ed05e201e905e201e505e201e105e201dd05e201d905e201d505e201d105e201"
     "cd05e201c905e201c505e201c105e201bd05e201b905e201b505e201b105e201ad05e201a905"
     "e201a505e201a105e2019d05e2019905e2019505e2019105e2018d05e2018905e2018505e201"
     "8105e201fd04e201f904e201f504e201f104e201ed04e201e904e201e504e201e104e201dd04"
     "e201d904e201d504e201d104e201cd04e201c904e201c504e201c104e201bd04e201b904e201"
     "b504e201b104e201ad04e201a904e201a504e201a104e2019d04e2019904e2019504e2019104"
     "e2018d04e2018904e2018504e2018104e201fd03e201f903e201f503e201f103e201ed03e201"
     "e903e201e503e201e103e201dd03e201d903e201d503e201d103e201cd03e201c903e201c503"
     "e201c103e201bd03e201b903e201b503e201b103e201ad03e201a903e201a503e201a103e201"
     "9d03e2019903e2019503e2019103e2018d03e2018903e2018503e2018103e201fd02e201f902"
     "e201f502e201f102e201ed02e201e902e201e502e201e102e201dd02e201d902e201d502e201"
     "d102e201cd02e201c902e201c502e201c102e201bd02e201b902e201b502e201b102e201ad02"
     "e201a902e201a502e201a102e2019d02e2019902e2019502e2019102e2018d02e2018902e201"
     "8502e2018102e201fd01e201f901e201f501e201f101e201ed01e201e901e201e501e201e101"
     "e201dd01e201d901e201d501e201d101e201cd01e201c901e201c501e201c101e201bd01e201"
     "b901e201b501e201b101e201ad01e201a901e201a501e201a101e2019d01e2019901e2019501"
     "e2019101e2018d01e2018901e2018501e2018101e2017ee2017be20178e20175e20172e2016f"
     "e2016ce20169e20166e20163e20160e2015de2015ae20157e20154e20151e2014ee2014be201"
     "48e20145e20142e2013fe2013ce20139e20136e20133e20130e2012de2012ae20127e20124e2"
     "0121e2011ee2011be20118e20115e20112e2010fe2010ce20109e20106e20103e20100",
     WireCase::kRead,
     R"({"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not")"
     R"(:{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not)"
     R"(":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"no)"
     R"(t":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"n)"
     R"(ot":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{")"
     R"(not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{)"
     R"("not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":)"
     R"({"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not")"
     R"(:{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not)"
     R"(":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"no)"
     R"(t":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"n)"
     R"(ot":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{")"
     R"(not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{)"
     R"("not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":)"
     R"({"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not")"
     R"(:{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not)"
     R"(":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"no)"
     R"(t":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"n)"
     R"(ot":{"not":{"not":{"not":{"not":{"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false},"additionalItems":false},)"
     R"("additionalItems":false},"additionalItems":false})"},
    {"A kind has no apiVersion", "Tap", "0a030a016e 1001 1a030a0135", WireCase::kRead,
     R"({"metadata":{"name":"n"},"open":true,"flow":"5"})"},
    {"A list of kinds", "TapList", "0a031a0163 12050a030a016e 1200", WireCase::kRead,
     R"({"metadata":{"continue":"c"},"items":[{"metadata":{"name":"n"}},)"
     R"({"metadata":{}}]})"},
};

std::string Repeated(int count, absl::string_view text) {
  std::string all;
  for (int i = 0; i < count; ++i) absl::StrAppend(&all, text);
  return all;
}

// Go limits the depth of neither groups nor messages.
WireCase DeepGroups() {
  const std::string wire = Repeated(10000, "\xa3\x01") + Repeated(10000, "\xa4\x01") + "\x08\x07";
  return {"Unknown: 10000 groups deep", "Point", wire, WireCase::kRead, R"({"x":7})"};
}

// Converts hexadecimal digits; spaces are ignored.
std::string FromHex(absl::string_view hex) {
  std::string bytes;
  int digits = 0;
  for (const char c : hex) {
    if (c == ' ') continue;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (digits++ % 2 == 0) bytes += '\0';
    bytes.back() = static_cast<char>(bytes.back() << 4 | digit);
  }
  return bytes;
}

}  // namespace

std::vector<WireCase> WireCases() {
  std::vector<WireCase> cases = {DeepGroups()};
  for (const Row& row : kRows) {
    cases.push_back({std::string(row.name), std::string(row.type), FromHex(row.hex), row.result,
                     std::string(row.json)});
  }
  return cases;
}

}  // namespace kube::oracle
