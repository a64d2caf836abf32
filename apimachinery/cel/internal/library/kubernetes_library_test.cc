#include "apimachinery/cel/internal/library/kubernetes_library.h"

#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/testing/evaluated.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

struct Row {
  const char* expression;
  const char* result;
};

class KubernetesLibraryTest : public testing::TestWithParam<Row> {};

TEST_P(KubernetesLibraryTest, Evaluates) {
  EXPECT_EQ(Evaluated(GetParam().expression), GetParam().result) << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(
    Urls, KubernetesLibraryTest,
    testing::Values(Row{"url('https://example.com:80/path').getScheme()", "\"https\""},
                    Row{"url('https://example.com:80/path').getHost()", "\"example.com:80\""},
                    Row{"url('https://[::1]:80/path').getHostname()", "\"::1\""},
                    Row{"url('https://[::1]:80/path').getPort()", "\"80\""},
                    Row{"url('https://h/a b').getEscapedPath()", "\"/a%20b\""},
                    Row{"url('https://h/?k1=a&k2=b&k2=c').getQuery()",
                        "{\"k1\": [\"a\"], \"k2\": [\"b\", \"c\"]}"},
                    Row{"url('https://h') == url('https://h')", "true"},
                    Row{"isURL('../a')", "false"},
                    Row{"url('a')",
                        "error: URL parse error during conversion from string: parse \"a\": "
                        "invalid URI for request"}));

INSTANTIATE_TEST_SUITE_P(
    Quantities, KubernetesLibraryTest,
    testing::Values(Row{"quantity('1Mi').isLessThan(quantity('2Mi'))", "true"},
                    Row{"quantity('1Mi').isGreaterThan(quantity('2Mi'))", "false"},
                    Row{"quantity('1000m').compareTo(quantity('1'))", "0"},
                    Row{"quantity('50k').asInteger()", "50000"},
                    Row{"quantity('50m').asInteger()", "error: cannot convert value to integer"},
                    Row{"quantity('50m').isInteger()", "false"},
                    Row{"quantity('1.5').asApproximateFloat()", "1.5"},
                    Row{"quantity('50k').add(20)", "50020"},
                    Row{"quantity('50k').sub(quantity('20k'))", "30k"},
                    Row{"sign(quantity('-1'))", "-1"}, Row{"isQuantity('1 Mi')", "false"},
                    Row{"quantity('1k').add(0) == quantity('1000')", "true"},
                    Row{"quantity('1000') == quantity('1k').add(0)", "error: no such overload"}));

INSTANTIATE_TEST_SUITE_P(
    Addresses, KubernetesLibraryTest,
    testing::Values(Row{"ip('127.0.0.1').family()", "4"}, Row{"string(ip('::0001'))", "\"::1\""},
                    Row{"ip.isCanonical('2001:DB8::1')", "false"}, Row{"isIP('1.2.3')", "false"},
                    Row{"ip('fe80::1%a')",
                        "error: IP address \"fe80::1%a\" with zone value is not allowed"},
                    Row{"ip('::ffff:1.2.3.4')",
                        "error: IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed"},
                    Row{"ip('1')",
                        "error: IP Address \"1\" parse error during conversion from string: "
                        "ParseAddr(\"1\"): unable to parse IP"},
                    Row{"ip('::1').isLoopback()", "true"},
                    Row{"ip('10.0.0.1') == ip('10.0.0.1')", "true"},
                    Row{"cidr('192.168.0.0/24').containsIP('192.168.0.9')", "true"},
                    Row{"cidr('192.168.0.0/24').containsIP(ip('192.168.1.9'))", "false"},
                    Row{"cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24')", "true"},
                    Row{"cidr('192.168.0.0/16').containsCIDR(cidr('192.0.0.0/8'))", "false"},
                    Row{"cidr('192.168.0.9/16').masked()", "192.168.0.0/16"},
                    Row{"cidr('192.168.0.9/16').ip()", "192.168.0.9"},
                    Row{"cidr('192.168.0.0/16').prefixLength()", "16"},
                    Row{"isCIDR('::/129')", "false"}, Row{"type(ip('::1')) == net.IP", "true"}));

INSTANTIATE_TEST_SUITE_P(
    FormatsAndVersions, KubernetesLibraryTest,
    testing::Values(Row{"format.dns1123Label().validate('my-name')", "optional.none()"},
                    Row{"format.dns1123Label().validate('My').hasValue()", "true"},
                    Row{"format.named('uuid').value().validate('x')",
                        "optional.of([\"does not match the UUID format\"])"},
                    Row{"format.uuid().validate('01234567-89ab-CDEF-0123-456789abcdef')",
                        "optional.none()"},
                    Row{"format.named('nothing')", "optional.none()"},
                    Row{"format.byte().validate('aGk=')", "optional.none()"},
                    Row{"format.date().validate('2021-02-29')", "optional.of([\"invalid date\"])"},
                    Row{"format.datetime().validate('2021-02-28T23:59:59.5Z')", "optional.none()"},
                    Row{"format.datetime().validate('2021-02-28T24:00:00Z')",
                        "optional.of([\"invalid datetime\"])"},
                    Row{"format.uri() == format.uri()", "true"},
                    Row{"semver('1.2.3').isLessThan(semver('1.10.0'))", "true"},
                    Row{"semver('1.2.3-rc.1').compareTo(semver('1.2.3'))", "-1"},
                    Row{"semver('v1', true).minor()", "0"}, Row{"isSemver('v1.0.0')", "false"},
                    Row{"semver('1.2.3').major()", "1"}, Row{"semver('1.2.3').patch()", "3"},
                    Row{"semver('1')", "error: No Major.Minor.Patch elements found"}));

TEST(KubernetesFunctionsTest, AreComplete) {
  for (const char* name : {"size", "split", "url", "quantity", "cidr", "semver", "format.named"}) {
    EXPECT_NE(KubernetesFunctions().Find(name), nullptr) << name;
  }
  EXPECT_FALSE(IsOpaque(Value::FromInt(1), "net.IP"));
}

}  // namespace
}  // namespace kube::cel::internal
