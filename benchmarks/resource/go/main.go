// The twins of resource.cc, under the same names.
package main

import (
	"testing"
	"time"

	"bench/contract"

	"k8s.io/apimachinery/pkg/api/resource"
)

var (
	usual = []string{"100m", "250m", "1", "2", "500m", "128Mi", "1Gi", "64Mi", "4Gi", "512Mi", "10Gi", "110"}
	long  = []string{"123456789012345678901234567890", "0.1234567891", "1.000000001Gi", "1e40"}

	order   int
	written string
)

func quantities(texts []string) []resource.Quantity {
	var all []resource.Quantity
	for _, text := range texts {
		all = append(all, resource.MustParse(text))
	}
	return all
}

func parse(texts []string) func(*testing.B) {
	return func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := resource.ParseQuantity(texts[i%len(texts)]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func add(texts []string) func(*testing.B) {
	return func(b *testing.B) {
		all := quantities(texts)
		var sum resource.Quantity
		for i := 0; b.Loop(); i++ {
			if i == len(all) {
				i = 0
				sum = resource.Quantity{}
			}
			sum.Add(all[i])
		}
	}
}

func compare(texts []string) func(*testing.B) {
	return func(b *testing.B) {
		all := quantities(texts)
		for i := 0; b.Loop(); i++ {
			order += all[i%len(all)].Cmp(all[(i+1)%len(all)])
		}
	}
}

func write(texts []string) func(*testing.B) {
	return func(b *testing.B) {
		all := quantities(texts)
		for i := 0; b.Loop(); i++ {
			q := &all[i%len(all)]
			// Twice, so that it forgets its text.
			q.Neg()
			q.Neg()
			written = q.String()
		}
	}
}

func main() {
	contract.BenchTime(300 * time.Millisecond)
	var report contract.Report
	report.Bench("parse", parse(usual))
	report.Bench("parse_long", parse(long))
	report.Bench("add", add(usual))
	report.Bench("add_long", add(long))
	report.Bench("compare", compare(usual))
	report.Bench("compare_long", compare(long))
	report.Bench("string", write(usual))
	report.Bench("string_long", write(long))
	report.Print()
}
