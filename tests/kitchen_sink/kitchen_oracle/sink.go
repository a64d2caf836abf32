// The Go twin of sink.proto: each message as Kubernetes would declare it in Go. Tags are the specification.

package main

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// ---- Presence: a leaf in each way that Go can declare it.

// string `json:",omitempty"`
type Plain struct {
	Text  string  `json:"text,omitempty" protobuf:"bytes,1,opt,name=text"`
	Flag  bool    `json:"flag,omitempty" protobuf:"varint,2,opt,name=flag"`
	Small int32   `json:"small,omitempty" protobuf:"varint,3,opt,name=small"`
	Big   int64   `json:"big,omitempty" protobuf:"varint,4,opt,name=big"`
	Real  float64 `json:"real,omitempty" protobuf:"fixed64,5,opt,name=real"`
	Data  []byte  `json:"data,omitempty" protobuf:"bytes,6,opt,name=data"`
	// Structs in Go: omitempty never leaves them out.
	Time         metav1.Time          `json:"time,omitempty" protobuf:"bytes,7,opt,name=time"`
	MicroTime    metav1.MicroTime     `json:"microTime,omitempty" protobuf:"bytes,8,opt,name=microTime"`
	Duration     metav1.Duration      `json:"duration,omitempty" protobuf:"bytes,9,opt,name=duration"`
	Quantity     resource.Quantity    `json:"quantity,omitempty" protobuf:"bytes,10,opt,name=quantity"`
	IntOrString  intstr.IntOrString   `json:"intOrString,omitempty" protobuf:"bytes,11,opt,name=intOrString"`
	RawExtension runtime.RawExtension `json:"rawExtension,omitempty" protobuf:"bytes,12,opt,name=rawExtension"`
	FieldsV1     metav1.FieldsV1      `json:"fieldsV1,omitempty" protobuf:"bytes,13,opt,name=fieldsV1"`
	RawJson      apiextensionsv1.JSON `json:"rawJson,omitempty" protobuf:"bytes,14,opt,name=rawJson"`
	Point        Point                `json:"point,omitempty" protobuf:"bytes,15,opt,name=point"`
	Verbs        Verbs                `json:"verbs,omitempty" protobuf:"bytes,16,opt,name=verbs"`
}

// *string `json:",omitempty"`
type Optional struct {
	Text         *string               `json:"text,omitempty" protobuf:"bytes,1,opt,name=text"`
	Flag         *bool                 `json:"flag,omitempty" protobuf:"varint,2,opt,name=flag"`
	Small        *int32                `json:"small,omitempty" protobuf:"varint,3,opt,name=small"`
	Big          *int64                `json:"big,omitempty" protobuf:"varint,4,opt,name=big"`
	Real         *float64              `json:"real,omitempty" protobuf:"fixed64,5,opt,name=real"`
	Time         *metav1.Time          `json:"time,omitempty" protobuf:"bytes,7,opt,name=time"`
	MicroTime    *metav1.MicroTime     `json:"microTime,omitempty" protobuf:"bytes,8,opt,name=microTime"`
	Duration     *metav1.Duration      `json:"duration,omitempty" protobuf:"bytes,9,opt,name=duration"`
	Quantity     *resource.Quantity    `json:"quantity,omitempty" protobuf:"bytes,10,opt,name=quantity"`
	IntOrString  *intstr.IntOrString   `json:"intOrString,omitempty" protobuf:"bytes,11,opt,name=intOrString"`
	RawExtension *runtime.RawExtension `json:"rawExtension,omitempty" protobuf:"bytes,12,opt,name=rawExtension"`
	FieldsV1     *metav1.FieldsV1      `json:"fieldsV1,omitempty" protobuf:"bytes,13,opt,name=fieldsV1"`
	RawJson      *apiextensionsv1.JSON `json:"rawJson,omitempty" protobuf:"bytes,14,opt,name=rawJson"`
	Point        *Point                `json:"point,omitempty" protobuf:"bytes,15,opt,name=point"`
}

// string `json:""`
type Never struct {
	Text  string  `json:"text" protobuf:"bytes,1,opt,name=text"`
	Flag  bool    `json:"flag" protobuf:"varint,2,opt,name=flag"`
	Small int32   `json:"small" protobuf:"varint,3,opt,name=small"`
	Big   int64   `json:"big" protobuf:"varint,4,opt,name=big"`
	Real  float64 `json:"real" protobuf:"fixed64,5,opt,name=real"`
	// null, or base64 that may be empty.
	Data         []byte               `json:"data" protobuf:"bytes,6,opt,name=data"`
	Time         metav1.Time          `json:"time" protobuf:"bytes,7,opt,name=time"`
	MicroTime    metav1.MicroTime     `json:"microTime" protobuf:"bytes,8,opt,name=microTime"`
	Duration     metav1.Duration      `json:"duration" protobuf:"bytes,9,opt,name=duration"`
	Quantity     resource.Quantity    `json:"quantity" protobuf:"bytes,10,opt,name=quantity"`
	IntOrString  intstr.IntOrString   `json:"intOrString" protobuf:"bytes,11,opt,name=intOrString"`
	RawExtension runtime.RawExtension `json:"rawExtension" protobuf:"bytes,12,opt,name=rawExtension"`
	FieldsV1     metav1.FieldsV1      `json:"fieldsV1" protobuf:"bytes,13,opt,name=fieldsV1"`
	RawJson      apiextensionsv1.JSON `json:"rawJson" protobuf:"bytes,14,opt,name=rawJson"`
	Point        Point                `json:"point" protobuf:"bytes,15,opt,name=point"`
	// null, or a list that may be empty; on the wire a message.
	Verbs Verbs `json:"verbs" protobuf:"bytes,16,opt,name=verbs"`
}

// *string `json:""`: null where it is absent.
type OptionalNever struct {
	Text         *string               `json:"text" protobuf:"bytes,1,opt,name=text"`
	Flag         *bool                 `json:"flag" protobuf:"varint,2,opt,name=flag"`
	Small        *int32                `json:"small" protobuf:"varint,3,opt,name=small"`
	Big          *int64                `json:"big" protobuf:"varint,4,opt,name=big"`
	Real         *float64              `json:"real" protobuf:"fixed64,5,opt,name=real"`
	Time         *metav1.Time          `json:"time" protobuf:"bytes,7,opt,name=time"`
	MicroTime    *metav1.MicroTime     `json:"microTime" protobuf:"bytes,8,opt,name=microTime"`
	Duration     *metav1.Duration      `json:"duration" protobuf:"bytes,9,opt,name=duration"`
	Quantity     *resource.Quantity    `json:"quantity" protobuf:"bytes,10,opt,name=quantity"`
	IntOrString  *intstr.IntOrString   `json:"intOrString" protobuf:"bytes,11,opt,name=intOrString"`
	RawExtension *runtime.RawExtension `json:"rawExtension" protobuf:"bytes,12,opt,name=rawExtension"`
	FieldsV1     *metav1.FieldsV1      `json:"fieldsV1" protobuf:"bytes,13,opt,name=fieldsV1"`
	RawJson      *apiextensionsv1.JSON `json:"rawJson" protobuf:"bytes,14,opt,name=rawJson"`
	Point        *Point                `json:"point" protobuf:"bytes,15,opt,name=point"`
}

// string `json:",omitzero"`: Go's zero value, or what the type's IsZero says.
type Zero struct {
	Text  string `json:"text,omitzero" protobuf:"bytes,1,opt,name=text"`
	Flag  bool   `json:"flag,omitzero" protobuf:"varint,2,opt,name=flag"`
	Small int32  `json:"small,omitzero" protobuf:"varint,3,opt,name=small"`
	Big   int64  `json:"big,omitzero" protobuf:"varint,4,opt,name=big"`
	// -0 is zero too.
	Real float64 `json:"real,omitzero" protobuf:"fixed64,5,opt,name=real"`
	// null is left out, "" is written.
	Data      []byte           `json:"data,omitzero" protobuf:"bytes,6,opt,name=data"`
	Time      metav1.Time      `json:"time,omitzero" protobuf:"bytes,7,opt,name=time"`
	MicroTime metav1.MicroTime `json:"microTime,omitzero" protobuf:"bytes,8,opt,name=microTime"`
	Duration  metav1.Duration  `json:"duration,omitzero" protobuf:"bytes,9,opt,name=duration"`
	// "0", in whatever form.
	Quantity resource.Quantity `json:"quantity,omitzero" protobuf:"bytes,10,opt,name=quantity"`
	// The number 0; not the text "".
	IntOrString  intstr.IntOrString   `json:"intOrString,omitzero" protobuf:"bytes,11,opt,name=intOrString"`
	RawExtension runtime.RawExtension `json:"rawExtension,omitzero" protobuf:"bytes,12,opt,name=rawExtension"`
	FieldsV1     metav1.FieldsV1      `json:"fieldsV1,omitzero" protobuf:"bytes,13,opt,name=fieldsV1"`
	RawJson      apiextensionsv1.JSON `json:"rawJson,omitzero" protobuf:"bytes,14,opt,name=rawJson"`
	Point        Point                `json:"point,omitzero" protobuf:"bytes,15,opt,name=point"`
	Verbs        Verbs                `json:"verbs,omitzero" protobuf:"bytes,16,opt,name=verbs"`
	// Of a struct each member counts: an empty map in it is not zero.
	Selector LabelSelector `json:"selector,omitzero" protobuf:"bytes,17,opt,name=selector"`
}

// *string `json:",omitzero"`
type OptionalZero struct {
	Text  *string  `json:"text,omitzero" protobuf:"bytes,1,opt,name=text"`
	Flag  *bool    `json:"flag,omitzero" protobuf:"varint,2,opt,name=flag"`
	Small *int32   `json:"small,omitzero" protobuf:"varint,3,opt,name=small"`
	Big   *int64   `json:"big,omitzero" protobuf:"varint,4,opt,name=big"`
	Real  *float64 `json:"real,omitzero" protobuf:"fixed64,5,opt,name=real"`
	// A pointer to a zero Time: IsZero takes a pointer.
	Time         *metav1.Time          `json:"time,omitzero" protobuf:"bytes,7,opt,name=time"`
	MicroTime    *metav1.MicroTime     `json:"microTime,omitzero" protobuf:"bytes,8,opt,name=microTime"`
	Duration     *metav1.Duration      `json:"duration,omitzero" protobuf:"bytes,9,opt,name=duration"`
	Quantity     *resource.Quantity    `json:"quantity,omitzero" protobuf:"bytes,10,opt,name=quantity"`
	IntOrString  *intstr.IntOrString   `json:"intOrString,omitzero" protobuf:"bytes,11,opt,name=intOrString"`
	RawExtension *runtime.RawExtension `json:"rawExtension,omitzero" protobuf:"bytes,12,opt,name=rawExtension"`
	FieldsV1     *metav1.FieldsV1      `json:"fieldsV1,omitzero" protobuf:"bytes,13,opt,name=fieldsV1"`
	RawJson      *apiextensionsv1.JSON `json:"rawJson,omitzero" protobuf:"bytes,14,opt,name=rawJson"`
	Point        *Point                `json:"point,omitzero" protobuf:"bytes,15,opt,name=point"`
}

// string `json:",omitempty,omitzero"`
type EmptyOrZero struct {
	Text        string             `json:"text,omitempty,omitzero" protobuf:"bytes,1,opt,name=text"`
	Flag        bool               `json:"flag,omitempty,omitzero" protobuf:"varint,2,opt,name=flag"`
	Small       int32              `json:"small,omitempty,omitzero" protobuf:"varint,3,opt,name=small"`
	Big         int64              `json:"big,omitempty,omitzero" protobuf:"varint,4,opt,name=big"`
	Real        float64            `json:"real,omitempty,omitzero" protobuf:"fixed64,5,opt,name=real"`
	Data        []byte             `json:"data,omitempty,omitzero" protobuf:"bytes,6,opt,name=data"`
	Time        metav1.Time        `json:"time,omitempty,omitzero" protobuf:"bytes,7,opt,name=time"`
	MicroTime   metav1.MicroTime   `json:"microTime,omitempty,omitzero" protobuf:"bytes,8,opt,name=microTime"`
	Duration    metav1.Duration    `json:"duration,omitempty,omitzero" protobuf:"bytes,9,opt,name=duration"`
	Quantity    resource.Quantity  `json:"quantity,omitempty,omitzero" protobuf:"bytes,10,opt,name=quantity"`
	IntOrString intstr.IntOrString `json:"intOrString,omitempty,omitzero" protobuf:"bytes,11,opt,name=intOrString"`
	Point       Point              `json:"point,omitempty,omitzero" protobuf:"bytes,15,opt,name=point"`
	Texts       []string           `json:"texts,omitempty,omitzero" protobuf:"bytes,18,rep,name=texts"`
	TextByKey   map[string]string  `json:"textByKey,omitempty,omitzero" protobuf:"bytes,19,rep,name=textByKey"`
}

// ---- Lists.

// []string `json:",omitempty"`
type Lists struct {
	Texts         []string               `json:"texts,omitempty" protobuf:"bytes,1,rep,name=texts"`
	Flags         []bool                 `json:"flags,omitempty" protobuf:"varint,2,rep,name=flags"`
	Smalls        []int32                `json:"smalls,omitempty" protobuf:"varint,3,rep,name=smalls"`
	Bigs          []int64                `json:"bigs,omitempty" protobuf:"varint,4,rep,name=bigs"`
	Reals         []float64              `json:"reals,omitempty" protobuf:"fixed64,5,rep,name=reals"`
	Datas         [][]byte               `json:"datas,omitempty" protobuf:"bytes,6,rep,name=datas"`
	Times         []metav1.Time          `json:"times,omitempty" protobuf:"bytes,7,rep,name=times"`
	MicroTimes    []metav1.MicroTime     `json:"microTimes,omitempty" protobuf:"bytes,8,rep,name=microTimes"`
	Durations     []metav1.Duration      `json:"durations,omitempty" protobuf:"bytes,9,rep,name=durations"`
	Quantities    []resource.Quantity    `json:"quantities,omitempty" protobuf:"bytes,10,rep,name=quantities"`
	IntOrStrings  []intstr.IntOrString   `json:"intOrStrings,omitempty" protobuf:"bytes,11,rep,name=intOrStrings"`
	RawExtensions []runtime.RawExtension `json:"rawExtensions,omitempty" protobuf:"bytes,12,rep,name=rawExtensions"`
	RawJsons      []apiextensionsv1.JSON `json:"rawJsons,omitempty" protobuf:"bytes,13,rep,name=rawJsons"`
	Points        []Point                `json:"points,omitempty" protobuf:"bytes,14,rep,name=points"`
	Pairs         []Pair                 `json:"pairs,omitempty" protobuf:"bytes,15,rep,name=pairs"`
	Empties       []Empty                `json:"empties,omitempty" protobuf:"bytes,16,rep,name=empties"`
	// Lists in structs in lists.
	Commands []ExecAction `json:"commands,omitempty" protobuf:"bytes,17,rep,name=commands"`
}

// []string `json:""`: null, [] and ["a"] are three values.
type ListsNever struct {
	Texts         []string               `json:"texts" protobuf:"bytes,1,rep,name=texts"`
	Flags         []bool                 `json:"flags" protobuf:"varint,2,rep,name=flags"`
	Smalls        []int32                `json:"smalls" protobuf:"varint,3,rep,name=smalls"`
	Bigs          []int64                `json:"bigs" protobuf:"varint,4,rep,name=bigs"`
	Reals         []float64              `json:"reals" protobuf:"fixed64,5,rep,name=reals"`
	Datas         [][]byte               `json:"datas" protobuf:"bytes,6,rep,name=datas"`
	Times         []metav1.Time          `json:"times" protobuf:"bytes,7,rep,name=times"`
	Quantities    []resource.Quantity    `json:"quantities" protobuf:"bytes,10,rep,name=quantities"`
	IntOrStrings  []intstr.IntOrString   `json:"intOrStrings" protobuf:"bytes,11,rep,name=intOrStrings"`
	RawExtensions []runtime.RawExtension `json:"rawExtensions" protobuf:"bytes,12,rep,name=rawExtensions"`
	Points        []Point                `json:"points" protobuf:"bytes,14,rep,name=points"`
}

// []string `json:",omitzero"`: null is left out, [] is written.
type ListsZero struct {
	Texts      []string            `json:"texts,omitzero" protobuf:"bytes,1,rep,name=texts"`
	Bigs       []int64             `json:"bigs,omitzero" protobuf:"varint,4,rep,name=bigs"`
	Quantities []resource.Quantity `json:"quantities,omitzero" protobuf:"bytes,10,rep,name=quantities"`
	Points     []Point             `json:"points,omitzero" protobuf:"bytes,14,rep,name=points"`
}

// ---- Maps. Keys are strings, sorted by bytes.

// map[string]string `json:",omitempty"`
type Maps struct {
	Texts         map[string]string               `json:"texts,omitempty" protobuf:"bytes,1,rep,name=texts"`
	Flags         map[string]bool                 `json:"flags,omitempty" protobuf:"bytes,2,rep,name=flags"`
	Smalls        map[string]int32                `json:"smalls,omitempty" protobuf:"bytes,3,rep,name=smalls"`
	Bigs          map[string]int64                `json:"bigs,omitempty" protobuf:"bytes,4,rep,name=bigs"`
	Reals         map[string]float64              `json:"reals,omitempty" protobuf:"bytes,5,rep,name=reals"`
	Datas         map[string][]byte               `json:"datas,omitempty" protobuf:"bytes,6,rep,name=datas"`
	Times         map[string]metav1.Time          `json:"times,omitempty" protobuf:"bytes,7,rep,name=times"`
	Durations     map[string]metav1.Duration      `json:"durations,omitempty" protobuf:"bytes,9,rep,name=durations"`
	Quantities    map[string]resource.Quantity    `json:"quantities,omitempty" protobuf:"bytes,10,rep,name=quantities"`
	IntOrStrings  map[string]intstr.IntOrString   `json:"intOrStrings,omitempty" protobuf:"bytes,11,rep,name=intOrStrings"`
	RawExtensions map[string]runtime.RawExtension `json:"rawExtensions,omitempty" protobuf:"bytes,12,rep,name=rawExtensions"`
	RawJsons      map[string]apiextensionsv1.JSON `json:"rawJsons,omitempty" protobuf:"bytes,13,rep,name=rawJsons"`
	Points        map[string]Point                `json:"points,omitempty" protobuf:"bytes,14,rep,name=points"`
	Empties       map[string]Empty                `json:"empties,omitempty" protobuf:"bytes,15,rep,name=empties"`
	Extra         map[string]ExtraValue           `json:"extra,omitempty" protobuf:"bytes,16,rep,name=extra"`
	// Maps in structs in maps.
	Selectors map[string]LabelSelector `json:"selectors,omitempty" protobuf:"bytes,17,rep,name=selectors"`
}

// map[string]string `json:""`
type MapsNever struct {
	Texts      map[string]string            `json:"texts" protobuf:"bytes,1,rep,name=texts"`
	Flags      map[string]bool              `json:"flags" protobuf:"bytes,2,rep,name=flags"`
	Bigs       map[string]int64             `json:"bigs" protobuf:"bytes,4,rep,name=bigs"`
	Datas      map[string][]byte            `json:"datas" protobuf:"bytes,6,rep,name=datas"`
	Quantities map[string]resource.Quantity `json:"quantities" protobuf:"bytes,10,rep,name=quantities"`
	Points     map[string]Point             `json:"points" protobuf:"bytes,14,rep,name=points"`
	Extra      map[string]ExtraValue        `json:"extra" protobuf:"bytes,16,rep,name=extra"`
}

// map[string]string `json:",omitzero"`
type MapsZero struct {
	Texts      map[string]string            `json:"texts,omitzero" protobuf:"bytes,1,rep,name=texts"`
	Quantities map[string]resource.Quantity `json:"quantities,omitzero" protobuf:"bytes,10,rep,name=quantities"`
	Points     map[string]Point             `json:"points,omitzero" protobuf:"bytes,14,rep,name=points"`
}

// ---- Structs in structs.

type Structs struct {
	// `"value":{}`
	Value          Point  `json:"value,omitempty" protobuf:"bytes,1,opt,name=value"`
	ValueOfNever   Pair   `json:"valueOfNever,omitempty" protobuf:"bytes,2,opt,name=valueOfNever"`
	ValueOfNothing Empty  `json:"valueOfNothing,omitempty" protobuf:"bytes,3,opt,name=valueOfNothing"`
	Never          Point  `json:"never" protobuf:"bytes,4,opt,name=never"`
	Zero           Point  `json:"zero,omitzero" protobuf:"bytes,5,opt,name=zero"`
	Box            *Point `json:"box,omitempty" protobuf:"bytes,6,opt,name=box"`
	BoxNever       *Point `json:"boxNever" protobuf:"bytes,7,opt,name=boxNever"`
	BoxZero        *Point `json:"boxZero,omitzero" protobuf:"bytes,8,opt,name=boxZero"`
	BoxOfNothing   *Empty `json:"boxOfNothing,omitempty" protobuf:"bytes,9,opt,name=boxOfNothing"`
	// `"metadata":{}`, with omitempty and without.
	Metadata      ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,10,opt,name=metadata"`
	MetadataNever ObjectMeta `json:"metadataNever" protobuf:"bytes,11,opt,name=metadataNever"`
	Condition     Condition  `json:"condition,omitempty" protobuf:"bytes,12,opt,name=condition"`
	// Structs by value, four deep.
	Deep DeepOne `json:"deep,omitempty" protobuf:"bytes,13,opt,name=deep"`
}

type DeepOne struct {
	Two   DeepTwo `json:"two,omitempty" protobuf:"bytes,1,opt,name=two"`
	After int32   `json:"after,omitempty" protobuf:"varint,2,opt,name=after"`
}

type DeepTwo struct {
	Before int32     `json:"before,omitempty" protobuf:"varint,1,opt,name=before"`
	Three  DeepThree `json:"three,omitzero" protobuf:"bytes,2,opt,name=three"`
}

type DeepThree struct {
	Texts []string `json:"texts,omitempty" protobuf:"bytes,1,rep,name=texts"`
	Again *DeepOne `json:"again,omitempty" protobuf:"bytes,2,opt,name=again"`
}

// ---- Inline structs.

// As Volume: a name and a source.
type Volume struct {
	Name   string `json:"name" protobuf:"bytes,1,opt,name=name"`
	Source `json:",inline" protobuf:"bytes,2,opt,name=source"`
}

// As Probe: the inline struct is declared first and has the highest number.
type Probe struct {
	Handler        `json:",inline" protobuf:"bytes,9,opt,name=handler"`
	PeriodSeconds  int32  `json:"periodSeconds,omitempty" protobuf:"varint,4,opt,name=periodSeconds"`
	TimeoutSeconds int32  `json:"timeoutSeconds,omitempty" protobuf:"varint,2,opt,name=timeoutSeconds"`
	GraceSeconds   *int64 `json:"graceSeconds,omitempty" protobuf:"varint,7,opt,name=graceSeconds"`
}

// Inline in inline, with members before, between and after.
type Outer struct {
	First  string `json:"first,omitempty" protobuf:"bytes,3,opt,name=first"`
	Middle `json:",inline" protobuf:"bytes,2,opt,name=middle"`
	Last   string `json:"last,omitempty" protobuf:"bytes,1,opt,name=last"`
}

type Middle struct {
	MiddleFirst string `json:"middleFirst" protobuf:"bytes,2,opt,name=middleFirst"`
	Inner       `json:",inline" protobuf:"bytes,4,opt,name=inner"`
	MiddleLast  string `json:"middleLast,omitempty" protobuf:"bytes,3,opt,name=middleLast"`
	// The same number as the struct around it.
	MiddleList []string `json:"middleList,omitempty" protobuf:"bytes,1,rep,name=middleList"`
}

type Inner struct {
	InnerNumber int32             `json:"innerNumber,omitempty" protobuf:"varint,1,opt,name=innerNumber"`
	InnerMap    map[string]string `json:"innerMap,omitempty" protobuf:"bytes,2,rep,name=innerMap"`
	InnerPoint  Point             `json:"innerPoint,omitempty" protobuf:"bytes,3,opt,name=innerPoint"`
}

type Inlines struct {
	// +listType=map
	// +listMapKey=name
	Volumes []Volume         `json:"volumes,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name" protobuf:"bytes,1,rep,name=volumes"`
	Probe   *Probe           `json:"probe,omitempty" protobuf:"bytes,2,opt,name=probe"`
	Outer   Outer            `json:"outer,omitempty" protobuf:"bytes,3,opt,name=outer"`
	Outers  map[string]Outer `json:"outers,omitempty" protobuf:"bytes,4,rep,name=outers"`
}

// ---- Numbers and orders on the wire.

// Tags of one, two and three bytes, declared in no order.
type Numbers struct {
	ThirtyThousand           string            `json:"thirtyThousand,omitempty" protobuf:"bytes,30000,opt,name=thirtyThousand"`
	One                      string            `json:"one,omitempty" protobuf:"bytes,1,opt,name=one"`
	Sixteen                  int32             `json:"sixteen,omitempty" protobuf:"varint,16,opt,name=sixteen"`
	TwoThousandAndFortyEight string            `json:"twoThousandAndFortyEight,omitempty" protobuf:"bytes,2048,opt,name=twoThousandAndFortyEight"`
	Fifteen                  []string          `json:"fifteen,omitempty" protobuf:"bytes,15,rep,name=fifteen"`
	TwoThousandAndFortySeven string            `json:"twoThousandAndFortySeven,omitempty" protobuf:"bytes,2047,opt,name=twoThousandAndFortySeven"`
	Hundred                  map[string]string `json:"hundred,omitempty" protobuf:"bytes,100,rep,name=hundred"`
	Seventeen                Point             `json:"seventeen,omitempty" protobuf:"bytes,17,opt,name=seventeen"`
	Two                      *int64            `json:"two,omitempty" protobuf:"varint,2,opt,name=two"`
	ThreeHundred             []Point           `json:"threeHundred,omitempty" protobuf:"bytes,300,rep,name=threeHundred"`
	Greatest                 *Point            `json:"greatest,omitempty" protobuf:"bytes,32767,opt,name=greatest"`
}

// One member in JSON, one on the wire, one in both.
type OneFormat struct {
	Both     string `json:"both,omitempty" protobuf:"bytes,1,opt,name=both"`
	OnlyWire string `json:"-" protobuf:"bytes,2,opt,name=onlyWire"`
	OnlyJson string `json:"onlyJson,omitempty" protobuf:"-"`
}

// ---- Names.

// Keywords and macros of C++, and members that a generated class might have.
type Keywords struct {
	Namespace string `json:"namespace,omitempty" protobuf:"bytes,1,opt,name=namespace"`
	Default   string `json:"default,omitempty" protobuf:"bytes,2,opt,name=default"`
	Continue  string `json:"continue,omitempty" protobuf:"bytes,3,opt,name=continue"`
	Operator  string `json:"operator,omitempty" protobuf:"bytes,4,opt,name=operator"`
	Linux     string `json:"linux,omitempty" protobuf:"bytes,5,opt,name=linux"`
	Minor     string `json:"minor,omitempty" protobuf:"bytes,6,opt,name=minor"`
	Major     string `json:"major,omitempty" protobuf:"bytes,7,opt,name=major"`
	Template  string `json:"template,omitempty" protobuf:"bytes,8,opt,name=template"`
	Class     string `json:"class,omitempty" protobuf:"bytes,9,opt,name=class"`
	Delete    string `json:"delete,omitempty" protobuf:"bytes,10,opt,name=delete"`
	Stdin     bool   `json:"stdin,omitempty" protobuf:"varint,11,opt,name=stdin"`
	Enum      string `json:"enum,omitempty" protobuf:"bytes,12,opt,name=enum"`
	Not       string `json:"not,omitempty" protobuf:"bytes,13,opt,name=not"`
	Private   string `json:"private,omitempty" protobuf:"bytes,14,opt,name=private"`
	Register  string `json:"register,omitempty" protobuf:"bytes,15,opt,name=register"`
	Unix      string `json:"unix,omitempty" protobuf:"bytes,16,opt,name=unix"`
	Errno     string `json:"errno,omitempty" protobuf:"bytes,17,opt,name=errno"`
	Int       string `json:"int,omitempty" protobuf:"bytes,18,opt,name=int"`
	Str       string `json:"string,omitempty" protobuf:"bytes,19,opt,name=string"`
	List      string `json:"list,omitempty" protobuf:"bytes,20,opt,name=list"`
	Map       string `json:"map,omitempty" protobuf:"bytes,21,opt,name=map"`
	Optional  string `json:"optional,omitempty" protobuf:"bytes,22,opt,name=optional"`
	Concept   string `json:"concept,omitempty" protobuf:"bytes,23,opt,name=concept"`
	KMessage  string `json:"kMessage,omitempty" protobuf:"bytes,24,opt,name=kMessage"`
	Std       string `json:"std,omitempty" protobuf:"bytes,25,opt,name=std"`
	Kube      string `json:"kube,omitempty" protobuf:"bytes,26,opt,name=kube"`
}

// JSON names that are not lowerCamelCase of the field's.
type JsonNames struct {
	HostIPC               bool     `json:"hostIPC,omitempty" protobuf:"varint,1,opt,name=hostIpc"`
	HostPID               bool     `json:"hostPID,omitempty" protobuf:"varint,2,opt,name=hostPid"`
	Ref                   *string  `json:"$ref,omitempty" protobuf:"bytes,3,opt,name=ref"`
	Schema                string   `json:"$schema,omitempty" protobuf:"bytes,4,opt,name=schema"`
	PreserveUnknownFields *bool    `json:"x-kubernetes-preserve-unknown-fields,omitempty" protobuf:"varint,5,opt,name=preserveUnknownFields"`
	ListMapKeys           []string `json:"x-kubernetes-list-map-keys,omitempty" protobuf:"bytes,6,rep,name=listMapKeys"`
	Upper                 string   `json:"Upper,omitempty" protobuf:"bytes,7,opt,name=upper"`
	// Differs from the one before in case only.
	Lower     string `json:"upper,omitempty" protobuf:"bytes,8,opt,name=lower"`
	Snake     string `json:"snake_case,omitempty" protobuf:"bytes,9,opt,name=snake"`
	Dotted    string `json:"a.b,omitempty" protobuf:"bytes,10,opt,name=dotted"`
	OneLetter string `json:"x,omitempty" protobuf:"bytes,11,opt,name=oneLetter"`
	// Go's HTML escapes apply to keys of maps, not to names.
	Annotations map[string]string `json:"annotations,omitempty" protobuf:"bytes,12,rep,name=annotations"`
}

// Names longer than 8 and 16 bytes with common prefixes and suffixes, and prefixes of each other.
type LongNames struct {
	Termination                                     string `json:"termination,omitempty" protobuf:"bytes,1,opt,name=termination"`
	TerminationMessage                              string `json:"terminationMessage,omitempty" protobuf:"bytes,2,opt,name=terminationMessage"`
	TerminationMessagePath                          string `json:"terminationMessagePath,omitempty" protobuf:"bytes,3,opt,name=terminationMessagePath"`
	TerminationMessagePolicy                        string `json:"terminationMessagePolicy,omitempty" protobuf:"bytes,4,opt,name=terminationMessagePolicy"`
	TerminationMessagePolity                        string `json:"terminationMessagePolity,omitempty" protobuf:"bytes,5,opt,name=terminationMessagePolity"`
	TerminationGracePeriodSeconds                   int64  `json:"terminationGracePeriodSeconds,omitempty" protobuf:"varint,6,opt,name=terminationGracePeriodSeconds"`
	TerminationGracePeriodSecondt                   int64  `json:"terminationGracePeriodSecondt,omitempty" protobuf:"varint,7,opt,name=terminationGracePeriodSecondt"`
	EightLe                                         string `json:"eightLet,omitempty" protobuf:"bytes,8,opt,name=eightLe"`
	EightLf                                         string `json:"eightLeu,omitempty" protobuf:"bytes,9,opt,name=eightLf"`
	EightLetters                                    string `json:"eightLetters,omitempty" protobuf:"bytes,10,opt,name=eightLetters"`
	SixteenLettersA                                 string `json:"sixteenLettersOk,omitempty" protobuf:"bytes,11,opt,name=sixteenLettersA"`
	SixteenLettersB                                 string `json:"sixteenLettersOh,omitempty" protobuf:"bytes,12,opt,name=sixteenLettersB"`
	SeventeenLetters                                string `json:"sixteenLettersOks,omitempty" protobuf:"bytes,13,opt,name=seventeenLetters"`
	A                                               string `json:"a,omitempty" protobuf:"bytes,14,opt,name=a"`
	Aa                                              string `json:"aa,omitempty" protobuf:"bytes,15,opt,name=aa"`
	Ab                                              string `json:"ab,omitempty" protobuf:"bytes,16,opt,name=ab"`
	Ba                                              string `json:"ba,omitempty" protobuf:"bytes,17,opt,name=ba"`
	RequiredDuringSchedulingIgnoredDuringExecution  string `json:"requiredDuringSchedulingIgnoredDuringExecution,omitempty" protobuf:"bytes,18,opt,name=requiredDuringSchedulingIgnoredDuringExecution"`
	PreferredDuringSchedulingIgnoredDuringExecution string `json:"preferredDuringSchedulingIgnoredDuringExecution,omitempty" protobuf:"bytes,19,opt,name=preferredDuringSchedulingIgnoredDuringExecution"`
	RequiredDuringSchedulingRequiredDuringExecution string `json:"requiredDuringSchedulingRequiredDuringExecution,omitempty" protobuf:"bytes,20,opt,name=requiredDuringSchedulingRequiredDuringExecution"`
}

// More than 64 fields: what was seen does not fit one word.
type Wide struct {
	F01 string            `json:"f01,omitempty" protobuf:"bytes,1,opt,name=f01"`
	F02 string            `json:"f02,omitempty" protobuf:"bytes,2,opt,name=f02"`
	F03 string            `json:"f03,omitempty" protobuf:"bytes,3,opt,name=f03"`
	F04 string            `json:"f04,omitempty" protobuf:"bytes,4,opt,name=f04"`
	F05 string            `json:"f05,omitempty" protobuf:"bytes,5,opt,name=f05"`
	F06 string            `json:"f06,omitempty" protobuf:"bytes,6,opt,name=f06"`
	F07 string            `json:"f07,omitempty" protobuf:"bytes,7,opt,name=f07"`
	F08 string            `json:"f08,omitempty" protobuf:"bytes,8,opt,name=f08"`
	F09 int32             `json:"f09,omitempty" protobuf:"varint,9,opt,name=f09"`
	F10 int32             `json:"f10,omitempty" protobuf:"varint,10,opt,name=f10"`
	F11 int32             `json:"f11,omitempty" protobuf:"varint,11,opt,name=f11"`
	F12 int32             `json:"f12,omitempty" protobuf:"varint,12,opt,name=f12"`
	F13 int32             `json:"f13,omitempty" protobuf:"varint,13,opt,name=f13"`
	F14 int32             `json:"f14,omitempty" protobuf:"varint,14,opt,name=f14"`
	F15 int32             `json:"f15,omitempty" protobuf:"varint,15,opt,name=f15"`
	F16 int32             `json:"f16,omitempty" protobuf:"varint,16,opt,name=f16"`
	F17 *int64            `json:"f17,omitempty" protobuf:"varint,17,opt,name=f17"`
	F18 *int64            `json:"f18,omitempty" protobuf:"varint,18,opt,name=f18"`
	F19 *int64            `json:"f19,omitempty" protobuf:"varint,19,opt,name=f19"`
	F20 *int64            `json:"f20,omitempty" protobuf:"varint,20,opt,name=f20"`
	F21 *int64            `json:"f21,omitempty" protobuf:"varint,21,opt,name=f21"`
	F22 *int64            `json:"f22,omitempty" protobuf:"varint,22,opt,name=f22"`
	F23 *int64            `json:"f23,omitempty" protobuf:"varint,23,opt,name=f23"`
	F24 *int64            `json:"f24,omitempty" protobuf:"varint,24,opt,name=f24"`
	F25 bool              `json:"f25,omitempty" protobuf:"varint,25,opt,name=f25"`
	F26 bool              `json:"f26,omitempty" protobuf:"varint,26,opt,name=f26"`
	F27 bool              `json:"f27,omitempty" protobuf:"varint,27,opt,name=f27"`
	F28 bool              `json:"f28,omitempty" protobuf:"varint,28,opt,name=f28"`
	F29 bool              `json:"f29,omitempty" protobuf:"varint,29,opt,name=f29"`
	F30 bool              `json:"f30,omitempty" protobuf:"varint,30,opt,name=f30"`
	F31 bool              `json:"f31,omitempty" protobuf:"varint,31,opt,name=f31"`
	F32 bool              `json:"f32,omitempty" protobuf:"varint,32,opt,name=f32"`
	F33 []string          `json:"f33,omitempty" protobuf:"bytes,33,rep,name=f33"`
	F34 []string          `json:"f34,omitempty" protobuf:"bytes,34,rep,name=f34"`
	F35 []string          `json:"f35,omitempty" protobuf:"bytes,35,rep,name=f35"`
	F36 []string          `json:"f36,omitempty" protobuf:"bytes,36,rep,name=f36"`
	F37 *string           `json:"f37,omitempty" protobuf:"bytes,37,opt,name=f37"`
	F38 *string           `json:"f38,omitempty" protobuf:"bytes,38,opt,name=f38"`
	F39 *string           `json:"f39,omitempty" protobuf:"bytes,39,opt,name=f39"`
	F40 *string           `json:"f40,omitempty" protobuf:"bytes,40,opt,name=f40"`
	F41 map[string]string `json:"f41,omitempty" protobuf:"bytes,41,rep,name=f41"`
	F42 map[string]string `json:"f42,omitempty" protobuf:"bytes,42,rep,name=f42"`
	F43 map[string]string `json:"f43,omitempty" protobuf:"bytes,43,rep,name=f43"`
	F44 map[string]string `json:"f44,omitempty" protobuf:"bytes,44,rep,name=f44"`
	F45 *Point            `json:"f45,omitempty" protobuf:"bytes,45,opt,name=f45"`
	F46 *Point            `json:"f46,omitempty" protobuf:"bytes,46,opt,name=f46"`
	F47 *Point            `json:"f47,omitempty" protobuf:"bytes,47,opt,name=f47"`
	F48 *Point            `json:"f48,omitempty" protobuf:"bytes,48,opt,name=f48"`
	F49 int64             `json:"f49,omitempty" protobuf:"varint,49,opt,name=f49"`
	F50 int64             `json:"f50,omitempty" protobuf:"varint,50,opt,name=f50"`
	F51 int64             `json:"f51,omitempty" protobuf:"varint,51,opt,name=f51"`
	F52 int64             `json:"f52,omitempty" protobuf:"varint,52,opt,name=f52"`
	F53 float64           `json:"f53,omitempty" protobuf:"fixed64,53,opt,name=f53"`
	F54 float64           `json:"f54,omitempty" protobuf:"fixed64,54,opt,name=f54"`
	F55 float64           `json:"f55,omitempty" protobuf:"fixed64,55,opt,name=f55"`
	F56 float64           `json:"f56,omitempty" protobuf:"fixed64,56,opt,name=f56"`
	F57 *bool             `json:"f57,omitempty" protobuf:"varint,57,opt,name=f57"`
	F58 *bool             `json:"f58,omitempty" protobuf:"varint,58,opt,name=f58"`
	F59 *bool             `json:"f59,omitempty" protobuf:"varint,59,opt,name=f59"`
	F60 *bool             `json:"f60,omitempty" protobuf:"varint,60,opt,name=f60"`
	F61 string            `json:"f61" protobuf:"bytes,61,opt,name=f61"`
	F62 string            `json:"f62" protobuf:"bytes,62,opt,name=f62"`
	F63 string            `json:"f63,omitempty" protobuf:"bytes,63,opt,name=f63"`
	F64 string            `json:"f64,omitempty" protobuf:"bytes,64,opt,name=f64"`
	F65 string            `json:"f65" protobuf:"bytes,65,opt,name=f65"`
	F66 string            `json:"f66,omitempty" protobuf:"bytes,66,opt,name=f66"`
	F67 int32             `json:"f67" protobuf:"varint,67,opt,name=f67"`
	F68 []Point           `json:"f68,omitempty" protobuf:"bytes,68,rep,name=f68"`
	F69 string            `json:"f69,omitempty" protobuf:"bytes,69,opt,name=f69"`
	F70 string            `json:"f70,omitempty" protobuf:"bytes,70,opt,name=f70"`
}

// ---- Recursion, and JSON in other forms: as JSONSchemaProps.

type Schema struct {
	ID                   string                         `json:"id,omitempty" protobuf:"bytes,1,opt,name=id"`
	Ref                  *string                        `json:"$ref,omitempty" protobuf:"bytes,3,opt,name=ref"`
	Type                 string                         `json:"type,omitempty" protobuf:"bytes,5,opt,name=type"`
	Default              *apiextensionsv1.JSON          `json:"default,omitempty" protobuf:"bytes,8,opt,name=default"`
	Maximum              *float64                       `json:"maximum,omitempty" protobuf:"fixed64,9,opt,name=maximum"`
	Enum                 []apiextensionsv1.JSON         `json:"enum,omitempty" protobuf:"bytes,20,rep,name=enum"`
	Required             []string                       `json:"required,omitempty" protobuf:"bytes,23,rep,name=required"`
	Items                *SchemaOrArray                 `json:"items,omitempty" protobuf:"bytes,24,opt,name=items"`
	AllOf                []Schema                       `json:"allOf,omitempty" protobuf:"bytes,25,rep,name=allOf"`
	Not                  *Schema                        `json:"not,omitempty" protobuf:"bytes,28,opt,name=not"`
	Properties           map[string]Schema              `json:"properties,omitempty" protobuf:"bytes,29,rep,name=properties"`
	AdditionalProperties *SchemaOrBool                  `json:"additionalProperties,omitempty" protobuf:"bytes,30,opt,name=additionalProperties"`
	Dependencies         map[string]SchemaOrStringArray `json:"dependencies,omitempty" protobuf:"bytes,32,rep,name=dependencies"`
	// A struct by value of such a form.
	AdditionalItems       SchemaOrBool `json:"additionalItems,omitempty" protobuf:"bytes,33,opt,name=additionalItems"`
	PreserveUnknownFields *bool        `json:"x-kubernetes-preserve-unknown-fields,omitempty" protobuf:"varint,38,opt,name=preserveUnknownFields"`
}

type SchemaOrArray struct {
	Schema  *Schema  `json:"schema" protobuf:"bytes,1,opt,name=schema"`
	Schemas []Schema `json:"schemas" protobuf:"bytes,2,rep,name=schemas"`
}

type SchemaOrBool struct {
	Allows bool    `json:"allows" protobuf:"varint,1,opt,name=allows"`
	Schema *Schema `json:"schema" protobuf:"bytes,2,opt,name=schema"`
}

type SchemaOrStringArray struct {
	Schema   *Schema  `json:"schema" protobuf:"bytes,1,opt,name=schema"`
	Property []string `json:"property" protobuf:"bytes,2,rep,name=property"`
}

// ---- How lists, maps and structs merge.

type Merges struct {
	// patchStrategy merge by a key, list type map by two keys: as ports of a container.
	// +listType=map
	// +listMapKey=containerPort
	// +listMapKey=protocol
	Ports []Port `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"containerPort" protobuf:"bytes,1,rep,name=ports"`
	// patchStrategy merge of plain values, a set.
	// +listType=set
	Set []string `json:"set,omitempty" patchStrategy:"merge" protobuf:"bytes,2,rep,name=set"`
	// No strategy: replaced.
	Replaced []string `json:"replaced,omitempty" protobuf:"bytes,3,rep,name=replaced"`
	// +listType=atomic
	AtomicPairs []Pair `json:"atomicPairs,omitempty" protobuf:"bytes,4,rep,name=atomicPairs"`
	Retained    *Point `json:"retained,omitempty" patchStrategy:"retainKeys" protobuf:"bytes,5,opt,name=retained"`
	// +mapType=atomic
	AtomicMap map[string]string `json:"atomicMap,omitempty" protobuf:"bytes,6,rep,name=atomicMap"`
	// Atomic by its type.
	Selector *LabelSelector `json:"selector,omitempty" protobuf:"bytes,7,opt,name=selector"`
	// +listType=map
	// +listMapKey=type
	Conditions     []Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type" protobuf:"bytes,8,rep,name=conditions"`
	ReplacedByName []Pair      `json:"replacedByName,omitempty" patchStrategy:"replace" protobuf:"bytes,9,rep,name=replacedByName"`
	// Merging inside merging.
	// +listType=map
	// +listMapKey=name
	Parts []Part `json:"parts,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,10,rep,name=parts"`
}

type Port struct {
	Name          string `json:"name,omitempty" protobuf:"bytes,1,opt,name=name"`
	HostPort      *int32 `json:"hostPort,omitempty" protobuf:"varint,2,opt,name=hostPort"`
	ContainerPort int32  `json:"containerPort" protobuf:"varint,3,opt,name=containerPort"`
	Protocol      string `json:"protocol,omitempty" protobuf:"bytes,4,opt,name=protocol"`
}

type Part struct {
	Name  string `json:"name" protobuf:"bytes,1,opt,name=name"`
	Image string `json:"image,omitempty" protobuf:"bytes,2,opt,name=image"`
	// +listType=map
	// +listMapKey=containerPort
	// +listMapKey=protocol
	Ports  []Port                       `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"containerPort" protobuf:"bytes,3,rep,name=ports"`
	Limits map[string]resource.Quantity `json:"limits,omitempty" protobuf:"bytes,4,rep,name=limits"`
}

// ---- Values that a schema restricts, for validation and for CRDs.

type Restricted struct {
	SizeName string `json:"size,omitempty" protobuf:"bytes,1,opt,name=size"`
	Percent  *int32 `json:"percent,omitempty" protobuf:"varint,2,opt,name=percent"`
	Name     string `json:"name" protobuf:"bytes,3,opt,name=name"`
	// +listType=set
	Tags     []string             `json:"tags,omitempty" protobuf:"bytes,4,rep,name=tags"`
	Anything runtime.RawExtension `json:"anything,omitempty" protobuf:"bytes,5,opt,name=anything"`
	Ratio    *float64             `json:"ratio,omitempty" protobuf:"fixed64,6,opt,name=ratio"`
}

// ---- Kinds.

// A namespaced kind that holds everything.
type Sink struct {
	metav1.TypeMeta `json:",inline"`
	ObjectMeta      `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	Spec            SinkSpec   `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	Status          SinkStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

type SinkSpec struct {
	Plain         *Plain         `json:"plain,omitempty" protobuf:"bytes,1,opt,name=plain"`
	Optional      *Optional      `json:"optional,omitempty" protobuf:"bytes,2,opt,name=optional"`
	Never         *Never         `json:"never,omitempty" protobuf:"bytes,3,opt,name=never"`
	OptionalNever *OptionalNever `json:"optionalNever,omitempty" protobuf:"bytes,4,opt,name=optionalNever"`
	Zero          *Zero          `json:"zero,omitempty" protobuf:"bytes,5,opt,name=zero"`
	OptionalZero  *OptionalZero  `json:"optionalZero,omitempty" protobuf:"bytes,6,opt,name=optionalZero"`
	EmptyOrZero   *EmptyOrZero   `json:"emptyOrZero,omitempty" protobuf:"bytes,7,opt,name=emptyOrZero"`
	Lists         *Lists         `json:"lists,omitempty" protobuf:"bytes,8,opt,name=lists"`
	ListsNever    *ListsNever    `json:"listsNever,omitempty" protobuf:"bytes,9,opt,name=listsNever"`
	ListsZero     *ListsZero     `json:"listsZero,omitempty" protobuf:"bytes,10,opt,name=listsZero"`
	Maps          *Maps          `json:"maps,omitempty" protobuf:"bytes,11,opt,name=maps"`
	MapsNever     *MapsNever     `json:"mapsNever,omitempty" protobuf:"bytes,12,opt,name=mapsNever"`
	MapsZero      *MapsZero      `json:"mapsZero,omitempty" protobuf:"bytes,13,opt,name=mapsZero"`
	Structs       *Structs       `json:"structs,omitempty" protobuf:"bytes,14,opt,name=structs"`
	Inlines       *Inlines       `json:"inlines,omitempty" protobuf:"bytes,15,opt,name=inlines"`
	Numbers       *Numbers       `json:"numbers,omitempty" protobuf:"bytes,16,opt,name=numbers"`
	OneFormat     *OneFormat     `json:"oneFormat,omitempty" protobuf:"bytes,17,opt,name=oneFormat"`
	Keywords      *Keywords      `json:"keywords,omitempty" protobuf:"bytes,18,opt,name=keywords"`
	JsonNames     *JsonNames     `json:"jsonNames,omitempty" protobuf:"bytes,19,opt,name=jsonNames"`
	LongNames     *LongNames     `json:"longNames,omitempty" protobuf:"bytes,20,opt,name=longNames"`
	Wide          *Wide          `json:"wide,omitempty" protobuf:"bytes,21,opt,name=wide"`
	Schema        *Schema        `json:"schema,omitempty" protobuf:"bytes,22,opt,name=schema"`
	Merges        *Merges        `json:"merges,omitempty" protobuf:"bytes,23,opt,name=merges"`
	Restricted    *Restricted    `json:"restricted,omitempty" protobuf:"bytes,24,opt,name=restricted"`
	Workload      *Workload      `json:"workload,omitempty" protobuf:"bytes,25,opt,name=workload"`
}

type SinkStatus struct {
	ObservedGeneration int64 `json:"observedGeneration,omitempty" protobuf:"varint,1,opt,name=observedGeneration"`
	// +listType=map
	// +listMapKey=type
	Conditions []Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type" protobuf:"bytes,2,rep,name=conditions"`
}

type SinkList struct {
	metav1.TypeMeta `json:",inline"`
	ListMeta        `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	Items           []Sink `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// A cluster's kind, small, that shares nothing with Sink but metadata: a program that names it must
// not carry Sink's tables.
type Tap struct {
	metav1.TypeMeta `json:",inline"`
	ObjectMeta      `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	Open            bool               `json:"open,omitempty" protobuf:"varint,2,opt,name=open"`
	Flow            *resource.Quantity `json:"flow,omitempty" protobuf:"bytes,3,opt,name=flow"`
}

type TapList struct {
	metav1.TypeMeta `json:",inline"`
	ListMeta        `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	Items           []Tap `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// A kind that is no resource and has no metadata: only sent.
type DrainOptions struct {
	metav1.TypeMeta    `json:",inline"`
	GracePeriodSeconds *int64   `json:"gracePeriodSeconds,omitempty" protobuf:"varint,1,opt,name=gracePeriodSeconds"`
	DryRun             []string `json:"dryRun,omitempty" protobuf:"bytes,2,rep,name=dryRun"`
}

// apiVersion and kind without being a kind.
type Typed struct {
	metav1.TypeMeta `json:",inline"`
	Name            string `json:"name,omitempty" protobuf:"bytes,1,opt,name=name"`
}

// ---- An apply configuration: as a Deployment's spec. In its twin, replicas 0 and empty lists can be sent, and what is absent is not.

type Workload struct {
	Replicas        *int32            `json:"replicas,omitempty" protobuf:"varint,1,opt,name=replicas"`
	MinReadySeconds int32             `json:"minReadySeconds,omitempty" protobuf:"varint,5,opt,name=minReadySeconds"`
	Paused          bool              `json:"paused,omitempty" protobuf:"varint,7,opt,name=paused"`
	Selector        *LabelSelector    `json:"selector" protobuf:"bytes,2,opt,name=selector"`
	Template        Template          `json:"template" protobuf:"bytes,3,opt,name=template"`
	Args            []string          `json:"args,omitempty" protobuf:"bytes,8,rep,name=args"`
	Capacity        resource.Quantity `json:"capacity,omitempty" protobuf:"bytes,9,opt,name=capacity"`
	Labels          map[string]string `json:"labels,omitempty" protobuf:"bytes,10,rep,name=labels"`
}

type Template struct {
	Metadata ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// +listType=map
	// +listMapKey=name
	Parts []Part `json:"parts" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,2,rep,name=parts"`
	// Inline in an apply configuration.
	Handler `json:",inline" protobuf:"bytes,3,opt,name=handler"`
}
