#include "apimachinery/cel/differential/expression_maker.h"

#include <cstddef>
#include <initializer_list>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::cel {

std::string ExpressionMaker::Any(int depth) {
  switch (dice_.Below(8)) {
    case 0:
      return Int(depth);
    case 1:
      return Text(depth);
    case 2:
      return Number(depth);
    case 3:
      return List(depth);
    case 4:
      return Dyn(depth);
    case 5:
      return Time(depth);
    default:
      return Bool(depth);
  }
}

std::string ExpressionMaker::Pick(std::initializer_list<absl::string_view> words) {
  return std::string(words.begin()[dice_.Below(words.size())]);
}

// Replaces letters after a "$": $B by a bool, $I by an int, $N by a double, $T by a text, $L by a
// list of ints, $D by something of type dyn.
std::string ExpressionMaker::Fill(absl::string_view pattern, int depth) {
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$') {
      out += pattern[i];
      continue;
    }
    switch (pattern[++i]) {
      case 'B':
        out += Bool(depth);
        break;
      case 'I':
        out += Int(depth);
        break;
      case 'N':
        out += Number(depth);
        break;
      case 'T':
        out += Text(depth);
        break;
      case 'L':
        out += List(depth);
        break;
      default:
        out += Dyn(depth);
    }
  }
  return out;
}

// Maps have one entry, because of Go's random order.
std::string ExpressionMaker::LibraryBool(int depth) {
  return Fill(
      Pick({"{'a': $I}.all(k, v, v > $I)",
            "{$T: $I}.exists(k, k == $T)",
            "$T in {'x': $I}",
            "has({'a': $I}.a)",
            "quantity($T).isGreaterThan(quantity('1k'))",
            "(quantity('1Gi') == quantity($T))",
            "semver($T).isLessThan(semver('1.10.0'))",
            "isSemver($T, true)",
            "(semver($T, true) == semver('1.2.3'))",
            "(ip($T).family() == $I)",
            "ip('10.1.2.3').isGlobalUnicast()",
            "cidr($T).containsIP(self.g)",
            "cidr('10.0.0.0/8').containsIP(ip(self.g))",
            "cidr('10.0.0.0/8').containsCIDR($T)",
            "ip.isCanonical($T)",
            "(url($T).getHost() == $T)",
            "(url($T) == url('https://h:1/p?q=1'))",
            "(timestamp('2024-02-29T12:34:56.789Z').getHours('+05:30') > $I)",
            "(timestamp($I) < timestamp('2024-02-29T12:34:56Z') + duration('36h'))",
            "format.dns1123Label().validate($T).hasValue()",
            "(format.named($T).hasValue() && format.named('uuid').value() == format.uuid())",
            "optional.of($I).hasValue()",
            "optional.ofNonZeroValue($T).hasValue()",
            "$L.all(i, v, i + v > $I)",
            "$L.exists(i, v, i == v)",
            "$L.existsOne(i, v, v == $I)",
            "$L.isSorted()",
            "(b'ab' < bytes($T))",
            "(uint($I) > 2u)",
            "(2u == $I)",
            "($N == dyn($I))",
            "($D < $D)",
            "($D > $N)",
            "(type($D) == type($D))",
            "(type($D) == int)",
            "bool($T)",
            "$D.startsWith($D)",
            "([$D] == [$D])",
            "({'a': $D} == {'a': $D})",
            "([$D, $D] != [$D, $D])",
            "($D in [1, 2.5, 'x'])",
            "($I in {1: $T})",
            "(dyn($I) in {2u: 1})",
            "self.i.exists(e, e.port == $I)",
            "self.i.all(e, e.name < $T)",
            "self.?c[?'d'].hasValue()",
            "self.?c.d.hasValue()",
            "has(self.c.d)",
            "has(self.a.d)",
            "(self.?x == optional.none())",
            "(optional.of($I) == optional.of($I))",
            "(null == $D)",
            "($D && $D)",
            "($D || $D)",
            "($B ? $D : $D)",
            "!$D"}),
      depth);
}

std::string ExpressionMaker::LibraryInt(int depth) {
  return Fill(Pick({"$L.map(e, [e, $I]).flatten().size()",
                    "int($N)",
                    "int(string($I))",
                    "{'a': $I}['a']",
                    "{'a': $I}[$T]",
                    "{$I: $I}[$I]",
                    "{$I: $I}[?$I].orValue(5)",
                    "optional.of($I).orValue($I)",
                    "optional.of($L)[?$I].orValue($I)",
                    "optional.of($I).or(optional.none()).value()",
                    "$L.first().orValue(-7)",
                    "$L.last().value()",
                    "$L[?$I].orValue($I)",
                    "quantity($T).asInteger()",
                    "quantity('2Ki').add($I).sub(quantity('1')).asInteger()",
                    "quantity('1.5').compareTo(quantity($T))",
                    "quantity($T).sign()",
                    "semver($T, true).minor()",
                    "cidr('10.0.0.0/8').prefixLength()",
                    "timestamp('2024-02-29T12:34:56.789Z').getDayOfYear()",
                    "timestamp('2024-02-29T12:34:56.789Z').getDate('America/New_York')",
                    "duration('3723s').getMinutes()",
                    "duration('1500ms').getMilliseconds()",
                    "int(timestamp('2024-02-29T12:34:56.789Z'))",
                    "size({$T: $I})",
                    "size(bytes($T))",
                    "size($D)",
                    "int($D)",
                    "$T.indexOf($T, $I)",
                    "$T.lastIndexOf($T, $I)",
                    "$L.lastIndexOf($I)",
                    "(($B || $B) ? $I : l[$I])",
                    "l[$B ? $I : $I]",
                    "self.i[$I].port",
                    "self.b[$I]",
                    "self.b[$D]",
                    "self[$T]",
                    "($D + $I)",
                    "($D * $D)",
                    "-$D",
                    "($I % $D)",
                    "{'a': $I}.transformMapEntry(k, v, {v: k}).size()",
                    "int(uint($I))",
                    "[$I, $I].sortBy(e, -e)[0]",
                    "['b', $T].sort().size()",
                    "['b', $T].max().size()",
                    "size($T.split($T, $I))",
                    "['a', $T].indexOf($T)",
                    "size(sets.contains([$T], ['x']) ? $T : '')"}),
              depth);
}

std::string ExpressionMaker::LibraryText(int depth) {
  return Fill(Pick({"strings.quote($T)",
                    "'%f|%e|%.2f'.format([$N, $N, $N])",
                    "'%x|%X|%b|%o|%d'.format([$I, $T, $I, $I, $I])",
                    "'%s %s %s'.format([$D, [$D, $N], {'k': $D}])",
                    "'%d%%|%x'.format([$D, $D])",
                    "'%s'.format([timestamp('2024-02-29T12:34:56Z')])",
                    "$T.format([$I])",
                    "string(timestamp('2024-02-29T12:34:56.789Z'))",
                    "string($N)",
                    "string($D)",
                    "string(bytes($T))",
                    "url($T).getEscapedPath()",
                    "url($T).getHostname()",
                    "string(url($T).getQuery())",
                    "url('https://u:p@[::1]:8/a%20b?x=1&x=2').getPort()",
                    "$T.findAll('[a-z]').join('-')",
                    "$T.findAll('[0-9]', $I).join()",
                    "$T.split(',', $I).join()",
                    "$T.replace('a', $T, $I)",
                    "$T.substring($I, $I)",
                    "string(ip($T))",
                    "string(cidr($T).masked())",
                    "string(cidr('10.1.2.3/8').ip())",
                    "string(quantity($T).asApproximateFloat())",
                    "$L.map(e, string(e)).join($T)",
                    "optional.of($T).optMap(t, t + $T).orValue('none')",
                    "optional.ofNonZeroValue($T).optFlatMap(t, optional.of(t)).orValue($T)",
                    "{'k': $T}.k",
                    "{$B: $T}[true]",
                    "string(type($D))",
                    "string($L)",
                    "($D + $T)",
                    "$D.trim()",
                    "format.uuid().validate($T).value()[0]",
                    "$T.reverse()",
                    "string(duration('1.5h') + duration($T))",
                    "string($I < 3 ? b'\\xff' : b'ok')"}),
              depth);
}

std::string ExpressionMaker::LibraryList(int depth) {
  return Fill(Pick({"$L.sortBy(e, -e)",
                    "$T.split('').map(c, size(c))",
                    "$L.transformList(i, v, i + v)",
                    "$L.transformList(i, v, v > $I, v * i)",
                    "[[$I], $L].flatten(2)",
                    "[[[$I]], [$L]].flatten(2)",
                    "[$L].flatten(-1)",
                    "$L.slice($I, $I)",
                    "{'a': $I}.transformMap(k, v, v + $I).map(k, 1)",
                    "[?optional.of($I), $I]",
                    "[?self.?f, $D]",
                    "[$I, $D]",
                    "optional.unwrap([optional.of($I), optional.none()])",
                    "[optional.of($I)].unwrapOpt()",
                    "$L.map(e, $L.filter(f, f > e).size())",
                    "$L.map(e, {'k': e}).map(m, m.k)",
                    "($B ? $L : dyn($L))",
                    "dyn($L).map(e, e * $I)",
                    "$D.map(e, 1)",
                    "{'a': $L}.a",
                    "(l + $D)",
                    "self.i.map(e, e.port)",
                    "self.i.filter(e, e.port > $I).map(e, size(e))",
                    "{'a': 1, ?'b': self.?x}.map(k, $I)",
                    "[1, 1, 2.0].map(e, 1)",
                    "[dyn(1), dyn(1u), dyn(1.0), $D].distinct().map(e, 1)",
                    "$L.distinct().reverse().sort()"}),
              depth);
}

// Now and then something of another type.
bool ExpressionMaker::Slips() { return dice_.Below(40) == 0; }

std::string ExpressionMaker::Dyn(int depth) {
  if (depth <= 0 || dice_.Below(2) == 0) {
    return Pick({"self.a", "self.b", "self.b[1]", "self.c.d", "self.f", "self.h", "self.i[0].port",
                 "self.x", "self.b[9]", "self.c['d']", "self.i.map(e, e.name)", "self.j", "dyn(1u)",
                 "dyn(null)", "self.i[1].name", "self.?x.orValue(3)"});
  }
  return absl::StrCat("dyn(", Any(depth - 1), ")");
}

std::string ExpressionMaker::Bool(int depth) {
  if (depth <= 0) return Pick({"true", "false", "self.h", "has(self.a)", "has(self.x)", "n == 7"});
  const int d = depth - 1;
  if (Slips()) return Any(d);
  if (dice_.Below(4) == 0) return LibraryBool(d);
  switch (dice_.Below(16)) {
    case 0:
      return absl::StrCat("(", Bool(d), " && ", Bool(d), ")");
    case 1:
      return absl::StrCat("(", Bool(d), " || ", Bool(d), ")");
    case 2:
      return absl::StrCat("!", Bool(d));
    case 3:
      return absl::StrCat("(", Bool(d), " ? ", Bool(d), " : ", Bool(d), ")");
    case 4:
      return absl::StrCat("(", Int(d), Pick({" < ", " <= ", " == ", " != ", " > ", " >= "}), Int(d),
                          ")");
    case 5:
      return absl::StrCat("(", Number(d), Pick({" < ", " == ", " >= "}), Int(d), ")");
    case 6:
      return absl::StrCat("(", Text(d), Pick({" < ", " == ", " != ", " >= "}), Text(d), ")");
    case 7:
      return absl::StrCat(Text(d), Pick({".startsWith(", ".endsWith(", ".contains("}), Text(d),
                          ")");
    case 8:
      return absl::StrCat(Text(d), ".matches(",
                          Pick({"'^[a-z]+$'", "'x|y'", "'('", "s", "r'\\d+'"}), ")");
    case 9:
      return absl::StrCat(List(d), Pick({".all(", ".exists(", ".exists_one("}), "e, ", "e",
                          Pick({" > ", " == ", " != "}), Int(d), ")");
    case 10:
      return absl::StrCat(Int(d), " in ", List(d));
    case 11:
      return absl::StrCat("(", Dyn(d), Pick({" == ", " != ", " in "}), Dyn(d), ")");
    case 12:
      return absl::StrCat("(", List(d), Pick({" == ", " != "}), List(d), ")");
    case 13:
      return absl::StrCat(Pick({"isIP(", "isCIDR(", "isQuantity(", "isURL(", "isSemver("}), Text(d),
                          ")");
    case 14:
      return absl::StrCat("(", Time(d), Pick({" < ", " == ", " > "}), Time(d), ")");
    default:
      return absl::StrCat("sets.", Pick({"contains(", "equivalent(", "intersects("}), List(d), ", ",
                          List(d), ")");
  }
}

std::string ExpressionMaker::Int(int depth) {
  if (depth <= 0) {
    return Pick({"0", "1", "-1", "2", "7", "n", "9223372036854775807", "l[0]", "l[3]", "0x10",
                 "int(self.a)"});
  }
  const int d = depth - 1;
  if (Slips()) return Any(d);
  if (dice_.Below(4) == 0) return LibraryInt(d);
  switch (dice_.Below(9)) {
    case 0:
    case 1:
      return absl::StrCat("(", Int(d), Pick({" + ", " - ", " * ", " / ", " % "}), Int(d), ")");
    case 2:
      return absl::StrCat("-(", Int(d), ")");
    case 3:
      return absl::StrCat("size(", dice_.Below(2) == 0 ? Text(d) : List(d), ")");
    case 4:
      return absl::StrCat("int(", Pick({"'12'", "'x'", "1.9", "5u", "duration('1s')"}), ")");
    case 5:
      return absl::StrCat(Text(d), Pick({".indexOf(", ".lastIndexOf("}), Text(d), ")");
    case 6:
      return absl::StrCat(List(d), Pick({".sum()", ".max()", ".min()", ".indexOf(1)"}));
    case 7:
      return absl::StrCat("(", Bool(d), " ? ", Int(d), " : ", Int(d), ")");
    default:
      return absl::StrCat(List(d), "[", Int(d), "]");
  }
}

std::string ExpressionMaker::Number(int depth) {
  if (depth <= 0) return Pick({"1.5", "0.0", "-2.25", "1e3", "double(n)", "2.0"});
  return absl::StrCat("(", Number(depth - 1), Pick({" + ", " - ", " * ", " / "}), Number(depth - 1),
                      ")");
}

std::string ExpressionMaker::Text(int depth) {
  if (depth <= 0) {
    return Pick({"''", "'x'", "s", "'äöü'", "'a,b,c'", "'10.0.0.0/8'", "'1Gi'", "'\\u00e9\\n'",
                 "string(n)", "'https://h:1/p?q=1'", "'v1.2.3'"});
  }
  const int d = depth - 1;
  if (Slips()) return Any(d);
  if (dice_.Below(4) == 0) return LibraryText(d);
  switch (dice_.Below(10)) {
    case 0:
      return absl::StrCat("(", Text(d), " + ", Text(d), ")");
    case 1:
      return absl::StrCat(Text(d), Pick({".upperAscii()", ".lowerAscii()", ".trim()"}));
    case 2:
      return absl::StrCat(Text(d), ".substring(", Int(0), ")");
    case 3:
      return absl::StrCat(Text(d), ".replace(", Text(d), ", ", Text(d), ")");
    case 4:
      return absl::StrCat("string(", Pick({"1.5", "true", "b'ab'", "2u", "duration('90s')"}), ")");
    case 5:
      return absl::StrCat(Text(d), ".split(", Pick({"','", "''", "'x'"}), ").join(", Text(0), ")");
    case 6:
      return absl::StrCat(Text(d), ".charAt(", Int(0), ")");
    case 7:
      return absl::StrCat("'%s-%d'.format([", Pick({"s", "n", "1.5", "[1, 2]", "true"}), ", ",
                          Pick({"n", "1", "2"}), "])");
    case 8:
      return absl::StrCat(Text(d), ".find('[a-z0-9]+')");
    default:
      return absl::StrCat("(", Bool(d), " ? ", Text(d), " : ", Text(d), ")");
  }
}

std::string ExpressionMaker::List(int depth) {
  if (depth <= 0) return Pick({"l", "[1, 2, 3]", "[3, 1]", "[n]", "[7]", "lists.range(4)"});
  const int d = depth - 1;
  if (Slips()) return Any(d);
  if (dice_.Below(4) == 0) return LibraryList(d);
  switch (dice_.Below(9)) {
    case 0:
      return absl::StrCat("(", List(d), " + ", List(d), ")");
    case 1:
      return absl::StrCat("[", Int(d), ", ", Int(d), "]");
    case 2:
      return absl::StrCat(List(d), ".map(e, e + ", Int(d), ")");
    case 3:
      return absl::StrCat(List(d), ".filter(e, e", Pick({" > ", " != "}), Int(d), ")");
    case 4:
      return absl::StrCat(List(d), Pick({".sort()", ".reverse()", ".distinct()"}));
    case 5:
      return absl::StrCat(List(d), ".slice(0, ", Pick({"1", "2", "n"}), ")");
    case 6:
      return absl::StrCat(List(d), ".map(e, e > 1, e * ", Int(d), ")");
    case 7:
      return absl::StrCat("[", List(d), ", ", List(d), "].flatten()");
    default:
      return absl::StrCat("optional.of(", List(d), ").optMap(o, o + [", Int(0), "]).orValue([])");
  }
}

std::string ExpressionMaker::Time(int depth) {
  if (depth <= 0) {
    return Pick({"duration('1h')", "duration('1m30s')", "duration('-1s')", "duration('x')"});
  }
  return absl::StrCat("(", Time(depth - 1), Pick({" + ", " - "}), Time(depth - 1), ")");
}

}  // namespace kube::cel
