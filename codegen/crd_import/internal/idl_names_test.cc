#include "codegen/crd_import/internal/idl_names.h"

#include <string>

#include "gtest/gtest.h"

namespace kube::codegen::internal {
namespace {

TEST(PackageOf, GroupsFromTheirEnd) {
  EXPECT_EQ(PackageOf("kube.crd", "cert-manager.io", "v1"), "kube.crd.io.cert_manager.v1");
  EXPECT_EQ(PackageOf("a", "example.com", "v1-x"), "a.com.example.v1_x");
  EXPECT_EQ(PackageOf("kube.crd", "3scale.net", "v1"), "kube.crd.net._3scale.v1");
  EXPECT_EQ(PackageOf("kube.crd", "kube.io", "v1"), "kube.crd.io.kube_.v1");
}

TEST(SnakeCase, Rows) {
  const struct {
    const char* json_name;
    const char* want;
  } kRows[] = {
      {"name", "name"},
      {"secretName", "secret_name"},
      {"caBundle", "ca_bundle"},
      {"clusterIP", "cluster_ip"},
      {"clusterIPs", "cluster_ips"},
      {"IPFamilies", "ip_families"},
      {"hostIPC", "host_ipc"},
      {"URL", "url"},
      {"s3Url", "s3_url"},
      {"x-token", "x_token"},
      {"snake_case", "snake_case"},
      {"__a__b__", "a_b"},
      {"a.b/c d", "a_b_c_d"},
      {"3scale", "n3scale"},
      {"$ref", "ref"},
      {"", "field"},
      {"***", "field"},
      {"\xC3\xBC", "field"},
  };
  for (const auto& row : kRows) EXPECT_EQ(SnakeCase(row.json_name), row.want) << row.json_name;
}

TEST(DefaultJsonName, AsProtobufFormsIt) {
  EXPECT_EQ(DefaultJsonName("cluster_ips"), "clusterIps");
  EXPECT_EQ(DefaultJsonName("a_2b"), "a2b");
  EXPECT_EQ(DefaultJsonName("a"), "a");
}

TEST(Segment, BeginsWithACapital) {
  EXPECT_EQ(Segment("caBundle"), "CaBundle");
  EXPECT_EQ(Segment("x-token"), "XToken");
  EXPECT_EQ(Segment("Widget"), "Widget");
  EXPECT_EQ(Segment("3scale"), "N3scale");
  EXPECT_EQ(Segment("\n\"}"), "Field");
}

TEST(IsPlainName, WhatStandsForItself) {
  for (const char* name : {"a", "$ref", "x-a", "a.b", "a b", "a'b", "a/b"}) {
    EXPECT_TRUE(IsPlainName(name)) << name;
  }
  for (const char* name : {"", "a\"b", "a\\b", "a\nb", "<a>", "a&b", "[a]", "\xC3\xBC", "\x7f"}) {
    EXPECT_FALSE(IsPlainName(name)) << name;
  }
  EXPECT_TRUE(IsPlainName(std::string(255, 'a')));
  EXPECT_FALSE(IsPlainName(std::string(256, 'a')));
}

TEST(FieldNames, DifferInMoreThanCapitals) {
  FieldNames names;
  EXPECT_EQ(names.Add("foo_bar"), "foo_bar");
  EXPECT_EQ(names.Add("foobar"), "foobar_2");
  EXPECT_EQ(names.Add("foo_bar"), "foo_bar_3");
  EXPECT_EQ(names.Add("foobar_2"), "foobar_2_2");
}

TEST(MessageNames, AreUnique) {
  MessageNames names;
  names.Reserve("WidgetClient");
  EXPECT_EQ(names.Add("Widget"), "Widget");
  EXPECT_EQ(names.Add("Widget"), "Widget2");
  EXPECT_EQ(names.Add("Widget2"), "Widget22");
  EXPECT_EQ(names.Add("WidgetClient"), "WidgetClient2");
  EXPECT_EQ(names.Add("WidgetApplyConfiguration"), "WidgetApplyConfigurationType");
}

// Trying all numbers for each of them would take longer than a test may.
TEST(MessageNames, AHundredThousandThatClash) {
  MessageNames messages;
  FieldNames fields;
  for (int i = 1; i <= 100000; ++i) {
    const std::string name = messages.Add("Field");
    const std::string field = fields.Add(i % 2 == 0 ? "a_b" : "ab");
    if (i < 100000) continue;
    EXPECT_EQ(name, "Field100000");
    EXPECT_EQ(field, "a_b_100000");
  }
}

TEST(MessageNameOf, PathsAndTheirLimit) {
  EXPECT_EQ(MessageNameOf("WidgetSpec", "ports", "p"), "WidgetSpecPorts");
  const std::string long_name(198, 'P');
  EXPECT_EQ(MessageNameOf(long_name, "ab", "p"), long_name + "Ab");
  const std::string longer = MessageNameOf(long_name, "abc", "p");
  EXPECT_EQ(longer, std::string(60, 'P') + "Xaf63ed4c8602096fXAbc");
  EXPECT_NE(MessageNameOf(long_name, "abc", "q"), longer);
}

}  // namespace
}  // namespace kube::codegen::internal
