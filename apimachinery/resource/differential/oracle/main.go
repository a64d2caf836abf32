// Command resource_oracle answers what Kubernetes' Go code calculates with quantities. A request is "pair", a tab, and
// "A|B|FACTOR|SCALE" in hexadecimal; the answer is every result, separated by spaces.
package main

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"kube/tests/oracle"
)

// The quantity of a text, without the text: String would return some of them as they came.
func parse(text string) resource.Quantity {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		panic(err)
	}
	q.Neg()
	q.Neg()
	return q
}

func written(q resource.Quantity) string {
	return q.String() + "/" + string(q.Format)
}

// The quantity over 10^scale, rounded away from zero, and whether it was whole.
func divide(q resource.Quantity, scale int) (*big.Int, bool) {
	dec := q.AsDec()
	number := new(big.Int).Set(dec.UnscaledBig())
	shift := -int64(dec.Scale()) - int64(scale)
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(shift, -shift)), nil)
	if shift >= 0 {
		return number.Mul(number, power), true
	}
	sign := int64(number.Sign())
	_, rest := number.QuoRem(number, power, new(big.Int))
	if rest.Sign() != 0 {
		number.Add(number, big.NewInt(sign))
	}
	return number, rest.Sign() == 0
}

// The quantity over 10^scale, rounded up, and as close as 64 bits allow. Go's own function overflows, and rounds some
// negative numbers the wrong way; where it does neither, both agree.
func scaled(text string, scale int) int64 {
	rounded, _ := divide(parse(text), scale)
	if !rounded.IsInt64() {
		if rounded.Sign() < 0 {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	if rounded.Sign() >= 0 {
		q := parse(text)
		if theirs := q.ScaledValue(resource.Scale(scale)); theirs != rounded.Int64() {
			panic(fmt.Sprintf("ScaledValue(%s, %d) is %d", text, scale, theirs))
		}
	}
	return rounded.Int64()
}

// Go's own function knows fewer numbers to be whole.
func whole(text string) string {
	rounded, exact := divide(parse(text), 0)
	if !exact || !rounded.IsInt64() {
		return "none"
	}
	q := parse(text)
	if theirs, ok := q.AsInt64(); ok && theirs != rounded.Int64() {
		panic("AsInt64 of " + text)
	}
	return rounded.String()
}

// The nearest double; Go's slow function rounds twice, and may be one off.
func float(text string) string {
	q := parse(text)
	slow := q.AsFloat64Slow()
	nearest, err := strconv.ParseFloat(q.AsDec().String(), 64)
	if err != nil && !math.IsInf(nearest, 0) {
		panic(err)
	}
	if slow != nearest && slow != math.Nextafter(nearest, slow) {
		panic(fmt.Sprintf("AsFloat64Slow(%s) is %g", text, slow))
	}
	return fmt.Sprintf("%x", math.Float64bits(nearest))
}

func pair(a, b string, factor int64, scale int) string {
	sum, difference, product, negative, rounded := parse(a), parse(a), parse(a), parse(a), parse(a)
	sum.Add(parse(b))
	difference.Sub(parse(b))
	product.Mul(factor)
	negative.Neg()
	exact := rounded.RoundUp(resource.Scale(scale))
	q := parse(a)
	results := []any{
		written(q), written(sum), written(difference), written(product), written(negative), written(rounded), exact,
		q.Cmp(parse(b)), q.CmpInt64(factor), q.Sign(), scaled(a, 0), scaled(a, -3), scaled(a, scale), whole(a), float(a),
	}
	return strings.TrimSuffix(fmt.Sprintln(results...), "\n")
}

func answer(text string) (string, error) {
	parts := strings.Split(text, "|")
	factor, err := strconv.ParseInt(parts[2], 10, 64)
	oracle.Check(err)
	scale, err := strconv.Atoi(parts[3])
	oracle.Check(err)
	return pair(parts[0], parts[1], factor, scale), nil
}

func main() { oracle.Serve(map[string]func(string) (string, error){"pair": answer}) }
